/**
 * The crowd's demo in headless Chrome: after any number of steps nobody is in a wall, by the reference in double
 * precision on positions that are read out of the page; people arrive; doors close; a run can be repeated bit by bit.
 */

import type { Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  crowdOf,
  drawAcrossTheFlow,
  expectNobodyInWalls,
  nearestWall,
  take,
  type Crowd,
} from '../../demos/crowd-page.ts';
import { NARROW, openDemoPages } from '../../demos/demo-pages.ts';
import type { DemoPages, OpenDemo } from '../../demos/demo-pages.ts';
import { hideWebGpu, textOf } from '../../demos/page-tools.ts';
import { allowLosingDevice, loseDevice } from '../../demos/lose-device.ts';

/** Numbers of pixels in the left two thirds of a picture that have each of these colours, within a little. */
function colorCounts(page: Page, picture: Uint8Array, colors: [number, number, number][]): Promise<number[]> {
  return page.evaluate(
    async (base64, wanted) => {
      const response = await fetch(`data:image/png;base64,${base64}`);
      const bitmap = await createImageBitmap(await response.blob());
      const width = Math.floor((bitmap.width * 2) / 3);
      const context = new OffscreenCanvas(width, bitmap.height).getContext('2d')!;
      context.drawImage(bitmap, 0, 0);
      const { data } = context.getImageData(0, 0, width, bitmap.height);
      return wanted.map((color) => {
        let count = 0;
        for (let i = 0; i < data.length; i += 4)
          if (color.every((value, channel) => Math.abs(value - data[i + channel]) < 12)) count++;
        return count;
      });
    },
    Buffer.from(picture).toString('base64'),
    colors,
  );
}

const ZONES: [number, number, number][] = [
  [0x2f, 0x74, 0xd0],
  [0xe0, 0x7b, 0x28],
];
const DOOR: [number, number, number] = [0xd0, 0x49, 0x3f];

/** Height of the upper leaf of the upper door. It slides from 13 to 11 when the door closes. */
function upperLeaf({ people, poses }: Crowd): number {
  return poses[4 * (people + 1) + 1];
}

describe('on WebGPU', () => {
  let demos: DemoPages;
  let demo: OpenDemo;
  beforeAll(async () => {
    demos = await openDemoPages('webgpu');
    demo = await demos.open('crowd', {
      query: '?backend=webgpu&run=0&agents=200&scene=doors',
      before: allowLosingDevice,
    });
  });
  afterAll(() => demos?.close());

  test('nobody is in a wall, with doors that close on people and visitors thrown in', async () => {
    const { page } = demo;
    await take(page, 30);
    const places = await page.evaluate(() => {
      window.crowd.toggleDoor(0);
      window.crowd.toggleDoor(1);
      return window.crowd.throwIn(-3, 10);
    });
    expect(places).toBeGreaterThan(8);
    const totals = await take(page, 240);
    expect(totals).toMatchObject({ steps: 270, inWalls: 0, invalid: 0, wallOverflow: 0, nearOverflow: 0 });
    expect(totals.checks).toBeGreaterThan(270 * 190);
    expect(totals.arrived).toBeGreaterThan(0);
    expect(await textOf(page, '#in-walls')).toBe('0');
    expect(await textOf(page, '#checks')).toBe(totals.checks.toLocaleString('en'));
    const crowd = await crowdOf(page);
    const { least, present } = nearestWall(crowd);
    expect(present).toBe(totals.present);
    expect(present).toBeGreaterThan(200);
    expect(least).toBeGreaterThan(0.004);
    expect(await textOf(page, '#doors')).toMatch(/Upper door\s+closed\s+Lower door\s+closed/);
    const picture = await demos.shoot(page, 'crowd-wide');
    for (const count of await colorCounts(page, picture, [...ZONES, DOOR])) expect(count).toBeGreaterThan(60);
  });

  test('a click on a door toggles it, and reset and the same steps give the same bits', async () => {
    const { page } = demo;
    const run = async (): Promise<Crowd> => {
      await page.$eval('#reset', (button) => (button as HTMLButtonElement).click());
      const [x, y] = await page.evaluate(() => window.crowd.toPage(0, 10));
      await take(page, 5);
      await page.mouse.click(x, y);
      await take(page, 15);
      return crowdOf(page);
    };
    const first = await run();
    expect(await textOf(page, '#doors')).toMatch(/Upper door\s+closed/);
    expect(upperLeaf(first)).toBeLessThan(12.8);
    expect(await run()).toEqual(first);
    expect(demo.complaints).toEqual([]);
  });

  test('nobody is in a wall that is drawn across their way', async () => {
    const { page } = demo;
    await page.click('#reset');
    await page.click('#draw-wall');
    await drawAcrossTheFlow(page);
    await expectNobodyInWalls(page, 240);
    expect(demo.complaints).toEqual([]);
  });

  test('a lost device ends in an offer to go on with the same plan and number of people', async () => {
    const { page } = demo;
    await loseDevice(page);
    await page.waitForSelector('#recover');
    expect(await textOf(page, '#notices')).toMatch(/The device was lost\s*The browser gives no reason\./);
    await Promise.all([page.waitForNavigation({ waitUntil: 'domcontentloaded' }), page.click('#recover')]);
    const address = new URL(page.url()).searchParams;
    expect(Object.fromEntries(address)).toEqual({ scene: 'doors', agents: '200', seed: '1', backend: 'webgpu' });
    await demo.close();
  });
});

describe('on the CPU', () => {
  let demos: DemoPages;
  beforeAll(async () => {
    demos = await openDemoPages('webgl');
  });
  afterAll(() => demos?.close());

  test('a door closes and opens again, clicks wait for the next step, and the chart names what is measured', async () => {
    const { page, complaints, close } = await demos.open('crowd', {
      query: '?backend=cpu&run=0&agents=200&scene=doors',
      colorScheme: 'dark',
    });
    const toggle = (): Promise<void> => page.evaluate(() => window.crowd.toggleDoor(0));
    await take(page, 10);
    await toggle();
    expect(await textOf(page, '#doors')).toMatch(/Upper door\s+closed/);
    expect(upperLeaf(await crowdOf(page))).toBe(13);
    await take(page, 200);
    const closed = await crowdOf(page);
    expect(upperLeaf(closed)).toBeCloseTo(11, 3);
    expect(nearestWall(closed).least).toBeGreaterThan(0.004);
    await toggle();
    const totals = await take(page, 200);
    expect(await textOf(page, '#doors')).toMatch(/Upper door\s+open/);
    const opened = await crowdOf(page);
    expect(upperLeaf(opened)).toBeCloseTo(13, 3);
    expect(nearestWall(opened).least).toBeGreaterThan(0.004);
    expect(totals).toMatchObject({ steps: 410, inWalls: 0, invalid: 0 });
    const places = await page.evaluate(() => window.crowd.throwIn(20, -14));
    expect(places).toBeGreaterThan(30);
    expect((await take(page, 0)).present).toBe(totals.present);
    expect((await take(page, 1)).present).toBeGreaterThan(totals.present + 10);
    const legend = await page.$$eval('#chart .u-legend .u-series', (rows) =>
      rows.filter((row) => row.checkVisibility()).map((row) => row.textContent.trim()),
    );
    expect(legend).toEqual(['contacts', 'steering', 'impacts', 'check']);
    await demos.shoot(page, 'crowd-wide-dark');
    expect(complaints).toEqual([]);
    await close();
  });

  test('a slow machine gets fewer people, and the page says why', async () => {
    const { page, close } = await demos.open('crowd', { query: '?backend=cpu&run=0', before: slowClock });
    expect(await textOf(page, '#notices')).toMatch(/A step with 250 people took \d+ ms here, so 100 walk/);
    expect(await page.$eval('#amount', (select) => (select as HTMLSelectElement).value)).toBe('100');
    expect(await take(page, 2)).toMatchObject({ steps: 2, present: 100, inWalls: 0 });
    await close();
  });

  test('bad numbers are said on the page', async () => {
    const { page, close } = await demos.open('crowd', { query: '?agents=abc' });
    expect(await textOf(page, '#notices')).toMatch(/\?agents=abc is not a whole number from 1 to 20,000/);
    expect(await page.evaluate(() => document.documentElement.dataset.state)).toBe('failed');
    await close();
  });

  test('on a phone and in the dark, for want of an adapter', async () => {
    const options = {
      query: '?run=0&scene=station&agents=250',
      viewport: NARROW,
      colorScheme: 'dark',
      before: hideWebGpu,
    } as const;
    const { page, complaints, close } = await demos.open('crowd', options);
    expect(await textOf(page, '#notices')).toMatch(/runs on the CPU\s+There is no WebGPU/);
    const totals = await take(page, 60);
    expect(totals).toMatchObject({ steps: 60, inWalls: 0 });
    expect(nearestWall(await crowdOf(page)).least).toBeGreaterThan(0.004);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW.width);
    await demos.shoot(page, 'crowd-phone-dark');
    expect(complaints).toEqual([]);
    await close();
  });
});

/** Runs in the page: every reading of the clock is 100 ms later than it would be. */
function slowClock(): void {
  const now = performance.now.bind(performance);
  let readings = 0;
  performance.now = () => now() + 100 * readings++;
}
