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

/**
 * The convex hull of `points` (xyz, integers from 0 to 2^47). The tetrahedron `simplex` is its start; its four points
 * must not be coplanar. Of points in one place only the first is used. A vertex may lie on an edge or in a facet of the
 * finished hull.
 */
export function hullTriangles(points: Float64Array, simplex: ArrayLike<number>): HullTriangles {
  const count = points.length / 3;
  const size = [0, 0, 0];
  for (let i = 0; i < points.length; i++) size[i % 3] = Math.max(size[i % 3], points[i]);

  // Slots of removed faces are reused. `corners` and `twins` have 3 entries per face. `planes` has 4: the area vector,
  // and the error of a height, which is at most (2^-51 + 3·2^-53) Σ|nᵢ||dᵢ|, with |dᵢ| at most the size of the set.
  const corners: number[] = [];
  const twins: number[] = [];
  const planes: number[] = [];
  const firstOutside: number[] = [];
  const farthest: number[] = [];
  const farthestHeight: number[] = [];
  const visibleTo: number[] = [];
  const hiddenFrom: number[] = [];
  const free: number[] = [];
  const pending: number[] = [];
  const nextOutside = new Int32Array(count);
  const faceFrom = new Int32Array(count);

  const addFace = (a: number, b: number, c: number): number => {
    const face = free.pop() ?? firstOutside.length;
    corners[3 * face] = a;
    corners[3 * face + 1] = b;
    corners[3 * face + 2] = c;
    twins[3 * face] = twins[3 * face + 1] = twins[3 * face + 2] = -1;
    areaVector(points, a, b, c, planes, 4 * face);
    const [x, y, z] = [planes[4 * face], planes[4 * face + 1], planes[4 * face + 2]];
    planes[4 * face + 3] = 2 ** -50 * (Math.abs(x) * size[0] + Math.abs(y) * size[1] + Math.abs(z) * size[2]);
    firstOutside[face] = -1;
    farthest[face] = -1;
    farthestHeight[face] = -Infinity;
    visibleTo[face] = -1;
    hiddenFrom[face] = -1;
    return face;
  };

  const link = (h: number, t: number): void => {
    twins[h] = t;
    twins[t] = h;
  };

  /** Height of p above the face, times twice the face's area; its error is `planes[4 * face + 3]`. */
  const height = (face: number, p: number): number => {
    const a = 3 * corners[3 * face];
    return (
      planes[4 * face] * (points[3 * p] - points[a]) +
      planes[4 * face + 1] * (points[3 * p + 1] - points[a + 1]) +
      planes[4 * face + 2] * (points[3 * p + 2] - points[a + 2])
    );
  };

  const isAbove = (face: number, p: number, h: number): boolean => {
    const error = planes[4 * face + 3];
    if (h > error) return true;
    if (h < -error) return false;
    return orientation(points, corners[3 * face], corners[3 * face + 1], corners[3 * face + 2], p) > 0;
  };

  /** Assigns p to the first of the faces that it is above. */
  const assign = (p: number, faces: number[]): void => {
    for (const face of faces) {
      const h = height(face, p);
      if (!isAbove(face, p, h)) continue;
      if (firstOutside[face] < 0) pending.push(face);
      nextOutside[p] = firstOutside[face];
      firstOutside[face] = p;
      if (h > farthestHeight[face] || (h === farthestHeight[face] && p < farthest[face])) {
        farthest[face] = p;
        farthestHeight[face] = h;
      }
      return;
    }
  };

  const [a, , , d] = Array.from(simplex);
  let [, b, c] = Array.from(simplex);
  if (orientation(points, a, b, c, d) > 0) [b, c] = [c, b];
  const base = addFace(a, b, c);
  const sides = [addFace(b, a, d), addFace(c, b, d), addFace(a, c, d)];
  for (let i = 0; i < 3; i++) {
    link(3 * base + i, 3 * sides[i]);
    link(3 * sides[i] + 1, 3 * sides[(i + 2) % 3] + 2);
  }
  const tetrahedron = [base, ...sides];
  for (let p = 0; p < count; p++) {
    if (p !== a && p !== b && p !== c && p !== d) assign(p, tetrahedron);
  }

  const visible: number[] = [];
  const horizon: number[] = [];
  const created: number[] = [];
  // Faces are processed in the order of their creation, which keeps the hull round as it grows. The reverse order can
  // cost n² where many points share a facet.
  for (const start of pending) {
    if (firstOutside[start] < 0) continue;
    const eye = farthest[start];

    visible.length = horizon.length = created.length = 0;
    visible.push(start);
    visibleTo[start] = eye;
    for (let k = 0; k < visible.length; k++) {
      for (let h = 3 * visible[k]; h < 3 * visible[k] + 3; h++) {
        const across = (twins[h] / 3) | 0;
        if (visibleTo[across] === eye) continue;
        if (hiddenFrom[across] !== eye && isAbove(across, eye, height(across, eye))) {
          visibleTo[across] = eye;
          visible.push(across);
        } else {
          hiddenFrom[across] = eye;
          horizon.push(h);
        }
      }
    }

    // The slots of removed faces can't be reused until their points are reassigned.
    for (const h of horizon) {
      const face = addFace(corners[h], corners[nextHalfEdge(h)], eye);
      faceFrom[corners[h]] = face;
      link(3 * face, twins[h]);
      created.push(face);
    }
    for (const face of created) link(3 * face + 1, 3 * faceFrom[corners[3 * face + 1]] + 2);
    for (const face of visible) {
      for (let p = firstOutside[face]; p >= 0;) {
        const next = nextOutside[p];
        if (p !== eye) assign(p, created);
        p = next;
      }
      firstOutside[face] = -1;
      free.push(face);
    }
  }

  return compact(points, corners, twins, free);
}

/** The faces in use, renumbered without gaps, with a flag for each flat edge. */
function compact(points: Float64Array, corners: number[], twins: number[], free: number[]): HullTriangles {
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
