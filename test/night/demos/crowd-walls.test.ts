/** Walls that are drawn into the crowd's plan: people walk round them, nobody is in them, and bad ones are refused. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  answered,
  crowdOf,
  drag,
  drawAcrossTheFlow,
  drawWall,
  expectNobodyInWalls,
  take,
  type Point,
} from '../../demos/crowd-page.ts';
import { NARROW, openDemoPages, type DemoPages, type OpenDemo } from '../../demos/demo-pages.ts';

/** Metres: a cell of the crowd's grid, and a pen between the middles of its walls, which are 0.4 m thick. */
const CELL = 0.4;
const PEN = 1.5;

let demos: DemoPages;
let demo: OpenDemo;
beforeAll(async () => {
  demos = await openDemoPages('webgl');
  demo = await demos.open('crowd', { query: '?backend=cpu&run=0&agents=1&scene=doors' });
  await demo.page.click('#draw-wall');
});
afterAll(() => demos?.close());

test.each<[Point, Point, string]>([
  [[10, 10], [10.3, 10], 'A wall has at least 0.5 m'],
  [[-29, -15], [-29, -5], 'People enter there'],
  [[0, 6], [0, 14], 'A door slides there'],
  [[-31.9, -1], [-20, 19.9], 'It would cut off the way to West'],
])('a wall from %j to %j is refused: %s', async (from, to, reason) => {
  expect(await drawWall(demo.page, from, to)).toBe(`No wall there. ${reason}.`);
  expect(await demo.page.$eval('#undo-wall', (button) => (button as HTMLButtonElement).disabled)).toBe(true);
});

test('no wall can be drawn through a person', async () => {
  const { poses } = await crowdOf(demo.page);
  const [x, y] = poses;
  expect(await drawWall(demo.page, [x - 1, y], [x + 1, y])).toBe('No wall there. Somebody stands there.');
});

test('nobody can be walled in: the fourth wall around a person is refused', async () => {
  const { page } = demo;
  const { poses, size } = await crowdOf(page);
  // Around the middle of the person's cell, so that this cell stays free.
  const [x, y] = [0, 1].map(
    (axis) => (Math.floor(poses[axis] / CELL + size[axis] / 2 / CELL) + 0.5) * CELL - size[axis] / 2,
  );
  const corners: Point[] = [
    [x - PEN / 2, y - PEN / 2],
    [x + PEN / 2, y - PEN / 2],
    [x + PEN / 2, y + PEN / 2],
    [x - PEN / 2, y + PEN / 2],
  ];
  for (let k = 0; k < 3; k++) expect(await drawWall(page, corners[k], corners[k + 1])).toMatch(/^Drag/);
  expect(await drawWall(page, corners[3], corners[0])).toBe('No wall there. It would wall somebody in.');
  await page.click('#clear-walls');
  await take(page, 0);
});

test('Escape during a drag and other buttons of the mouse draw no wall', async () => {
  const { page } = demo;
  const { poses } = await crowdOf(page);
  await drag(page, [5, 14], [9, 14]);
  await page.keyboard.press('Escape');
  await page.mouse.move(700, 400);
  await page.mouse.up();
  await take(page, 0);
  expect((await crowdOf(page)).poses).toEqual(poses);
  expect(await page.$eval('#draw-wall', (button) => button.getAttribute('aria-pressed'))).toBe('false');
  await page.click('#draw-wall');
  await drag(page, [5, 14], [9, 14], 'right');
  await page.mouse.up({ button: 'right' });
  expect(await answered(page)).toMatch(/^Drag/);
  expect((await crowdOf(page)).poses).toEqual(poses);
});

test('a dozen walls can be drawn, undone and cleared', async () => {
  const { page } = demo;
  const walls = async (): Promise<number> => {
    const { poses, firstDrawn, size } = await crowdOf(page);
    return Array.from({ length: 12 }, (_, k) => poses[4 * (firstDrawn + k)]).filter((x) => x < size[0] / 2).length;
  };
  const [, y] = (await crowdOf(page)).poses;
  const free = y > 0 ? -10 : 10;
  for (let k = 0; k < 13; k++)
    expect(await drawWall(page, [5 + k, free], [5 + k, free + 3])).toMatch(
      k < 12 ? /^Drag/ : /^No wall there\. There are 12 walls already\.$/,
    );
  expect(await walls()).toBe(12);
  await page.click('#undo-wall');
  await take(page, 0);
  expect(await walls()).toBe(11);
  await page.click('#clear-walls');
  await take(page, 0);
  expect(await walls()).toBe(0);
  await page.keyboard.press('Escape');
  expect(await page.$eval('#draw-wall', (button) => button.getAttribute('aria-pressed'))).toBe('false');
  expect(demo.complaints).toEqual([]);
});

test('people walk round a wall across their way, and reset takes it away', async () => {
  const { page, complaints, close } = await demos.open('crowd', {
    query: '?backend=cpu&run=0&agents=120&scene=doors',
  });
  await take(page, 20);
  const before = await crowdOf(page);
  await page.click('#reset');
  await page.click('#draw-wall');
  await drawAcrossTheFlow(page);
  expect(await expectNobodyInWalls(page, 400)).toBeGreaterThan(0);
  await demos.shoot(page, 'crowd-walls');
  await page.click('#reset');
  await take(page, 20);
  expect(await crowdOf(page)).toEqual(before);
  expect(complaints).toEqual([]);
  await close();
});

test('a finger draws a wall, two fingers move the view', async () => {
  const { page, complaints, close } = await demos.open('crowd', {
    query: '?backend=cpu&run=0&agents=1&scene=doors',
    viewport: NARROW,
  });
  await page.$eval('#draw-wall', (button) => (button as HTMLButtonElement).click());
  const toPage = (x: number, y: number): Promise<[number, number]> =>
    page.evaluate((...place) => window.crowd.toPage(...place), x, y);
  const [from, to] = [await toPage(10, 14), await toPage(18, 14)];
  const finger = await page.touchscreen.touchStart(...from);
  await finger.move(...to);
  await finger.end();
  expect(await answered(page)).toMatch(/^Drag/);
  const { poses, firstDrawn } = await crowdOf(page);
  expect(poses[4 * firstDrawn]).toBeCloseTo(14, 0);
  const [first, second] = [await page.touchscreen.touchStart(...from), await page.touchscreen.touchStart(...to)];
  await second.move(to[0] + 60, to[1]);
  await first.end();
  await second.end();
  await answered(page);
  expect((await toPage(18, 14))[0]).toBeGreaterThan(to[0] + 20);
  expect((await crowdOf(page)).poses).toEqual(poses);
  await demos.shoot(page, 'crowd-walls-phone');
  expect(complaints).toEqual([]);
  await close();
});
