/**
 * Distances of two parts of a pair in double precision, for the search of the nearest ones: triangles of two meshes by
 * cpu/triangle-distance.ts, other parts by the reference.
 */
import { createPlacedTriangles, placeMeshes, placeTriangles } from '../cpu/parts/placed-triangles.ts';
import { copy, scale, set, transform, type Vec3 } from '../cpu/math.ts';
import { createPair } from '../cpu/pair.ts';
import { distance } from '../cpu/queries/distances.ts';
import { intersects } from '../cpu/queries/intersects.ts';
import { createPairResult } from '../cpu/queries/result.ts';
import { createTriangleDistance, triangleDistance } from '../cpu/triangle-distance.ts';
import { trianglesIntersect } from '../cpu/triangle-intersection.ts';
import type { PairPlaces } from '../cpu/parts/pair-places.ts';
import { createPartPlace, pairOfParts, placePart } from '../cpu/parts/part-place.ts';

const placeA = createPartPlace();
const placeB = createPartPlace();
const pair = createPair();
const result = createPairResult();
const nearest = createTriangleDistance();

export interface PartDistances {
  /** Begins with the bodies that are at the places now. The other functions are for their parts, until the next call. */
  begin(): void;
  /**
   * The distance of two parts; if it is more than `most`, a lower bound that is more. 0 if they overlap. If it is positive,
   * writes the direction from A to B along which they are so far apart, in world axes.
   */
  distance(partA: number, partB: number, most: number, direction: Vec3): number;
  /** Whether two parts touch or overlap. */
  meet(partA: number, partB: number): boolean;
}

export function createPartDistances(places: PairPlaces): PartDistances {
  const { a, b, offset } = places;
  const triangles = createPlacedTriangles();
  let areMeshes = false;

  function placeParts(partA: number, partB: number): void {
    placePart(a, partA, false, placeA);
    placePart(b, partB, false, placeB);
    pairOfParts(placeA, placeB, offset, pair);
  }

  return {
    begin() {
      const meshA = a.shape.parts;
      const meshB = b.shape.parts;
      areMeshes = meshA?.type === 'mesh' && meshB?.type === 'mesh';
      if (meshA?.type === 'mesh' && meshB?.type === 'mesh') placeMeshes(meshA, meshB, places.placement, triangles);
    },
    distance(partA, partB, most, direction) {
      if (areMeshes) {
        placeTriangles(partA, partB, triangles);
        const gap = triangleDistance(triangles.a, triangles.b, nearest);
        if (gap > 0) {
          const { pointA, pointB } = nearest;
          set(pointB[0] - pointA[0], pointB[1] - pointA[1], pointB[2] - pointA[2], direction);
          scale(transform(a.rotation, direction, direction), 1 / gap, direction);
        }
        return gap;
      }
      placeParts(partA, partB);
      distance(pair, placeA.shape, placeB.shape, most, 'newton', result);
      copy(result.normal, direction);
      return result.distance;
    },
    meet(partA, partB) {
      if (areMeshes) {
        placeTriangles(partA, partB, triangles);
        return trianglesIntersect(triangles.a, triangles.b);
      }
      placeParts(partA, partB);
      return intersects(pair, placeA.shape, placeB.shape, 0, 'sat', result).hit;
    },
  };
}
