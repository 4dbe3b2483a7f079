/**
 * Signed distance of two rounded polytopes by brute force, in double precision.
 *
 * Write room(n) for the least n·x over core B minus the greatest over core A. Along every unit direction n room is at
 * most the signed distance of the cores, and the greatest room over all n equals it: the gap when they are apart
 * (duality of distance and separation), minus the depth when they overlap. Rounding by balls subtracts the radii.
 *
 * Overlapping. The least depth lies in a facet of the difference body B - A: a facet of one core against any feature of
 * the other, or an edge of one against an edge of the other, whatever the dimensions of the cores. So all facet normals
 * and all cross products of edges are tried, in both directions. If B - A is itself flat, or less, the depth is 0 along
 * its normal: that of a flat core, the cross product of two segments, or any perpendicular of a segment. Every
 * direction is evaluated by supports over all vertices, so a wrong or unnecessary one does no harm.
 *
 * Apart. The gap is the least distance of vertex to facet, edge to edge and vertex to edge or vertex. Each is the
 * length between two actual points, accurate to an ulp of the shapes' size, however small it is. The normal is the
 * direction with the greatest room among those above and the one between the nearest points, made perpendicular to each
 * edge to remove its rounding error. If the gap is 1e-10 of the size, the raw direction is off by 1e-6 and would tilt
 * over an edge's length.
 *
 * Which of the two applies: the cores overlap if neither facets and edges nor the direction between the nearest points
 * show room. The latter matters if B - A is so thin that rounding hides the room at its rim. At touch both answers are
 * within rounding of 0, so that the boundary between them does not show.
 *
 * A's frame is used throughout, on the difference of the positions, so that distance from the world's origin costs no
 * precision.
 */

import { rotate, rotateBack, rotationMatrix, type OraclePolytope, type OraclePose, type Vector } from './shape.ts';
import type { OracleOptions, OracleResult } from './result.ts';

/** If the overlap is deeper than this share of the size, facets and edges alone decide. */
const CLEAR_OVERLAP = 1e-6;

/** Rounding error of a direction's room, as a share of max(s, |B - A|), with a margin. */
const ROOM_ROUNDING = 4e-15;

/** Sines of the angle between edges below this are rounding noise, and the facet is narrower than an ulp. */
const PARALLEL = 1e-15;

/** How far a cross product may seem to point into a wing and still be tried. Rounding is a millionth of this. */
const WING_SLACK = 1e-9;

/** A core in A's frame. */
interface Placed {
  shape: OraclePolytope;
  vertices: Float64Array;
  /** Outward unit normals of the facets, 3 each. */
  normals: Float64Array;
  directions: Float64Array;
  wings: Float64Array;
  lengths: Float64Array;
}

/** The direction with the most room so far. */
interface Search {
  a: Placed;
  b: Placed;
  exhaustive: boolean;
  room: number;
  x: number;
  y: number;
  z: number;
}

/** The nearest points so far: squared distance and the vector from A's to B's. */
interface Nearest {
  squared: number;
  x: number;
  y: number;
  z: number;
}

/**
 * `exhaustive`: try everything to the end. The default skips edge pairs that span no facet, abandons a direction once
 * one vertex shows that it has no more room than the best so far, and skips nearest points if the overlap is beyond
 * doubt. Both agree to rounding.
 */
export function polytopeDistance(
  shapeA: OraclePolytope,
  poseA: OraclePose,
  shapeB: OraclePolytope,
  poseB: OraclePose,
  { exhaustive = false }: OracleOptions,
): OracleResult {
  const scaleA = poseA.scale ?? 1;
  const scaleB = poseB.scale ?? 1;
  const rotationA = rotationMatrix(poseA.quaternion);
  const rotationB = rotationMatrix(poseB.quaternion);
  const offset = rotateBack(
    rotationA,
    [0, 1, 2].map((k) => poseB.position[k] - poseA.position[k]),
  );
  const a = place(shapeA, scaleA, (v) => [v[0], v[1], v[2]], [0, 0, 0]);
  const b = place(shapeB, scaleB, (v) => rotateBack(rotationA, rotate(rotationB, v)), offset);

  const search: Search = { a, b, exhaustive, room: -Infinity, x: 0, y: 0, z: 0 };
  tryFacets(search, a, 1);
  tryFacets(search, b, -1);
  tryEdgePairs(search);
  tryPerpendiculars(search);
  let distance = search.room;
  const size = shapeA.boundingRadius * scaleA + shapeB.boundingRadius * scaleB;
  if (search.exhaustive || search.room >= -CLEAR_OVERLAP * size) {
    const nearest = nearestPoints(a, b);
    tryNearest(search, nearest, ROOM_ROUNDING * Math.max(size, Math.hypot(offset[0], offset[1], offset[2])));
    distance = search.room > 0 ? Math.sqrt(nearest.squared) : search.room;
  }
  return {
    distance: distance - shapeA.radius * scaleA - shapeB.radius * scaleB,
    normal: rotate(rotationA, [search.x, search.y, search.z]),
  };
}

function place(shape: OraclePolytope, scale: number, turn: (v: Vector) => Vector, offset: Vector): Placed {
  const turned = (vectors: Float64Array) => {
    const out = new Float64Array(vectors.length);
    for (let i = 0; i < out.length; i += 3) out.set(turn([vectors[i], vectors[i + 1], vectors[i + 2]]), i);
    return out;
  };
  const vertices = turned(shape.vertices);
  for (let i = 0; i < vertices.length; i++) vertices[i] = scale * vertices[i] + offset[i % 3];
  const lengths = new Float64Array(shape.edges.length / 2);
  for (let e = 0; e < lengths.length; e++) {
    const from = 3 * shape.edges[2 * e];
    const to = 3 * shape.edges[2 * e + 1];
    const v = shape.vertices;
    lengths[e] = scale * Math.hypot(v[to] - v[from], v[to + 1] - v[from + 1], v[to + 2] - v[from + 2]);
  }
  const normals = Float64Array.from(shape.facets.flatMap(({ normal }) => turn(normal)));
  return { shape, vertices, normals, directions: turned(shape.directions), wings: turned(shape.wings), lengths };
}

/**
 * Keeps the unit direction (x, y, z) if it has more room than the best. `fromA` and `fromB` are vertices (times 3)
 * where the supports are expected: a good guess ends a hopeless direction early. Returns whether it was kept.
 */
function tryDirection(search: Search, x: number, y: number, z: number, fromA: number, fromB: number): boolean {
  const { room, exhaustive } = search;
  const a = search.a.vertices;
  const b = search.b.vertices;
  let greatest = x * a[fromA] + y * a[fromA + 1] + z * a[fromA + 2];
  let least = x * b[fromB] + y * b[fromB + 1] + z * b[fromB + 2];
  for (let i = 0; i < a.length; i += 3) {
    const value = x * a[i] + y * a[i + 1] + z * a[i + 2];
    if (value > greatest) {
      greatest = value;
      if (!exhaustive && least - greatest <= room) return false;
    }
  }
  for (let i = 0; i < b.length; i += 3) {
    const value = x * b[i] + y * b[i + 1] + z * b[i + 2];
    if (value < least) {
      least = value;
      if (!exhaustive && least - greatest <= room) return false;
    }
  }
  if (!(least - greatest > room)) return false;
  search.room = least - greatest;
  search.x = x;
  search.y = y;
  search.z = z;
  return true;
}

function tryFacets(search: Search, owner: Placed, sign: 1 | -1): void {
  const { normals } = owner;
  owner.shape.facets.forEach(({ loop }, f) => {
    const x = sign * normals[3 * f];
    const y = sign * normals[3 * f + 1];
    const z = sign * normals[3 * f + 2];
    if (owner === search.a) tryDirection(search, x, y, z, 3 * loop[0], 0);
    else tryDirection(search, x, y, z, 0, 3 * loop[0]);
  });
}

/**
 * Cross products of edge pairs, in both directions. The pair spans a facet of B - A, with m as its normal, if m leaves
 * A at its edge and enters B at its edge: m points into neither wing of A's edge and -m into neither wing of B's. (In
 * terms of the Gauss map, the arcs between the adjacent facets' normals cross.) Other pairs are skipped.
 *
 * With d = v - u (or v + u if they are opposed), u × v = u × d, and d is small and free of cancellation if u and v are
 * nearly parallel. The product is then perpendicular to both to an ulp, whatever their angle. It may only be rotated
 * about them, by an ulp over the angle. That moves the support by an ulp of the edges' length, since a facet of two
 * edges at a small angle is as narrow as the angle.
 */
function tryEdgePairs(search: Search): void {
  const { a, b, exhaustive } = search;
  const { directions: u, wings: wingsA } = a;
  const { directions: v, wings: wingsB } = b;
  for (let i = 0; i < a.lengths.length; i++) {
    const fromA = 3 * a.shape.edges[2 * i];
    const ux = u[3 * i];
    const uy = u[3 * i + 1];
    const uz = u[3 * i + 2];
    for (let j = 0; j < b.lengths.length; j++) {
      const vx = v[3 * j];
      const vy = v[3 * j + 1];
      const vz = v[3 * j + 2];
      const sign = ux * vx + uy * vy + uz * vz < 0 ? -1 : 1;
      const dx = vx - sign * ux;
      const dy = vy - sign * uy;
      const dz = vz - sign * uz;
      const x = uy * dz - uz * dy;
      const y = uz * dx - ux * dz;
      const z = ux * dy - uy * dx;
      let forward = true;
      let backward = true;
      if (!exhaustive) {
        for (let k = 6 * i; k < 6 * i + 6 && (forward || backward); k += 3) {
          const into = x * wingsA[k] + y * wingsA[k + 1] + z * wingsA[k + 2];
          if (into > WING_SLACK) forward = false;
          else if (into < -WING_SLACK) backward = false;
        }
        for (let k = 6 * j; k < 6 * j + 6 && (forward || backward); k += 3) {
          const into = x * wingsB[k] + y * wingsB[k + 1] + z * wingsB[k + 2];
          if (into < -WING_SLACK) forward = false;
          else if (into > WING_SLACK) backward = false;
        }
        if (!forward && !backward) continue;
      }
      const sine = Math.sqrt(x * x + y * y + z * z);
      if (sine < PARALLEL) continue;
      const fromB = 3 * b.shape.edges[2 * j];
      if (forward) tryDirection(search, x / sine, y / sine, z / sine, fromA, fromB);
      if (backward) tryDirection(search, -x / sine, -y / sine, -z / sine, fromA, fromB);
    }
  }
}

/** For cores without a facet: four directions around a segment; between two points, two along an axis. */
function tryPerpendiculars(search: Search): void {
  for (const { shape, directions } of [search.a, search.b]) {
    if (shape.dimension !== 1) continue;
    const [x, y, z] = directions;
    const axis = Math.abs(x) < 0.5 ? [1, 0, 0] : [0, 1, 0];
    const p = unit(y * axis[2] - z * axis[1], z * axis[0] - x * axis[2], x * axis[1] - y * axis[0])!;
    const q = unit(y * p[2] - z * p[1], z * p[0] - x * p[2], x * p[1] - y * p[0])!;
    tryBothWays(search, p);
    tryBothWays(search, q);
  }
  if (search.a.shape.dimension === 0 && search.b.shape.dimension === 0) tryBothWays(search, [1, 0, 0]);
}

function tryBothWays(search: Search, [x, y, z]: Vector): void {
  tryDirection(search, x, y, z, 0, 0);
  tryDirection(search, -x, -y, -z, 0, 0);
}

function unit(x: number, y: number, z: number): Vector | null {
  const length = Math.hypot(x, y, z);
  return length > 0 ? [x / length, y / length, z / length] : null;
}

/**
 * The direction between the nearest points. If its room is their distance, to rounding, it is the normal, even if
 * others have as much: the room hardly changes with a rotation of 1e-8, but the step to touch does. Otherwise it is
 * tried once more for each edge, made perpendicular to it.
 */
function tryNearest(search: Search, nearest: Nearest, rounding: number): void {
  const raw = unit(nearest.x, nearest.y, nearest.z);
  if (!raw) return;
  const { room } = search;
  search.room = Math.sqrt(nearest.squared) - rounding;
  const reached = tryDirection(search, raw[0], raw[1], raw[2], 0, 0);
  search.room = reached ? Math.max(search.room, room) : room;
  if (reached) return;
  for (const { directions } of [search.a, search.b])
    for (let e = 0; e < directions.length; e += 3) {
      let cleaned: Vector | null = raw;
      // The second pass removes the rounding of the first.
      for (let pass = 0; pass < 2 && cleaned; pass++) {
        const along: number =
          cleaned[0] * directions[e] + cleaned[1] * directions[e + 1] + cleaned[2] * directions[e + 2];
        cleaned = unit(
          cleaned[0] - along * directions[e],
          cleaned[1] - along * directions[e + 1],
          cleaned[2] - along * directions[e + 2],
        );
      }
      if (cleaned) tryDirection(search, cleaned[0], cleaned[1], cleaned[2], 0, 0);
    }
}

/** Nearest points of two cores that do not overlap, over all pairs of features. */
function nearestPoints(a: Placed, b: Placed): Nearest {
  const nearest: Nearest = { squared: Infinity, x: 0, y: 0, z: 0 };
  vertexFacet(nearest, a, b, 1);
  vertexFacet(nearest, b, a, -1);
  vertexEdge(nearest, a, b, 1);
  vertexEdge(nearest, b, a, -1);
  edgeEdge(nearest, a, b);
  return nearest;
}

function keepNearer(nearest: Nearest, x: number, y: number, z: number): void {
  const squared = x * x + y * y + z * z;
  if (squared >= nearest.squared) return;
  nearest.squared = squared;
  nearest.x = x;
  nearest.y = y;
  nearest.z = z;
}

/** Vertices of `points` that project into a facet of `owner`. The others are nearest to one of its edges. */
function vertexFacet(nearest: Nearest, points: Placed, owner: Placed, sign: 1 | -1): void {
  const p = points.vertices;
  const v = owner.vertices;
  owner.shape.facets.forEach(({ loop }, f) => {
    const nx = owner.normals[3 * f];
    const ny = owner.normals[3 * f + 1];
    const nz = owner.normals[3 * f + 2];
    for (let i = 0; i < p.length; i += 3) {
      let inside = true;
      for (let k = 0; k < loop.length && inside; k++) {
        const s = 3 * loop[k];
        const t = 3 * loop[k + 1 < loop.length ? k + 1 : 0];
        const ex = v[t] - v[s];
        const ey = v[t + 1] - v[s + 1];
        const ez = v[t + 2] - v[s + 2];
        const wx = p[i] - v[s];
        const wy = p[i + 1] - v[s + 1];
        const wz = p[i + 2] - v[s + 2];
        inside = nx * (ey * wz - ez * wy) + ny * (ez * wx - ex * wz) + nz * (ex * wy - ey * wx) >= 0;
      }
      if (!inside) continue;
      const o = 3 * loop[0];
      const height = nx * (v[o] - p[i]) + ny * (v[o + 1] - p[i + 1]) + nz * (v[o + 2] - p[i + 2]);
      keepNearer(nearest, sign * height * nx, sign * height * ny, sign * height * nz);
    }
  });
}

function vertexEdge(nearest: Nearest, points: Placed, owner: Placed, sign: 1 | -1): void {
  const p = points.vertices;
  for (let e = 0; e < owner.lengths.length; e++)
    for (let i = 0; i < p.length; i += 3) pointEdge(nearest, p[i], p[i + 1], p[i + 2], owner, e, sign);
}

/** Compares the vector from a point to its nearest point of edge `e` with the best so far. */
function pointEdge(nearest: Nearest, px: number, py: number, pz: number, owner: Placed, e: number, sign: 1 | -1): void {
  const { directions: d, vertices: v } = owner;
  const from = 3 * owner.shape.edges[2 * e];
  const wx = px - v[from];
  const wy = py - v[from + 1];
  const wz = pz - v[from + 2];
  const along = wx * d[3 * e] + wy * d[3 * e + 1] + wz * d[3 * e + 2];
  const t = Math.min(Math.max(along, 0), owner.lengths[e]);
  keepNearer(nearest, sign * (t * d[3 * e] - wx), sign * (t * d[3 * e + 1] - wy), sign * (t * d[3 * e + 2] - wz));
}

/**
 * Pairs of edges that are nearest inside both. With m the cross product of the directions and w the vector between the
 * edges' starts, A's parameter there is (w × dB)·m / |m|². At a small angle it may be off by an ulp over the angle.
 * Measured from that point of A to edge B, the distance is off by an ulp only, since the edges diverge no faster than
 * that.
 */
function edgeEdge(nearest: Nearest, a: Placed, b: Placed): void {
  const { directions: u, vertices: p } = a;
  const { directions: v, vertices: q } = b;
  for (let i = 0; i < a.lengths.length; i++) {
    const from = 3 * a.shape.edges[2 * i];
    const ux = u[3 * i];
    const uy = u[3 * i + 1];
    const uz = u[3 * i + 2];
    for (let j = 0; j < b.lengths.length; j++) {
      const start = 3 * b.shape.edges[2 * j];
      const vx = v[3 * j];
      const vy = v[3 * j + 1];
      const vz = v[3 * j + 2];
      const mx = uy * vz - uz * vy;
      const my = uz * vx - ux * vz;
      const mz = ux * vy - uy * vx;
      const wx = q[start] - p[from];
      const wy = q[start + 1] - p[from + 1];
      const wz = q[start + 2] - p[from + 2];
      const t =
        ((wy * vz - wz * vy) * mx + (wz * vx - wx * vz) * my + (wx * vy - wy * vx) * mz) /
        (mx * mx + my * my + mz * mz);
      // NaN if the edges are parallel.
      if (!(t > 0 && t < a.lengths[i])) continue;
      pointEdge(nearest, p[from] + t * ux, p[from + 1] + t * uy, p[from + 2] + t * uz, b, j, 1);
    }
  }
}
