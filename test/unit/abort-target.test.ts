/**
 * The target of a query that is aborted, at every moment from its last chunk to its end: nothing is written once the
 * signal has fired.
 */

import { expect, test } from 'vitest';
import { answerPair } from '../../src/cpu/answer-pair.ts';
import { createCpuBackend } from '../../src/cpu/backend.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { makeTester } from '../../src/tester/tester.ts';
import { noOtherCpu } from '../helpers/no-other-cpu.ts';
import type { MovingBodies, Tester } from '../../src/api/types.ts';
import { afterMicrotasks, isMarked, markedTarget, runAborted, watchEnds } from '../helpers/abort.ts';
import { balls, ballPairs, ballShapes } from '../helpers/balls.ts';

const bodies: MovingBodies = {
  ...balls,
  linearVelocities: Float32Array.from(balls.positions, (_, i) => (i % 3 === 0 ? (i % 2) - 0.5 : 0)),
};
const pairs = ballPairs(3000);
/** More than are cast without a request to the backend. */
const RAYS = 100;
const rays = {
  origins: Float32Array.from({ length: 3 * RAYS }, (_, i) => [0.06 * (i - 1), 9, 0][i % 3]),
  directions: Float32Array.from({ length: 3 * RAYS }, (_, i) => [0, -1, 0][i % 3]),
};
const noHook = (): void => {};
/** More microtasks than there are between the last chunk and the promise. */
const MOST = 12;

type Ask = (tester: Tester, target?: never, signal?: AbortSignal) => Promise<object>;
const queries: [string, Ask][] = [
  ...(['all', 'hits'] as const).flatMap((results): [string, Ask][] => [
    [
      `intersects, ${results}`,
      (tester, target, signal) => tester.intersects(bodies, pairs, { results, target, signal }),
    ],
    [`distances, ${results}`, (tester, target, signal) => tester.distances(bodies, pairs, { results, target, signal })],
    [`contacts, ${results}`, (tester, target, signal) => tester.contacts(bodies, pairs, { results, target, signal })],
    [`manifolds, ${results}`, (tester, target, signal) => tester.manifolds(bodies, pairs, { results, target, signal })],
    [
      `impacts, ${results}`,
      (tester, target, signal) => tester.impacts(bodies, pairs, { results, target, signal, duration: 9 }),
    ],
  ]),
  [
    'impacts, earliest',
    (tester, target, signal) => tester.impacts(bodies, pairs, { results: 'earliest', target, signal, duration: 9 }),
  ],
  ['rayCasts', (tester, target, signal) => tester.rayCasts(bodies, rays, { target, signal })],
];

test.each(queries)('%s', async (name, ask) => {
  let onEnd = noHook;
  const tester = makeTester(
    watchEnds(createCpuBackend(answerPair), () => onEnd()),
    dimension3,
    async () => answerPair,
    noOtherCpu,
  );
  for (const shape of ballShapes) tester.addShape(shape);
  const model = await ask(tester);
  const codes = new Set<string | undefined>();
  for (let moment = 0; moment < MOST; moment++) {
    const target = markedTarget(model);
    const controller = new AbortController();
    onEnd = () => {
      onEnd = noHook;
      if (moment === 0) controller.abort();
      else void afterMicrotasks(moment, () => controller.abort());
    };
    const { code, isUntouched } = await runAborted(
      target,
      (...parameters) => ask(tester, ...parameters),
      controller,
      () => tester.intersects(bodies, pairs),
    );
    codes.add(code);
    expect(isUntouched, `${moment} microtasks after the last chunk`).toBe(true);
    // Slot by slot it is written chunk by chunk, before the abort; hits are not written at all.
    if (moment === 0 && !name.endsWith('all') && name !== 'rayCasts') expect(isMarked(target)).toBe(true);
  }
  expect([...codes]).toEqual(['ABORTED', undefined]);
});

test('a target that is too short leaves the others of its arrays as they were', async () => {
  const tester = makeTester(createCpuBackend(answerPair), dimension3, async () => answerPair, noOtherCpu);
  for (const shape of ballShapes) tester.addShape(shape);
  const target = markedTarget(await tester.rayCasts(bodies, rays));
  await expect(
    tester.rayCasts(bodies, rays, { target: { ...target, body: new Uint32Array(1) } as never }),
  ).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  expect(isMarked(target)).toBe(true);
});

test('a signal that has fired already ends a query before those that were asked earlier', async () => {
  const tester = makeTester(createCpuBackend(answerPair), dimension3, async () => answerPair, noOtherCpu);
  for (const shape of ballShapes) tester.addShape(shape);
  const ends: string[] = [];
  const earlier = tester.contacts(bodies, ballPairs(20_000)).then(() => ends.push('earlier'));
  const aborted = tester.contacts(bodies, pairs, { signal: AbortSignal.abort() }).catch(() => ends.push('aborted'));
  await Promise.all([earlier, aborted]);
  expect(ends).toEqual(['aborted', 'earlier']);
});
