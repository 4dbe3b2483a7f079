/** The page of the debris demo: steps without drawing, and what its bodies do. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'puppeteer';

export interface State {
  poses: number[];
  motions: number[];
  firstBall: number;
  steps: number;
}

/** Steps in small portions, and returns what the simulation then holds. */
export function run(page: Page, steps: number): Promise<State> {
  return page.evaluate(async (count) => {
    const demo = window.debris;
    for (let done = 0; done < count; done += 10) await demo.step(Math.min(10, count - done));
    const [poses, motions] = [await demo.poses(), await demo.motions()];
    return { poses, motions, firstBall: demo.firstBall, steps: demo.steps };
  }, steps);
}

export function heights({ poses, firstBall }: State): number[] {
  return Array.from({ length: firstBall - 1 }, (_, i) => poses[8 * (i + 1) + 1]);
}

/** The number of pixels in the colours of contacts that press, in a picture of 320 x 200 of the view. */
export function contactPixels(page: Page): Promise<number> {
  return page.$eval('#view', async (canvas) => {
    // A chosen view is shown in its turn.
    await window.debris.step(0);
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [320, 200];
    window.debris.draw();
    const context = copy.getContext('2d')!;
    context.drawImage(canvas as HTMLCanvasElement, 0, 0, 320, 200);
    const { data } = context.getImageData(0, 0, 320, 200);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] > data[i + 2] + 60) count++;
    return count;
  });
}

export function fastest({ motions, firstBall }: State): number {
  const speeds = Array.from({ length: firstBall - 1 }, (_, i) =>
    Math.hypot(...motions.slice(8 * (i + 1), 8 * (i + 1) + 3)),
  );
  return Math.max(...speeds);
}

export function distanceMoved(from: State, to: State, body: number): number {
  return Math.hypot(...[0, 1, 2].map((k) => to.poses[8 * body + k] - from.poses[8 * body + k]));
}

/**
 * Presses the pointer on the highest body, moves it so far in pixels, and steps. Returns where the body then is in the
 * window, and where the pointer is.
 */
export async function dragHighest(page: Page, way: { x: number; y: number }, steps: number) {
  const lying = heights(await run(page, 1));
  const body = 1 + lying.indexOf(Math.max(...lying));
  const placeOf = () => page.evaluate((index) => window.debris.placeOf(index), body);
  const start = await placeOf();
  const goal = { x: start.x + way.x, y: start.y + way.y };
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.waitForSelector('#view.dragging');
  // A press that is not longer than a click drags nothing.
  await sleep(200);
  await page.mouse.move(goal.x, goal.y, { steps: 4 });
  await run(page, steps);
  return { body, goal, ...(await placeOf()) };
}
