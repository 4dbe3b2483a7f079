/** The playground's page: random scenes to load, the reference's answers to them, and what tests do in the page. */

import type { Page } from 'puppeteer';
import { expect } from 'vitest';
import * as cpu from '../../src/cpu.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import type { Random } from '../../verification/families/random.ts';
import { pixelsAt } from './pixels.ts';

export type PlaygroundScene = ReturnType<Window['playground']['scene']>;
type BodyState = PlaygroundScene['bodies'][number];
type AnyShape = BodyState['shape'];
export type Answer = NonNullable<Awaited<ReturnType<Window['playground']['settled']>>>;

export function load(page: Page, scene: PlaygroundScene): Promise<Answer | null> {
  return page.evaluate((next) => {
    window.playground.load(next);
    return window.playground.settled();
  }, scene);
}

export function settled(page: Page): Promise<Answer | null> {
  return page.evaluate(() => window.playground.settled());
}

const SHAPES: Record<2 | 3, AnyShape[]> = {
  3: [
    { type: 'sphere', radius: 0.5 },
    { type: 'box', halfExtents: [0.6, 0.4, 0.5], radius: 0.125 },
    { type: 'capsule', halfHeight: 0.5, radius: 0.25 },
    { type: 'cylinder', halfHeight: 0.5, radius: 0.375 },
    { type: 'cone', halfHeight: 0.5, radius: 0.5 },
    { type: 'ellipsoid', radii: [0.75, 0.375, 0.5] },
    { type: 'triangle', points: [-0.7, -0.4, 0, 0.7, -0.4, 0, 0, 0.8, 0] },
    { type: 'hull', points: [0.5, 0, 0, -0.5, 0, 0.25, 0, 0.5, 0, 0, -0.5, 0, 0, 0, 0.5, 0, 0, -0.5] },
  ],
  2: [
    { type: 'circle', radius: 0.5 },
    { type: 'segment', points: [-0.5, 0, 0.5, 0.25], radius: 0.125 },
    { type: 'capsule', halfHeight: 0.5, radius: 0.25 },
    { type: 'rectangle', halfExtents: [0.75, 0.5] },
    { type: 'polygon', points: [0.75, 0, 0.25, 0.75, -0.5, 0.5, -0.75, -0.25, 0, -0.75] },
  ],
};

function randomBody(random: Random, dimension: 2 | 3, shape: AnyShape): BodyState {
  const numbers = (count: number, most: number): number[] =>
    Array.from({ length: count }, () => Math.round(1e4 * uniform(random, -most, most)) / 1e4);
  return {
    shape,
    position: numbers(dimension, 0.9),
    rotation: dimension === 2 ? numbers(1, 3) : unitVector(random, [0, 0, 0, 0]).map((x) => Math.round(1e4 * x) / 1e4),
    linear: numbers(dimension, 1),
    angular: numbers(dimension === 2 ? 1 : 3, 1),
  };
}

/** A dozen scenes of all shapes. */
export function randomScenes(): PlaygroundScene[] {
  const random = createRandom(26);
  return Array.from({ length: 12 }, (_, i) => {
    const dimension = i < 8 ? 3 : 2;
    const shapes = SHAPES[dimension];
    const bodies = [shapes[i % shapes.length], shapes[(3 * i + 1) % shapes.length]].map((shape) =>
      randomBody(random, dimension, shape),
    ) as [BodyState, BodyState];
    return { dimension, bodies, algorithm: 'auto', margin: 0, duration: 2 };
  });
}

function list(values: ArrayLike<number>): number[] {
  return Array.from(values, Math.fround);
}

function roundedShape(shape: AnyShape): never {
  return Object.fromEntries(
    Object.entries(shape).map(([name, value]) => [
      name,
      typeof value === 'number' ? Math.fround(value) : typeof value === 'object' ? list(value as number[]) : value,
    ]),
  ) as never;
}

/** The reference's answers to the scene as the package takes it: rounded to f32. */
export function referenceOf({ dimension, bodies, duration }: PlaygroundScene) {
  const poses = bodies.map(({ position, rotation, linear, angular }) => ({
    position: list(position),
    ...(dimension === 2 ? { angle: Math.fround(rotation[0]) } : { quaternion: list(rotation) }),
    linearVelocity: list(linear),
    angularVelocity: dimension === 2 ? Math.fround(angular[0]) : list(angular),
  })) as never[];
  const of = dimension === 2 ? (cpu.planar as unknown as typeof cpu) : cpu;
  const [a, b] = bodies.map(({ shape }) => of.createShape(roundedShape(shape)));
  return {
    contact: of.contact(a, poses[0], b, poses[1], { margin: Infinity }),
    manifold: of.manifold(a, poses[0], b, poses[1]),
    impact: of.impact(a, poses[0], b, poses[1], { duration }),
    size: a.boundingRadius + b.boundingRadius + 2,
  };
}

export function expectReference(answer: Answer | null, scene: PlaygroundScene, tolerance: number): void {
  const { contact, manifold, impact, size } = referenceOf(scene);
  const near = (value: number, to: number): void => expect(Math.abs(value - to)).toBeLessThanOrEqual(tolerance * size);
  expect(answer!.contact.status).toBe(contact.status);
  near(answer!.contact.distance, contact.distance);
  answer!.contact.normal.forEach((x, k) => near(x, contact.normal[k]));
  answer!.contact.pointA.forEach((x, k) => near(x, contact.pointA[k]));
  answer!.contact.pointB.forEach((x, k) => near(x, contact.pointB[k]));
  expect(answer!.manifolds[0].points).toHaveLength(manifold.points.length);
  manifold.points.forEach(({ distance }, i) => near(answer!.manifolds[0].points[i].distance, distance));
  // Infinity arrives from the page as null.
  const time = answer!.impact!.time ?? Infinity;
  expect(time < Infinity).toBe(impact.time < Infinity);
  if (time < Infinity) near(time, impact.time);
}

export function drop(page: Page, name: string, text: string, shiftKey: boolean): Promise<void> {
  return page.evaluate(
    (fileName, content, shift) => {
      const files = new DataTransfer();
      files.items.add(new File([content], fileName));
      dispatchEvent(new DragEvent('drop', { dataTransfer: files, shiftKey: shift }));
    },
    name,
    text,
    shiftKey,
  );
}

/** The answer after a change that leaves the scene as it is. */
export function askAgain(page: Page): Promise<Answer | null> {
  return page.evaluate(() => {
    window.playground.load(window.playground.scene());
    return window.playground.settled();
  });
}

/** Body A is blue, body B is orange, and nothing covers them. */
export async function expectBodies(page: Page, picture: Uint8Array): Promise<void> {
  const places = await page.evaluate(() => [0, 1].map((body) => window.playground.pageOf(body)));
  const shown = await page.evaluate((points) => points.map(({ x, y }) => document.elementFromPoint(x, y)?.id), places);
  expect(shown).toEqual(['view', 'view']);
  const [a, b] = await pixelsAt(
    page,
    picture,
    places.map(({ x, y }) => ({ x, y: y + 14 })),
  );
  expect(a.blue - a.red).toBeGreaterThan(30);
  expect(b.red - b.blue).toBeGreaterThan(30);
}
