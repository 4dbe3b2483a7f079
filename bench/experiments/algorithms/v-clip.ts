/**
 * Distance of two polyhedra by walking from feature to feature, for comparison: Mirtich, "V-Clip: Fast and Robust
 * Polyhedral Collision Detection", ACM Transactions on Graphics 17 (1998).
 *
 * A vertex, edge or face has a Voronoi region: the points outside the polyhedron that are nearer to it than to any
 * other feature. Two features hold the nearest points of two polyhedra if each nearest point lies in the other's
 * region. The walk starts from two features, tests that, and where a plane of a region is violated goes on with the
 * feature beyond the plane. An edge is not tested by a point but clipped by the region: where the whole of it is
 * outside one plane, or it gets nearer towards an end where a plane cut it, that plane is the violated one.
 *
 * From frame to frame the features hardly change, so that a walk that starts from the last ones takes a step or two.
 * Overlap is found, its depth is not. Here in TypeScript and double precision on the CPU alone: no two pairs walk
 * alike, and features with what lies beside them are much to read, neither of which a GPU likes.
 */

import { dot, minus, plus, type Polyhedron, type Vector } from './polyhedron.ts';

export const VERTEX = 0;
export const EDGE = 1;
export const FACE = 2;

/** Takes points from one polyhedron's frame to the other's. */
export interface Motion {
  /** Row-major. */
  rotation: ArrayLike<number>;
  translation: Vector;
}

/** One of the two: where the walk is on it, and the way to the other's frame. */
export interface Walker {
  readonly solid: Polyhedron;
  motion: Motion;
  /** `VERTEX`, `EDGE` or `FACE`. */
  kind: number;
  index: number;
}

export interface Walk {
  overlaps: boolean;
  /** Distance of the nearest points; 0 if the polyhedra overlap. */
  distance: number;
  /** Pairs of features tested. */
  steps: number;
  /** It went on for `MAX_STEPS`, and has no answer. */
  isLost: boolean;
}

const MAX_STEPS = 500;

/** An edge that gets nearer by less than this over its length is parallel: rounding would send the walk to and fro. */
const PARALLEL = 1e-12;

type Outcome = number | 'on' | 'overlap';

/** Walks on from the features of the two walkers, and leaves them where the nearest points are. */
export function vClip(a: Walker, b: Walker): Walk {
  for (let steps = 1; steps <= MAX_STEPS; steps++) {
    const outcome = a.kind <= b.kind ? step(a, b) : step(b, a);
    if (outcome === 'overlap') return { overlaps: true, distance: 0, steps, isLost: false };
    if (outcome !== 'on') return { overlaps: outcome === 0, distance: outcome, steps, isLost: false };
  }
  return { overlaps: false, distance: 0, steps: MAX_STEPS, isLost: true };
}

/** `low` has the feature of fewer dimensions. Two faces never come up. */
function step(low: Walker, high: Walker): Outcome {
  if (high.kind === VERTEX) return vertexVertex(low, high);
  if (high.kind === EDGE) return low.kind === VERTEX ? vertexEdge(low, high) : edgeEdge(low, high);
  return low.kind === VERTEX ? vertexFace(low, high) : edgeFace(low, high);
}

function goTo(walker: Walker, kind: number, index: number): Outcome {
  walker.kind = kind;
  walker.index = index;
  return 'on';
}

/** A point of a walker's polyhedron in the other's frame. */
function moved({ motion: { rotation: r, translation: t } }: Walker, [x, y, z]: Vector): Vector {
  return [
    r[0] * x + r[1] * y + r[2] * z + t[0],
    r[3] * x + r[4] * y + r[5] * z + t[1],
    r[6] * x + r[7] * y + r[8] * z + t[2],
  ];
}

function vertexVertex(p: Walker, q: Walker): Outcome {
  for (const [at, other] of [
    [p, q],
    [q, p],
  ] as const) {
    const { edgesAt, edges, vertices } = at.solid;
    const offset = minus(moved(other, other.solid.vertices[other.index]), vertices[at.index]);
    for (const e of edgesAt[at.index]) {
      const along = dot(offset, edges[e].direction);
      if ((edges[e].tail === at.index ? along : -along) > 0) return goTo(at, EDGE, e);
    }
  }
  return Math.hypot(...minus(moved(p, p.solid.vertices[p.index]), q.solid.vertices[q.index]));
}

function vertexEdge(v: Walker, e: Walker): Outcome {
  const { edges, vertices } = e.solid;
  const edge = edges[e.index];
  const offset = minus(moved(v, v.solid.vertices[v.index]), vertices[edge.tail]);
  const along = dot(offset, edge.direction);
  if (along < 0) return goTo(e, VERTEX, edge.tail);
  if (along > edge.length) return goTo(e, VERTEX, edge.head);
  for (const side of [0, 1]) if (dot(offset, edge.outward[side]) < 0) return goTo(e, FACE, edge.faces[side]);

  const at = v.solid.vertices[v.index];
  clip(e, v.solid.edgesAt[v.index], (point, n) => {
    const { tail, direction } = v.solid.edges[n];
    const beyond = dot(minus(point, at), direction);
    return tail === v.index ? -beyond : beyond;
  });
  const beyond = violated((point) => minus(point, at));
  if (beyond !== NONE) return goTo(v, EDGE, beyond);
  return Math.hypot(...plus(offset, edge.direction, -along));
}

function edgeEdge(p: Walker, q: Walker): Outcome {
  for (const [at, other] of [
    [p, q],
    [q, p],
  ] as const) {
    const { edges, vertices } = at.solid;
    const { tail, head, direction, length, outward, faces } = edges[at.index];
    const from = vertices[tail];
    clip(other, [0, 1, 2, 3], (point, n) => {
      const offset = minus(point, from);
      if (n < 2) return n === 0 ? dot(offset, direction) : length - dot(offset, direction);
      return dot(offset, outward[n - 2]);
    });
    const beyond = violated((point) => {
      const offset = minus(point, from);
      return plus(offset, direction, -dot(offset, direction));
    });
    if (beyond !== NONE)
      return beyond < 2 ? goTo(at, VERTEX, beyond === 0 ? tail : head) : goTo(at, FACE, faces[beyond - 2]);
  }
  return betweenEdges(p, p.index, q, q.index).distance;
}

function vertexFace(v: Walker, f: Walker): Outcome {
  const { faces } = f.solid;
  const { normal, offset, edges } = faces[f.index];
  const at = moved(v, v.solid.vertices[v.index]);
  let farthest = 0;
  let beyond = NONE;
  for (const { edge, side } of edges) {
    const across = outside(f, edge, side, at);
    if (across > farthest) {
      farthest = across;
      beyond = edge;
    }
  }
  if (beyond !== NONE) return goTo(f, EDGE, beyond);
  const height = dot(normal, at) - offset;
  const sign = height < 0 ? -1 : 1;
  for (const e of v.solid.edgesAt[v.index]) {
    const { tail, head, length } = v.solid.edges[e];
    const end = moved(v, v.solid.vertices[tail === v.index ? head : tail]);
    if (sign * (dot(normal, end) - offset) < sign * height - PARALLEL * length) return goTo(v, EDGE, e);
  }
  if (height > 0) return height;
  // Behind the face, and going nowhere: on to the face that the vertex is farthest in front of, if there is one.
  let best = NONE;
  let greatest = 0;
  faces.forEach((face, n) => {
    const inFront = dot(face.normal, at) - face.offset;
    if (inFront > greatest) {
      greatest = inFront;
      best = n;
    }
  });
  return best === NONE ? 'overlap' : goTo(f, FACE, best);
}

function edgeFace(e: Walker, f: Walker): Outcome {
  const { normal, offset, edges } = f.solid.faces[f.index];
  const isClipped = !clip(
    e,
    edges.map((_, n) => n),
    (point, n) => -outside(f, edges[n].edge, edges[n].side, point),
  );
  if (isClipped) {
    // Past the face: on to what is nearest of its border.
    const nearest = { distance: Infinity, share: 0, edge: NONE };
    for (const { edge } of edges) {
      const between = betweenEdges(e, e.index, f, edge);
      if (between.distance < nearest.distance) Object.assign(nearest, between, { edge });
    }
    const { tail, head } = f.solid.edges[nearest.edge];
    if (nearest.share > 0 && nearest.share < 1) return goTo(f, EDGE, nearest.edge);
    return goTo(f, VERTEX, nearest.share === 0 ? tail : head);
  }
  const low = dot(normal, pointAt(cut.low)) - offset;
  const high = dot(normal, pointAt(cut.high)) - offset;
  if (low * high <= 0) return 'overlap';
  const edge = e.solid.edges[e.index];
  if (Math.abs(low) <= Math.abs(high))
    return cut.lowPlane === NONE ? goTo(e, VERTEX, edge.tail) : goTo(f, EDGE, edges[cut.lowPlane].edge);
  return cut.highPlane === NONE ? goTo(e, VERTEX, edge.head) : goTo(f, EDGE, edges[cut.highPlane].edge);
}

/** How far a point is outside a face across one of its edges. */
function outside({ solid }: Walker, edge: number, side: 0 | 1, point: Vector): number {
  const { tail, outward } = solid.edges[edge];
  return dot(minus(point, solid.vertices[tail]), outward[side]);
}

const NONE = -1;

/** What `clip` leaves of an edge: from `low` to `high` of its length, and the planes that cut it there. */
const cut = {
  tail: [0, 0, 0] as Vector,
  head: [0, 0, 0] as Vector,
  low: 0,
  high: 1,
  lowPlane: NONE,
  highPlane: NONE,
  excluding: NONE,
};

/**
 * Clips a walker's edge, in the other's frame, by planes inside which `inside` is positive. False if nothing is left.
 */
function clip(e: Walker, planes: readonly number[], inside: (point: Vector, plane: number) => number): boolean {
  const { tail, head } = e.solid.edges[e.index];
  cut.tail = moved(e, e.solid.vertices[tail]);
  cut.head = moved(e, e.solid.vertices[head]);
  cut.low = 0;
  cut.high = 1;
  cut.lowPlane = cut.highPlane = cut.excluding = NONE;
  for (const plane of planes) {
    const atTail = inside(cut.tail, plane);
    const atHead = inside(cut.head, plane);
    if (atTail < 0 && atHead < 0) {
      cut.excluding = plane;
      return false;
    }
    if (atTail < 0 && atTail / (atTail - atHead) > cut.low) {
      cut.low = atTail / (atTail - atHead);
      cut.lowPlane = plane;
    } else if (atHead < 0 && atTail / (atTail - atHead) < cut.high) {
      cut.high = atTail / (atTail - atHead);
      cut.highPlane = plane;
    }
  }
  return cut.low <= cut.high;
}

function pointAt(share: number): Vector {
  return plus(cut.tail, minus(cut.head, cut.tail), share);
}

/**
 * The plane that the clipped edge violates, or NONE. `fromFeature` gives the vector from the feature to a point of the
 * edge.
 */
function violated(fromFeature: (point: Vector) => Vector): number {
  if (cut.excluding !== NONE) return cut.excluding;
  const along = minus(cut.head, cut.tail);
  const growth = (share: number): number => dot(along, fromFeature(pointAt(share)));
  if (cut.lowPlane !== NONE && growth(cut.low) > 0) return cut.lowPlane;
  if (cut.highPlane !== NONE && growth(cut.high) < 0) return cut.highPlane;
  // Between two planes there is nothing of the edge, and one of them is violated.
  return cut.low > cut.high ? cut.lowPlane : NONE;
}

/**
 * Distance of two edges as segments, by the lines' nearest points, cut at the ends; and where on `edgeQ` it is, from 0
 * to 1.
 */
function betweenEdges(p: Walker, edgeP: number, q: Walker, edgeQ: number): { distance: number; share: number } {
  const { tail, head } = p.solid.edges[edgeP];
  const start = moved(p, p.solid.vertices[tail]);
  const u = minus(moved(p, p.solid.vertices[head]), start);
  const { tail: tailQ, direction, length } = q.solid.edges[edgeQ];
  const v = plus([0, 0, 0], direction, length);
  const between = minus(start, q.solid.vertices[tailQ]);
  const [uu, vv, uv, ub, vb] = [dot(u, u), dot(v, v), dot(u, v), dot(u, between), dot(v, between)];
  const determinant = uu * vv - uv * uv;
  let s = determinant > 1e-24 * uu * vv ? clamp((uv * vb - vv * ub) / determinant) : 0;
  const t = clamp((uv * s + vb) / vv);
  s = clamp((uv * t - ub) / uu);
  return { distance: Math.hypot(...plus(plus(between, u, s), v, -t)), share: t };
}

function clamp(x: number): number {
  return Math.min(Math.max(x, 0), 1);
}

/** The motions from A's frame to B's and back. Poses have a position and a quaternion of any length; no scale. */
export function motionsBetween(a: BodyPose, b: BodyPose): [Motion, Motion] {
  const [rotationA, rotationB] = [rotationOf(a.quaternion), rotationOf(b.quaternion)];
  const between: Vector = [b.position[0] - a.position[0], b.position[1] - a.position[1], b.position[2] - a.position[2]];
  // toB has A's axes in B's frame: transpose(rotationB) · rotationA. toA is its transpose.
  const toB = new Float64Array(9);
  const toA = new Float64Array(9);
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) {
      const cosine =
        rotationB[i] * rotationA[k] + rotationB[3 + i] * rotationA[3 + k] + rotationB[6 + i] * rotationA[6 + k];
      toB[3 * i + k] = toA[3 * k + i] = cosine;
    }
  }
  return [
    { rotation: toB, translation: turnedBack(rotationB, [-between[0], -between[1], -between[2]]) },
    { rotation: toA, translation: turnedBack(rotationA, between) },
  ];
}

interface BodyPose {
  position: ArrayLike<number>;
  quaternion: ArrayLike<number>;
}

/** Row-major. */
function rotationOf(q: ArrayLike<number>): Float64Array {
  const [x, y, z, w] = [q[0], q[1], q[2], q[3]];
  const k = 2 / (x * x + y * y + z * z + w * w);
  return Float64Array.of(
    1 - k * (y * y + z * z),
    k * (x * y - w * z),
    k * (x * z + w * y),
    k * (x * y + w * z),
    1 - k * (x * x + z * z),
    k * (y * z - w * x),
    k * (x * z - w * y),
    k * (y * z + w * x),
    1 - k * (x * x + y * y),
  );
}

function turnedBack(r: Float64Array, [x, y, z]: Vector): Vector {
  return [r[0] * x + r[3] * y + r[6] * z, r[1] * x + r[4] * y + r[7] * z, r[2] * x + r[5] * y + r[8] * z];
}
