/** Random small batches that find their pairs, most of them with less room than there are pairs. */
import { expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { broadPhaseScene } from '../../verification/families/broad-phase-scenes.ts';
import { randomBatches } from '../helpers/random-batches.ts';

const SEED = 20_261_128;
const BATCHES = 10_000;

test(`${BATCHES} random batches keep and count their pairs as brute force does`, async () => {
  using tester = await createTester({ backend: 'webgpu' });
  for (const shape of broadPhaseScene('similar', 0, SEED).shapes) tester.addShape(shape);
  const { faults, overflows } = await randomBatches(tester, { batches: BATCHES, seed: SEED });
  expect(faults).toEqual([]);
  expect(overflows).toBeGreaterThan(0.4 * BATCHES);
}, 900_000);
