/**
 * The crowd's demo in headless Chrome: after any number of steps nobody is in a wall, by the reference in double
 * precision on positions that are read out of the page; people arrive; doors close; a run can be repeated bit by bit.
 */

import type { Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planar } from '../../src/cpu.ts';
import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import { NARROW, openDemoPages } from './demo-pages.ts';
import type { DemoPages, OpenDemo } from './demo-pages.ts';
import { hideWebGpu, textOf } from './heap-page.ts';

const NOWHERE = 0xffffffff;

interface Crowd {
  people: number;
  leaves: number;
  shapes: PlanarShapeDescription[];
  shapeOf: number[];
  poses: number[];
  destinations: number[];
}

function take(page: Page, steps: number): Promise<Record<string, number>> {
  return page.evaluate(async (count) => ({ ...(await window.crowd.take(count)) }), steps);
}

function crowdOf(page: Page): Promise<Crowd> {
  return page.evaluate(async () => {
    const { people, leaves, shapes, shapeOf } = window.crowd.world();
    const { poses, destinations } = await window.crowd.snapshot();
    return { people, leaves, shapes, shapeOf: [...shapeOf], poses: [...poses], destinations: [...destinations] };
  });
}

/** The least signed distance of a person in the plan to a wall or leaf, over all pairs, and how many persons there are. */
function nearestWall({ people, shapes, shapeOf, poses, destinations }: Crowd): { least: number; present: number } {
  const made = shapes.map((shape) => planar.createShape(shape));
  const poseOf = (i: number): { position: number[]; angle: number } => ({
    position: [poses[4 * i], poses[4 * i + 1]],
    angle: poses[4 * i + 2],
  });
  let [least, present] = [Infinity, 0];
  for (let i = 0; i < people; i++) {
    if (destinations[i] === NOWHERE) continue;
    present++;
    for (let j = people; j < shapeOf.length; j++) {
      const [a, b] = [made[shapeOf[i]], made[shapeOf[j]]];
      const apart = Math.hypot(poses[4 * i] - poses[4 * j], poses[4 * i + 1] - poses[4 * j + 1]);
      if (apart > a.boundingRadius + b.boundingRadius + 1) continue;
      least = Math.min(least, planar.contact(a, poseOf(i), b, poseOf(j)).distance);
    }
  }
  return { least, present };
}

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

let demos: DemoPages;

afterAll(() => demos?.close());

describe('on WebGPU', () => {
  let demo: OpenDemo;
  beforeAll(async () => {
    demos = await openDemoPages('webgpu');
    demo = await demos.open('crowd', { query: '?backend=webgpu&run=0&agents=200&scene=doors' });
  });

  test('nobody is in a wall, with doors that close on people and visitors thrown in', async () => {
    const { page } = demo;
    await take(page, 40);
    const places = await page.evaluate(() => {
      window.crowd.toggleDoor(0);
      window.crowd.toggleDoor(1);
      return window.crowd.throwIn(-3, 10);
    });
    expect(places).toBeGreaterThan(8);
    const totals = await take(page, 160);
    expect(totals).toMatchObject({ steps: 200, inWalls: 0, invalid: 0, wallOverflow: 0, nearOverflow: 0 });
    expect(totals.checks).toBeGreaterThan(200 * 190);
    expect(totals.arrived).toBeGreaterThan(0);
    expect(await textOf(page, '#in-walls')).toBe('0');
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
      await take(page, 10);
      await page.mouse.click(x, y);
      await take(page, 40);
      return crowdOf(page);
    };
    const first = await run();
    expect(await textOf(page, '#doors')).toMatch(/Upper door\s+closed/);
    // The upper leaf of the upper door is on its way to (0, 11) from (0, 13).
    expect(first.poses[4 * (first.people + 1) + 1]).toBeLessThan(12.5);
    expect(await run()).toEqual(first);
    expect(demo.complaints).toEqual([]);
  });

  test('bad numbers are said on the page', async () => {
    const { page, close } = await demos.open('crowd', { query: '?agents=abc' });
    expect(await textOf(page, '#notices')).toMatch(/\?agents=abc is no whole number from 1 to 20,000/);
    expect(await page.evaluate(() => document.documentElement.dataset.state)).toBe('failed');
    await close();
  });

  test('on a phone and in the dark, on the CPU for want of an adapter', async () => {
    const options = {
      query: '?run=0&scene=station',
      viewport: NARROW,
      colorScheme: 'dark',
      before: hideWebGpu,
    } as const;
    const { page, complaints, close } = await demos.open('crowd', options);
    expect(await textOf(page, '#notices')).toMatch(/runs on the CPU, with fewer people\s+There is no WebGPU/);
    const totals = await take(page, 60);
    expect(totals).toMatchObject({ steps: 60, inWalls: 0 });
    expect(nearestWall(await crowdOf(page)).least).toBeGreaterThan(0.004);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW.width);
    await demos.shoot(page, 'crowd-phone-dark');
    expect(complaints).toEqual([]);
    await close();
  });
});
