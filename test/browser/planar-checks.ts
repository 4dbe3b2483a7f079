/** Checks of 2-D queries in a browser's page. Counts of samples are pairs of each two types of shape. */
import { expect } from 'vitest';
import { planarTypePairNames } from '../../verification/families/planar-families.ts';
import type { Sample } from './cases.ts';
import type { HarnessPage } from './open.ts';
import type { PlanarCase } from './planar-cases.ts';

/** All pairs are right by brute force, and so are the hits and a batch. */
export async function expectPlanarQuery(
  opened: HarnessPage,
  { query, algorithm }: PlanarCase,
  sample: Sample,
): Promise<void> {
  const found = await opened.page.evaluate(
    (...parameters) => window.harness.comparePlanarQuery(...parameters),
    query,
    algorithm,
    sample,
  );
  expect(found.backend).toBe('webgpu');
  expect(found.pairs).toBe(sample.count * (algorithm === 'sat' ? 6 : planarTypePairNames.length));
  expect(found.faults, `seed ${sample.seed}`).toEqual([]);
  expect(found.overlapping).toBeGreaterThan(0.35 * found.pairs);
  expect(found.overlapping).toBeLessThan(0.65 * found.pairs);
  expect(found.hits).toBeGreaterThan(found.overlapping);
  expect(found.hits).toBeLessThan(0.9 * found.pairs);
  expect(opened.complaints).toEqual([]);
}

/** Impacts of pairs of these types are right by brute force. */
export async function expectPlanarImpacts(
  opened: HarnessPage,
  isTurning: boolean,
  sample: Sample,
  types: readonly string[] = planarTypePairNames,
): Promise<void> {
  const { outcomes, unknown, faults, pairs, earliest } = await opened.page.evaluate(
    (...parameters) => window.harness.comparePlanarImpacts(...parameters),
    isTurning,
    sample,
    types,
  );
  expect(faults, `seed ${sample.seed}`).toEqual([]);
  const { hit, start, miss, open } = outcomes;
  expect(Math.min(hit, start, miss)).toBeGreaterThan(0.05 * pairs);
  expect(open).toBeLessThan(0.01 * pairs);
  expect(unknown).toBeLessThanOrEqual(isTurning ? 0.05 * pairs : 0);
  expect(earliest).toBe(pairs - miss);
  expect(opened.complaints).toEqual([]);
}

/** Rays meet what the reference meets first. */
export async function expectPlanarRays(opened: HarnessPage, seed: number): Promise<void> {
  const { faults, rays, hits } = await opened.page.evaluate(
    (...parameters) => window.harness.comparePlanarRays(...parameters),
    seed,
  );
  expect(faults, `seed ${seed}`).toEqual([]);
  expect(hits).toBeGreaterThan(0.3 * rays);
  expect(hits).toBeLessThan(0.95 * rays);
  expect(opened.complaints).toEqual([]);
}

/** Batches with chains and compounds have the contacts and impacts of the CPU backend. */
export async function expectPlanarParts(opened: HarnessPage, sample: Sample): Promise<void> {
  const { hits, impacts, faults } = await opened.page.evaluate(
    (...parameters) => window.harness.comparePlanarParts(...parameters),
    sample,
  );
  expect(faults).toEqual([]);
  expect(hits).toBeGreaterThan(10 * sample.count);
  expect(impacts).toBeGreaterThan(2 * sample.count);
  expect(opened.complaints).toEqual([]);
}
