/** Random pairs with a given share of hits. */

import { setRotation, touchingReach, type PlacedCore, type Touch } from '../families/placement.ts';
import type { Cores } from '../families/family.ts';
import { spread, uniform, unitVector, type Random } from '../families/random.ts';
import type { Workload } from './workload.ts';

type Bodies = Workload['bodies'];

const quaternion = new Float64Array(4);
const ray = new Float64Array(3);
const [placedA, placedB] = [emptyCore(), emptyCore()];

/**
 * Places pair `index`, bodies 2i and 2i + 1, with uniformly random rotations, B in a random direction from A. Of the
 * hits, as of the others, half are clear, a quarter are shallow and a quarter are within 1e-3 of the size from touch:
 * what a broad phase hands on in a heap, and the depths at which EPA takes longest. Both shapes must hold their origin.
 */
export function placePair(
  random: Random,
  { bodies }: Workload,
  cores: Cores,
  index: number,
  [shapeA, shapeB]: readonly [number, number],
  isHit: boolean,
): void {
  const a = 2 * index;
  const b = a + 1;
  turnBody(random, bodies, cores, a, shapeA, placedA);
  turnBody(random, bodies, cores, b, shapeB, placedB);
  unitVector(random, ray);
  const size = cores.extents[shapeA] + cores.extents[shapeB];
  const band = random();
  const touch = touchingReach(placedA, placedB, ray, size * (band < 0.5 ? 1e-2 : band < 0.75 ? 1e-4 : 1e-7));
  const distance = distanceInBand(random, band, touch, size, isHit);
  for (let k = 0; k < 3; k++) {
    bodies.positions[3 * a + k] = uniform(random, -10, 10);
    bodies.positions[3 * b + k] = bodies.positions[3 * a + k] + distance * ray[k];
  }
}

/**
 * How far apart the positions of two bodies are, which touch at `reach`: by `band`, 0 to 1, a clear case, a shallow
 * one, or one near touch.
 */
export function distanceInBand(
  random: Random,
  band: number,
  { reach, cosine }: Touch,
  size: number,
  isHit: boolean,
): number {
  const side = isHit ? -1 : 1;
  const shallow = reach + side * spread(random, 0.1 * reach, 7);
  if (band < 0.5) return reach * (isHit ? uniform(random, 0, 0.9) : uniform(random, 1.1, 3));
  if (band < 0.75) return shallow;
  return reach + (side * spread(random, 1e-3 * size, 10)) / Math.max(cosine, 0.05);
}

/** What `turnBody` fills. */
export function emptyCore(): PlacedCore {
  return { points: new Float64Array(0), radius: 0, rotation: new Float64Array(9) };
}

/** Gives a body its shape and a uniformly random rotation, and tells `to`. */
export function turnBody(
  random: Random,
  bodies: Bodies,
  cores: Cores,
  body: number,
  shape: number,
  to: PlacedCore,
): void {
  bodies.shapes[body] = shape;
  bodies.quaternions.set(unitVector(random, quaternion), 4 * body);
  setRotation(bodies.quaternions, 4 * body, to.rotation);
  to.points = cores.points[shape];
  to.radius = cores.radii[shape];
}
