/** Checks of queries in a browser's page, in 3-D. */
import { expect } from 'vitest';
import type { LeadStage } from '../../src/request/backend.ts';
import { BAD_KINDS } from './bad-pairs.ts';
import { marginOf, type QueryCase, type Sample } from './cases.ts';
import type { BrowserFamilyName } from './families.ts';
import type { ImpactCase } from './impacts.ts';
import type { ManifoldCase } from './manifolds.ts';
import type { HarnessPage } from './open.ts';

/** All pairs and the hits of each case agree with the double-precision reference. */
export async function expectQueries(
  opened: HarnessPage,
  name: BrowserFamilyName,
  { count, seed }: Sample,
  cases: QueryCase[],
): Promise<void> {
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
}

/** Manifolds have as many points as those of the reference. */
export async function expectManifolds(
  opened: HarnessPage,
  name: BrowserFamilyName,
  { count, seed }: Sample,
  cases: ManifoldCase[],
): Promise<void> {
  const results = await opened.page.evaluate(
    (...parameters) => window.harness.compareManifolds(...parameters),
    name,
    count,
    seed,
    cases,
  );
  expect(results.length).toBe(cases.length);
  for (const { counts, alike, hits } of results) {
    // Rounding decides of points on a border, and of those that are hardly apart. A distance to 1e-5 leaves a normal
    // on a curved surface off by the root of that, which the borders move with: 93 % were measured.
    expect(alike).toBeGreaterThan((name === 'curved' ? 0.9 : 0.99) * count);
    expect(hits).toBe(count - counts[0]);
    expect(Math.min(...counts)).toBeGreaterThan((name === 'curved' ? 0.01 : 0.02) * count);
  }
  expect(opened.complaints).toEqual([]);
}

/** Contacts by portal refinement, whose depths are other than the least, are never too shallow. */
export async function expectPortals(
  opened: HarnessPage,
  name: BrowserFamilyName,
  { count, seed }: Sample,
): Promise<void> {
  const results = await opened.page.evaluate(
    (...parameters) => window.harness.comparePortals(...parameters),
    name,
    count,
    seed,
  );
  expect(results.length).toBe(2);
  for (const { overlapping, least, faults } of results) {
    expect(faults, `seed ${seed}`).toEqual([]);
    expect(overlapping).toBeGreaterThan(0.4 * count);
    expect(least).toBeGreaterThan(0.2 * count);
  }
  expect(opened.complaints).toEqual([]);
}

/** Times of impact, of hits and of first impacts agree with brute force. */
export async function expectMotion(
  opened: HarnessPage,
  name: BrowserFamilyName,
  { count, seed }: Sample,
  cases: ImpactCase[],
): Promise<void> {
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
}

/** Bad pairs, which only a GPU sees, have a status of their own and leave the others as they were. */
export async function expectBadPairs(
  opened: HarnessPage,
  query: 'intersects' | 'distances' | 'contacts',
  leadStage: LeadStage,
  { count, seed }: Sample,
  axes: 2 | 3 = 3,
  margin = 0.0625,
): Promise<void> {
  const report = await opened.page.evaluate(
    (...parameters) => window.harness.answerBadPairs(...parameters),
    query,
    leadStage,
    count,
    seed,
    axes,
    margin,
  );
  expect(report.faults, `seed ${seed}`).toEqual([]);
  expect(report).toMatchObject({ good: count, kinds: BAD_KINDS });
  expect(report.hits).toBeGreaterThan(count / 4);
  expect(report.hits).toBeLessThan(count);
  expect(opened.complaints).toEqual([]);
}
