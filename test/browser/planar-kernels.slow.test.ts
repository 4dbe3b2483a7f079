/** Every 2-D kernel in every browser: all queries by all algorithms, rays, and bad input. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSERS } from '../../verification/engines/find-browser.ts';
import { planarTypePairNames } from '../../verification/families/planar-families.ts';
import { CALL_TIMEOUT, openHarness } from './open.ts';
import type { HarnessPage } from './open.ts';
import { PAIRS_OF_TWO_TYPES, type PlanarCase } from './planar-cases.ts';
import { BAD_KINDS } from './bad-pairs.ts';
import { expectCompiled, expectPairs, expectSameWhenLarge } from './checks.ts';

const seed = 20_261_121;

/** Every query by the default algorithm, and one query by each other algorithm. */
const planarCases: PlanarCase[] = [
  ...(['intersects', 'distances', 'contacts', 'manifolds'] as const).map(
    (query) => ({ query, algorithm: 'auto' }) as const,
  ),
  { query: 'intersects', algorithm: 'sat' },
  { query: 'distances', algorithm: 'gjk' },
  { query: 'contacts', algorithm: 'mpr' },
];

describe.each(BROWSERS)('%s', (which) => {
  let opened: HarnessPage;

  beforeAll(async () => {
    opened = await openHarness(which);
  });
  afterAll(() => opened?.close());

  test.each(planarCases)(
    '$query by $algorithm of all types of shape are right by brute force, as all, as hits and as a batch',
    { timeout: CALL_TIMEOUT },
    async ({ query, algorithm }) => {
      const found = await opened.page.evaluate(
        (...parameters) => window.harness.comparePlanarQuery(...parameters),
        query,
        algorithm,
        seed,
      );
      expect(found.backend).toBe('webgpu');
      expect(found.pairs).toBe(
        algorithm === 'sat' ? PAIRS_OF_TWO_TYPES * 6 : PAIRS_OF_TWO_TYPES * planarTypePairNames.length,
      );
      expect(found.faults, `seed ${seed}`).toEqual([]);
      expect(found.overlapping).toBeGreaterThan(0.35 * found.pairs);
      expect(found.overlapping).toBeLessThan(0.65 * found.pairs);
      expect(found.hits).toBeGreaterThan(found.overlapping);
      expect(found.hits).toBeLessThan(0.9 * found.pairs);
      expect(opened.complaints).toEqual([]);
    },
  );

  test.each([false, true])(
    'impacts are right by brute force, turning: %s',
    { timeout: CALL_TIMEOUT },
    async (isTurning) => {
      const { outcomes, unknown, faults, pairs, earliest } = await opened.page.evaluate(
        (...parameters) => window.harness.comparePlanarImpacts(...parameters),
        isTurning,
        seed,
      );
      expect(faults, `seed ${seed}`).toEqual([]);
      const { hit, start, miss, open } = outcomes;
      expect(Math.min(hit, start, miss)).toBeGreaterThan(0.05 * pairs);
      expect(open).toBeLessThan(0.01 * pairs);
      expect(unknown).toBeLessThanOrEqual(isTurning ? 0.05 * pairs : 0);
      expect(earliest).toBe(pairs - miss);
      expect(opened.complaints).toEqual([]);
    },
  );

  test('rays meet what the reference meets first', { timeout: CALL_TIMEOUT }, async () => {
    const { faults, rays, hits } = await opened.page.evaluate(
      (...parameters) => window.harness.comparePlanarRays(...parameters),
      seed,
    );
    expect(faults, `seed ${seed}`).toEqual([]);
    expect(hits).toBeGreaterThan(0.3 * rays);
    expect(hits).toBeLessThan(0.95 * rays);
    expect(opened.complaints).toEqual([]);
  });

  test.each(['intersects', 'contacts'] as const)(
    'pairs that only a GPU sees to be invalid have a status of their own: %s',
    { timeout: CALL_TIMEOUT },
    async (query) => {
      const good = 300;
      const report = await opened.page.evaluate(
        (...parameters) => window.harness.answerBadPairs(...parameters),
        query,
        'sat' as const,
        good,
        seed,
        2 as const,
      );
      expect(report.faults, `seed ${seed}`).toEqual([]);
      expect(report).toMatchObject({ good, kinds: BAD_KINDS });
      expect(report.hits).toBeGreaterThan(good / 4);
      expect(report.hits).toBeLessThan(good);
      expect(opened.complaints).toEqual([]);
    },
  );

  test('large queries have the bits of small ones', { timeout: CALL_TIMEOUT }, () =>
    expectSameWhenLarge(opened, 2, seed),
  );

  test('pairs of bodies are those of the CPU', { timeout: CALL_TIMEOUT }, () => expectPairs(opened, 2, seed));

  test('every kernel compiled', () => expectCompiled(opened, which, (kernel) => kernel.startsWith('planar/')));
});
