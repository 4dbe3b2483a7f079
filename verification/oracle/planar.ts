/**
 * The 2-D oracle: the signed distance of two convex shapes by brute force in double precision. It shares nothing with
 * the code that it judges.
 *
 * Every shape is the hull of a few points with a disc around each of its points. The hull is found by gift wrapping
 * (Jarvis 1973) with exact side tests. Distances are formed from the difference of the positions, never from
 * world-space points.
 *
 * 1. Compute the separation along the normal of every edge of both shapes, using all corners. If the cores overlap,
 *    their depth is minus the greatest separation.
 * 2. If they don't, or if that separation is only rounding, they are apart or touch. The distance is then the least of
 *    the distances of all corners of each from all edges of the other. This also holds if the difference has no
 *    interior, in which case the depth is 0: the difference is a point or a segment, and parallel segments have normals
 *    only perpendicular to the line that they might share.
 *
 * If cores overlap by a depth d, some corner is within d of the other's boundary (moved apart by d, they touch there).
 * So step 2 is wrong by no more than the depth that step 1 may have missed.
 */
import type { PlanarConvexDescription } from '../../src/api/planar-shapes.ts';

export type Vector2 = [number, number];

export interface OraclePlanarShape {
  /** x, y of the corners of the core's hull, counter-clockwise; a point has one, a segment two. */
  corners: Float64Array;
  /** x, y of the outward unit normal of the edge that starts at each corner; a segment has two edges, a point none. */
  normals: Float64Array;
  /** Radius of the disc. */
  radius: number;
  /** Greatest distance of the shape from its body's origin, radius included. */
  boundingRadius: number;
}

export interface OraclePlanarPose {
  /** x, y */
  position: ArrayLike<number>;
  /** Radians, counter-clockwise. */
  angle: number;
  /** Uniform factor of core and radius; default 1. */
  scale?: number;
}

export interface OraclePlanarResult {
  /** Gap of the surfaces, or minus the least translation that separates. */
  distance: number;
  /** Unit vector in world axes from A to B; zero if the cores touch without a normal. */
  normal: Vector2;
}

/**
 * Numbers are used as given. If the code under test rounds its input to f32, it is judged correctly only on input that
 * is f32 already.
 */
export function oraclePlanarShape(description: PlanarConvexDescription): OraclePlanarShape {
  const corners = planarHull(corePoints(description));
  const radius = description.radius ?? 0;
  let reach = 0;
  for (let i = 0; i < corners.length; i += 2) reach = Math.max(reach, Math.hypot(corners[i], corners[i + 1]));
  return { corners, normals: outwardNormals(corners), radius, boundingRadius: reach + radius };
}

/** Points whose hull is the core of a shape. */
function corePoints(description: PlanarConvexDescription): ArrayLike<number> {
  switch (description.type) {
    case 'circle':
      return [0, 0];
    case 'capsule':
      return [0, -description.halfHeight, 0, description.halfHeight];
    case 'rectangle': {
      const [x, y] = Array.from(description.halfExtents);
      return [-x, -y, x, -y, x, y, -x, y];
    }
    default:
      return description.points;
  }
}

/**
 * Corners of the hull, counter-clockwise. After each corner comes the one that has no point to its right; among several
 * in line, the farthest.
 */
export function planarHull(points: ArrayLike<number>): Float64Array {
  const seen = new Set<string>();
  const distinct: Vector2[] = [];
  for (let i = 0; i < points.length; i += 2) {
    const key = `${points[i] + 0},${points[i + 1] + 0}`;
    if (!seen.has(key)) distinct.push([points[i], points[i + 1]]);
    seen.add(key);
  }
  const leftmost = distinct.reduce((best, p) => (p[0] < best[0] || (p[0] === best[0] && p[1] < best[1]) ? p : best));
  const corners = [leftmost];
  for (let last = leftmost; ;) {
    let next: Vector2 | undefined;
    for (const p of distinct) {
      if (p === last) continue;
      const turn = next ? turnOf(last, next, p) : -1;
      if (turn < 0 || (turn === 0 && isFarther(last, p, next!))) next = p;
    }
    if (!next || next === leftmost) return Float64Array.from(corners.flat());
    corners.push(next);
    last = next;
  }
}

function isFarther(from: Vector2, p: Vector2, than: Vector2): boolean {
  return Math.hypot(p[0] - from[0], p[1] - from[1]) > Math.hypot(than[0] - from[0], than[1] - from[1]);
}

/** Positive if c lies to the left of the line from a to b, 0 if on it. Uses integers where rounding might decide. */
function turnOf(a: Vector2, b: Vector2, c: Vector2): number {
  const left = (b[0] - a[0]) * (c[1] - a[1]);
  const right = (b[1] - a[1]) * (c[0] - a[0]);
  const rough = left - right;
  if (Math.abs(rough) > 1e-15 * (Math.abs(left) + Math.abs(right)) && Number.isFinite(rough)) return rough;
  const [ax, ay, bx, by, cx, cy] = integers([...a, ...b, ...c]);
  const exact = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  return exact > 0n ? 1 : exact < 0n ? -1 : 0;
}

/** The numbers multiplied by a common power of two that makes them integers. */
function integers(numbers: readonly number[]): bigint[] {
  let factor = 1;
  let whole = 0;
  while (!numbers.every((x) => Number.isInteger(x * factor)) && whole < 1000) {
    factor *= 2;
    whole++;
  }
  return numbers.map((x) => BigInt(x * factor));
}

function outwardNormals(corners: Float64Array): Float64Array {
  const count = corners.length / 2;
  const normals = new Float64Array(count < 2 ? 0 : corners.length);
  for (let i = 0; 2 * i < normals.length; i++) {
    const next = (i + 1) % count;
    const x = corners[2 * next] - corners[2 * i];
    const y = corners[2 * next + 1] - corners[2 * i + 1];
    const longest = Math.max(Math.abs(x), Math.abs(y));
    const length = longest * Math.hypot(x / longest, y / longest);
    normals[2 * i] = y / length;
    normals[2 * i + 1] = -x / length;
  }
  return normals;
}

/** A shape's corners around its position, and its edges' normals, in world axes. */
interface Placed {
  corners: Float64Array;
  normals: Float64Array;
}

function place({ corners, normals }: OraclePlanarShape, { angle, scale = 1 }: OraclePlanarPose): Placed {
  return { corners: turned(corners, angle, scale), normals: turned(normals, angle, 1) };
}

function turned(vectors: Float64Array, angle: number, scale: number): Float64Array {
  const cosine = Math.cos(angle);
  const sine = Math.sin(angle);
  const to = new Float64Array(vectors.length);
  for (let i = 0; i < to.length; i += 2) {
    to[i] = scale * (cosine * vectors[i] - sine * vectors[i + 1]);
    to[i + 1] = scale * (sine * vectors[i] + cosine * vectors[i + 1]);
  }
  return to;
}

/** If the overlap along all normals is shallower than this share of the size, corners decide whether it is a gap. */
const SHALLOW = 1e-15;

/** Signed distance of two shapes. */
export function planarSignedDistance(
  a: OraclePlanarShape,
  poseA: OraclePlanarPose,
  b: OraclePlanarShape,
  poseB: OraclePlanarPose,
): OraclePlanarResult {
  const offset: Vector2 = [poseB.position[0] - poseA.position[0], poseB.position[1] - poseA.position[1]];
  const radius = a.radius * (poseA.scale ?? 1) + b.radius * (poseB.scale ?? 1);
  const placedA = place(a, poseA);
  const placedB = place(b, poseB);
  const best = mostRoom(placedA, placedB, offset);
  const hasEdges = a.normals.length + b.normals.length > 0;
  if (hasEdges && best.distance < -SHALLOW * planarExtent(a, poseA, b, poseB))
    return { distance: best.distance - radius, normal: best.normal };
  const nearest = leastGap(placedA, placedB, offset);
  return { distance: nearest.distance - radius, normal: nearest.distance > 0 ? nearest.normal : best.normal };
}

/** The greatest separation along the edges' normals; -Infinity for points, which have none. */
function mostRoom(a: Placed, b: Placed, offset: Vector2): OraclePlanarResult {
  let distance = -Infinity;
  let normal: Vector2 = [0, 0];
  for (const [{ normals }, sign] of [
    [a, 1],
    [b, -1],
  ] as const) {
    for (let i = 0; i < normals.length; i += 2) {
      const x = sign * normals[i];
      const y = sign * normals[i + 1];
      const room = x * offset[0] + y * offset[1] - farthest(a.corners, x, y) - farthest(b.corners, -x, -y);
      if (room <= distance) continue;
      distance = room;
      normal = [x, y];
    }
  }
  return { distance, normal };
}

function farthest(corners: Float64Array, x: number, y: number): number {
  let most = -Infinity;
  for (let i = 0; i < corners.length; i += 2) {
    const height = x * corners[i] + y * corners[i + 1];
    if (height > most) most = height;
  }
  return most;
}

/** The least distance of a corner of either shape from an edge of the other, as a vector from A to B. */
function leastGap(a: Placed, b: Placed, [x, y]: Vector2): OraclePlanarResult {
  const toB = leastFromCorners(a.corners, b.corners, -x, -y);
  const toA = leastFromCorners(b.corners, a.corners, x, y);
  const [dx, dy] = Math.hypot(...toB) < Math.hypot(...toA) ? toB : [-toA[0], -toA[1]];
  const distance = Math.hypot(dx, dy);
  return { distance, normal: distance > 0 ? [dx / distance, dy / distance] : [0, 0] };
}

/** The shortest vector from corners, moved by (x, y), to edges. */
function leastFromCorners(corners: Float64Array, edges: Float64Array, x: number, y: number): Vector2 {
  let least: Vector2 = [Infinity, Infinity];
  let leastSquared = Infinity;
  for (let j = 0; j < edges.length; j += 2) {
    const next = (j + 2) % edges.length;
    const ex = edges[next] - edges[j];
    const ey = edges[next + 1] - edges[j + 1];
    const squared = ex * ex + ey * ey;
    for (let i = 0; i < corners.length; i += 2) {
      const px = edges[j] - (corners[i] + x);
      const py = edges[j + 1] - (corners[i + 1] + y);
      const share = squared > 0 ? Math.min(Math.max(-(px * ex + py * ey) / squared, 0), 1) : 0;
      // Computed from the nearer end, so that a foot point at the other end is equally exact.
      const vx = share > 0.5 ? edges[next] - (corners[i] + x) - (1 - share) * ex : px + share * ex;
      const vy = share > 0.5 ? edges[next + 1] - (corners[i + 1] + y) - (1 - share) * ey : py + share * ey;
      const gap = vx * vx + vy * vy;
      if (gap >= leastSquared) continue;
      leastSquared = gap;
      least = [vx, vy];
    }
  }
  return least;
}

/**
 * Separation of two shapes along the unit vector n: least n·x over B minus greatest over A. It never exceeds the signed
 * distance.
 */
export function planarSeparation(
  a: OraclePlanarShape,
  poseA: OraclePlanarPose,
  b: OraclePlanarShape,
  poseB: OraclePlanarPose,
  [x, y]: ArrayLike<number> & Iterable<number>,
): number {
  const offset = x * (poseB.position[0] - poseA.position[0]) + y * (poseB.position[1] - poseA.position[1]);
  return offset - supportFromCentre(a, poseA, x, y) - supportFromCentre(b, poseB, -x, -y);
}

function supportFromCentre(
  { corners, radius }: OraclePlanarShape,
  { angle, scale = 1 }: OraclePlanarPose,
  x: number,
  y: number,
): number {
  const cosine = Math.cos(angle);
  const sine = Math.sin(angle);
  return scale * (farthest(corners, cosine * x + sine * y, cosine * y - sine * x) + radius);
}

/** max(s, |B - A|). Tolerances are shares of this. */
export function planarExtent(
  a: OraclePlanarShape,
  poseA: OraclePlanarPose,
  b: OraclePlanarShape,
  poseB: OraclePlanarPose,
): number {
  const size = a.boundingRadius * (poseA.scale ?? 1) + b.boundingRadius * (poseB.scale ?? 1);
  return Math.max(size, Math.hypot(poseB.position[0] - poseA.position[0], poseB.position[1] - poseA.position[1]));
}
