/**
 * The demo of debris in headless Chrome, with few bodies, without WebGPU: the CPU computes. test/night/demos/ tests it on
 * WebGPU, where SwiftShader takes more than a minute.
 */

import { expect, test } from 'vitest';
import { contactPixels, dragHighest, fastest, heights, run } from './debris-page.ts';
import { openDemoPages } from './demo-pages.ts';
import { hideWebGpu } from './page-tools.ts';

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
