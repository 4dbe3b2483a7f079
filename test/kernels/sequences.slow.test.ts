/**
 * The kernels of graphics cards answer random sequences of queries and batches on one tester. What earlier ones left in
 * the buffers, or words that look like it, changes no answer. `npm run fuzz -- --as-hardware` runs thousands.
 */

import { expect, test } from 'vitest';
import { atNight } from '../helpers/night.ts';
import { runSequences } from '../../verification/sequences/run.ts';
import type { BatchWay } from '../../verification/sequences/ways.ts';

const SEED = 20_261_127;

/** Each query once. The margin is above 0, so that the stages after SAT have pairs. */
function waysOf(types: readonly string[]): BatchWay[] {
  const queries = ['intersects', 'distances', 'contacts', 'manifolds', 'impacts'] as const;
  return queries.map((query) => ({
    query,
    types,
    algorithm: 'auto',
    hasMargin: query !== 'impacts',
    isWide: false,
    isWarm: false,
    isTurning: false,
    stopAtPenetration: true,
    broadPhase: false,
    results: 'all',
  }));
}

test.each([
  [3, atNight(['smallHull', 'cylinder', 'halfspace'], ['box', 'capsule', 'smallHull', 'halfspace'])],
  [2, atNight(['circle', 'polygon'], ['circle', 'rectangle', 'polygon', 'capsule'])],
] as const)('%d-D: queries and batches in sequence, on stale memory, of %j', async (axes, types) => {
  const ways = waysOf(types);
  const batches = ways.filter(({ query }) => query === 'contacts');
  const { findings, asked } = await runSequences({ axes, seed: SEED, sequences: 16, types, ways, batches });
  expect(findings).toEqual([]);
  for (const { query } of [...ways, { query: 'batch contacts' }]) expect(asked[query], query).toBeGreaterThan(2);
});
