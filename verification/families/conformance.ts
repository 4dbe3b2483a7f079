/** The pairs for every engine: all families of the test suite, random, degenerate and of fixtures. */

import {
  makeShapePairFamily,
  makeStructuredFamily,
  shapePairNames,
  structuredFamilyNames,
  type Family,
} from './families.ts';
import { regressionFamily } from './families-of-fixtures.ts';
import { makePolytopeFamily, polytopeFamilyNames } from './overlapping-polytopes.ts';
import { hardCases } from './test-pairs.ts';
import { makeCurvedGridFamily, makeGridFamily } from './grid.ts';

/** Families one after the other, with `count` pairs each. The fixtures have their own fixed number of pairs. */
export function* conformanceFamilies(count: number, seed: number): Generator<Family> {
  for (const name of shapePairNames) yield makeShapePairFamily(name, count, seed);
  for (const name of structuredFamilyNames) yield makeStructuredFamily(name, count, seed);
  yield makeStructuredFamily('nearly-round', count, seed);
  for (const name of polytopeFamilyNames) yield makePolytopeFamily(name, count, seed);
  yield makeGridFamily(count, seed);
  yield makeCurvedGridFamily(count, seed);
  yield hardCases().family;
  yield regressionFamily();
}
