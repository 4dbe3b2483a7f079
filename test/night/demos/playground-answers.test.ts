/**
 * The playground's answers in headless Chrome: its numbers are those of the reference in 3-D and in 2-D, also on WebGPU, in
 * the code that it shows, and in the inspector that it opens.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTester } from '../../../src/index.ts';
import { TOLERANCE } from '../../../src/shapes/tolerances.ts';
import { openDemoPages } from '../../demos/demo-pages.ts';
import type { DemoPages, OpenDemo } from '../../demos/demo-pages.ts';
import { faults, textOf } from '../../demos/page-tools.ts';
import {
  expectBodies,
  expectReference,
  load,
  randomScenes,
  referenceOf,
  settled,
} from '../../demos/playground-page.ts';

let demos: DemoPages;
let demo: OpenDemo;
beforeAll(async () => {
  demos = await openDemoPages('webgl');
  demo = await demos.open('playground', { query: '?backend=cpu' });
});
afterAll(() => demos?.close());

test('answers what the reference answers, over all shapes, and shows it', async () => {
  let overlapping = 0;
  let impacts = 0;
  for (const scene of randomScenes()) {
    const answer = await load(demo.page, scene);
    expectReference(answer, scene, 1e-6);
    const { distance } = answer!.contact;
    if (distance < 0) overlapping++;
    if (answer!.impact!.time > 0) impacts++;
    expect(await textOf(demo.page, '#contact-rows')).toContain(distance.toFixed(6).replace('-', '−'));
    expect(await textOf(demo.page, '#status')).toBe(distance <= 0 ? 'Overlapping' : 'Separated');
    expect(await textOf(demo.page, '#time')).toMatch(/auto on the CPU: [\d.e+]+ [µm]s per pair/);
  }
  expect(overlapping).toBeGreaterThan(2);
  expect(impacts).toBeGreaterThan(1);
});

test('the code gives the same answers', async () => {
  const scene = randomScenes()[10];
  const answer = await load(demo.page, scene);
  const code = await demo.page.$eval('#code', (element) => element.textContent);
  const [head, ...body] = code.split('\n');
  expect(head).toBe("import { createTester } from 'narrowphase';");
  const printed: unknown[] = [];
  const run = new Function('createTester', 'console', `return (async () => {${body.join('\n')}})()`) as (
    create: typeof createTester,
    console: { log(...values: unknown[]): void },
  ) => Promise<void>;
  await run(createTester, { log: (...values) => printed.push(...values) });
  // The answer comes through JSON, which has null for infinity.
  const plain = JSON.parse(JSON.stringify(printed)) as unknown;
  expect(plain).toEqual([answer!.contact, answer!.manifolds, answer!.impact]);
});

test('the link opens the inspector with the pair and the same answer', async () => {
  const answer = await load(demo.page, randomScenes()[1]);
  const { page, complaints, close } = await demos.open('playground', {
    query: `?backend=cpu${new URL(demo.page.url()).hash}`,
  });
  await Promise.all([page.waitForNavigation(), page.click('#inspect')]);
  expect(page.url()).toMatch(/\/inspector\/#capture=[\w-]+/);
  await page.waitForFunction(() => document.documentElement.dataset.state === 'done', { polling: 100 });
  expect(await textOf(page, '#notices')).toBe('');
  const shapes = await page.$$eval('#facts dd', (cells) => cells.map((cell) => cell.textContent));
  expect(shapes).toEqual(expect.arrayContaining(randomScenes()[1].bodies.map(({ shape }) => shape.type)));
  const oracle = (await page.evaluate(() => window.inspector.oracle())) as { distance: number };
  expect(oracle.distance).toBeCloseTo(answer!.contact.distance, 4);
  expect(faults(complaints)).toEqual([]);
  await close();
});

test('a refused pair has no link to the inspector', async () => {
  await load(demo.page, { ...randomScenes()[0], algorithm: 'sat' });
  expect(await demo.page.$eval('#inspect', (element) => (element as HTMLElement).hidden)).toBe(true);
});

test('an algorithm that does not take the shapes says so, and the next answer is there again', async () => {
  const { page } = demo;
  await load(page, randomScenes()[0]);
  await page.select('#algorithm', 'sat');
  expect(await settled(page)).toBe(null);
  expect(await textOf(page, '#refusal')).toMatch(/sat/);
  await page.select('#algorithm', 'gjk');
  const answer = await settled(page);
  expectReference(answer, randomScenes()[0], 1e-6);
  expect(faults(demo.complaints)).toEqual([]);
});

test('on WebGPU it answers the same to the tolerance of the kernels, and draws on the same device', async () => {
  const pages = await openDemoPages('webgpu');
  const { page, complaints, close } = await pages.open('playground', {
    query: '?backend=webgpu',
    viewport: { width: 900, height: 600 },
  });
  const first = await page.evaluate(() => window.playground.scene());
  for (const scene of [randomScenes()[0], randomScenes()[9]]) {
    const answer = await load(page, scene);
    expect(answer!.backend).toBe('webgpu');
    expect(Math.abs(answer!.contact.distance - referenceOf(scene).contact.distance)).toBeLessThan(
      20 * TOLERANCE.kernels * referenceOf(scene).size,
    );
  }
  await load(page, first);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const picture = await pages.shoot(page, 'playground-webgpu');
  await expectBodies(page, picture);
  expect(complaints).toEqual([]);
  await close();
  await pages.close();
});
