/**
 * The inspector in headless Chrome: it draws the steps, and it is driven by keys, by its address, and by captures that are
 * pasted or broken.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tester } from '../../../src/api/types.ts';
import { traceCapture } from '../../../src/cpu.ts';
import { createTester } from '../../../src/index.ts';
import { capturePair, randomPair } from '../../helpers/random-captures.ts';
import { NARROW, openDemoPages, type DemoPages, type OpenDemo } from '../../demos/demo-pages.ts';
import { paint, paste, rest, textOf, type InspectorPage } from '../../demos/inspector-page.ts';

declare const inspector: InspectorPage;

let demos: DemoPages;
let tester: Tester;
let shown: OpenDemo;

beforeAll(async () => {
  tester = await createTester({ backend: 'cpu', threads: 1 });
  demos = await openDemoPages('webgl');
  shown = await demos.open('inspector', { query: '#case=arcs-hulls&step=8' });
});
afterAll(async () => {
  await demos?.close();
  tester?.dispose();
});

describe('one pair', () => {
  test('Home and End go to the first and the last step, and space plays', async () => {
    const { page } = shown;
    await page.keyboard.press('Home');
    expect(await page.evaluate(() => inspector.step)).toBe(1);
    await page.keyboard.press('ArrowLeft');
    expect(await page.evaluate(() => inspector.step)).toBe(1);
    await page.keyboard.press('End');
    expect(await page.evaluate(() => inspector.step)).toBe(13);
    await page.keyboard.press('Space');
    expect(await textOf(page, '#play')).toBe('Pause');
    await page.waitForFunction(() => inspector.step > 2);
    await page.keyboard.press('Space');
    expect(await textOf(page, '#play')).toBe('Play');
  });

  test('a part of the time line leads to its first step', async () => {
    const { page } = shown;
    await page.click('.phase:last-child');
    expect(await textOf(page, '#step-phase')).toBe('Result');
    await page.click('.phase:nth-child(2)');
    expect(await textOf(page, '#step-phase')).toBe('GJK');
    expect(await page.evaluate(() => inspector.step)).toBe(2);
  });

  test('a capture that is pasted goes into the address, from which it opens again', async () => {
    const { page } = shown;
    const capture = await capturePair(tester, randomPair(4, 1, 3));
    await paste(page, JSON.stringify(capture));
    expect(await textOf(page, '#notices')).toBe('');
    expect(await page.$eval('#case', (list) => (list as HTMLSelectElement).value)).toBe('');
    await page.waitForFunction(() => location.hash.startsWith('#capture='));
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    const hash = await page.evaluate(() => location.hash);
    expect(hash).toMatch(/^#capture=[\w-]+&step=2$/);
    const again = await demos.open('inspector', { query: hash });
    expect(await again.page.evaluate(() => inspector.step)).toBe(2);
    expect(await textOf(again.page, '#step-text')).toBe(await textOf(page, '#step-text'));
    expect(await textOf(again.page, '#step-count')).toBe(`2 of ${traceCapture(capture).length}`);
    await again.close();
  });

  test.each([
    ['{ "version": 1', /JSON/],
    ['{ "version": 7 }', /Version is 7, expected 1/],
    ['[]', /expected/],
    ['no capture', /JSON/],
  ])('%j is refused with the reason, and the page goes on', async (text, reason) => {
    const { page, complaints } = shown;
    const before = await textOf(page, '#step-text');
    await paste(page, text);
    expect(await textOf(page, '#notices')).toMatch(/the clipboard cannot be inspected/i);
    expect(await textOf(page, '#notices')).toMatch(reason);
    expect(await textOf(page, '#step-text')).toBe(before);
    await page.select('#case', 'gjk-hulls');
    expect(await textOf(page, '#notices')).toBe('');
    expect(await textOf(page, '#step-phase')).toBe('Result');
    expect(complaints).toEqual([]);
  });

  test('About shows the text of the README, and a button closes it', async () => {
    const { page } = shown;
    const isOpen = (): Promise<boolean> => page.$eval('#about', (dialog) => (dialog as HTMLDialogElement).open);
    await page.click('#open-about');
    expect(await isOpen()).toBe(true);
    expect(await textOf(page, '#about')).toContain('One pair of bodies, step by step');
    await page.click('#about .close');
    expect(await isOpen()).toBe(false);
  });

  test.each(['#case=nothing', '#capture=%25%25', '#capture=AAAA&step=3'])(
    'the address %s leaves a reason and a pair',
    async (hash) => {
      const { page, complaints } = await demos.open('inspector', { query: hash });
      expect(await page.evaluate(() => document.documentElement.dataset.state)).toBe('done');
      expect(await textOf(page, '#notices')).toMatch(/cannot be opened|cannot be inspected/);
      expect(await textOf(page, '#step-phase')).toBe('Result');
      expect(complaints).toEqual([]);
      await page.close();
    },
  );
});

test.each([
  ['epa-cylinder-ellipsoid', 17, 'EPA', 'Bounds of the distance between the cores'],
  ['sat-boxes', 9, 'SAT', 'Projections on the axes'],
  ['mpr-hulls', 6, 'MPR', 'Gauss sphere'],
  ['manifold-boxes', 17, 'Clipping', 'Faces along the normal'],
  ['velocity-epa-hulls', 9, 'Velocity EPA', 'Bound of the exit'],
  ['advancement-turning', 18, 'Advancement', 'Separation by time'],
  ['planar-gjk-parallel-edges', 5, 'GJK', 'Bounds of the distance between the cores'],
  ['planar-epa-rounded', 12, 'EPA', 'Bounds of the distance between the cores'],
  ['planar-sat-polygons', 9, 'SAT', 'Projections on the axes'],
  ['planar-mpr-polygons', 6, 'MPR', 'Normal'],
  ['planar-manifold-parallel-edges', 10, 'Clipping', 'Edges, with the normal upwards'],
  ['planar-velocity-epa-polygons', 6, 'Velocity EPA', 'How far the difference reaches beyond the edge'],
  ['planar-advancement-turning', 78, 'Advancement', 'Separation by time'],
])('%s is drawn, step %i is of %s', async (name, step, phase, title) => {
  const { page, complaints } = await demos.open('inspector', {
    query: `#case=${name}&step=${step}`,
    colorScheme: 'dark',
  });
  await rest(page);
  expect(await textOf(page, '#step-phase')).toBe(phase);
  expect(await textOf(page, '#detail-title')).toBe(title);
  for (const canvas of ['#scene', '#difference', '#detail'])
    expect((await paint(page, canvas)).colors, canvas).toBeGreaterThan(20);
  await demos.shoot(page, `inspector-${name}`);
  expect(complaints).toEqual([]);
  await page.close();
});

test('of a compound, the parts that decide are shown and named', async () => {
  const parts = [
    { shape: { type: 'sphere', radius: 0.3 }, position: [5, 0, 0] },
    { shape: { type: 'box', halfExtents: [1, 1, 1] } },
  ] as const;
  const ids = [
    tester.addShape({ type: 'compound', parts }),
    tester.addShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] }),
  ];
  const bodies = {
    shapes: Uint32Array.from(ids),
    positions: Float32Array.of(0, 0, 0, 1.4, 0.2, 0),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
  };
  const capture = await tester.capture(bodies, Uint32Array.of(0, 1), 0, { query: 'contacts' });
  await paste(shown.page, JSON.stringify(capture));
  expect(await textOf(shown.page, '#note')).toBe('Part 1 of A and B decide the answer. These two are shown.');
  expect(await textOf(shown.page, '#step-text')).toMatch(/distance −0\.1,/);
  expect(shown.complaints).toEqual([]);
});

test('on a phone nothing is wider than the screen', async () => {
  const { page, complaints } = await demos.open('inspector', { query: '#case=mpr-hulls&step=6', viewport: NARROW });
  await rest(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect((await paint(page, '#scene')).colors).toBeGreaterThan(30);
  await demos.shoot(page, 'inspector-phone');
  expect(complaints).toEqual([]);
  await page.close();
});
