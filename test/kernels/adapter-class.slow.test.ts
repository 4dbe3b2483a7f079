/**
 * Hardware and software adapters run the same kernels with other numbers: lanes, invocations, unrolled loops. The answers
 * are the same.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import {
  Status,
  type ContactOptions,
  type Impacts,
  type Intersections,
  type QueryOptions,
  type Tester,
} from '../../src/api/types.ts';
import { makeFamily } from '../../verification/families/families.ts';
import { setInMotion } from '../../verification/families/moving-family.ts';
import { makePlanarTypeFamily } from '../../verification/families/planar-families.ts';
import { LINE_GAPS, joinRidgeFamilies, makeRidgeFamily, missedEnds } from '../../verification/families/ridge-pairs.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { browserFamily } from '../browser/families.ts';
import { differences, frame } from '../helpers/batch.ts';
import { recordKernels } from '../helpers/compiled.ts';
import { HARDWARE } from '../helpers/gpu.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_124;

interface Opened {
  tester: Tester;
  compiled: Set<string>;
}

async function open(info?: Partial<GPUAdapterInfo>): Promise<Opened> {
  const { gpu, compiled } = recordKernels(info);
  return { tester: await createTester({ backend: 'webgpu', gpu }), compiled };
}

let software: Opened;
let hardware: Opened;
beforeAll(async () => {
  software = await open();
  hardware = await open(HARDWARE.info);
});
afterAll(() => {
  software?.tester.dispose();
  hardware?.tester.dispose();
});

type Case = ['distances' | 'contacts' | 'manifolds', ContactOptions];

const CASES: Case[] = [
  ['distances', {}],
  ['distances', { margin: 0.05, results: 'hits' }],
  ['contacts', {}],
  ['contacts', { margin: 0.05 }],
  ['contacts', { algorithm: 'gjk' }],
  ['contacts', { algorithm: 'gjk', margin: 0.05, results: 'hits' }],
  ['contacts', { algorithm: 'mpr', margin: 0.05 }],
  ['manifolds', {}],
  ['manifolds', { margin: 0.05 }],
  ['manifolds', { results: 'hits' }],
];
const FEW: Case[] = [
  ['distances', {}],
  ['contacts', { margin: 0.05 }],
  ['manifolds', { results: 'hits' }],
];
const MPR: Case = ['contacts', { algorithm: 'mpr', margin: 0.05 }];

// More hits than a strided kernel has invocations on a software adapter, so that each takes several pairs.
describe.each([
  ['box-box', 20_000, atNight([...FEW, MPR], CASES)],
  ...atNight([], [['capsule-hull', 20_000, CASES]] as const),
] as const)('%s', (name, count, cases) => {
  const family = makeFamily(name, count, SEED);
  const { bodies, pairs } = family;
  const apart = pairs.map((body, i) => (body + (i % 2) * 100) % bodies.shapes.length);
  beforeAll(() => {
    for (const { tester } of [software, hardware]) useShapes(tester, family.shapes);
  });

  test.each(cases)('%s %j', async (query, options) => {
    const [expected, found] = [
      await software.tester[query](bodies, pairs, options as object),
      await hardware.tester[query](bodies, pairs, options as object),
    ];
    expect(expected.statusCounts[Status.Overlapping]).toBeGreaterThan(2 ** 12);
    expect(differences(found, expected)).toEqual([]);
  });

  test('batches, frame after frame', async () => {
    const results = [];
    for (const { tester } of [software, hardware]) {
      const batch = await tester.createBatch({ query: 'manifolds', maxBodies: bodies.shapes.length, maxPairs: count });
      for (const given of [pairs, apart, pairs.subarray(0, count)]) {
        results.push(await frame(batch, { bodies, pairs: given }));
      }
      batch.dispose();
    }
    const [first, second, third, ...others] = results;
    expect(second.statusCounts).not.toEqual(first.statusCounts);
    expect(third.count).toBe(count / 2);
    [first, second, third].forEach((expected, i) => expect(differences(others[i], expected)).toEqual([]));
  });
});

// In CI with the numbers of software adapters, for which other tests compile the same kernels.
test.each(atNight<('software' | 'hardware')[]>(['software'], ['software', 'hardware']))(
  "the side of a capsule or cylinder along a hull's edge, and along the border of its face, has both ends of the line: %s",
  async (name) => {
    const families = [
      ['capsule', 'hull'],
      ['capsule', 'rounded hull'],
      ['cylinder', 'hull'],
    ].flatMap(([first, second]) =>
      [{ turn: 0, share: 0 }, { turn: 1e-5, share: 0.01 }, { turn: 1e-4 }].map((options) =>
        makeRidgeFamily(first, second, 40, SEED, { ...options, gap: LINE_GAPS }),
      ),
    );
    const family = joinRidgeFamilies(families);
    const { tester } = { software, hardware }[name];
    useShapes(tester, family.shapes);
    expect(missedEnds(family, await tester.manifolds(family.bodies, family.pairs, { margin: 0.01 }))).toEqual([]);
  },
);

/** In CI, the sequences of sequences.slow.test.ts have some on kernels of graphics cards. */
test.each<Case>(
  atNight<Case[]>(
    [['distances', { margin: 0.05 }]],
    [
      ['contacts', { margin: 0.05 }],
      ['manifolds', {}],
    ],
  ),
)('curved shapes: %s %j', async (query, options) => {
  const { shapes, bodies, pairs } = browserFamily('curved', 2_000, SEED);
  const results = [];
  for (const { tester } of [software, hardware]) {
    useShapes(tester, shapes);
    results.push(await tester[query](bodies, pairs, options as object));
  }
  expect(results[0].statusCounts[Status.Overlapping]).toBeGreaterThan(400);
  expect(differences(results[1], results[0])).toEqual([]);
});

// In CI the curved shapes have hulls among them.
test.each<Case>(
  atNight<Case[]>(
    [],
    [
      ['distances', {}],
      ['contacts', {}],
      ['manifolds', {}],
      ['contacts', { margin: 0.05, results: 'hits' }],
    ],
  ),
)('hulls: %s %j', async (query, options) => {
  const { shapes, bodies, pairs } = makeFamily('hull32-hull32', 10_000, SEED);
  const results = [];
  for (const { tester } of [software, hardware]) {
    useShapes(tester, shapes);
    results.push(await tester[query](bodies, pairs, options as object));
  }
  expect(results[0].statusCounts[Status.Overlapping]).toBeGreaterThan(2 ** 11);
  expect(differences(results[1], results[0])).toEqual([]);
});

describe('pairs that the lead stage leaves are answered, whatever the records have of an earlier query', () => {
  const SHARP: ShapeDescription = { type: 'box', halfExtents: [0.5, 0.5, 0.5] };
  const ROUNDED: ShapeDescription = { type: 'box', halfExtents: [0.45, 0.45, 0.45], radius: 0.05 };
  const HULL: ShapeDescription = { type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] };
  const quaternions = Float32Array.from({ length: 16 }, (_, i) => Number(i % 4 === 3));
  const pairs = Uint32Array.of(0, 1, 2, 3);

  test.each([
    ['intersects', SHARP, { margin: 0.1 }],
    ['intersects', ROUNDED, {}],
    ['intersects', ROUNDED, { margin: 0.1 }],
    ['intersects', SHARP, { margin: 0.1, results: 'hits' }],
  ] as ['intersects', ShapeDescription, QueryOptions<Intersections>][])('%s of %j, %j', async (query, box, options) => {
    const { tester } = hardware;
    useShapes(tester, [box, HULL]);
    const positions = Float32Array.of(0, 0, 0, 1.5, 1.23, 1.3, 10, 0, 0, 10.1, 0, 0);
    const bodies = { shapes: Uint32Array.of(0, 0, 1, 1), positions, quaternions };
    await tester.distances(bodies, pairs);
    const { hits, statusCounts } = await tester[query](bodies, pairs, options);
    expect([hits, [...statusCounts]]).toEqual([1, [1, 1, 0, 0, 0]]);
  });
});

test('2-D: contacts, at night also manifolds and impacts, of more pairs than a strided kernel has invocations', async () => {
  const { shapes, bodies, pairs } = makePlanarTypeFamily('rectangle/rectangle', 2 ** 16 + 1000, SEED);
  const linearVelocities = Float32Array.from(bodies.positions, (x, i) => 0.1 * x * Math.sin(i));
  const results: object[][] = [];
  for (const info of [undefined, HARDWARE.info]) {
    const { gpu } = recordKernels(info);
    using tester = await createTester({ backend: 'webgpu', dimension: 2, gpu });
    for (const shape of shapes) tester.addShape(shape);
    results.push([await tester.contacts(bodies, pairs)]);
    if (atNight(false, true)) {
      results
        .at(-1)!
        .push(
          await tester.manifolds(bodies, pairs, { results: 'hits' }),
          await tester.impacts({ ...bodies, linearVelocities }, pairs, { duration: 0.5 }),
        );
    }
  }
  expect(results[0][0]).toMatchObject({ count: 2 ** 16 + 1000 });
  expect(results[1]).toEqual(results[0]);
});

test('rotating bodies have the same impacts', async () => {
  const { shapes, bodies, pairs, duration } = setInMotion(makeFamily('box-box', 1_000, SEED), SEED, {
    isTurning: true,
  });
  const results: Impacts[] = [];
  for (const { tester } of [software, hardware]) {
    useShapes(tester, shapes);
    results.push(await tester.impacts(bodies, pairs, { duration }));
  }
  expect(results[0].statusCounts[Status.Overlapping]).toBeGreaterThan(100);
  expect(results[1]).toEqual(results[0]);
  expect([...hardware.compiled]).toContain('impacts-rotating');
});
