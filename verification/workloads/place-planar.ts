/** Random pairs in the plane with a given share of hits. */

import { uniform, unitVector, type Random } from '../families/random.ts';
import { planarTouch, turned, type Outline } from './outlines.ts';
import { distanceInBand } from './place.ts';
import type { PlanarWorkload } from './workload.ts';

const ray = [0, 0];

/** As `placePair` in space. */
export function placePlanarPair(
  random: Random,
  bodies: PlanarWorkload['bodies'],
  outlines: readonly Outline[],
  index: number,
  [shapeA, shapeB]: readonly [number, number],
  isHit: boolean,
): void {
  const a = 2 * index;
  const b = a + 1;
  const [placedA, placedB] = [turnBody(a, shapeA), turnBody(b, shapeB)];
  unitVector(random, ray);
  const distance = distanceInBand(
    random,
    random(),
    planarTouch(placedA, placedB, ray),
    placedA.extent + placedB.extent,
    isHit,
  );
  for (let k = 0; k < 2; k++) {
    bodies.positions[2 * a + k] = uniform(random, -10, 10);
    bodies.positions[2 * b + k] = bodies.positions[2 * a + k] + distance * ray[k];
  }

  function turnBody(body: number, shape: number): Outline {
    bodies.shapes[body] = shape;
    bodies.angles[body] = uniform(random, -Math.PI, Math.PI);
    return turned(outlines[shape], bodies.angles[body]);
  }
}
