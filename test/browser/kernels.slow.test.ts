/**
 * Every query's kernels in every browser, each of which has a WGSL compiler of its own: all queries by all algorithms,
 * and bad input. Few pairs tell whether a compiler gets a kernel right; `npm run conformance` judges many in the same
 * browsers. planar-kernels.slow.test.ts has the same in 2-D, and pairs.slow.test.ts has
 * pairs, rays, compounds and meshes.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSERS } from '../../verification/engines/find-browser.ts';
import { marginOf, QUERIES, queryCases, type QueryCase } from './cases.ts';
import { browserFamilyNames, type BrowserFamilyName } from './families.ts';
import type { ImpactCase } from './impacts.ts';
import { atNight } from '../helpers/night.ts';
import { CALL_TIMEOUT, openHarness } from './open.ts';
import type { HarnessPage } from './open.ts';
import { BAD_KINDS } from './bad-pairs.ts';
import { compiledSoFar, expectCompiled, expectSameWhenLarge } from './checks.ts';
import { boxImpactCases, curvedImpactCases, pipelineLabels } from './expected-kernels.ts';

const pairCount = atNight(500, 5_000);
/** Pairs of moving bodies, by each algorithm, with and without rotation. */
const motionCount = atNight(200, 400);
const seed = 20_261_121;
/** What comes before GJK for bad pairs. */
const BAD_PAIR_STAGES = { intersects: 'sat', distances: 'newton', contacts: 'mpr' } as const;

/** Queries by portal refinement other than contacts, which `comparePortals` checks. */
const portalCases = queryCases(['mpr']).filter(({ query }) => query !== 'contacts');

describe.each(BROWSERS)('%s', (which) => {
  let opened: HarnessPage;

  beforeAll(async () => {
    opened = await openHarness(which);
  });
  afterAll(() => opened?.close());

  const compareQueries = async (name: BrowserFamilyName, cases: QueryCase[]): Promise<void> => {
    const count = pairCount;
    const results = await opened.page.evaluate(
      (...parameters) => window.harness.compareQueries(...parameters),
      name,
      count,
      seed,
      cases,
    );
    expect(results.length).toBe(cases.length);
    for (const [i, result] of results.entries()) {
      const { query, algorithm, margin } = cases[i];
      const label = `${query} by ${algorithm}, margin ${margin ?? 'by default'}, seed ${seed}`;
      expect(result.backend).toBe('webgpu');
      expect(result.pairs).toBe(count);
      expect(result.faults, label).toEqual([]);
      expect(result.passed, label).toBe(true);
      expect(result.overlapping).toBeGreaterThan(0.4 * count);
      expect(result.overlapping).toBeLessThan(0.6 * count);
      if (marginOf(cases[i]) === Infinity) {
        expect(result.listed).toBe(count);
      } else {
        // `intersects` says nothing of how it ended.
        if (query !== 'intersects') expect(result.leftEarly, label).toBeGreaterThan(0.05 * count);
        expect(result.listed).toBeGreaterThan(0.4 * count);
        expect(result.listed).toBeLessThan(0.95 * count);
      }
    }
    expect(opened.complaints).toEqual([]);
  };

  /** Manifolds, and contacts by portal refinement, whose depths are other than the least. */
  const compareOthers = async (name: BrowserFamilyName, count: number): Promise<void> => {
    for (const { counts, alike, hits } of await opened.page.evaluate(
      (...parameters) => window.harness.compareManifolds(...parameters),
      name,
      count,
      seed,
    )) {
      // Rounding decides of points on a border, and of those that are hardly apart. A distance to 1e-5 leaves a normal
      // on a curved surface off by the root of that, which the borders move with: 93 % were measured.
      expect(alike).toBeGreaterThan((name === 'curved' ? 0.9 : 0.99) * count);
      expect(hits).toBe(count - counts[0]);
      expect(Math.min(...counts)).toBeGreaterThan((name === 'curved' ? 0.01 : 0.02) * count);
    }
    for (const { overlapping, least, faults } of await opened.page.evaluate(
      (...parameters) => window.harness.comparePortals(...parameters),
      name,
      count,
      seed,
    )) {
      expect(faults, `seed ${seed}`).toEqual([]);
      expect(overlapping).toBeGreaterThan(0.4 * count);
      expect(least).toBeGreaterThan(0.2 * count);
    }
    expect(opened.complaints).toEqual([]);
  };

  /** Times of impact, of hits and of first impacts. */
  const compareMotion = async (name: BrowserFamilyName, count: number, cases: ImpactCase[]): Promise<void> => {
    const results = await opened.page.evaluate(
      (...parameters) => window.harness.compareImpacts(...parameters),
      name,
      count,
      seed,
      cases,
    );
    expect(results.length).toBe(cases.length);
    for (const { algorithm, isTurning, outcomes, faults, hits, earliest, earliestOfBatch } of results) {
      const label = `impacts of ${name} by ${algorithm}, turning: ${isTurning}, seed ${seed}`;
      expect(faults, label).toEqual([]);
      const { missed, met, overlapped, stood, open } = outcomes;
      expect(Math.min(missed, met, overlapped), label).toBeGreaterThan(0.1 * count);
      expect(stood).toBeGreaterThan(0);
      expect(open, label).toBeLessThan(0.01 * count);
      expect(hits).toBe(count - missed);
      expect([earliest, earliestOfBatch], label).toEqual([hits, hits]);
    }
    expect(opened.complaints).toEqual([]);
  };

  test('boxes agree with the double-precision reference by all queries', { timeout: CALL_TIMEOUT }, async () => {
    await compareQueries('box-box', [...queryCases(['sat', 'gjk', 'auto']), ...portalCases]);
    await compareOthers('box-box', pairCount);
    await compareMotion('box-box', motionCount, boxImpactCases(motionCount, seed));
    await expectSameWhenLarge(opened, 3, seed);
    expect(await compiledSoFar(opened, which)).toEqual(
      expect.arrayContaining(pipelineLabels('box-box', pairCount, seed)),
    );
  });

  test(
    'curved shapes agree with the double-precision reference by all queries',
    { timeout: CALL_TIMEOUT },
    async () => {
      await compareQueries('curved', [...queryCases(['gjk', 'auto']), ...portalCases]);
      await compareOthers('curved', pairCount);
    },
  );

  test('moving curved shapes agree with the double-precision reference', { timeout: CALL_TIMEOUT }, async () => {
    await compareMotion('curved', motionCount, curvedImpactCases(motionCount, seed));
  });

  test('the kernels of batches and those for hardware compile', { timeout: CALL_TIMEOUT }, async () => {
    await opened.page.evaluate(() => window.harness.compileBatch('curved'));
    await opened.page.evaluate(() => window.harness.compileAsHardware());
    expect(opened.complaints).toEqual([]);
  });

  test.each(browserFamilyNames.filter((name) => name !== 'box-box' && name !== 'curved'))(
    '%s agrees with the double-precision reference by all queries',
    { timeout: CALL_TIMEOUT },
    async (name) => {
      await compareQueries(name, queryCases(['gjk', 'auto']));
    },
  );

  describe.each(QUERIES)('pairs that only a GPU sees to be invalid: %s', (query) => {
    // Each lead stage for one query. In Dawn, `invalid-input.test.ts` has all stages for all queries.
    const leadStage = BAD_PAIR_STAGES[query];
    test(
      `have a status of their own and leave the others as they were, first: ${leadStage}`,
      {
        timeout: CALL_TIMEOUT,
      },
      async () => {
        const count = 300;
        const report = await opened.page.evaluate(
          (...parameters) => window.harness.answerBadPairs(...parameters),
          query,
          leadStage,
          count,
          seed,
        );
        expect(report.faults, `seed ${seed}`).toEqual([]);
        expect(report.good).toBe(count);
        expect(report.kinds).toBe(BAD_KINDS);
        expect(report.hits).toBeGreaterThan(count / 4);
        expect(report.hits).toBeLessThan(count);
        expect(opened.complaints).toEqual([]);
      },
    );
  });

  // This test needs those above it: together they run the kernels of all queries.
  test('every kernel of a query has compiled', async () => {
    const compiled = await expectCompiled(opened, which, (kernel) => !kernel.includes('/'));
    expect(compiled).toEqual(expect.arrayContaining(pipelineLabels('curved', pairCount, seed)));
  });
});
