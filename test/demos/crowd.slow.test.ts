/**
 * The crowd's demo on the CPU in headless Chrome, with few people: nobody is in a wall, by the reference in double
 * precision on positions that are read out of the page. test/night/demos/ has the rest.
 */

import { expect, test } from 'vitest';
import { crowdOf, drawWall, nearestWall, take } from './crowd-page.ts';
import { openDemoPages } from './demo-pages.ts';
import { hideWebGpu, textOf } from './page-tools.ts';

const VIEWPORT = { width: 900, height: 600 };

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
