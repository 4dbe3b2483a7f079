/** Which triangles of two meshes intersect, exactly for the corners as they are rounded in a common frame; which are nearest. */
import type { Rest, Work } from '../../util/turns.ts';
import type { Triangles } from '../../bvh/build-tree.ts';
import { findPartPairs, firstHit } from '../../bvh/find-part-pairs.ts';
import { nearestParts, type Nearest, type NearestOptions } from '../../bvh/nearest-parts.ts';
import type { PartTree } from '../../bvh/part-tree.ts';
import type { Placement } from '../../bvh/placement.ts';
import type { Walk } from '../../bvh/walk.ts';
import { createPlacedTriangles, placeMeshes, placeTriangles, type PlacedTriangles } from './placed-triangles.ts';
import { createTriangleDistance, triangleDistance } from '../triangle-distance.ts';
import { createTriangleIntersection, triangleIntersection, trianglesIntersect } from '../triangle-intersection.ts';

/** A mesh with its tree (bvh/build-tree.ts). */
export interface TreeMesh extends Triangles {
  readonly tree: PartTree;
}

const intersection = createTriangleIntersection();
const distance = createTriangleDistance();
const placedOnce = createPlacedTriangles();

/** Triangles of their own: another search may go on between two yields of one. */
function placedMeshes(a: TreeMesh, b: TreeMesh, placement: Placement): PlacedTriangles {
  const placed = createPlacedTriangles();
  placeMeshes(a, b, placement, placed);
  return placed;
}

/** Whether any triangle of one mesh has a point in common with one of the other. */
export function* meshesIntersect(a: TreeMesh, b: TreeMesh, placement: Placement, walk: Walk): Work<boolean> {
  const placed = placedMeshes(a, b, placement);
  return yield* firstHit({ a: a.tree, b: b.tree, placement }, (partA, partB) => meet(partA, partB, placed), walk);
}

function meet(triangleA: number, triangleB: number, placed: PlacedTriangles): boolean {
  placeTriangles(triangleA, triangleB, placed);
  return trianglesIntersect(placed.a, placed.b);
}

/** Calls `add` for all pairs of triangles that have a point in common, in no particular order. */
export function findTrianglePairs(
  a: TreeMesh,
  b: TreeMesh,
  placement: Placement,
  add: (triangleA: number, triangleB: number) => void,
  walk: Walk,
): Rest {
  const placed = placedMeshes(a, b, placement);
  const visit = (triangleA: number, triangleB: number): void => {
    if (meet(triangleA, triangleB, placed)) add(triangleA, triangleB);
  };
  return findPartPairs({ a: a.tree, b: b.tree, placement }, 0, visit, walk, false);
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
  placeMeshes(a, b, placement, placedOnce);
  for (let pair = 0; 2 * pair < pairs.length; pair++) {
    placeTriangles(pairs[2 * pair], pairs[2 * pair + 1], placedOnce);
    triangleIntersection(placedOnce.a, placedOnce.b, intersection);
    to.set(intersection.segment, 6 * pair);
  }
}

/**
 * The least distance of two meshes and the lowest pair of triangles that has it, as `nearestParts` finds it. It is 0 exactly if
 * they intersect. In a sequence of poses, the distance of triangles that were nearest before is a good limit.
 */
export function nearestTriangles(
  a: TreeMesh,
  b: TreeMesh,
  placement: Placement,
  options: NearestOptions,
  to: Nearest,
  walk: Walk,
): Rest {
  const placed = placedMeshes(a, b, placement);
  const measure = (triangleA: number, triangleB: number): number => {
    placeTriangles(triangleA, triangleB, placed);
    return triangleDistance(placed.a, placed.b, distance);
  };
  return nearestParts({ a: a.tree, b: b.tree, placement }, measure, options, to, walk);
}
