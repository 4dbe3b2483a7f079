/** Random captures, and what the inspector makes of them. */

import { expect } from 'vitest';
import type { Capture, PlanarTester, SpaceCapture, Tester } from '../../src/api/types.ts';
import { traceCapture } from '../../src/cpu.ts';
import { capturePair, PLANAR_REQUESTS, planarPairWith, randomPair } from '../helpers/random-captures.ts';
import type { DemoPages } from './demo-pages.ts';
import type { InspectorPage } from './inspector-page.ts';

declare const inspector: InspectorPage;

/** Convex pairs in 3-D of every query and algorithm. */
export async function randomCaptures(tester: Tester, count: number): Promise<SpaceCapture[]> {
  const captures: SpaceCapture[] = [];
  for (let i = 0; captures.length < count; i++) {
    const pair = randomPair(4, i, 3);
    if (pair.shapes.slice(1, 3).some(({ type }) => type === 'compound' || type === 'mesh')) continue;
    captures.push((await capturePair(tester, pair)) as SpaceCapture);
  }
  return captures;
}

/** Pairs in 2-D, so many of every query and algorithm. */
export async function planarCaptures(tester: PlanarTester, perRequest: number): Promise<Capture[]> {
  const captures: Capture[] = [];
  for (const [r, request] of PLANAR_REQUESTS.entries())
    for (let i = 0, found = 0; found < perRequest; i++) {
      const pair = planarPairWith(5, 100 * r + i, request);
      if (!pair) continue;
      captures.push(await capturePair(tester, pair));
      found++;
    }
  return captures;
}

/** Loads each capture in the page, whose last step must be the query’s answer. */
export async function expectAnswers(demos: DemoPages, captures: readonly Capture[], seed: string): Promise<void> {
  const { page } = await demos.open('inspector');
  const answers = (await page.evaluate(
    (list) =>
      list.map((capture) => {
        const { result, steps } = inspector.load(capture);
        return JSON.parse(
          JSON.stringify({ ...result, steps }, (_, x: unknown) =>
            x === Infinity ? 1e30 : x === -Infinity ? -1e30 : x,
          ),
        ) as object;
      }),
    captures as unknown[],
  )) as Record<string, unknown>[];
  expect(answers.length).toBe(captures.length);
  captures.forEach((capture, i) => {
    const label = `${seed}, capture ${i}: ${capture.query} of ${capture.shapes.map(({ type }) => type).join(' and ')}`;
    const asked = capture.result as unknown as Record<string, unknown>;
    const steps = traceCapture(capture);
    expect(answers[i].steps, label).toBe(steps.length);
    expect(answers[i].status, label).toBe(asked.status);
    if ('hit' in asked) expect(answers[i].hit, label).toBe(asked.hit);
    for (const name of ['distance', 'time']) {
      if (!(name in answers[i])) continue;
      const truth = Number(asked[name] ?? asked.contactDistance);
      // Answers of testers are rounded to f32.
      const bounded = Math.max(-1e30, Math.min(truth, 1e30));
      expect(Math.abs(Number(answers[i][name]) - bounded), label).toBeLessThanOrEqual(
        1e-6 * Math.max(1, Math.abs(bounded)),
      );
    }
    if ('points' in asked)
      expect((answers[i].points as unknown[]).length, label).toBe((asked.points as unknown[]).length);
  });
  await page.close();
}
