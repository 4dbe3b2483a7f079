/** Every family for tests of kernels. */

import type { Family } from '../../verification/families/family.ts';
import { anyFamily, everyFamily, joinByKernels, type AnyFamilyName } from '../../verification/families/test-pairs.ts';
import { atNight } from './night.ts';

/**
 * Every family by itself at night, since the pairs of most have kernels of their own. CI has them joined: each kernel is
 * compiled once.
 */
export function kernelFamilies(countOf: (name: AnyFamilyName) => number, seed: number): Family[] {
  const families = everyFamily.map((name) => anyFamily(name, countOf(name), seed));
  return atNight(joinByKernels(families), families);
}
