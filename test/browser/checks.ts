/** Checks of a browser's page in either dimension. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSERS, type BrowserName } from '../../verification/engines/find-browser.ts';
import { kernels } from '../../src/generated/kernel-table.ts';
import { searchKernels } from '../../src/generated/search-kernels.ts';
import type { SceneName } from '../../verification/families/broad-phase-scenes.ts';
import type { BOX3D_SCENES } from '../helpers/box3d-scene.ts';
import { atNight } from '../helpers/night.ts';
import type { Sample } from './cases.ts';
import type { HalvesCase } from './halves.ts';
import { openHarness, type HarnessPage } from './open.ts';

/** A query has the bits of its two halves. */
export async function expectSameInHalves(
  opened: HarnessPage,
  axes: 2 | 3,
  seed: number,
  cases: readonly HalvesCase[],
): Promise<void> {
  const found = await opened.page.evaluate(
    (...parameters) => window.harness.compareHalves(...parameters),
    axes,
    seed,
    cases,
  );
  expect(found.faults, `seed ${seed}`).toEqual([]);
  // Each case has several arrays, in two pieces.
  expect(found.arrays).toBeGreaterThan(11 * cases.length);
  expect(found.hits).toBeGreaterThan(0);
  expect(opened.complaints).toEqual([]);
}

/**
 * Pairs that a batch finds are those that the CPU finds, but for pairs on the border of the tolerance. In 3-D, so are those
 * that `findPairs` finds on the device.
 */
export async function expectPairs(opened: HarnessPage, axes: 2 | 3, { count, seed }: Sample): Promise<void> {
  const { found, differing, overflow, answered, hits } = await opened.page.evaluate(
    (...parameters) => window.harness.comparePairs(...parameters),
    axes,
    count,
    seed,
  );
  expect(found, `seed ${seed}`).toBeGreaterThan(count / 2);
  expect(differing, `seed ${seed}`).toBeLessThan(3);
  expect(overflow).toBe(0);
  expect(answered).toBe(found);
  expect(hits, `seed ${seed}`).toBeGreaterThan(count / 10);
  if (axes === 3) {
    // As many as are searched on the device.
    const many = 2 ** 14;
    const onDevice = await opened.page.evaluate(
      (...parameters) => window.harness.compareFoundPairs(...parameters),
      many,
      seed,
    );
    expect(onDevice.found, `seed ${seed}`).toBeGreaterThan(many);
    expect(onDevice.differing, `seed ${seed}`).toBeLessThan(3);
  }
  expect(opened.complaints).toEqual([]);
}

/** In every run, pairs of scenes and of Box3D's recorded boxes are those of the CPU, except pairs on the border. */
export async function expectScenes(
  opened: HarnessPage,
  names: readonly SceneName[],
  { count, seed }: Sample,
  recorded: readonly (typeof BOX3D_SCENES)[number][],
): Promise<void> {
  const scenes = await opened.page.evaluate(
    (...parameters) => window.harness.compareScenes(...parameters),
    names,
    count,
    seed,
  );
  for (const name of recorded) {
    const text = readFileSync(new URL(`../fixtures/box3d-bounds/${name}.txt`, import.meta.url), 'utf8');
    scenes[name] = await opened.page.evaluate((given) => window.harness.compareBox3d(given), text);
  }
  for (const [name, { found, differing, isRepeated }] of Object.entries(scenes)) {
    expect(found, name).toBeGreaterThan(100);
    expect(differing, `${name}, seed ${seed}`).toBeLessThan(3);
    expect(isRepeated, name).toBe(true);
  }
  expect(opened.complaints).toEqual([]);
}

/** Random batches keep and count their pairs as brute force does. */
export async function expectRandomBatches(opened: HarnessPage, { count, seed }: Sample): Promise<void> {
  const { faults, overflows } = await opened.page.evaluate(
    (...parameters) => window.harness.judgeRandomBatches(...parameters),
    count,
    seed,
  );
  expect(faults).toEqual([]);
  expect(overflows).toBeGreaterThan(0.3 * count);
  expect(opened.complaints).toEqual([]);
}

/** Hits of many rays, whose bodies are found on the device, are those by the pairs that the CPU finds. */
export async function expectRays(opened: HarnessPage, seed: number): Promise<void> {
  // As many as are cast on the device.
  const count = 2 ** 14;
  const { hits, differing } = await opened.page.evaluate(
    (...parameters) => window.harness.compareRays(...parameters),
    count,
    seed,
  );
  expect(hits, `seed ${seed}`).toBeGreaterThan(count / 10);
  expect(differing, `seed ${seed}`).toBe(0);
  expect(opened.complaints).toEqual([]);
}

/** Compounds and meshes have the answers of the CPU backend. */
export async function expectParts(opened: HarnessPage, seed: number): Promise<void> {
  const { answers, overlaps, faults } = await opened.page.evaluate(
    (...parameters) => window.harness.comparePartsInPage(...parameters),
    seed,
  );
  expect(faults, `seed ${seed}`).toEqual([]);
  expect(answers).toBeGreaterThan(4000);
  expect(overlaps).toBeGreaterThan(500);
  expect(opened.complaints).toEqual([]);
}

/** Random scenes of compounds, meshes and convex bodies in batches of `intersects`, beside the CPU backend. */
export async function expectPartBatches(
  opened: HarnessPage,
  scenes: { firstSeed: number; scenes: number },
): Promise<void> {
  const { hits, faults } = await opened.page.evaluate(
    (...parameters) => window.harness.comparePartBatches(...parameters),
    scenes,
  );
  expect(faults).toEqual([]);
  expect(hits).toBeGreaterThan(20 * scenes.scenes);
  expect(opened.complaints).toEqual([]);
}

export async function expectTurningParts(opened: HarnessPage, sample: Sample): Promise<void> {
  const { hits, misses, faults } = await opened.page.evaluate(
    (...parameters) => window.harness.compareTurningParts(...parameters),
    sample,
  );
  expect(faults).toEqual([]);
  expect(hits).toBeGreaterThan(sample.count / 3);
  expect(misses).toBeGreaterThan(sample.count / 10);
  expect(opened.complaints).toEqual([]);
}

/** Contacts of batches with surfaces have their normals, and depths that are not greater than the shortest way out. */
export async function expectSurfaceBatches(
  opened: HarnessPage,
  names: readonly string[],
  cases: number,
): Promise<void> {
  const found = await opened.page.evaluate(
    (...parameters) => window.harness.judgeSurfaceBatches(...parameters),
    names,
    cases,
    43,
  );
  expect(found.faults).toEqual([]);
  expect(found.cases).toBeGreaterThan((names.length * cases) / 2);
  expect(opened.complaints).toEqual([]);
}

/** Expects that the kernels of compounds and meshes compile. */
export async function expectPartsCompile(opened: HarnessPage): Promise<void> {
  await opened.page.evaluate(() => window.harness.compileParts());
  expect(opened.complaints).toEqual([]);
}

/** Labels of all pipelines so far, and how long they took to compile. */
export async function compiledSoFar(opened: HarnessPage, which: BrowserName): Promise<string[]> {
  const compiled = await opened.page.evaluate(() => window.harness.compiledKernels());
  console.log(
    `${which}, milliseconds until compiled: ${compiled.map(([label, time]) => `${label} ${time.toFixed(0)}`).join(', ')}`,
  );
  return compiled.map(([label]) => label);
}

/** The test file that a kernel is compiled in: one of this folder. */
export type KernelGroup = 'curved' | 'polytopes' | 'impacts' | 'pairs' | 'rays' | 'planar' | 'planar-motion';

export function groupOf(kernel: string): KernelGroup {
  if (kernel === 'impacts-rotating-surfaces') return 'pairs';
  if (kernel.startsWith('planar/')) return PLANAR_QUERIES.test(kernel) ? 'planar' : 'planar-motion';
  if (kernel.includes('/')) return /^(broad-phase|part-pairs)\//.test(kernel) ? 'pairs' : 'rays';
  if (/^(impacts|earliest)-/.test(kernel) || DEVICE_INPUT.has(kernel)) return 'impacts';
  return OF_CURVED.test(kernel) ? 'curved' : 'polytopes';
}

/** What checks and packs input, and writes arrays. */
const DEVICE_INPUT = new Set(['arrays', 'inspect-pairs', 'pack-bodies', 'pack-fixed-point', 'pack-velocities']);
const PLANAR_QUERIES =
  /^planar\/(intersects|distances|contacts|manifolds|propose|accept-impacts|impacts-rotating-surfaces)/;
/** Kernels that the pairs of the file `curved` take, and not all of those of the file `polytopes`. */
const OF_CURVED = /^contacts-(epa|refine|outside)$|-(closed|mpr)$|^manifolds(-none)?$|^intersects-gjk$/;

/**
 * Tests of a group's kernels, and that each kernel has compiled: at night in all browsers. In CI, those of boxes and
 * hulls run in the browser whose compiler is not that of Dawn, which tests of kernels in Node run on. `harness` gives the
 * page within a test.
 */
export function describeKernels(group: KernelGroup, tests: (harness: () => HarnessPage) => void): void {
  describe.each(atNight<readonly BrowserName[]>(['firefox'], BROWSERS))('%s', (which) => {
    let opened: HarnessPage;
    beforeAll(async () => {
      opened = await openHarness(which);
    });
    afterAll(() => opened?.close());

    tests(() => opened);

    // This test needs those above it.
    test('every kernel has compiled', async () => {
      await expectCompiled(opened, which, group);
    });
  });
}

/**
 * Expects that every kernel of these groups has compiled, and that all pipelines are of known kernels. Returns the labels
 * of all pipelines so far.
 */
export async function expectCompiled(
  opened: HarnessPage,
  which: BrowserName,
  ...groups: KernelGroup[]
): Promise<string[]> {
  const labels = await compiledSoFar(opened, which);
  const compiled = new Set(labels.map((label) => label.split(/[. ]/)[1]));
  const all = { ...kernels, ...searchKernels };
  expect([...compiled].filter((name) => !Object.hasOwn(all, name))).toEqual([]);
  expect(Object.keys(all).filter((kernel) => groups.includes(groupOf(kernel)) && !compiled.has(kernel))).toEqual([]);
  return labels;
}
