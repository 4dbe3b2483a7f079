/**
 * Impacts of degenerate pairs on the GPU against the oracle: exact touch, ties, flat shapes, needles, equal poses,
 * sizes far apart, bodies far out.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { Tester } from '../../src/api/types.ts';
import { atNight } from '../helpers/night.ts';
import { judgeQuery, movingFamily, structuredFamilyNames } from '../helpers/impacts.ts';

const SEED = 20_261_308;
const PAIRS = atNight(200, 400);

let gpu: Tester;

beforeAll(async () => {
  gpu = await createTester({ backend: 'webgpu' });
});

afterAll(() => gpu?.dispose());

// Kernels of hulls are those of all shapes but the curved ones, and compile once.
describe.each(structuredFamilyNames)('%s', (name) => {
  test.each(['auto', 'cast'] as const)('in straight motion, by %s', async (algorithm) => {
    const family = movingFamily(name, PAIRS, SEED);
    const { missed, met, overlapped, open } = await judgeQuery(
      gpu,
      family,
      family.pairs,
      algorithm,
      `${name}, seed ${SEED}`,
    );
    expect(Math.min(missed, met, overlapped)).toBeGreaterThan(0.05 * PAIRS);
    expect(open).toBe(0);
  });

  test('turning', async () => {
    const family = movingFamily(name, PAIRS / 2, SEED, { isTurning: true });
    const { missed, met, overlapped, open } = await judgeQuery(
      gpu,
      family,
      family.pairs,
      'auto',
      `${name}, seed ${SEED}`,
    );
    expect(Math.min(missed, met, overlapped)).toBeGreaterThan((0.04 * PAIRS) / 2);
    expect(open).toBeLessThan(((name === 'needles' ? 0.15 : 0.05) * PAIRS) / 2);
  });
});

describe("velocity EPA, algorithm 'velocity-epa'", () => {
  test.each(['box-box', 'aligned-boxes', ...atNight([], ['flat', 'prisms'])])('%s', async (name) => {
    const family = movingFamily(name, PAIRS, SEED);
    const { missed, met, overlapped, open } = await judgeQuery(
      gpu,
      family,
      family.pairs,
      'velocity-epa',
      `${name}, seed ${SEED}`,
    );
    expect(Math.min(missed, met, overlapped)).toBeGreaterThan(0.1 * PAIRS);
    expect(open).toBeLessThan(0.01 * PAIRS);
  });
});
