/** Every kernel in every browser, each of which has a WGSL compiler of its own: all queries by all algorithms, and bad input. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSERS } from '../../src/cli/engines/find-browser.ts';
import { kernels } from '../../src/generated/kernels.ts';
import { variantKey, type KernelVariant } from '../../src/gpu/kernels.ts';
import { variantsOfQuery } from '../../src/gpu/passes.ts';
import { planQuery } from '../../src/gpu/plan.ts';
import { addShape, createShapeTable } from '../../src/shapes/shape-table.ts';
import { familyNames } from '../families.ts';
import { firstRungs } from '../support-rungs.ts';
import { marginOf, QUERIES, queryCases } from './cases.ts';
import { CALL_TIMEOUT, openHarness } from './open.ts';
import type { HarnessPage } from './open.ts';

const pairCount = 5_000;
const seed = 20_261_121;

describe.each(BROWSERS)('%s', (which) => {
  let opened: HarnessPage;

  beforeAll(async () => {
    opened = await openHarness(which);
  });
  afterAll(() => opened?.close());

  const compareQueries = async (name: (typeof familyNames)[number], cases: ReturnType<typeof queryCases>): Promise<void> => {
    const results = await opened.page.evaluate(
      (...parameters) => window.harness.compareQueries(...parameters),
      name,
      pairCount,
      seed,
      cases,
    );
    const worst = Math.max(...results.map((result) => result.worst));
    console.log(`${name}: ${results.length} queries of ${pairCount} pairs in ${which}, largest difference ${worst.toExponential(1)}`);
    expect(results.length).toBe(cases.length);
    for (const [i, result] of results.entries()) {
      const { query, algorithm, margin } = cases[i];
      const label = `${query} by ${algorithm}, margin ${margin ?? 'by default'}, seed ${seed}`;
      expect(result.backend).toBe('webgpu');
      expect(result.pairs).toBe(pairCount);
      expect(result.faults, label).toEqual([]);
      expect(result.passed, label).toBe(true);
      expect(result.overlapping).toBeGreaterThan(0.4 * pairCount);
      expect(result.overlapping).toBeLessThan(0.6 * pairCount);
      if (marginOf(cases[i]) === Infinity) {
        expect(result.listed).toBe(pairCount);
      } else {
        // `intersects` says nothing of how it ended.
        if (query !== 'intersects') expect(result.leftEarly, label).toBeGreaterThan(0.05 * pairCount);
        expect(result.listed).toBeGreaterThan(0.4 * pairCount);
        expect(result.listed).toBeLessThan(0.95 * pairCount);
      }
    }
    expect(opened.complaints).toEqual([]);
  };

  test('every kernel compiles, and boxes agree with the double-precision reference by all queries', { timeout: CALL_TIMEOUT }, async () => {
    await compareQueries('box-box', queryCases(['sat', 'gjk', 'auto']));
    for (const { counts, alike, hits } of await opened.page.evaluate((...parameters) => window.harness.compareManifolds(...parameters), 'box-box' as const, pairCount, seed)) {
      // Rounding decides of points on a border, and of those that are hardly apart.
      expect(alike).toBeGreaterThan(0.99 * pairCount);
      expect(hits).toBe(pairCount - counts[0]);
      expect(Math.min(...counts)).toBeGreaterThan(0.02 * pairCount);
    }
    const compiled = await opened.page.evaluate(() => window.harness.compiledKernels());
    console.log(`${which}, milliseconds until compiled: ${compiled.map(([label, time]) => `${label} ${time.toFixed(0)}`).join(', ')}`);
    expect(compiled.map(([label]) => label).sort()).toEqual(pipelineLabels());
  });

  test.each(familyNames.filter((name) => name !== 'box-box'))(
    '%s agrees with the double-precision reference by all queries',
    { timeout: CALL_TIMEOUT },
    (name) => compareQueries(name, queryCases(['gjk', 'auto'])),
  );

  describe.each(QUERIES)('pairs that only a GPU sees to be invalid: %s', (query) => {
    test.each(firstRungs(query))('have a status of their own and leave the others as they were, first: %s', { timeout: CALL_TIMEOUT }, async (first) => {
      const count = 300;
      const report = await opened.page.evaluate((...parameters) => window.harness.answerBadPairs(...parameters), query, first, count, seed);
      expect(report.faults, `seed ${seed}`).toEqual([]);
      expect(report.good).toBe(count);
      expect(report.kinds).toBe(44);
      expect(report.hits).toBeGreaterThan(count / 4);
      expect(report.hits).toBeLessThan(count);
      expect(opened.complaints).toEqual([]);
    });
  });
});

/** Labels of all pipelines that these queries of boxes ask for, which must be of all kernels that queries have. */
function pipelineLabels(): string[] {
  const shapes = createShapeTable();
  const box = addShape(shapes, { type: 'box', halfExtents: [1, 1, 1] });
  const bodies = { shapes: Uint32Array.of(box, box), positions: new Float32Array(6), quaternions: new Float32Array(8) };
  const variants: KernelVariant[] = [];
  for (const query of [...QUERIES, 'manifolds'] as const) {
    for (const first of firstRungs(query)) {
      for (const margin of [0, Infinity]) {
        variants.push(...variantsOfQuery(planQuery({ query, bodies, pairs: Uint32Array.of(0, 1), shapes, first, margin }), true));
      }
    }
  }
  // Batches alone place points, and no pair of boxes needs the large EPA or has a closed form.
  const others = ['place', 'contacts-epa-large', ...QUERIES.map((query) => `${query}-closed`)];
  expect(new Set([...variants.map(({ kernel }) => kernel), ...others])).toEqual(new Set(Object.keys(kernels)));
  return [...new Set(variants.map((variant) => `kernels.${variantKey(variant)}`))].sort();
}
