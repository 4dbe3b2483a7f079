/**
 * Every query's kernels in every browser, in the variants that each family of pairs needs: all queries by all algorithms,
 * and bad input. test/browser/ compiles each kernel and runs most; `npm run conformance` judges more pairs in the same browsers.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSERS } from '../../../verification/engines/find-browser.ts';
import { QUERIES, queryCases } from '../../browser/cases.ts';
import { compiledSoFar, expectCompiled, expectSameInHalves } from '../../browser/checks.ts';
import type { BatchCase } from '../../browser/compiled.ts';
import { boxImpactCases, curvedImpactCases, pipelineLabels } from '../../browser/expected-kernels.ts';
import { browserFamilyNames, type BrowserFamilyName } from '../../browser/families.ts';
import { CALL_TIMEOUT, openHarness } from '../../browser/open.ts';
import type { HarnessPage } from '../../browser/open.ts';
import {
  expectBadPairs,
  expectManifolds,
  expectMotion,
  expectPortals,
  expectQueries,
} from '../../browser/query-checks.ts';

const seed = 20_261_121;
const sample = { count: 5000, seed };
/** Pairs of moving bodies, by each algorithm, with and without rotation. */
const moving = { count: 400, seed };

/** Queries by portal refinement other than contacts, which `expectPortals` checks. */
const portalCases = queryCases(['mpr']).filter(({ query }) => query !== 'contacts');

const manifoldCases = (['auto', 'gjk'] as const).map((algorithm) => ({ algorithm, margin: 0.0625 }));

const halvesCases = (['plain', 'wide', 'scaled'] as const).flatMap((form) =>
  (['contacts', 'manifolds', 'impacts'] as const).map((query) => [query, form] as const),
);

/** Kernels that only graphics cards run. */
const hardwareCases: BatchCase[] = (['curved', 'box-box'] as const).flatMap((family) =>
  (['auto', 'gjk'] as const).flatMap((algorithm): BatchCase[] => [
    { family, query: 'contacts', algorithm, margin: 0.1 },
    { family, query: 'manifolds', algorithm },
    { family, query: 'distances', algorithm },
  ]),
);

/** Kernels that only few pairs need. */
const rareCases: BatchCase[] = [
  { family: 'curved', query: 'contacts' },
  { family: 'curved', query: 'impacts', duration: 1, stopAtPenetration: false },
];

describe.each(BROWSERS)('%s', (which) => {
  let opened: HarnessPage;

  beforeAll(async () => {
    opened = await openHarness(which);
  });
  afterAll(() => opened?.close());

  /** Manifolds, and contacts by portal refinement. */
  const expectOthers = async (name: BrowserFamilyName): Promise<void> => {
    await expectManifolds(opened, name, sample, manifoldCases);
    await expectPortals(opened, name, sample);
  };

  test('boxes agree with the double-precision reference by all queries', { timeout: CALL_TIMEOUT }, async () => {
    // Overlaps by SAT alone need no list.
    const overlaps = { query: 'distances', algorithm: 'sat', margin: 0 } as const;
    await expectQueries(opened, 'box-box', sample, [...queryCases(['sat', 'gjk', 'auto']), ...portalCases, overlaps]);
    await expectOthers('box-box');
    await expectMotion(opened, 'box-box', moving, boxImpactCases(moving.count, seed));
    await expectSameInHalves(opened, 3, seed, halvesCases);
    const compiled = await compiledSoFar(opened, which);
    expect(pipelineLabels('box-box', sample.count, seed).filter((label) => !compiled.includes(label))).toEqual([]);
  });

  test(
    'curved shapes agree with the double-precision reference by all queries',
    { timeout: CALL_TIMEOUT },
    async () => {
      await expectQueries(opened, 'curved', sample, [...queryCases(['gjk', 'auto']), ...portalCases]);
      await expectOthers('curved');
    },
  );

  test('moving curved shapes agree with the double-precision reference', { timeout: CALL_TIMEOUT }, () =>
    expectMotion(opened, 'curved', moving, curvedImpactCases(moving.count, seed)),
  );

  test(
    'the kernels of batches compile, with the constants of graphics cards too',
    { timeout: CALL_TIMEOUT },
    async () => {
      for (const [cases, asHardware] of [
        [rareCases, false],
        [hardwareCases, true],
      ] as const)
        await opened.page.evaluate(
          (...parameters) => window.harness.compileBatches(...parameters),
          cases as BatchCase[],
          asHardware,
        );
      expect(opened.complaints).toEqual([]);
    },
  );

  test.each(browserFamilyNames.filter((name) => name !== 'box-box' && name !== 'curved'))(
    '%s agrees with the double-precision reference by all queries',
    { timeout: CALL_TIMEOUT },
    (name) => expectQueries(opened, name, sample, queryCases(['gjk', 'auto'])),
  );

  // Each lead stage for one query. In Dawn, `invalid-input.test.ts` has all stages for all queries.
  const leadStages = { intersects: 'sat', distances: 'newton', contacts: 'mpr' } as const;
  test.each(QUERIES.map((query) => query as keyof typeof leadStages))(
    '%s: pairs that only a GPU sees to be invalid have a status of their own and leave the others as they were',
    { timeout: CALL_TIMEOUT },
    (query) => expectBadPairs(opened, query, leadStages[query], { count: 300, seed }),
  );

  // This test needs those above it: together they run the kernels of all queries.
  test('every kernel of a query has compiled', async () => {
    const compiled = await expectCompiled(opened, which, 'curved', 'polytopes', 'impacts');
    expect(pipelineLabels('curved', sample.count, seed).filter((label) => !compiled.includes(label))).toEqual([]);
  });
});
