/** From `createTester` to `dispose`: backends, aborts, order of queries, rounding of what goes in. */

import { describe, expect, test } from 'vitest';
import { createTester } from '../../src/index.ts';
import { createTester as createNodeTester } from '../../src/node.ts';
import { Status, type PosedBodies, type Tester, type TesterOptions } from '../../src/api/types.ts';
import { ballPairs, balls, ballShapes } from '../helpers/balls.ts';

const PAIR = Uint32Array.of(0, 1);

/** Two bodies of the first shape, `x` apart. */
function row(x: number, scales?: Float32Array): PosedBodies {
  return {
    shapes: new Uint32Array(2),
    positions: Float32Array.of(0, 0, 0, x, 0, 0),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
    ...(scales && { scales }),
  };
}

async function withBalls(): Promise<Tester> {
  const tester = await createTester({ backend: 'cpu' });
  for (const shape of ballShapes) tester.addShape(shape);
  return tester;
}

describe('createTester', () => {
  test("gives the CPU when asked for it, or for 'auto' where there is no WebGPU", async () => {
    expect(globalThis.navigator?.gpu).toBeUndefined();
    for (const options of [{ backend: 'cpu' }, { backend: 'auto' }, {}, undefined] as (TesterOptions | undefined)[]) {
      const tester = await createTester(options);
      expect(tester.backend).toBe('cpu');
      expect(tester.adapter.isSoftware).toBe(true);
      expect(tester.adapter.description).not.toBe('');
      expect(tester.limits.maxHullVertices).toBeGreaterThanOrEqual(4096);
    }
  });

  test("fails with WEBGPU_UNAVAILABLE for 'webgpu' where there is none, and says why", async () => {
    await expect(createTester({ backend: 'webgpu' })).rejects.toMatchObject({
      name: 'NarrowphaseError',
      code: 'WEBGPU_UNAVAILABLE',
      message: expect.stringContaining('navigator.gpu'),
    });
    const gpu = { requestAdapter: async () => null } as unknown as GPU;
    await expect(createTester({ backend: 'webgpu', gpu })).rejects.toMatchObject({
      code: 'WEBGPU_UNAVAILABLE',
      message: expect.stringContaining('adapter'),
    });
    expect((await createTester({ gpu })).backend).toBe('cpu');
  });

  test.each([createTester, createNodeTester])('refuses unknown backends and dimensions', async (create) => {
    await expect(create({ backend: 'cuda' as never })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^options\.backend is "cuda", expected/),
    });
    await expect(create({ backend: 'cpu', dimension: 4 as never })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^options\.dimension is 4, expected 2 or 3/),
    });
  });
});

describe('dispose', () => {
  test('ends everything with DISPOSED, and may be called twice', async () => {
    const tester = await withBalls();
    tester.dispose();
    tester.dispose();
    for (const query of ['intersects', 'distances', 'contacts'] as const) {
      await expect(tester[query](balls, ballPairs(3))).rejects.toMatchObject({
        name: 'NarrowphaseError',
        code: 'DISPOSED',
      });
    }
    const disposed = expect.objectContaining({ code: 'DISPOSED' });
    expect(() => tester.addShape({ type: 'sphere', radius: 1 })).toThrowError(disposed);
    expect(() => tester.removeShape(0)).toThrowError(disposed);
  });

  test('ends queries that wait for others', async () => {
    const tester = await withBalls();
    const outcomes = Promise.allSettled([
      tester.contacts(balls, ballPairs(50_000)),
      tester.contacts(balls, ballPairs(3)),
    ]);
    tester.dispose();
    expect((await outcomes)[1]).toMatchObject({ status: 'rejected', reason: { code: 'DISPOSED' } });
  });

  test('is what `using` calls', async () => {
    const tester = await withBalls();
    tester[Symbol.dispose]();
    await expect(tester.contacts(balls, ballPairs(3))).rejects.toMatchObject({ code: 'DISPOSED' });
  });
});

describe('abort', () => {
  test('before a query starts: nothing runs, the reason is the cause', async () => {
    const tester = await withBalls();
    const reason = new Error('changed my mind');
    const query = tester.contacts(balls, ballPairs(10), { signal: AbortSignal.abort(reason) });
    await expect(query).rejects.toMatchObject({ name: 'NarrowphaseError', code: 'ABORTED', cause: reason });
  });

  test('during a query: it ends, the next one runs', async () => {
    const tester = await withBalls();
    const controller = new AbortController();
    const running = tester.contacts(balls, ballPairs(200_000), { signal: controller.signal });
    const outcome = expect(running).rejects.toMatchObject({ code: 'ABORTED' });
    const next = tester.intersects(balls, ballPairs(10));
    setTimeout(() => controller.abort());
    await outcome;
    expect((await next).count).toBe(10);
  });

  test('after a query: its result stands', async () => {
    const tester = await withBalls();
    const controller = new AbortController();
    const { count } = await tester.contacts(balls, ballPairs(10), { signal: controller.signal });
    controller.abort();
    expect(count).toBe(10);
  });
});

describe('a query that fails', () => {
  test('does not disturb the ones behind it', async () => {
    const tester = await withBalls();
    const short = await tester.contacts(balls, ballPairs(1));
    const failing = tester.contacts(balls, ballPairs(100), { target: short });
    const good = tester.contacts(balls, ballPairs(100));
    await expect(failing).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect((await good).count).toBe(100);
  });
});

describe('what a query reads', () => {
  test('lengths are rounded to f32 on entry', async () => {
    const tester = await createTester({ backend: 'cpu' });
    tester.addShape({ type: 'sphere', radius: 0.1 });
    const { distance } = await tester.distances(row(1), PAIR);
    expect(distance[0]).toBe(Math.fround(1 - 2 * Math.fround(0.1)));
  });

  test('shapes added later count from the next query on', async () => {
    const tester = await createTester({ backend: 'cpu' });
    tester.addShape({ type: 'sphere', radius: 0.5 });
    expect((await tester.distances(row(2), PAIR)).distance[0]).toBe(1);
    tester.removeShape(0);
    tester.addShape({ type: 'sphere', radius: 0.75 });
    expect((await tester.distances(row(2), PAIR)).distance[0]).toBe(0.5);
  });

  test('a pair may name a body twice, and the same pair may come again', async () => {
    const tester = await createTester({ backend: 'cpu' });
    tester.addShape({ type: 'box', halfExtents: [0.5, 1, 1.5] });
    const { distance, status } = await tester.contacts(row(2), Uint32Array.of(0, 0, 1, 1, 0, 1, 0, 1), {
      margin: Infinity,
    });
    expect(Array.from(distance)).toEqual([-1, -1, 1, 1]);
    expect(Array.from(status)).toEqual([1, 1, 0, 0]);
  });

  test('the default margin is Infinity for distances and 0 otherwise', async () => {
    const tester = await createTester({ backend: 'cpu' });
    tester.addShape({ type: 'capsule', halfHeight: 1, radius: 0.5 });
    const apart = row(3);
    const [gap] = await tester.distances(apart, PAIR);
    expect(gap).toMatchObject({ distance: 2, normal: [1, 0, 0] });
    expect([gap.pointA[0], gap.pointB[0]]).toEqual([0.5, 2.5]);
    expect((await tester.distances(apart, PAIR, { results: 'hits' })).count).toBe(1);
    expect((await tester.contacts(apart, PAIR, { results: 'hits' })).count).toBe(0);
    expect((await tester.intersects(apart, PAIR)).hits).toBe(0);
    expect((await tester.intersects(apart, PAIR, { margin: 2 })).hits).toBe(1);
    expect((await tester.intersects(apart, PAIR, { margin: 1.999 })).hits).toBe(0);
  });

  test('touch is a hit and an overlap', async () => {
    const tester = await createTester({ backend: 'cpu' });
    tester.addShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    const { status, hit, hits } = await tester.intersects(row(1), PAIR);
    expect([status[0], hit[0], hits]).toEqual([Status.Overlapping, 1, 1]);
    const [contact] = await tester.contacts(row(1), PAIR);
    expect(contact).toMatchObject({ status: Status.Overlapping, distance: 0, normal: [1, 0, 0] });
    const [gap] = await tester.distances(row(1), PAIR);
    expect(gap).toMatchObject({
      status: Status.Overlapping,
      distance: 0,
      normal: [0, 0, 0],
      pointA: [0, 0, 0],
      pointB: [0, 0, 0],
    });
  });

  test('statuses are counted over all pairs', async () => {
    const tester = await createTester({ backend: 'cpu' });
    tester.addShape({ type: 'sphere', radius: 0.5 });
    const bodies = {
      ...row(2),
      shapes: new Uint32Array(3),
      positions: Float32Array.of(0, 0, 0, 2, 0, 0, 2.5, 0, 0),
      quaternions: Float32Array.from([0, 1, 2].flatMap(() => [0, 0, 0, 1])),
    };
    for (const results of ['all', 'hits'] as const) {
      const { statusCounts } = await tester.contacts(bodies, Uint32Array.of(0, 1, 0, 2, 1, 2), { results });
      expect(statusCounts).toEqual([2, 1, 0, 0, 0]);
    }
  });

  test('timings tell how long the algorithms took', async () => {
    const tester = await withBalls();
    await tester.contacts(balls, ballPairs(20_000));
    const tree = { boxTests: 0, partTests: 0 };
    const nothing = { compile: 0, validate: 0, upload: 0, readBack: 0, decode: 0, tree };
    expect(tester.timings).toEqual({ ...nothing, kernels: expect.any(Number) });
    expect(tester.timings.kernels).toBeGreaterThan(0);
  });
});

test('a warm start that is disposed of while a query waits for its turn ends the query with DISPOSED', async () => {
  const tester = await createTester({ backend: 'cpu' });
  tester.addShape({ type: 'sphere', radius: 1 });
  const bodies = {
    shapes: new Uint32Array(2),
    positions: Float32Array.of(0, 0, 0, 1, 0, 0),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
  };
  const warmStart = tester.createWarmStart(1);
  const answer = tester.contacts(bodies, Uint32Array.of(0, 1), { warmStart });
  warmStart.dispose();
  await expect(answer).rejects.toMatchObject({ code: 'DISPOSED' });
});
