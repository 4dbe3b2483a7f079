/**
 * The playground on the CPU in headless Chrome: its answers are those of the reference, the address keeps the scene, and
 * dragging changes the answers. test/night/demos/ has the rest.
 */

import { expect, test } from 'vitest';
import { openDemoPages } from './demo-pages.ts';
import { faults, hideWebGpu, textOf } from './page-tools.ts';
import { askAgain, expectBodies, expectReference, load, randomScenes, settled } from './playground-page.ts';

const VIEWPORT = { width: 900, height: 600 };

test('without WebGPU it draws, answers what the reference answers, and a dragged body and the address change the scene', async () => {
  const demos = await openDemoPages('webgl');
  const { page, complaints } = await demos.open('playground', { before: hideWebGpu, viewport: VIEWPORT });
  expect(await page.$eval('#backend option[value=webgpu]', (option) => (option as HTMLOptionElement).disabled)).toBe(
    true,
  );
  const before = await askAgain(page);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await expectBodies(page, await demos.shoot(page, 'playground-wide'));

  const from = await page.evaluate(() => window.playground.pageOf(1));
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 80, from.y - 30, { steps: 4 });
  await page.mouse.up();
  const moved = await settled(page);
  expect(moved!.contact.distance).toBeGreaterThan(before!.contact.distance + 0.1);
  expectReference(moved, await page.evaluate(() => window.playground.scene()), 1e-6);
  const address = page.url();

  // Three in 3-D, and one in 2-D.
  for (const scene of randomScenes().filter((_, i) => i % 3 === 0)) {
    const answer = await load(page, scene);
    expectReference(answer, scene, 1e-6);
    const { distance } = answer!.contact;
    expect(await textOf(page, '#contact-rows')).toContain(distance.toFixed(6).replace('-', '−'));
    expect(await textOf(page, '#status')).toBe(distance <= 0 ? 'Overlapping' : 'Separated');
  }

  const last = await page.evaluate(() => JSON.stringify(window.playground.scene()));
  await page.evaluate((hash) => (location.hash = hash), new URL(address).hash);
  await page.waitForFunction((text) => JSON.stringify(window.playground.scene()) !== text, {}, last);
  expect((await settled(page))!.contact).toEqual(moved!.contact);
  expect(faults(complaints)).toEqual([]);
  await demos.close();
});
