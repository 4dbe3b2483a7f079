/** The playground after the browser has taken its device away. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemoPages, type DemoPages } from '../../demos/demo-pages.ts';
import { textOf } from '../../demos/page-tools.ts';
import { allowLosingDevice, loseDevice } from '../../demos/lose-device.ts';
import { expectBodies, load, settled } from '../../demos/playground-page.ts';

const OPTIONS = { query: '?backend=webgpu', viewport: { width: 900, height: 600 } };
/** World units that an arrow key moves a body. */
const KEY_STEP = 0.05;

let demos: DemoPages;
beforeAll(async () => {
  demos = await openDemoPages('webgpu');
});
afterAll(() => demos?.close());

/** Runs in the page before it opens a device: the first one is lost as soon as the page has it. */
function loseFirstDevice(): void {
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = async function (...parameters) {
    GPUAdapter.prototype.requestDevice = requestDevice;
    const device = await requestDevice.apply(this, parameters);
    Object.defineProperty(device, 'lost', { value: Promise.resolve({ reason: 'unknown', message: '' }) });
    return device;
  };
}

test('a lost device is opened again, with the same scene, answers, drawing and keys', async () => {
  const { page, complaints, close } = await demos.open('playground', { ...OPTIONS, before: allowLosingDevice });
  const shown = await page.evaluate(() => window.playground.scene());
  const before = await load(page, shown);
  expect(complaints).toEqual([]);

  await page.focus('#view');
  await loseDevice(page);
  await page.waitForSelector('#notices .error');
  expect(await textOf(page, '#notices')).toMatch(/device was lost\s+.*gives no reason\. The view was opened again/);
  expect(await settled(page)).toEqual(before);
  expect(before!.backend).toBe('webgpu');
  expect(await page.evaluate(() => window.playground.scene())).toEqual(shown);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await expectBodies(page, await demos.shoot(page, 'playground-lost'));

  expect(await page.evaluate(() => document.activeElement?.id)).toBe('view');
  await page.keyboard.press('2');
  await page.keyboard.press('ArrowRight');
  const moved = await settled(page);
  expect(moved!.contact.pointB[0]).toBeGreaterThan(before!.contact.pointB[0]);
  const { x } = await page.evaluate(() => window.playground.pageOf(0));
  expect(x).toBeGreaterThan(0);
  // Three.js reports the loss itself.
  expect(complaints.filter((text) => !/WebGPU Device Lost/.test(text))).toEqual([]);
  await close();
});

test('a device that is lost before the view is open is replaced by one with a single view', async () => {
  const { page, complaints, close } = await demos.open('playground', { ...OPTIONS, before: loseFirstDevice });
  expect(await textOf(page, '#notices')).toMatch(/device was lost\s+.*The view was opened again/);
  const before = await settled(page);
  expect(before!.backend).toBe('webgpu');
  const positionOf = (): Promise<number[]> => page.evaluate(() => window.playground.scene().bodies[1].position);
  const from = await positionOf();
  await page.focus('#view');
  await page.keyboard.press('2');
  await page.keyboard.press('ArrowRight');
  await settled(page);
  const to = await positionOf();
  expect(Math.hypot(...to.map((x, k) => x - from[k]))).toBeCloseTo(KEY_STEP, 3);
  expect(complaints.filter((text) => !/WebGPU Device Lost/.test(text))).toEqual([]);
  await close();
});
