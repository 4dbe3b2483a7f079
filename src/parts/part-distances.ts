/**
 * Distances of two parts of a pair in 3-D in double precision, for the search of the nearest ones: triangles of two meshes by
 * cpu/triangle-distance.ts, other parts by the reference.
 */
import type { Heights } from '../bvh/tie-plane.ts';
import {
  createPlacedTriangles,
  placeMeshes,
  placeTriangles,
  type PlacedTriangles,
} from '../cpu/parts/placed-triangles.ts';
import type { PairOptions } from '../cpu/asked-pairs.ts';
import { copy, scale, set, transform } from '../cpu/math.ts';
import { createPair } from '../cpu/pair.ts';
import { distance } from '../cpu/queries/distances.ts';
import { intersects } from '../cpu/queries/intersects.ts';
import { createPairResult } from '../cpu/queries/result.ts';
import { createTriangleDistance, triangleDistance, type TriangleDistance } from '../cpu/triangle-distance.ts';
import { trianglesIntersect } from '../cpu/triangle-intersection.ts';
import type { PairPlaces } from '../cpu/parts/pair-places.ts';
import { createPartPlace, pairOfParts, placePart } from '../cpu/parts/part-place.ts';
import type { PartDistances } from './part-geometry.ts';

const placeA = createPartPlace();
const placeB = createPartPlace();
const pair = createPair();
const result = createPairResult();
const nearest = createTriangleDistance();
const asked: PairOptions = { margin: 0, leadStage: 'newton' };
const MEETING: PairOptions = { margin: 0, leadStage: 'sat' };

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
      asked.margin = most;
      distance(pair, placeA.shape, placeB.shape, asked, result);
      copy(result.normal, direction);
      return result.distance;
    },
    heights: heightsOf(triangles, nearest),
    meet(partA, partB) {
      if (areMeshes) {
        placeTriangles(partA, partB, triangles);
        return trianglesIntersect(triangles.a, triangles.b);
      }
      placeParts(partA, partB);
      return intersects(pair, placeA.shape, placeB.shape, MEETING, result).hit;
    },
  };
}

/** Heights of triangles along the line between the nearest points of two of them. */
function heightsOf(triangles: PlacedTriangles, between: TriangleDistance): Heights {
  const line = new Float64Array(3);
  const highest = (corners: Float64Array, sign: number): number => {
    const [x, y, z] = line;
    return Math.max(
      sign * (corners[0] * x + corners[1] * y + corners[2] * z),
      sign * (corners[3] * x + corners[4] * y + corners[5] * z),
      sign * (corners[6] * x + corners[7] * y + corners[8] * z),
    );
  };
  return {
    setLine(partA, partB) {
      placeTriangles(partA, partB, triangles);
      const gap = triangleDistance(triangles.a, triangles.b, between);
      for (let k = 0; k < 3; k++) line[k] = (between.pointB[k] - between.pointA[k]) / gap;
    },
    highOfA(part) {
      placeTriangles(part, Math.max(triangles.triangleB, 0), triangles);
      return highest(triangles.a, 1);
    },
    lowOfB(part) {
      placeTriangles(Math.max(triangles.triangleA, 0), part, triangles);
      return -highest(triangles.b, -1);
    },
  };
}
