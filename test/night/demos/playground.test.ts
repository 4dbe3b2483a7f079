/**
 * The playground in headless Chrome: the address keeps the scene, pasted points, dropped models and dragging change the
 * answers, and broken input is named while the page goes on.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { NARROW, openDemoPages } from '../../demos/demo-pages.ts';
import type { DemoPages, OpenDemo } from '../../demos/demo-pages.ts';
import { faults, hideWebGpu, textOf } from '../../demos/page-tools.ts';
import {
  askAgain,
  drop,
  expectBodies,
  expectReference,
  load,
  randomScenes,
  settled,
  type Answer,
  type PlaygroundScene,
} from '../../demos/playground-page.ts';

let demos: DemoPages;
let demo: OpenDemo;
beforeAll(async () => {
  demos = await openDemoPages('webgl');
  demo = await demos.open('playground', { query: '?backend=cpu' });
});
afterAll(() => demos?.close());

test('the address keeps the scene', async () => {
  const { page } = demo;
  const scene = randomScenes()[1];
  await load(page, scene);
  const address = page.url();
  await load(page, randomScenes()[9]);
  expect(page.url()).not.toBe(address);
  await page.evaluate((hash) => (location.hash = hash), new URL(address).hash);
  await page.waitForFunction((text) => JSON.stringify(window.playground.scene()) === text, {}, JSON.stringify(scene));
  const answer = await settled(page);
  expectReference(answer, scene, 1e-6);
  expect(page.url()).toBe(address);
});

test('pasted points make the hull, and wrong ones are named', async () => {
  const { page } = demo;
  const scene = randomScenes()[0];
  scene.bodies[0].shape = { type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] };
  await load(page, scene);
  await page.click('#tab-0');
  const paste = (text: string): Promise<void> =>
    page.$eval(
      '#body-0 textarea',
      (area, value) => {
        (area as HTMLTextAreaElement).value = value;
        area.dispatchEvent(new Event('input', { bubbles: true }));
      },
      text,
    );
  for (const text of [
    '0 0 0\n2 0 0\n0 2 0\n0 0 2',
    '0,0,0; 2,0,0; 0,2,0; 0,0,2',
    '[[0,0,0],[2,0,0],[0,2,0],[0,0,2]]',
    '{"points": [0,0,0,2,0,0,0,2,0,0,0,2]}',
  ]) {
    await paste(text);
    const answer = await settled(page);
    const shape = { type: 'hull' as const, points: [0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2] };
    expectReference(answer, { ...scene, bodies: [{ ...scene.bodies[0], shape }, scene.bodies[1]] }, 1e-6);
  }
  const before = await page.evaluate(() => JSON.stringify(window.playground.scene()));
  for (const [text, reason] of [
    ['0 0 0\n1 zero 0', /Line 2 has "zero", which is not a number/],
    ['0 0 0 1', /4 numbers are not a whole number of points of 3/],
    ['[[0,0,0],[1,2]]', /Point 1 is \[1,2\], expected 3 numbers/],
    ['[[0,0,0],', /begins like JSON, but cannot be read/],
    ['', /There are no points/],
  ] as const) {
    await paste(text);
    expect(await textOf(page, '#body-0 .field-error')).toMatch(reason);
    expect(await page.evaluate(() => JSON.stringify(window.playground.scene()))).toBe(before);
  }
});

test('a dropped model becomes a mesh or a hull', async () => {
  const { page } = demo;
  const scene = randomScenes()[0];
  await load(page, scene);
  await page.click('#tab-0');
  const cube = [
    ...[0, 1, 2, 3, 4, 5, 6, 7].map((i) => `v ${i & 1} ${(i >> 1) & 1} ${i >> 2}`),
    ...['1 3 4 2', '5 6 8 7', '1 2 6 5', '3 7 8 4', '1 5 7 3', '2 4 8 6'].map((corners) => `f ${corners}`),
  ].join('\n');
  for (const [shiftKey, type] of [
    [false, 'mesh'],
    [true, 'hull'],
  ] as const) {
    await drop(page, 'cube.obj', cube, shiftKey);
    await page.waitForFunction((wanted) => window.playground.scene().bodies[0].shape.type === wanted, {}, type);
    const answer = await settled(page);
    expect(answer!.contact.status).toBeLessThanOrEqual(1);
  }
  const hull = await page.evaluate(
    () => (window.playground.scene().bodies[0].shape as unknown as { points: number[] }).points,
  );
  expect(hull).toHaveLength(24);
  expect(hull.every((x) => Math.abs(x) === 0.5)).toBe(true);
  await drop(page, 'broken.obj', 'v 0 0 zero', false);
  await page.waitForSelector('#notices .notice');
  expect(await textOf(page, '#notices')).toMatch(/broken\.obj could not be used\s+.*line 1/i);
});

test('dragging a body changes the distance, Shift moves it in depth, keys move it too', async () => {
  const { page, complaints, close } = await demos.open('playground', { query: '?backend=cpu' });
  const before = await askAgain(page);
  const { x, y } = await page.evaluate(() => window.playground.pageOf(1));
  const drag = async (dx: number, dy: number): Promise<PlaygroundScene> => {
    const from = await page.evaluate(() => window.playground.pageOf(1));
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + dx, from.y + dy, { steps: 4 });
    await page.mouse.up();
    await settled(page);
    return page.evaluate(() => window.playground.scene());
  };
  const moved = await drag(80, -30);
  const after = await page.evaluate(() => window.playground.pageOf(1));
  // The point that was grabbed follows the pointer; the origin is behind it, and moves a little less on the page.
  expect(Math.hypot(after.x - x - 80, after.y - y + 30)).toBeLessThan(15);
  const answer = await askAgain(page);
  expect(answer!.contact.distance).toBeGreaterThan(before!.contact.distance + 0.1);
  expectReference(answer, moved, 1e-6);
  await page.keyboard.down('Shift');
  const deeper = await drag(0, -60);
  await page.keyboard.up('Shift');
  expect(deeper.bodies[1].position[2]).toBeLessThan(moved.bodies[1].position[2] - 0.1);
  await page.focus('#view');
  await page.keyboard.press('2');
  await page.keyboard.press('ArrowRight');
  await settled(page);
  const pushed = await page.evaluate(() => window.playground.scene());
  expect(pushed.bodies[1].position[0]).toBeGreaterThan(deeper.bodies[1].position[0]);
  expect(faults(complaints)).toEqual([]);
  await close();
});

test('a broken address is named, and an example is there', async () => {
  for (const [hash, reason] of [
    ['#scene=%%%', /can.t be decoded/],
    ['#scene=bm8gSlNPTg', /can.t be decoded/],
    [`#scene=${Buffer.from('{"dimension":4}').toString('base64url')}`, /imension is 4, expected 2 or 3/],
    [
      `#scene=${Buffer.from(JSON.stringify({ ...randomScenes()[0], duration: 1e9 })).toString('base64url')}`,
      /uration is 1000000000, expected a number from 0 to 1000/,
    ],
  ] as const) {
    const { page, complaints, close } = await demos.open('playground', { query: `?backend=cpu${hash}` });
    expect(await textOf(page, '#notices')).toMatch(reason);
    expect((await askAgain(page))!.contact.status).toBe(0);
    expect(faults(complaints)).toEqual([]);
    await close();
  }
});

test('an open page names a broken address, and takes the next good one', async () => {
  const { page, complaints, close } = await demos.open('playground', { query: '?backend=cpu' });
  const good = await page.evaluate(() => location.hash);
  const setHash = async (hash: string): Promise<Answer | null> => {
    await page.evaluate((text) => {
      const changed = new Promise((done) => addEventListener('hashchange', done, { once: true }));
      location.hash = text;
      return changed;
    }, hash);
    return settled(page);
  };
  for (const hash of ['#scene=%%%', '#scene=bm8gSlNPTg']) {
    expect((await setHash(hash))!.contact.status).toBe(0);
    expect(await textOf(page, '#notices')).toMatch(/can.t be decoded/);
  }
  expect((await setHash(`${good}&again`))!.contact.status).toBe(0);
  expect(await textOf(page, '#notices')).toBe('');
  expect(faults(complaints)).toEqual([]);
  await close();
});

test('without WebGPU it answers and draws, wide and narrow, in light and in dark', async () => {
  for (const [name, options] of [
    ['playground-wide', {}],
    ['playground-dark', { colorScheme: 'dark' }],
    ['playground-narrow', { viewport: NARROW }],
    ['playground-2d', { flat: true }],
  ] as const) {
    const { page, complaints, close } = await demos.open('playground', { before: hideWebGpu, ...options });
    expect(await page.$eval('#backend option[value=webgpu]', (option) => (option as HTMLOptionElement).disabled)).toBe(
      true,
    );
    if ('flat' in options)
      await page.$eval('[name=dimension][value="2"]', (input) => (input as HTMLInputElement).click());
    await askAgain(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(page.viewport()!.width);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const picture = await demos.shoot(page, name);
    await expectBodies(page, picture);
    expect(faults(complaints)).toEqual([]);
    await close();
  }
});
