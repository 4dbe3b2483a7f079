/**
 * Distances of two parts in double precision, for the search of the nearest ones: triangles of two meshes by
 * triangle-distance.ts, other parts by the reference.
 */
import type { Placement } from '../bvh/placement.ts';
import { copy, scale, set, transform, vec3, type Vec3 } from '../cpu/math.ts';
import { createPair, makePair, type Pair } from '../cpu/pair.ts';
import { distance } from '../cpu/queries/distances.ts';
import { intersects } from '../cpu/queries/intersects.ts';
import { createPairResult } from '../cpu/queries/result.ts';
import { createTriangleDistance, triangleDistance } from '../cpu/triangle-distance.ts';
import { trianglesIntersect } from '../cpu/triangle-intersection.ts';
import { createPartPlace, placePart, type BodyPlace, type PartPlace } from './part-place.ts';
import { placeTriangles, type TrianglePair } from './placed-triangles.ts';

const placeA = createPartPlace();
const placeB = createPartPlace();
const pair = createPair();
const between = vec3();
const result = createPairResult();
const corners: TrianglePair = { a: new Float64Array(9), b: new Float64Array(9) };
const nearest = createTriangleDistance();

/** Makes a pair of two parts. `offset` is B's position minus A's, in world axes. */
export function pairOfParts(a: PartPlace, b: PartPlace, offset: Vec3, to: Pair): Pair {
  set(
    offset.x + b.offset.x - a.offset.x,
    offset.y + b.offset.y - a.offset.y,
    offset.z + b.offset.z - a.offset.z,
    between,
  );
  return makePair(a.shape, a, b.shape, b, between, to);
}

/**
 * The distance of two parts; if it is more than `most`, a lower bound that is more. 0 if they overlap. If it is positive,
 * writes the direction from A to B along which they are so far apart, in world axes.
 */
export function partDistance(
  a: BodyPlace,
  partA: number,
  b: BodyPlace,
  partB: number,
  offset: Vec3,
  placement: Placement,
  most: number,
  direction: Vec3,
): number {
  const meshA = a.shape.parts;
  const meshB = b.shape.parts;
  if (meshA?.type === 'mesh' && meshB?.type === 'mesh') {
    placeTriangles(meshA, partA, meshB, partB, placement, corners);
    const gap = triangleDistance(corners.a, corners.b, nearest);
    if (gap > 0) {
      const { pointA, pointB } = nearest;
      set(pointB[0] - pointA[0], pointB[1] - pointA[1], pointB[2] - pointA[2], direction);
      scale(transform(a.rotation, direction, direction), 1 / gap, direction);
    }
    return gap;
  }
  placePart(a, partA, false, placeA);
  placePart(b, partB, false, placeB);
  pairOfParts(placeA, placeB, offset, pair);
  distance(pair, placeA.shape, placeB.shape, most, 'newton', result);
  copy(result.normal, direction);
  return result.distance;
}

/** Whether two parts touch or overlap. */
export function partsMeet(
  a: BodyPlace,
  partA: number,
  b: BodyPlace,
  partB: number,
  offset: Vec3,
  placement: Placement,
): boolean {
  const meshA = a.shape.parts;
  const meshB = b.shape.parts;
  if (meshA?.type === 'mesh' && meshB?.type === 'mesh') {
    placeTriangles(meshA, partA, meshB, partB, placement, corners);
    return trianglesIntersect(corners.a, corners.b);
  }
  placePart(a, partA, false, placeA);
  placePart(b, partB, false, placeB);
  pairOfParts(placeA, placeB, offset, pair);
  return intersects(pair, placeA.shape, placeB.shape, 0, 'sat', result).hit;
}
