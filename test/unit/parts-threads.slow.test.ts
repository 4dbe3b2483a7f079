/** Workers answer for parts of compounds and meshes with the bits of the caller's thread. */
import { afterEach, expect, test, vi } from 'vitest';
import { createTester } from '../../src/index.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { Tester } from '../../src/api/types.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { makeSheet } from '../helpers/meshes.ts';
import { atNight } from '../helpers/night.ts';
import { untilAnswered, watchWorkers } from '../helpers/threads.ts';

const SEED = 9;
const BODIES = 1000;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const SHAPES: ShapeDescription[] = [
  { type: 'mesh', ...makeSheet(30, (x, z) => 0.05 * Math.sin(9 * x) * Math.cos(8 * z)) },
  { type: 'hull', points: [0, -0.05, 0, 0.04, 0.03, 0.01, -0.04, 0.03, 0.02, 0.01, 0.03, -0.04, 0, 0.06, 0] },
  {
    type: 'compound',
    parts: [
      { shape: { type: 'box', halfExtents: [0.05, 0.01, 0.02] }, position: [0, 0.02, 0] },
      { shape: { type: 'cone', halfHeight: 0.03, radius: 0.03 }, position: [0.05, 0, 0], quaternion: [0.3, 0, 0.1, 1] },
    ],
  },
];

function makeScene() {
  const random = createRandom(SEED);
  const anywhere = (size: number): number => Math.fround(uniform(random, -size, size));
  const bodies = {
    shapes: Uint32Array.from({ length: BODIES }, (_, i) => (i === 0 ? 0 : 1 + (i % 2))),
    positions: Float32Array.from({ length: 3 * BODIES }, (_, i) => (i < 3 ? 0 : anywhere(i % 3 === 1 ? 0.05 : 0.9))),
    quaternions: Float32Array.from({ length: 4 * BODIES }, () => anywhere(1)),
    linearVelocities: Float32Array.from({ length: 3 * BODIES }, () => anywhere(0.1)),
    angularVelocities: Float32Array.from({ length: 3 * BODIES }, () => anywhere(0.5)),
  };
  bodies.quaternions.set([0, 0, 0, 1]);
  const pairs = Uint32Array.from({ length: 2 * (BODIES - 1) }, (_, i) => (i % 2 === 0 ? 0 : (i + 1) / 2));
  return { bodies, pairs };
}

const { bodies, pairs } = makeScene();

async function open(threads: number): Promise<Tester> {
  const tester = await createTester({ backend: 'cpu', threads });
  for (const shape of SHAPES) tester.addShape(shape);
  return tester;
}

const FIELDS = ['pair', 'status', 'partA', 'partB'] as const;
const ASKS: Record<string, (tester: Tester) => Promise<object>> = {
  contacts: (tester) =>
    tester.contacts(bodies, pairs, { parts: 'all', fields: [...FIELDS, 'distance', 'normal', 'pointA', 'featureB'] }),
  manifolds: (tester) => tester.manifolds(bodies, pairs, { margin: 0.01, fields: [...FIELDS, 'position', 'distance'] }),
  impacts: (tester) =>
    tester.impacts(bodies, pairs.subarray(0, atNight(100, 400)), {
      duration: 0.5,
      parts: 'all',
      fields: [...FIELDS, 'time', 'normal', 'point'],
    }),
};

function arraysOf(result: object): unknown {
  return Object.fromEntries(Object.entries(result).filter(([, value]) => typeof value !== 'function'));
}

test.each(atNight([false], [true, false]))('memory of threads is shared: %s', async (isShared) => {
  if (!isShared) vi.stubGlobal('crossOriginIsolated', false);
  const watched = watchWorkers();
  using one = await open(1);
  using two = await open(2);
  await untilAnswered(watched, () => ASKS.manifolds(two));
  for (const [name, ask] of Object.entries(ASKS)) {
    const before = watched.answered;
    expect(arraysOf(await ask(two)), name).toEqual(arraysOf(await ask(one)));
    expect(watched.answered, name).toBeGreaterThan(before);
  }
  expect(watched.sharesMemory).toBe(isShared);
});
