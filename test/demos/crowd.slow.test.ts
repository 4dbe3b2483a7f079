/**
 * The crowd's demo in headless Chrome, with few people: nobody is in a wall, by the reference in double precision on
 * positions that are read out of the page, and a run can be repeated bit by bit. test/night/demos/ has the rest.
 */

import { expect, test } from 'vitest';
import { atNight } from '../helpers/night.ts';
import { crowdOf, drawWall, nearestWall, take, type Crowd } from './crowd-page.ts';
import { openDemoPages } from './demo-pages.ts';
import { hideWebGpu, textOf } from './page-tools.ts';

/** Steps before and after the click. A step takes SwiftShader a second. */
const BEFORE = atNight(2, 3);
const AFTER = atNight(4, 30);

const VIEWPORT = { width: 900, height: 600 };

test('on WebGPU a click closes a door, nobody is in a wall, and reset and the same steps give the same bits', async () => {
  const demos = await openDemoPages('webgpu');
  const { page, complaints } = await demos.open('crowd', {
    query: '?backend=webgpu&run=0&agents=40&scene=doors',
    viewport: VIEWPORT,
  });
  const run = async (): Promise<Crowd> => {
    await page.$eval('#reset', (button) => (button as HTMLButtonElement).click());
    const [x, y] = await page.evaluate(() => window.crowd.toPage(0, 10));
    await take(page, BEFORE);
    await page.mouse.click(x, y);
    await take(page, AFTER);
    return crowdOf(page);
  };
  const first = await run();
  expect(await textOf(page, '#doors')).toMatch(/Upper door\s+closed/);
  const totals = await take(page, 0);
  expect(totals).toMatchObject({ steps: BEFORE + AFTER, inWalls: 0, invalid: 0, wallOverflow: 0, nearOverflow: 0 });
  expect(totals.checks).toBeGreaterThan(30 * (BEFORE + AFTER));
  const { least, present } = nearestWall(first);
  expect(present).toBe(totals.present);
  expect(least).toBeGreaterThan(0.004);
  expect(await run()).toEqual(first);
  await demos.shoot(page, 'crowd-small');
  expect(complaints).toEqual([]);
  await demos.close();
});

test('without WebGPU the CPU computes, a wall can be drawn or is refused with the reason, and nobody is in one', async () => {
  const demos = await openDemoPages('webgl');
  const { page, complaints } = await demos.open('crowd', {
    query: '?run=0&agents=40&scene=doors',
    viewport: VIEWPORT,
    before: hideWebGpu,
  });
  expect(await textOf(page, '#notices')).toMatch(/runs on the CPU\s+There is no WebGPU/);
  await page.click('#draw-wall');
  expect(await drawWall(page, [0, 6], [0, 14])).toBe('No wall there. A door slides there.');
  expect(await drawWall(page, [5, 14], [9, 14])).toMatch(/^Drag/);
  const { poses, firstDrawn } = await crowdOf(page);
  expect(poses[4 * firstDrawn]).toBeCloseTo(7, 1);
  expect(await take(page, 60)).toMatchObject({ steps: 60, inWalls: 0, invalid: 0 });
  expect(nearestWall(await crowdOf(page)).least).toBeGreaterThan(0.004);
  expect(complaints).toEqual([]);
  await demos.close();
});
