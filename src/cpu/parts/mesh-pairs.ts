/** Which triangles of two meshes intersect, exactly for the corners as they are rounded in a common frame; which are nearest. */
import { allocate } from '../../util/arrays.ts';
import type { Triangles } from '../../bvh/build-tree.ts';
import { findPartPairs, firstHit } from '../../bvh/find-part-pairs.ts';
import { nearestParts, type Nearest, type NearestOptions } from '../../bvh/nearest-parts.ts';
import type { PartTree } from '../../bvh/part-tree.ts';
import type { Placement } from '../../bvh/placement.ts';
import type { Walk } from '../../bvh/walk.ts';
import { createPlacedTriangles, placeMeshes, placeTriangles } from './placed-triangles.ts';
import { createTriangleDistance, triangleDistance } from '../triangle-distance.ts';
import { createTriangleIntersection, triangleIntersection, trianglesIntersect } from '../triangle-intersection.ts';

/** A mesh with its tree (bvh/build-tree.ts). */
export interface TreeMesh extends Triangles {
  readonly tree: PartTree;
}

const placed = createPlacedTriangles();
const intersection = createTriangleIntersection();
const distance = createTriangleDistance();

/** Whether any triangle of one mesh has a point in common with one of the other. */
export function meshesIntersect(a: TreeMesh, b: TreeMesh, placement: Placement, walk: Walk): boolean {
  placeMeshes(a, b, placement, placed);
  return firstHit(a.tree, b.tree, placement, meet, walk);
}

function meet(triangleA: number, triangleB: number): boolean {
  placeTriangles(triangleA, triangleB, placed);
  return trianglesIntersect(placed.a, placed.b);
}

/**
 * All pairs of triangles that have a point in common: 2 numbers per pair, A's triangle and B's, in ascending order of A's, then
 * of B's.
 */
export function findTrianglePairs(a: TreeMesh, b: TreeMesh, placement: Placement, walk: Walk): Uint32Array {
  const most = b.indices.length / 3;
  let keys = new Float64Array(1024);
  let count = 0;
  placeMeshes(a, b, placement, placed);
  const visit = (triangleA: number, triangleB: number): void => {
    if (!meet(triangleA, triangleB)) return;
    if (count === keys.length) {
      const longer = allocate('pairs of triangles', Float64Array, 2 * count);
      longer.set(keys);
      keys = longer;
    }
    keys[count++] = triangleA * most + triangleB;
  };
  findPartPairs(a.tree, b.tree, placement, 0, visit, walk, false);
  const sorted = keys.subarray(0, count).sort();
  const pairs = allocate('pairs of triangles', Uint32Array, 2 * count);
  for (let pair = 0; pair < count; pair++) {
    const triangleA = Math.floor(sorted[pair] / most);
    pairs[2 * pair] = triangleA;
    pairs[2 * pair + 1] = sorted[pair] - triangleA * most;
  }
  return pairs;
}

/**
 * The segments of intersection of such pairs: 6 numbers per pair, both ends in A's axes, from A's position, at full scale. For
 * coplanar triangles it is a longest segment in their common area.
 */
export function intersectTriangles(
  a: TreeMesh,
  b: TreeMesh,
  placement: Placement,
  pairs: Uint32Array,
  to: Float64Array,
): void {
  placeMeshes(a, b, placement, placed);
  for (let pair = 0; 2 * pair < pairs.length; pair++) {
    placeTriangles(pairs[2 * pair], pairs[2 * pair + 1], placed);
    triangleIntersection(placed.a, placed.b, intersection);
    to.set(intersection.segment, 6 * pair);
  }
}

/**
 * The least distance of two meshes and the pairs of triangles that have it, as `nearestParts` finds them. It is 0 exactly if
 * they intersect. In a sequence of poses, the distance of triangles that were nearest before is a good limit.
 */
export function nearestTriangles(
  a: TreeMesh,
  b: TreeMesh,
  placement: Placement,
  options: NearestOptions,
  to: Nearest,
  walk: Walk,
): void {
  placeMeshes(a, b, placement, placed);
  nearestParts(a.tree, b.tree, placement, measure, options, to, walk);
}

function measure(triangleA: number, triangleB: number): number {
  placeTriangles(triangleA, triangleB, placed);
  return triangleDistance(placed.a, placed.b, distance);
}
