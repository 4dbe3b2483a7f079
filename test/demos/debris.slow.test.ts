/**
 * The demo of debris in headless Chrome, with few bodies: on WebGPU the same steps give the same bits, and without it the
 * CPU computes. test/night/demos/ has the rest.
 */

import { expect, test } from 'vitest';
import { atNight } from '../helpers/night.ts';
import { contactPixels, dragHighest, fastest, heights, run } from './debris-page.ts';
import { NARROW, openDemoPages } from './demo-pages.ts';
import { hideWebGpu } from './page-tools.ts';

/** A step takes SwiftShader most of a second. The first ball flies at step 30, at night. */
const STEPS = atNight(3, 60);

test('on WebGPU blocks move, the same steps give the same bits, keys step, and the picture has many colours', async () => {
  const demos = await openDemoPages('webgpu');
  const { page, complaints } = await demos.open('debris', {
    query: '?backend=webgpu&bodies=10&scene=wall&ahead=no&paused',
    viewport: NARROW,
  });
  expect(await page.evaluate(() => document.documentElement.dataset.state)).toBe('done');
  const rows = await page.$$eval('#figures dt', (terms) =>
    terms.map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  );
  expect(rows.slice(0, 1)).toEqual([['Backend', 'WebGPU']]);
  const start = await run(page, 0);
  const first = await run(page, STEPS);
  expect(first.steps).toBe(STEPS);
  expect(first.poses).not.toEqual(start.poses);
  expect(Math.min(...heights(first))).toBeGreaterThan(0.1 - 0.01);
  await page.evaluate(() => window.debris.reset());
  expect((await run(page, STEPS)).poses).toEqual(first.poses);
  await page.focus('#view');
  await page.keyboard.press('.');
  await page.waitForFunction((steps) => window.debris.steps === steps, {}, STEPS + 1);
  const colours = await page.$eval('#view', (canvas) => {
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [64, 40];
    window.debris.draw();
    const context = copy.getContext('2d')!;
    context.drawImage(canvas as HTMLCanvasElement, 0, 0, 64, 40);
    const { data } = context.getImageData(0, 0, 64, 40);
    return new Set(
      Array.from({ length: 64 * 40 }, (_, i) =>
        data
          .subarray(4 * i, 4 * i + 3)
          .map((x) => x >> 4)
          .join(),
      ),
    ).size;
  });
  expect(colours).toBeGreaterThan(8);
  await demos.shoot(page, 'debris-phone');
  await page.select('#view-mode', 'hidden');
  expect(await contactPixels(page)).toBeGreaterThan(5);
  await page.evaluate(() => window.debris.reset());
  expect(await contactPixels(page)).toBe(0);
  expect(complaints).toEqual([]);
  await demos.close();
});

test('without WebGPU the CPU computes, and says so, a body follows the pointer, and contacts are shown without bodies', async () => {
  const demos = await openDemoPages('webgl');
  const { page } = await demos.open('debris', {
    query: '?bodies=12&scene=heap&paused',
    before: hideWebGpu,
    viewport: { width: 600, height: 400 },
  });
  expect(await page.$eval('#notices', (list) => list.textContent)).toContain('There is no WebGPU');
  expect(Math.min(...heights(await run(page, 120)))).toBeGreaterThan(0.05);
  const place = await dragHighest(page, { x: 60, y: -70 }, 60);
  expect(Math.hypot(place.x - place.goal.x, place.y - place.goal.y)).toBeLessThan(8);
  for (const view of ['translucent', 'hidden']) {
    await page.select('#view-mode', view);
    expect(await contactPixels(page), view).toBeGreaterThan(5);
  }
  await page.evaluate(() => window.debris.reset());
  expect(await contactPixels(page)).toBe(0);
  await page.select('#scene', 'terrain');
  const onTerrain = await run(page, 60);
  expect(onTerrain.steps).toBe(60);
  // The lowest valley is at 0.2.
  expect(Math.min(...heights(onTerrain))).toBeGreaterThan(0.2);
  expect(fastest(onTerrain)).toBeLessThan(3);
  await page.select('#view-mode', 'solid');
  await page.evaluate(() => window.debris.step(0).then(() => window.debris.draw()));
  await demos.shoot(page, 'debris-terrain-cpu');
  await demos.close();
});
