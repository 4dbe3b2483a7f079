/** The demo of debris without WebGPU: bodies follow the pointer and come to rest, and a ball breaks a solid. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { distanceMoved, dragHighest, fastest, heights, run } from '../../demos/debris-page.ts';
import { openDemoPages } from '../../demos/demo-pages.ts';
import type { DemoPages } from '../../demos/demo-pages.ts';
import { hideWebGpu } from '../../demos/page-tools.ts';

const viewport = { width: 900, height: 600 };
let webgl: DemoPages;
beforeAll(async () => {
  webgl = await openDemoPages('webgl');
});
afterAll(() => webgl?.close());

const open = (query: string, before?: () => void) =>
  webgl.open('debris', { query: `?backend=cpu&paused&${query}`, before, viewport });

test('the CPU computes, and says so; a body follows the pointer and comes to rest', async () => {
  const query = '?bodies=30&scene=heap&paused';
  const { page, close } = await webgl.open('debris', { query, before: hideWebGpu, viewport });
  expect(await page.$eval('#notices', (list) => list.textContent)).toContain('There is no WebGPU');
  const state = await run(page, 120);
  expect(Math.min(...heights(state))).toBeGreaterThan(0.05);
  expect(Math.max(...heights(state))).toBeLessThan(2);
  await page.evaluate(() => window.debris.draw());
  await webgl.shoot(page, 'debris-cpu');

  const place = await dragHighest(page, { x: 90, y: -110 }, 60);
  expect(Math.hypot(place.x - place.goal.x, place.y - place.goal.y)).toBeLessThan(8);
  await page.mouse.up();
  // Balls roll for some seconds.
  const released = await run(page, 900);
  expect(fastest(released)).toBe(0);
  expect(heights(released)[place.body - 1]).toBeLessThan(1);
  await close();
});

test('the first ball breaks a solid, whose pieces come to rest', async () => {
  const { page, close } = await open('bodies=50&scene=solid');
  const before = await run(page, 20);
  expect(fastest(before)).toBe(0);
  await page.click('#throw');
  const after = await run(page, 90);
  await page.evaluate(() => window.debris.draw());
  await webgl.shoot(page, 'debris-broken');
  const moved = heights(before).filter((_, i) => distanceMoved(before, after, i + 1) > 0.5);
  expect(moved.length).toBeGreaterThan(0.6 * (before.firstBall - 1));
  const atRest = await run(page, 400);
  const later = await run(page, 60);
  const drifts = heights(later).map((_, i) => distanceMoved(atRest, later, i + 1));
  // A piece on an edge may still rock, by less than can be seen.
  expect(Math.max(...drifts)).toBeLessThan(0.005);
  expect(drifts.filter((drift) => drift > 0).length).toBeLessThan(0.05 * drifts.length);
  expect(Math.max(...heights(atRest))).toBeLessThan(1.8);
  expect(Math.min(...heights(atRest))).toBeGreaterThan(0);
  await close();
});

test('a look ahead is skipped by its button', async () => {
  const { page, close } = await open('bodies=60&ahead=yes', () => {
    const timer = setInterval(() => {
      const skip = document.getElementById('skip');
      if (!skip || skip.hidden) return;
      clearInterval(timer);
      skip.click();
    }, 10);
  });
  expect(await page.evaluate(() => window.debris.firstRun() === undefined && window.debris.steps === 0)).toBe(true);
  expect(await page.$eval('#skip', (button) => getComputedStyle(button).display)).toBe('none');
  await close();
});
