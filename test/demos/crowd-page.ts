/** The page of the crowd, and what tests read from it. */

import type { Page } from 'puppeteer';
import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import { expect } from 'vitest';
import { planar } from '../../src/cpu.ts';
import { textOf } from './page-tools.ts';

const NOWHERE = 0xffffffff;

export interface Crowd {
  /** Metres from left to right and from bottom to top. */
  size: readonly [number, number];
  people: number;
  firstDrawn: number;
  leaves: number;
  shapes: PlanarShapeDescription[];
  shapeOf: number[];
  poses: number[];
  destinations: number[];
}

export function take(page: Page, steps: number): Promise<Record<string, number>> {
  return page.evaluate(async (count) => ({ ...(await window.crowd.take(count)) }), steps);
}

export function crowdOf(page: Page): Promise<Crowd> {
  return page.evaluate(async () => {
    const { scene, people, firstDrawn, leaves, shapes, shapeOf } = window.crowd.world();
    const { poses, destinations } = await window.crowd.snapshot();
    return {
      size: scene.size,
      people,
      firstDrawn,
      leaves,
      shapes,
      shapeOf: [...shapeOf],
      poses: [...poses],
      destinations: [...destinations],
    };
  });
}

/**
 * The least signed distance of a person in the plan to a wall or leaf from body `first` on, and how many persons there
 * are.
 */
export function nearestWall(
  { people, shapes, shapeOf, poses, destinations }: Crowd,
  first = people,
): { least: number; present: number } {
  const made = shapes.map((shape) => planar.createShape(shape));
  const poseOf = (i: number): { position: number[]; angle: number } => ({
    position: [poses[4 * i], poses[4 * i + 1]],
    angle: poses[4 * i + 2],
  });
  let [least, present] = [Infinity, 0];
  for (let i = 0; i < people; i++) {
    if (destinations[i] === NOWHERE) continue;
    present++;
    for (let j = first; j < shapeOf.length; j++) {
      const [a, b] = [made[shapeOf[i]], made[shapeOf[j]]];
      const apart = Math.hypot(poses[4 * i] - poses[4 * j], poses[4 * i + 1] - poses[4 * j + 1]);
      if (apart > a.boundingRadius + b.boundingRadius + 1) continue;
      least = Math.min(least, planar.contact(a, poseOf(i), b, poseOf(j)).distance);
    }
  }
  return { least, present };
}

export type Point = readonly [number, number];

/** Drags with the mouse between two points of the plan, and holds the button. */
export async function drag(page: Page, from: Point, to: Point, button: 'left' | 'right' = 'left'): Promise<void> {
  const [[x0, y0], [x1, y1]] = await page.evaluate(
    (points) => points.map(([x, y]) => window.crowd.toPage(x, y)),
    [from, to],
  );
  await page.mouse.move(x0, y0);
  await page.mouse.down({ button });
  await page.mouse.move(x1, y1, { steps: 3 });
}

/** Draws with the mouse between two points of the plan, and returns what the page says. */
export async function drawWall(page: Page, from: Point, to: Point): Promise<string> {
  await drag(page, from, to);
  await page.mouse.up();
  return answered(page);
}

/** What the page says about the wall, once it has been added or refused. */
export async function answered(page: Page): Promise<string> {
  await take(page, 0);
  return textOf(page, '#hint');
}

/** Draws a wall of 5 m across the way through the upper door, at the first place where nobody stands. */
export async function drawAcrossTheFlow(page: Page): Promise<void> {
  for (let x = 3; x < 12; x += 0.5) {
    const said = await drawWall(page, [x, 7.5], [x, 12.5]);
    if (said.startsWith('Drag')) {
      const { poses, firstDrawn } = await crowdOf(page);
      expect(poses[4 * firstDrawn]).toBeCloseTo(x, 1);
      return;
    }
    expect(said).toBe('No wall there. Somebody stands there.');
  }
  throw new Error('there are people everywhere');
}

/** Four rounds of steps, after each of which nobody is in a wall. Returns how many people have arrived. */
export async function expectNobodyInWalls(page: Page, steps: number): Promise<number> {
  let nearest = Infinity;
  let arrived = 0;
  for (let round = 1; round <= 4; round++) {
    const totals = await take(page, steps / 4);
    expect(totals).toMatchObject({ steps: (round * steps) / 4, inWalls: 0, invalid: 0, wallOverflow: 0 });
    arrived = totals.arrived;
    const crowd = await crowdOf(page);
    expect(nearestWall(crowd).least).toBeGreaterThan(0.004);
    nearest = Math.min(nearest, nearestWall(crowd, crowd.firstDrawn).least);
  }
  // Somebody has walked along the drawn wall.
  expect(nearest).toBeLessThan(0.9);
  return arrived;
}
