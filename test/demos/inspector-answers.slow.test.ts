/**
 * The inspector's answers in headless Chrome: its last step is the query's answer for random captures, the oracle's answer
 * is the truth that the campaign kept, and the kernels agree with the reference.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Capture, PlanarTester, SpaceCapture, Tester } from '../../src/api/types.ts';
import { traceCapture } from '../../src/cpu.ts';
import { createTester } from '../../src/index.ts';
import differential from '../../verification/fixtures/differential.json' with { type: 'json' };
import { capturePair, PLANAR_REQUESTS, planarPairWith, randomPair } from '../helpers/random-captures.ts';
import { openDemoPages, type DemoPages } from './demo-pages.ts';
import { textOf, type InspectorPage } from './inspector-page.ts';

declare const inspector: InspectorPage;

const CAPTURES = 200;
/** Per query and algorithm in 2-D. */
const PLANAR_CAPTURES = 3;

let demos: DemoPages;
let tester: Tester;
let planar: PlanarTester;

beforeAll(async () => {
  tester = await createTester({ backend: 'cpu', threads: 1 });
  planar = await createTester({ backend: 'cpu', threads: 1, dimension: 2 });
  demos = await openDemoPages('webgl');
});
afterAll(async () => {
  await demos?.close();
  tester?.dispose();
  planar?.dispose();
});

/** Convex pairs in 3-D of every query and algorithm. */
async function randomCaptures(): Promise<SpaceCapture[]> {
  const captures: SpaceCapture[] = [];
  for (let i = 0; captures.length < CAPTURES; i++) {
    const pair = randomPair(4, i, 3);
    if (pair.shapes.slice(1, 3).some(({ type }) => type === 'compound' || type === 'mesh')) continue;
    captures.push((await capturePair(tester, pair)) as SpaceCapture);
  }
  return captures;
}

/** Pairs in 2-D of every query and algorithm. */
async function planarCaptures(): Promise<Capture[]> {
  const captures: Capture[] = [];
  for (const [r, request] of PLANAR_REQUESTS.entries())
    for (let i = 0, found = 0; found < PLANAR_CAPTURES; i++) {
      const pair = planarPairWith(5, 100 * r + i, request);
      if (!pair) continue;
      captures.push(await capturePair(planar, pair));
      found++;
    }
  return captures;
}

test('the last step of 200 random captures is the query’s answer', async () => {
  const captures = await randomCaptures();
  const queries = new Set(captures.map(({ query, algorithm }) => `${query} ${algorithm}`));
  expect(queries.size).toBeGreaterThanOrEqual(12);
  const kinds = new Set(captures.flatMap(({ shapes }) => shapes.map(({ type }) => type)));
  expect(kinds.size).toBeGreaterThanOrEqual(8);
  await expectAnswers(captures, 'seed 4');
});

test('the last step of random captures in 2-D is the query’s answer', async () => {
  const captures = await planarCaptures();
  expect(captures.length).toBe(PLANAR_CAPTURES * PLANAR_REQUESTS.length);
  const kinds = new Set(captures.flatMap(({ shapes }) => shapes.map(({ type }) => type)));
  expect(kinds.size).toBe(5);
  await expectAnswers(captures, 'seed 5');
});

/** Loads each capture in the page. */
async function expectAnswers(captures: readonly Capture[], seed: string): Promise<void> {
  const { page } = await demos.open('inspector');
  const answers = (await page.evaluate(
    (list) =>
      list.map((capture) => {
        const { result, steps } = inspector.load(capture);
        return JSON.parse(
          JSON.stringify({ ...result, steps }, (_, x: unknown) =>
            x === Infinity ? 1e30 : x === -Infinity ? -1e30 : x,
          ),
        ) as object;
      }),
    captures as unknown[],
  )) as Record<string, unknown>[];
  expect(answers.length).toBe(captures.length);
  captures.forEach((capture, i) => {
    const label = `${seed}, capture ${i}: ${capture.query} of ${capture.shapes.map(({ type }) => type).join(' and ')}`;
    const asked = capture.result as unknown as Record<string, unknown>;
    const steps = traceCapture(capture);
    expect(answers[i].steps, label).toBe(steps.length);
    expect(answers[i].status, label).toBe(asked.status);
    if ('hit' in asked) expect(answers[i].hit, label).toBe(asked.hit);
    for (const name of ['distance', 'time']) {
      if (!(name in answers[i])) continue;
      const truth = Number(asked[name] ?? asked.contactDistance);
      // Answers of testers are rounded to f32.
      const bounded = Math.max(-1e30, Math.min(truth, 1e30));
      expect(Math.abs(Number(answers[i][name]) - bounded), label).toBeLessThanOrEqual(
        1e-6 * Math.max(1, Math.abs(bounded)),
      );
    }
    if ('points' in asked)
      expect((answers[i].points as unknown[]).length, label).toBe((asked.points as unknown[]).length);
  });
  await page.close();
}

test('every case of the list opens, and the kept disagreements are among them', async () => {
  const { page, complaints } = await demos.open('inspector');
  const names = await page.evaluate(() => [...inspector.cases]);
  for (const { name } of differential.cases) expect(names).toContain(name);
  expect(new Set(names).size).toBe(names.length);
  await page.evaluate(async (list) => {
    for (const name of list) {
      location.hash = `#case=${name}&step=2`;
      await new Promise((done) => setTimeout(done, 30));
    }
  }, names);
  expect(await textOf(page, '#notices')).toBe('');
  expect(await page.$eval('#case', (list) => (list as HTMLSelectElement).value)).toBe(names.at(-1));
  expect(await page.evaluate(() => inspector.step)).toBe(2);
  expect(complaints).toEqual([]);
  await page.close();
});

test.each(['rapier-box-box-depth', 'jolt-sphere-box-depth', 'rapier-cylinder-box-gap'])(
  'the oracle’s answer for %s is the truth that the campaign kept, and the other engine’s is beside it',
  async (name) => {
    const { page, complaints } = await demos.open('inspector', { query: `#case=${name}` });
    await page.waitForFunction(
      () =>
        document.querySelectorAll('#answers tbody tr').length === 5 &&
        !/Oracle–/.test(document.getElementById('answers')!.textContent!),
    );
    const { distance, other, peer } = differential.cases.find((each) => each.name === name)!;
    const answer = (await page.evaluate(() => inspector.oracle())) as { distance: number };
    expect(Math.abs(answer.distance - distance)).toBeLessThanOrEqual(1e-6 * Math.max(1, Math.abs(distance)));
    const rows = await page.$$eval('#answers tbody tr', (list) =>
      list.map((row) => [...row.children].map((cell) => cell.textContent!)),
    );
    expect(rows.map(([title]) => title)).toContain(peer === 'rapier' ? 'Rapier' : 'Jolt');
    const shownNumber = (title: string): number => Number(rows.find((row) => row[0] === title)![1].replace('−', '-'));
    expect(shownNumber('Oracle')).toBeCloseTo(distance, 5);
    expect(shownNumber(peer === 'rapier' ? 'Rapier' : 'Jolt')).toBeCloseTo(other.distance!, 5);
    expect(complaints).toEqual([]);
    await page.close();
  },
);

test('with WebGPU the kernels answer beside the reference', async () => {
  const onGpu = await openDemoPages('webgpu');
  try {
    const { page, complaints } = await onGpu.open('inspector', { query: '?backend=webgpu#case=sat-boxes' });
    await page.waitForFunction(() => /^(Kernels ran|No kernels)/.test(document.getElementById('gpu')!.textContent!), {
      timeout: 100_000,
      polling: 200,
    });
    expect(await textOf(page, '#gpu')).toMatch(/^Kernels ran on /);
    const [reference, kernels] = await page.$$eval('#answers tbody tr', (rows) =>
      rows.map((row) => Number(row.children[1].textContent!.replace('−', '-'))),
    );
    expect(reference).toBeLessThan(-0.4);
    expect(Math.abs(kernels - reference)).toBeLessThan(1e-5);
    expect(kernels).not.toBe(reference);
    expect(complaints).toEqual([]);
  } finally {
    await onGpu.close();
  }
});
