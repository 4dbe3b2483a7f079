/**
 * Pins, spikes and slivers that turn by up to 32 radians: all of them get an answer, which the motion judge finds
 * right.
 */

import { expect, test } from 'vitest';
import { judge, createVerdict } from '../../verification/judges/motion/judge.ts';
import { createMoving, takePair } from '../../verification/judges/motion/moving.ts';
import { createShape, impact, Status } from '../../src/cpu.ts';
import { F64_ROUNDING } from '../../src/shapes/tolerances.ts';
import { makeSlivers, sliverPose } from '../../verification/families/slivers.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_331;
const PAIRS = atNight(1000, 4000);

test('no pair is left open', () => {
  const { shapes, bodies, duration } = makeSlivers(PAIRS, SEED);
  const made = shapes.map((shape) => createShape(shape));
  const counts = [0, 0, 0, 0, 0];
  const open: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const { status } = impact(
      made[2 * pair],
      sliverPose(bodies, 2 * pair),
      made[2 * pair + 1],
      sliverPose(bodies, 2 * pair + 1),
      { duration },
    );
    counts[status]++;
    if (status === Status.NotConverged) open.push(pair);
  }
  expect(open, `seed ${SEED}`).toEqual([]);
  expect(Math.min(counts[Status.Separated], counts[Status.Overlapping])).toBeGreaterThan(PAIRS / 4);
});

/**
 * Pairs of the family above that ended `NotConverged` after 128 steps, before normals turned as they had turned on the
 * last step.
 */
const LONG = [
  { pair: 12, types: ['triangle', 'triangle'] },
  { pair: 47, types: ['cylinder', 'triangle'] },
  { pair: 559, types: ['cone', 'cone'] },
  { pair: 924, types: ['cylinder', 'capsule'] },
  { pair: 1042, types: ['cylinder', 'box'] },
  { pair: 1880, types: ['hull', 'cylinder'] },
  { pair: 2146, types: ['cone', 'hull'] },
  { pair: 2970, types: ['box', 'capsule'] },
];

test.each(LONG)('$types that took more steps than there were', ({ pair, types }) => {
  const { shapes, bodies, duration } = makeSlivers(pair + 1, SEED);
  const chosen = [shapes[2 * pair], shapes[2 * pair + 1]];
  expect(chosen.map(({ type }) => type)).toEqual(types);
  const [shapeA, shapeB] = chosen.map((shape) => createShape(shape));
  const said = impact(shapeA, sliverPose(bodies, 2 * pair), shapeB, sliverPose(bodies, 2 * pair + 1), { duration });
  expect(said.status).not.toBe(Status.NotConverged);
  const moving = createMoving(shapeA);
  const own = { ...bodies, shapes: Uint32Array.from(bodies.shapes, (_, body) => body % 2) };
  takePair([shapeA, shapeB], own, 2 * pair, 2 * pair + 1, duration, moving);
  const { status, time, unclampedTime, normal, point } = said;
  const answers = { status: [status], time: [time], unclampedTime: [unclampedTime], normal, point };
  const { faults } = judge(moving, answers, 0, { precision: 'reference', rounding: 8 * F64_ROUNDING }, createVerdict());
  expect(faults).toEqual([]);
});
