/**
 * Points of one body inside a closed mesh. Such a point has to leave the mesh before the bodies are apart, so no
 * translation shorter than its distance from the mesh's triangles separates them; if a ball around the point is part of
 * the body, no shorter one than that distance and the ball's radius. Unlike the depth of triangles, this does not shrink
 * where triangles are small.
 */

import { vec3, type Vec3 } from '../../../cpu/math.ts';
import type { OtherBodies, Reference } from '../reference.ts';
import { isInside, placeOf, pointsOf, type Body, type BodyPoint } from '../solids/body.ts';
import { deeper, type Bound } from './measured.ts';
import { middle } from './surface-bounds.ts';

/** Points inside that are measured, of each body. Any selection gives a bound. */
const MOST_MEASURED = 256;

/** Where the points of a body are relative to a closed mesh. */
export interface Placed {
  inside: BodyPoint[];
  outside: BodyPoint[];
}

/** Undefined if `into` is not a closed mesh. */
export function placePoints(from: Body, into: Body): Placed | undefined {
  if (!into.mesh?.isClosed) return undefined;
  const placed: Placed = { inside: [], outside: [] };
  for (const point of pointsOf(from)) placed[isInside(into, point) ? 'inside' : 'outside'].push(point);
  return placed;
}

/** Points whose distances from a body of the scene are wanted. */
export interface PointQuestion {
  body: number;
  points: readonly BodyPoint[];
}

/** Distances of points from a body's surface, and the nearest points on it. */
export interface PointAnswer {
  distances: number[];
  places: Vec3[];
  nearest: Vec3[];
}

/** Answers all questions at once. */
export async function askPoints(
  questions: readonly PointQuestion[],
  reference: Reference,
  scene: { bodies: { shapes: Uint32Array; positions: Float64Array; quaternions: Float32Array; scales: Float32Array } },
): Promise<PointAnswer[]> {
  const asked: OtherBodies = { shapes: [], positions: [], quaternions: [], scales: [] };
  const pairs: number[] = [];
  const places = questions.map(({ points }) => points.map(placeOf));
  const { shapes, positions, quaternions, scales } = scene.bodies;
  questions.forEach(({ body }, i) => {
    const target = asked.shapes.push(shapes[body]) - 1;
    asked.positions.push(...positions.subarray(3 * body, 3 * body + 3));
    asked.quaternions.push(...quaternions.subarray(4 * body, 4 * body + 4));
    asked.scales.push(scales[body]);
    for (const { x, y, z } of places[i]) {
      pairs.push(asked.shapes.push(-1) - 1, target);
      asked.positions.push(x, y, z);
      asked.quaternions.push(0, 0, 0, 1);
      asked.scales.push(1);
    }
  });
  if (pairs.length === 0) return questions.map(() => ({ distances: [], places: [], nearest: [] }));
  const { distance, pointB } = await reference.distancesOf(asked, pairs);
  let slot = 0;
  return places.map((own) => {
    const first = slot;
    slot += own.length;
    return {
      distances: Array.from(distance.subarray(first, slot)),
      places: own,
      nearest: own.map((_, i) =>
        vec3(...([0, 1, 2].map((k) => pointB[3 * (first + i) + k]) as [number, number, number])),
      ),
    };
  });
}

/** Some of the points, spread over all of them. */
export function someOf(points: readonly BodyPoint[], most = MOST_MEASURED): BodyPoint[] {
  if (points.length <= most) return [...points];
  return Array.from({ length: most }, (_, i) => points[Math.floor((i * points.length) / most)]);
}

/**
 * The bound that points inside a mesh give. `isOfA` says whether they are points of A, and the mesh is B. Moving B by
 * `-distance · normal` takes the deepest point out of the mesh.
 */
export function boundOfPoints(points: readonly BodyPoint[], answer: PointAnswer, isOfA: boolean): Bound | undefined {
  let bound: Bound | undefined;
  points.forEach(({ radius }, i) => {
    const gap = answer.distances[i];
    if (!(gap > 0)) return;
    const [p, q] = [answer.places[i], answer.nearest[i]];
    const sign = (isOfA ? 1 : -1) / gap;
    const normal = vec3(sign * (p.x - q.x), sign * (p.y - q.y), sign * (p.z - q.z));
    bound = deeper(bound, { distance: -(gap + radius), normal, point: middle(p, q) });
  });
  return bound;
}
