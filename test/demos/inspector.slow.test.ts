/**
 * The inspector in headless Chrome: it draws the steps, it is driven by keys and its address, and the kernels agree with
 * the reference. test/night/demos/ has the rest.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemoPages, type DemoPages, type OpenDemo } from './demo-pages.ts';
import { paint, paste, rest, textOf, type InspectorPage } from './inspector-page.ts';

declare const inspector: InspectorPage;

let demos: DemoPages;
let shown: OpenDemo;

beforeAll(async () => {
  demos = await openDemoPages('webgl');
  shown = await demos.open('inspector', { query: '#case=arcs-hulls&step=8' });
});
afterAll(() => demos?.close());

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
