/** Kernels that only pairs of curved shapes take, and those of hulls on them. `every-kernel.test.ts` has the others. */

import { expect, test } from 'vitest';
import { kernelNames, ofCurvedPairs, recordKernels } from '../helpers/compiled.ts';
import { describeEveryQuery, type EveryQuery } from '../helpers/every-query.ts';
import { atNight } from '../helpers/night.ts';

const { gpu, compiled } = recordKernels();

/** In CI, only algorithms that run kernels of their own. */
describeEveryQuery('curved', gpu, {
  algorithms: ['auto', 'gjk', 'mpr'],
  ofImpacts: atNight<EveryQuery['ofImpacts']>(['auto', 'velocity-epa'], ['auto', 'cast', 'velocity-epa']),
  warm: atNight([false], [false, true]),
});

test('no kernel is left out', () => {
  const here = kernelNames(3).filter((name) => ofCurvedPairs.test(name));
  expect(here.length).toBeGreaterThan(5);
  expect([...compiled]).toEqual(expect.arrayContaining(here));
});
