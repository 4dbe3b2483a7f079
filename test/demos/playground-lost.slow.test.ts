/** The playground after the browser has taken its device away. */

import { expect, test } from 'vitest';
import { openDemoPages } from './demo-pages.ts';
import { textOf } from './heap-page.ts';
import { allowLosingDevice, loseDevice } from './lose-device.ts';
import { expectBodies, load, settled } from './playground-page.ts';

test('a lost device is opened again, with the same scene, answers, drawing and keys', async () => {
  const demos = await openDemoPages('webgpu');
  const { page, complaints } = await demos.open('playground', {
    query: '?backend=webgpu',
    viewport: { width: 900, height: 600 },
    before: allowLosingDevice,
  });
  const shown = await page.evaluate(() => window.playground.scene());
  const before = await load(page, shown);
  expect(complaints).toEqual([]);

  await loseDevice(page);
  await page.waitForSelector('#notices .error');
  expect(await textOf(page, '#notices')).toMatch(/device was lost\s+.*gives no reason\. The view was opened again/);
  expect(await settled(page)).toEqual(before);
  expect(before!.backend).toBe('webgpu');
  expect(await page.evaluate(() => window.playground.scene())).toEqual(shown);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await expectBodies(page, await demos.shoot(page, 'playground-lost'));

  await page.focus('#view');
  await page.keyboard.press('2');
  await page.keyboard.press('ArrowRight');
  const moved = await settled(page);
  expect(moved!.contact.pointB[0]).toBeGreaterThan(before!.contact.pointB[0]);
  const { x } = await page.evaluate(() => window.playground.pageOf(0));
  expect(x).toBeGreaterThan(0);
  // Three.js reports the loss itself.
  expect(complaints.filter((text) => !/WebGPU Device Lost/.test(text))).toEqual([]);
  await demos.close();
});
