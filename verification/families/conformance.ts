/** What every engine is asked: each family of the test suite, random, degenerate and of fixtures. */

import {
  makeShapePairFamily,
  makeStructuredFamily,
  shapePairNames,
  structuredFamilyNames,
  type Family,
} from './families.ts';
import { regressionFamily } from './families-of-fixtures.ts';
import { hardCases } from './test-pairs.ts';
import { makeCurvedGridFamily, makeGridFamily } from './grid.ts';

/** One family after the other. `count` pairs each, but for the fixtures, of which there are as many as there are. */
export function* conformanceFamilies(count: number, seed: number): Generator<Family> {
  for (const name of shapePairNames) yield makeShapePairFamily(name, count, seed);
  for (const name of structuredFamilyNames) yield makeStructuredFamily(name, count, seed);
  yield makeStructuredFamily('nearly-round', count, seed);
  yield makeGridFamily(count, seed);
  yield makeCurvedGridFamily(count, seed);
  yield hardCases().family;
  yield regressionFamily();
}
