/**
 * Pins, spikes and slivers that turn by up to 32 radians, on the GPU: all of them get an answer, and those that are
 * looked at closely the right one.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createVerdict, judge } from '../../verification/judges/motion/judge.ts';
import { createMoving, takePair } from '../../verification/judges/motion/moving.ts';
import { createShape } from '../../src/cpu.ts';
import { createTester } from '../../src/node.ts';
import { F32_ROUNDING } from '../../src/shapes/tolerances.ts';
import { Status, type Tester } from '../../src/api/types.ts';
import { makeSlivers } from '../../verification/families/slivers.ts';

const SEED = 20_261_332;
const PAIRS = 4000;
const JUDGED = 100;

let gpu: Tester;

beforeAll(async () => {
  gpu = await createTester({ backend: 'webgpu' });
});

afterAll(() => gpu?.dispose());

test('4,000 pairs: none is left open', async () => {
  const { shapes, bodies, duration } = makeSlivers(PAIRS, SEED);
  const ids = Uint32Array.from(shapes, (shape) => gpu.addShape(shape));
  const pairs = Uint32Array.from({ length: 2 * PAIRS }, (_, i) => i);
  const found = await gpu.impacts({ ...bodies, shapes: ids }, pairs, { duration });
  expect(found.statusCounts.slice(2), `seed ${SEED}`).toEqual([0, 0, 0]);
  expect(Math.min(found.statusCounts[Status.Separated], found.statusCounts[Status.Overlapping])).toBeGreaterThan(
    PAIRS / 4,
  );
  const faults = Array.from({ length: JUDGED }).flatMap((_, pair) => {
    const [shapeA, shapeB] = [shapes[2 * pair], shapes[2 * pair + 1]].map((shape) => createShape(shape));
    const moving = createMoving(shapeA);
    const own = { ...bodies, shapes: Uint32Array.from(bodies.shapes, (__, body) => body % 2) };
    takePair([shapeA, shapeB], own, 2 * pair, 2 * pair + 1, duration, moving);
    const { faults: wrong } = judge(
      moving,
      found,
      pair,
      { precision: 'kernels', rounding: F32_ROUNDING },
      createVerdict(),
    );
    return wrong.map((fault) => `seed ${SEED}, pair ${pair}: ${fault}`);
  });
  expect(faults).toEqual([]);
});
