/** Random pairs in motion: where they start, and what they are aimed at. */

import { touchingReach } from '../families/placement.ts';
import type { Cores } from '../families/family.ts';
import { uniform, unitVector, type Random } from '../families/random.ts';
import { emptyCore, turnBody } from './place.ts';
import type { MovingWorkload } from './workload.ts';

/** Seconds of motion. */
export const DURATION = 1;

/** Share of the pairs that overlap as the motion begins. */
const OVERLAPPING = 0.05;
/**
 * How far from A's origin B is aimed at most, as a share of where the two would touch on that side: below 1 they meet,
 * given the time. With the times below about half of the pairs meet within the duration.
 */
const WIDEST_AIM = 2.25;
/** When it is there, in durations. */
const PASSES = { first: 0.2, last: 1.9 };

const [placedA, placedB] = [emptyCore(), emptyCore()];
const ray = [0, 0, 0];
const aside = [0, 0, 0];
const drift = [0, 0, 0];

/**
 * Places pair `index`, bodies 2i and 2i + 1, with uniformly random rotations, B in a random direction from A and 0.5 to
 * 3 sizes from where they touch, the size being the sum of both radii, or so that they overlap; and aims B, as A sees
 * it, at a point on a random side of A. Hits come early and late, head-on and grazing; which pairs are hits is not
 * chosen but follows. A goes its own way too, in a random direction and at most as fast as B goes against it. Both
 * shapes must hold their origin.
 */
export function aimPair(
  random: Random,
  bodies: MovingWorkload['bodies'],
  cores: Cores,
  index: number,
  [shapeA, shapeB]: readonly [number, number],
): void {
  const a = 2 * index;
  const b = a + 1;
  turnBody(random, bodies, cores, a, shapeA, placedA);
  turnBody(random, bodies, cores, b, shapeB, placedB);
  const size = cores.extents[shapeA] + cores.extents[shapeB];
  const touch = reachAlong(unitVector(random, ray));
  const distance = random() < OVERLAPPING ? touch * uniform(random, 0, 0.9) : touch + size * uniform(random, 0.5, 3);
  const miss = reachAlong(unitVector(random, aside)) * uniform(random, 0, WIDEST_AIM);
  const time = DURATION * uniform(random, PASSES.first, PASSES.last);
  const relative = ray.map((along, k) => (miss * aside[k] - distance * along) / time);
  const speed = Math.sqrt(relative[0] ** 2 + relative[1] ** 2 + relative[2] ** 2) * random();
  unitVector(random, drift);
  for (let k = 0; k < 3; k++) {
    bodies.positions[3 * a + k] = uniform(random, -10, 10);
    bodies.positions[3 * b + k] = bodies.positions[3 * a + k] + distance * ray[k];
    bodies.linearVelocities[3 * a + k] = speed * drift[k];
    bodies.linearVelocities[3 * b + k] = speed * drift[k] + relative[k];
  }

  function reachAlong(direction: number[]): number {
    return touchingReach(placedA, placedB, direction, 1e-4 * size).reach;
  }
}
