/** The same as triangle-pairs.test.ts for more pairs of each family, and for pairs in f32. */
import { expect, test } from 'vitest';
import { trianglePairFamilies, trianglePairs } from '../../verification/families/triangle-pairs.ts';
import { distanceFaults, intersectionFaults } from '../helpers/triangles.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_126;
const PAIRS = atNight(80, 1000);

test.each(trianglePairFamilies)('%s: intersection and distance are those of the oracle', (family) => {
  for (const precision of ['double', 'single'] as const)
    trianglePairs(family, PAIRS, SEED, precision).forEach((pair, i) => {
      const faults = [...intersectionFaults(pair), ...distanceFaults(pair)];
      expect(faults, `pair ${i} of ${family}, ${precision}, seed ${SEED}: ${JSON.stringify(pair)}`).toEqual([]);
    });
});
