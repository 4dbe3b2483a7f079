/** A large query with a target allocates no array per query: what it needs is kept from the query before. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { Tester } from '../../src/api/types.ts';
import { ballPairs, balls, ballShapes } from '../helpers/balls.ts';
import { withMemoryOf } from '../helpers/memory.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';

const PAIRS = 40_000;
/** Rows of balls, on top of each other. */
const ROWS = 12;
/** A query may allocate this many bytes of typed arrays. A byte per body or pair is more. */
const MOST_BYTES = 16_384;

function repeated(array: ArrayLike<number>): Float32Array {
  return Float32Array.from({ length: ROWS * array.length }, (_, i) => array[i % array.length]);
}

const standing = {
  shapes: new Uint32Array(ROWS * balls.shapes.length),
  positions: repeated(balls.positions),
  quaternions: repeated(balls.quaternions),
};
const moving = { ...standing, linearVelocities: new Float32Array(standing.positions.length) };
const pairs = ballPairs(PAIRS).map((body, i) => body + balls.shapes.length * ((i >> 1) % ROWS));

const queries = {
  intersects: (tester: Tester, target?: never) => tester.intersects(standing, pairs, { target }),
  distances: (tester: Tester, target?: never) => tester.distances(standing, pairs, { target }),
  contacts: (tester: Tester, target?: never) => tester.contacts(standing, pairs, { target, bounds: true }),
  manifolds: (tester: Tester, target?: never) => tester.manifolds(standing, pairs, { target, bodies: true }),
  impacts: (tester: Tester, target?: never) => tester.impacts(moving, pairs, { target, duration: 1 }),
};

let tester: Tester;
beforeAll(async () => {
  tester = await createTester({ backend: 'webgpu' });
  useShapes(tester, ballShapes);
});
afterAll(() => tester?.dispose());

test.each(Object.entries(queries))('%s', async (_, ask) => {
  const target = (await ask(tester)) as never;
  // Chunks reach their size.
  for (let query = 0; query < 4; query++) await ask(tester, target);
  let most = 0;
  for (let query = 0; query < 6; query++) {
    const { arrayBuffers } = process.memoryUsage();
    await ask(tester, target);
    most = Math.max(most, process.memoryUsage().arrayBuffers - arrayBuffers);
  }
  expect(most).toBeLessThan(MOST_BYTES);
  const { hits } = await withMemoryOf(MOST_BYTES, () => ask(tester, target) as Promise<{ hits: number }>);
  expect(hits).toBeGreaterThan(0);
});
