/**
 * Quickhull in three dimensions with exact orientation tests: the triangulated surface of the convex hull.
 *
 * Follows Barber, Dobkin, Huhdanpaa, "The Quickhull Algorithm for Convex Hulls" (ACM TOMS 22, 1996). Departures:
 * coordinates are integers and the side of a point relative to a plane is decided exactly (Shewchuk 1997, through
 * `robust-predicates`), so facets need neither thickness nor merging here, and no point outside is ever lost.
 *
 * 1. Start from a tetrahedron; give every point to a face that it is strictly above, or drop it.
 * 2. Take a face with points and the farthest of them, the eye. The faces that the eye is strictly above are removed.
 *    Coplanar triangles are above or not together, so the hole is bounded by one simple cycle, the horizon, and no
 *    horizon edge is in line with the eye: a triangle from each to the eye closes the hole without a degenerate one.
 * 3. The removed faces' points go to the new faces. (A point above a removed face and outside the new hull is above a
 *    new face: the way to it from inside the removed face leaves the hull above that face, where only new faces are.)
 */

import { areaVector, orientation } from './hull-lattice.ts';

/** A closed triangulated surface. Half-edge h = 3t + i runs from corner i of triangle t to the next corner. */
export interface HullTriangles {
  /** Point index at the start of each half-edge; counter-clockwise from outside, 3 per triangle. */
  corners: Uint32Array;
  /** For each half-edge the one that runs the other way. */
  twins: Uint32Array;
  /** For each half-edge 1 if the triangles on both sides are exactly coplanar. */
  flat: Uint8Array;
}

/** The half-edge after h in its triangle. */
export function nextHalfEdge(h: number): number {
  return h % 3 === 2 ? h - 2 : h + 1;
}

/** The half-edge before h in its triangle. */
export function previousHalfEdge(h: number): number {
  return h % 3 === 0 ? h + 2 : h - 1;
}

/** The hull while it grows. Slots of removed faces are reused. */
interface GrowingHull {
  points: Float64Array;
  /** Greatest coordinates along x, y and z. */
  size: number[];
  /** Point index at the start of each half-edge, and the half-edge that runs the other way: 3 entries per face. */
  corners: number[];
  twins: number[];
  /**
   * 4 entries per face: the area vector, and the error of a height, which is at most (2^-51 + 3·2^-53) Σ|nᵢ||dᵢ|, with
   * |dᵢ| at most the size of the set.
   */
  planes: number[];
  /** The points of each face: a list through `nextOutside`, and the farthest of them with its height. */
  firstOutside: number[];
  nextOutside: Int32Array;
  farthest: number[];
  farthestHeight: number[];
  /** Faces in the order in which they got points. */
  pending: number[];
  /** The last eye that each face was found to be visible to or hidden from. */
  visibleTo: number[];
  hiddenFrom: number[];
  /** For the point that is being added: the faces to remove, the half-edges around them, and the faces of the fan. */
  visible: number[];
  horizon: number[];
  fan: number[];
  /** The face of the fan over the horizon edge that starts at a point. */
  faceFrom: Int32Array;
  /** Slots of removed faces. */
  free: number[];
}

function createHull(points: Float64Array): GrowingHull {
  const count = points.length / 3;
  const size = [0, 0, 0];
  for (let i = 0; i < points.length; i++) size[i % 3] = Math.max(size[i % 3], points[i]);
  return {
    points,
    size,
    corners: [],
    twins: [],
    planes: [],
    firstOutside: [],
    nextOutside: new Int32Array(count),
    farthest: [],
    farthestHeight: [],
    pending: [],
    visibleTo: [],
    hiddenFrom: [],
    visible: [],
    horizon: [],
    fan: [],
    faceFrom: new Int32Array(count),
    free: [],
  };
}

/**
 * The convex hull of `points` (xyz, integers from 0 to 2^47). The tetrahedron `simplex` is its start; its four points
 * must not be coplanar. Of points in one place only the first is used. A vertex may lie on an edge or in a facet of the
 * finished hull.
 */
export function hullTriangles(points: Float64Array, simplex: ArrayLike<number>): HullTriangles {
  const hull = createHull(points);
  startTetrahedron(hull, simplex);
  // Faces are processed in the order of their creation, which keeps the hull round as it grows. The reverse order can
  // cost n² where many points share a facet.
  for (const face of hull.pending) {
    if (hull.firstOutside[face] < 0) continue;
    const eye = hull.farthest[face];
    findHorizon(hull, face, eye);
    closeWithFan(hull, eye);
    removeVisible(hull, eye);
  }
  return compact(hull);
}

function startTetrahedron(hull: GrowingHull, simplex: ArrayLike<number>): void {
  const { points } = hull;
  const [a, , , d] = Array.from(simplex);
  let [, b, c] = Array.from(simplex);
  if (orientation(points, a, b, c, d) > 0) [b, c] = [c, b];
  const base = addFace(hull, a, b, c);
  const sides = [addFace(hull, b, a, d), addFace(hull, c, b, d), addFace(hull, a, c, d)];
  for (let i = 0; i < 3; i++) {
    link(hull, 3 * base + i, 3 * sides[i]);
    link(hull, 3 * sides[i] + 1, 3 * sides[(i + 2) % 3] + 2);
  }
  const tetrahedron = [base, ...sides];
  for (let p = 0; p < points.length / 3; p++) {
    if (p !== a && p !== b && p !== c && p !== d) assign(hull, p, tetrahedron);
  }
}

/** Finds the faces that the eye is above, from one of them over edges, and the edges around them. */
function findHorizon(hull: GrowingHull, start: number, eye: number): void {
  const { twins, visible, horizon, visibleTo, hiddenFrom } = hull;
  visible.length = horizon.length = 0;
  visible.push(start);
  visibleTo[start] = eye;
  for (let k = 0; k < visible.length; k++) {
    for (let h = 3 * visible[k]; h < 3 * visible[k] + 3; h++) {
      const across = (twins[h] / 3) | 0;
      if (visibleTo[across] === eye) continue;
      if (hiddenFrom[across] !== eye && isAbove(hull, across, eye, height(hull, across, eye))) {
        visibleTo[across] = eye;
        visible.push(across);
      } else {
        hiddenFrom[across] = eye;
        horizon.push(h);
      }
    }
  }
}

/** Adds a triangle from each horizon edge to the eye. */
function closeWithFan(hull: GrowingHull, eye: number): void {
  const { corners, twins, horizon, fan, faceFrom } = hull;
  fan.length = 0;
  for (const h of horizon) {
    const face = addFace(hull, corners[h], corners[nextHalfEdge(h)], eye);
    faceFrom[corners[h]] = face;
    link(hull, 3 * face, twins[h]);
    fan.push(face);
  }
  for (const face of fan) link(hull, 3 * face + 1, 3 * faceFrom[corners[3 * face + 1]] + 2);
}

/** Removes the visible faces, whose points go to the fan. Their slots can't be reused until all points are there. */
function removeVisible(hull: GrowingHull, eye: number): void {
  const { firstOutside, nextOutside, visible, fan, free } = hull;
  for (const face of visible) {
    for (let p = firstOutside[face]; p >= 0;) {
      const next = nextOutside[p];
      if (p !== eye) assign(hull, p, fan);
      p = next;
    }
    firstOutside[face] = -1;
    free.push(face);
  }
}

function addFace(hull: GrowingHull, a: number, b: number, c: number): number {
  const { points, size, corners, twins, planes, firstOutside } = hull;
  const face = hull.free.pop() ?? firstOutside.length;
  corners[3 * face] = a;
  corners[3 * face + 1] = b;
  corners[3 * face + 2] = c;
  twins[3 * face] = twins[3 * face + 1] = twins[3 * face + 2] = -1;
  areaVector(points, a, b, c, planes, 4 * face);
  const [x, y, z] = [planes[4 * face], planes[4 * face + 1], planes[4 * face + 2]];
  planes[4 * face + 3] = 2 ** -50 * (Math.abs(x) * size[0] + Math.abs(y) * size[1] + Math.abs(z) * size[2]);
  firstOutside[face] = -1;
  hull.farthest[face] = -1;
  hull.farthestHeight[face] = -Infinity;
  hull.visibleTo[face] = -1;
  hull.hiddenFrom[face] = -1;
  return face;
}

function link({ twins }: GrowingHull, h: number, t: number): void {
  twins[h] = t;
  twins[t] = h;
}

/** Height of p above the face, times twice the face's area; its error is `planes[4 * face + 3]`. */
function height({ points, corners, planes }: GrowingHull, face: number, p: number): number {
  const a = 3 * corners[3 * face];
  return (
    planes[4 * face] * (points[3 * p] - points[a]) +
    planes[4 * face + 1] * (points[3 * p + 1] - points[a + 1]) +
    planes[4 * face + 2] * (points[3 * p + 2] - points[a + 2])
  );
}

function isAbove({ points, corners, planes }: GrowingHull, face: number, p: number, h: number): boolean {
  const error = planes[4 * face + 3];
  if (h > error) return true;
  if (h < -error) return false;
  return orientation(points, corners[3 * face], corners[3 * face + 1], corners[3 * face + 2], p) > 0;
}

/** Assigns p to the first of the faces that it is above. */
function assign(hull: GrowingHull, p: number, faces: number[]): void {
  const { firstOutside, farthest, farthestHeight } = hull;
  for (const face of faces) {
    const h = height(hull, face, p);
    if (!isAbove(hull, face, p, h)) continue;
    if (firstOutside[face] < 0) hull.pending.push(face);
    hull.nextOutside[p] = firstOutside[face];
    firstOutside[face] = p;
    if (h > farthestHeight[face] || (h === farthestHeight[face] && p < farthest[face])) {
      farthest[face] = p;
      farthestHeight[face] = h;
    }
    return;
  }
}

/** The faces in use, renumbered without gaps, with a flag for each flat edge. */
function compact({ points, corners, twins, free }: GrowingHull): HullTriangles {
  const isFree = new Uint8Array(corners.length / 3);
  for (const face of free) isFree[face] = 1;
  const renumbered = new Uint32Array(isFree.length);
  let used = 0;
  for (let face = 0; face < isFree.length; face++) renumbered[face] = isFree[face] === 1 ? 0 : used++;

  const result = {
    corners: new Uint32Array(3 * used),
    twins: new Uint32Array(3 * used),
    flat: new Uint8Array(3 * used),
  };
  for (let h = 0; h < corners.length; h++) {
    const face = (h / 3) | 0;
    if (isFree[face] === 1) continue;
    const t = twins[h];
    const to = 3 * renumbered[face] + (h % 3);
    result.corners[to] = corners[h];
    result.twins[to] = 3 * renumbered[(t / 3) | 0] + (t % 3);
    const apex = corners[previousHalfEdge(t)];
    result.flat[to] = Number(
      orientation(points, corners[3 * face], corners[3 * face + 1], corners[3 * face + 2], apex) === 0,
    );
  }
  return result;
}
