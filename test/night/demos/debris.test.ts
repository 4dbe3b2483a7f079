/** The demo of debris on WebGPU in headless Chrome: bodies come to rest, the same steps give the same bits, balls move blocks. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NARROW, openDemoPages } from '../../demos/demo-pages.ts';
import { allowLosingDevice, loseDevice } from '../../demos/lose-device.ts';
import type { DemoPages, OpenDemo } from '../../demos/demo-pages.ts';
import { contact, createShape } from '../../../src/cpu.ts';
import { contactPixels, dragHighest, fastest, heights, run } from '../../demos/debris-page.ts';
import type { State } from '../../demos/debris-page.ts';

const BODIES = 36;
const BLOCK = { type: 'box', halfExtents: [0.2, 0.1, 0.1] } as const;
const QUERY = `?backend=webgpu&bodies=${BODIES}&ahead=yes&paused`;

let pages: DemoPages;
beforeAll(async () => {
  pages = await openDemoPages('webgpu');
});
afterAll(() => pages?.close());

/** The greatest overlap of two blocks, by the double-precision reference. */
function deepestOverlap({ poses, firstBall }: State): number {
  const block = createShape(BLOCK);
  const pose = (body: number) => ({
    position: poses.slice(8 * body, 8 * body + 3),
    quaternion: poses.slice(8 * body + 4, 8 * body + 8),
  });
  let deepest = 0;
  for (let a = 1; a < firstBall; a++) {
    for (let b = a + 1; b < firstBall; b++) {
      const apart = Math.hypot(...[0, 1, 2].map((k) => poses[8 * a + k] - poses[8 * b + k]));
      if (apart < 0.5) deepest = Math.max(deepest, -contact(block, pose(a), block, pose(b)).distance);
    }
  }
  return deepest;
}

/** Runs in the page before its scripts: loses the device some time after the look-ahead has begun. */
function loseWhileLooking(): void {
  const timer = setInterval(() => {
    if (document.getElementById('skip')?.hidden !== false) return;
    clearInterval(timer);
    (globalThis as unknown as { destroyDevice(): void }).destroyDevice();
  }, 10);
}

/** Runs in the page before its scripts: makes each reading from the GPU, as after ten steps of a look-ahead, half a second longer. */
function readSlowly(): void {
  const { mapAsync } = GPUBuffer.prototype;
  GPUBuffer.prototype.mapAsync = async function (...parameters) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    return mapAsync.apply(this, parameters);
  };
}

describe('on WebGPU', () => {
  let demo: OpenDemo;
  let atRest: State;
  beforeAll(async () => {
    demo = await pages.open('debris', { query: QUERY, before: allowLosingDevice });
  });
  afterAll(() => demo?.close());

  test('the panel has its figures before the first step', async () => {
    const rows = await demo.page.$$eval('#figures dt, #timings dt', (terms) =>
      terms.map((term) => [term.textContent, term.nextElementSibling?.textContent]),
    );
    expect(rows).toEqual([
      ['Backend', 'WebGPU'],
      ['Bodies', String(BODIES)],
      ['Pairs', '–'],
      ['Contacts', '–'],
      ['Steps', '0'],
      ['Pairs', '–'],
      ['Manifolds', '–'],
      ['Solver', '–'],
      ['Drawing, CPU time', '–'],
    ]);
  });

  test('the wall falls, comes to rest on the ground, and a second run ends with the same bits', async () => {
    await pages.shoot(demo.page, 'debris-wall');
    const first = await demo.page.evaluate(() => window.debris.firstRun()!);
    atRest = await run(demo.page, first.steps);
    expect(atRest.steps).toBe(first.steps);
    expect(atRest.poses).toEqual(first.poses);
    expect(fastest(atRest)).toBe(0);
    expect(Math.max(...heights(atRest))).toBeLessThan(1.2);
    expect(Math.min(...heights(atRest))).toBeGreaterThan(0.1 - 0.01);
    expect(Math.max(...atRest.poses.slice(8, 8 * atRest.firstBall).map(Math.abs))).toBeLessThan(60);
    expect(deepestOverlap(atRest)).toBeLessThan(0.01);
    await demo.page.evaluate(() => window.debris.draw());
    await pages.shoot(demo.page, 'debris-rest');
  });

  test('the picture has many colours', async () => {
    const image = await demo.page.$eval('#view', (canvas) => {
      const copy = document.createElement('canvas');
      [copy.width, copy.height] = [64, 40];
      window.debris.draw();
      const context = copy.getContext('2d')!;
      context.drawImage(canvas as HTMLCanvasElement, 0, 0, 64, 40);
      return Array.from(context.getImageData(0, 0, 64, 40).data);
    });
    const colours = new Set<string>();
    for (let i = 0; i < image.length; i += 4)
      colours.add(
        image
          .slice(i, i + 3)
          .map((x) => x >> 4)
          .join(),
      );
    expect(colours.size).toBeGreaterThan(8);
  });

  test('contacts are shown without bodies', async () => {
    await demo.page.select('#view-mode', 'hidden');
    expect(await contactPixels(demo.page)).toBeGreaterThan(5);
    await demo.page.select('#view-mode', 'solid');
  });

  test('a ball moves blocks that lie', async () => {
    const before = await run(demo.page, 1);
    const target = [0, 1, 2].map((k) => before.poses[8 + k]);
    await demo.page.evaluate(([x, y, z]) => window.debris.throwBall([x - 3, y + 1.2, z], [15, -4, 0]), target);
    const after = await run(demo.page, 40);
    const moved = [0, 1, 2].map((k) => after.poses[8 + k] - target[k]);
    expect(Math.hypot(...moved)).toBeGreaterThan(0.05);
  });

  test('space, full stop and R run, step and reset', async () => {
    await demo.page.evaluate(() => window.debris.reset());
    await demo.page.focus('#view');
    await demo.page.keyboard.press('.');
    await demo.page.waitForFunction(() => window.debris.steps === 1);
    await demo.page.keyboard.press('Space');
    await demo.page.waitForFunction(() => window.debris.steps > 2);
    await demo.page.waitForFunction(() =>
      Array.from(document.querySelectorAll('#timings dd'), (row) => Number(row.textContent)).every((ms) => ms > 0),
    );
    await demo.page.keyboard.press('Space');
    await demo.page.keyboard.press('r');
    expect(await demo.page.$eval('#pause', (button) => button.textContent)).toBe('Run');
    expect(demo.complaints).toEqual([]);
  });

  test('a lost device is reported, with an offer to go on', async () => {
    await loseDevice(demo.page);
    await demo.page.waitForSelector('#recover');
    await Promise.all([demo.page.waitForNavigation(), demo.page.click('#recover')]);
    expect(new URL(demo.page.url()).searchParams.get('bodies')).toBe(String(BODIES));
  });
});

test('a device lost while the page looks ahead is reported, with an offer to go on', async () => {
  const { page, close } = await pages.open('debris', {
    query: QUERY,
    // Slow readings, so that the one under way fails after the page knows of the loss.
    before: `(${allowLosingDevice})(); (${loseWhileLooking})(); (${readSlowly})();`,
  });
  await page.waitForSelector('#skip[hidden]');
  expect(await page.$('#recover')).not.toBeNull();
  expect(await page.evaluate(() => document.documentElement.dataset.state)).toBe('failed');
  expect(await page.$eval('#notices', (list) => list.textContent)).toContain('The device was lost');
  await close();
});

test('a slow adapter does not look ahead for long, says so, and a block follows the pointer', async () => {
  const { page, complaints, close } = await pages.open('debris', {
    query: `?backend=webgpu&bodies=${BODIES}&paused`,
    before: readSlowly,
  });
  expect(await page.$eval('#progress', (text) => text.textContent)).toMatch(/would take about \d+ s here/);
  expect(await page.evaluate(() => window.debris.firstRun() === undefined && window.debris.steps === 0)).toBe(true);
  await pages.shoot(page, 'debris-plain');
  const place = await dragHighest(page, { x: 60, y: -80 }, 20);
  expect(Math.hypot(place.x - place.goal.x, place.y - place.goal.y)).toBeLessThan(30);
  expect(complaints).toEqual([]);
  await close();
});

test('on a phone, the controls stay below the view', async () => {
  const demo = await pages.open('debris', { query: `${QUERY}&scene=solid`, viewport: NARROW, colorScheme: 'dark' });
  await pages.shoot(demo.page, 'debris-phone');
  const width = await demo.page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(NARROW.width);
  expect(demo.complaints).toEqual([]);
  await demo.close();
});

test('a wrong number of bodies is refused with the reason', async () => {
  const demo = await pages.open('debris', { query: '?backend=webgpu&bodies=abc' });
  expect(await demo.page.$eval('#notices', (list) => list.textContent)).toContain(
    '?bodies=abc is not a number of bodies',
  );
  await demo.close();
});
