/**
 * The inspector in headless Chrome: it draws the steps, it is driven by keys and its address, its last step is the query's
 * answer, and the kernels agree with the reference. test/night/demos/ has the rest.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlanarTester, Tester } from '../../src/api/types.ts';
import { createTester } from '../../src/index.ts';
import differential from '../../verification/fixtures/differential.json' with { type: 'json' };
import { openDemoPages, type DemoPages, type OpenDemo } from './demo-pages.ts';
import { expectAnswers, planarCaptures, randomCaptures } from './inspector-captures.ts';
import { paint, paste, rest, textOf, type InspectorPage } from './inspector-page.ts';

declare const inspector: InspectorPage;

let demos: DemoPages;
let space: Tester;
let plane: PlanarTester;
let shown: OpenDemo;

beforeAll(async () => {
  space = await createTester({ backend: 'cpu', threads: 1 });
  plane = await createTester({ backend: 'cpu', threads: 1, dimension: 2 });
  demos = await openDemoPages('webgl');
  shown = await demos.open('inspector', { query: '#case=arcs-hulls&step=8' });
});
afterAll(async () => {
  await demos?.close();
  space?.dispose();
  plane?.dispose();
});

test('opens at the step of the address, is drawn, and the arrow keys go on', async () => {
  const { page, complaints } = shown;
  expect(await textOf(page, '#step-count')).toBe('8 of 13');
  expect(await textOf(page, '#step-phase')).toBe('Arcs');
  expect(await textOf(page, '#detail-title')).toBe('Gauss sphere');
  await rest(page);
  for (const canvas of ['#scene', '#difference', '#detail']) {
    const { colors, share } = await paint(page, canvas);
    expect(colors, canvas).toBeGreaterThan(40);
    expect(share, canvas).toBeGreaterThan(0.02);
  }
  await demos.shoot(page, 'inspector-wide');
  await page.keyboard.press('ArrowRight');
  expect(await page.evaluate(() => inspector.step)).toBe(9);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  expect(await page.evaluate(() => inspector.step)).toBe(7);
  expect(await page.evaluate(() => location.hash)).toBe('#case=arcs-hulls&step=7');
  expect(complaints).toEqual([]);
});

test('a broken capture is refused with the reason, and the page goes on', async () => {
  const { page, complaints } = shown;
  const before = await textOf(page, '#step-text');
  await paste(page, '{ "version": 7 }');
  expect(await textOf(page, '#notices')).toMatch(/Version is 7, expected 1/);
  expect(await textOf(page, '#step-text')).toBe(before);
  await page.select('#case', 'gjk-hulls');
  expect(await textOf(page, '#notices')).toBe('');
  expect(await textOf(page, '#step-phase')).toBe('Result');
  expect(complaints).toEqual([]);
});

test('the last step of random captures is the query’s answer', async () => {
  await expectAnswers(demos, await randomCaptures(space, 8), 'seed 4');
  await expectAnswers(demos, await planarCaptures(plane, 1), 'seed 5');
});

test('the oracle’s answer is the truth that the campaign kept', async () => {
  const name = 'rapier-box-box-depth';
  const { page, complaints, close } = await demos.open('inspector', { query: `#case=${name}` });
  const { distance } = differential.cases.find((each) => each.name === name)!;
  const answer = (await page.evaluate(() => inspector.oracle())) as { distance: number };
  expect(Math.abs(answer.distance - distance)).toBeLessThanOrEqual(1e-6 * Math.max(1, Math.abs(distance)));
  expect(complaints).toEqual([]);
  await close();
});

test('with WebGPU the kernels answer beside the reference', async () => {
  const { page, complaints, close } = await demos.open('inspector', { query: '?backend=webgpu#case=sat-boxes' });
  await page.waitForFunction(() => /^(Kernels ran|No kernels)/.test(document.getElementById('gpu')!.textContent!), {
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
  await close();
});
