/**
 * After `prepare(options)` no query with these options compiles a kernel, whatever kinds of shapes are in its pairs, in
 * whatever order such queries come. Kernels that answer pairs are replaced, so only what is compiled counts here.
 */
import { describe, expect, test } from 'vitest';
import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { Bodies, MovingBodies, PrepareOptions, Tester, TesterOptions } from '../../src/api/types.ts';
import { createTester } from '../../src/node.ts';
import { below, createRandom, type Random } from '../../verification/families/random.ts';
import { recordVariants } from '../helpers/compiled.ts';
import { HARDWARE, type AdapterChanges } from '../helpers/gpu.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_127;
const MIXES = 6;

const CONVEX: ShapeDescription[] = [
  { type: 'sphere', radius: 0.5 },
  { type: 'box', halfExtents: [0.5, 0.4, 0.3] },
  { type: 'box', halfExtents: [0.3, 0.4, 0.3], radius: 0.1 },
  { type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] },
  { type: 'hull', points: Float32Array.from({ length: 300 }, (_, i) => Math.sin(12.9898 * (i + 1))) },
  { type: 'cylinder', radius: 0.4, halfHeight: 0.5 },
  { type: 'halfspace', normal: [0, 1, 0], offset: -0.2 },
];
const SPACE: ShapeDescription[] = [
  ...CONVEX,
  // The second triangle has no area.
  { type: 'mesh', positions: [-2, 0, -2, 2, 0, -2, 0, 0, 2, 0, 0, 0], indices: [0, 2, 1, 0, 3, 2] },
  {
    type: 'compound',
    parts: [
      { shape: { type: 'capsule', radius: 0.2, halfHeight: 0.4 } },
      { shape: { type: 'box', halfExtents: [0.2, 0.2, 0.2] }, position: [0.5, 0, 0] },
      { shape: { type: 'cone', radius: 0.2, halfHeight: 0.2 }, position: [-0.5, 0, 0] },
    ],
  },
];
const PLANE: PlanarShapeDescription[] = [
  { type: 'circle', radius: 0.5 },
  { type: 'rectangle', halfExtents: [0.5, 0.3] },
  { type: 'capsule', radius: 0.2, halfHeight: 0.4 },
  { type: 'polygon', points: [0, 0, 1, 0, 0, 1] },
];

type Query = Exclude<PrepareOptions['query'], 'trianglePairs'>;
type Case = PrepareOptions & { query: Query };

/** Bodies of some of the shapes, in a heap, and pairs of them. `pairCount` pairs may be the same. */
function makeMix(
  random: Random,
  kinds: readonly { type: string }[],
  axes: number,
  pairCount: number,
  isTurning: boolean,
  is64Bit: boolean,
): { bodies: Bodies & MovingBodies; pairs: Uint32Array } {
  const some = [...kinds.keys()].filter(() => random() < 0.4);
  const ids = some.length > 0 ? some : [below(random, kinds.length)];
  const count = 4 * ids.length;
  const numbers = (perBody: number, scale: number): number[] =>
    Array.from({ length: perBody * count }, () => scale * (2 * random() - 1));
  const Positions = is64Bit ? Float64Array : Float32Array;
  const bodies = {
    shapes: Uint32Array.from({ length: count }, (_, i) => ids[i % ids.length]),
    positions: Positions.from(numbers(axes, 0.4)),
    ...(axes === 3 ? { quaternions: Float32Array.from(numbers(4, 1)) } : { angles: Float32Array.from(numbers(1, 3)) }),
    linearVelocities: Float32Array.from(numbers(axes, 1)),
    ...(isTurning && { angularVelocities: Float32Array.from(numbers(axes === 3 ? 3 : 1, 0.5)) }),
  };
  const isPlane = (body: number): boolean => kinds[bodies.shapes[body]].type === 'halfspace';
  const pairs: number[] = [];
  for (let a = 0; a < count; a++)
    for (let b = a + 1; b < count; b++)
      if (!(isPlane(a) && isPlane(b)) && (pairs.length === 0 || random() < 0.6)) pairs.push(a, b);
  return {
    bodies: bodies as never,
    pairs: Uint32Array.from({ length: Math.max(2 * pairCount, pairs.length) }, (_, i) => pairs[i % pairs.length]),
  };
}

/** Prepares, and runs queries of random mixes. Expects that they compile nothing. */
async function expectPrepared(
  tester: Tester,
  compiled: string[],
  kinds: readonly { type: string }[],
  { query, ...options }: Case,
): Promise<void> {
  const axes = tester.dimension;
  await tester.prepare({ query, ...options });
  const { float64Positions = false, turning = false, ...asked } = options;
  const prepared = compiled.length;
  const random = createRandom(SEED);
  for (let mix = 0; mix < MIXES; mix++) {
    // Large queries pack their input and write their arrays on the device.
    const isLarge = mix === 4 && query !== 'rayCasts' && query !== 'findPairs';
    const some = isLarge ? kinds.filter(({ type }) => type !== 'mesh' && type !== 'compound') : kinds;
    const { bodies, pairs } = makeMix(random, some, axes, isLarge ? 33_000 : 0, turning, float64Positions);
    const given = mix === 2 ? tester.createBodies(bodies) : bodies;
    if (query === 'findPairs') await tester.findPairs(manyOf(bodies), asked as never);
    else if (query === 'rayCasts')
      await tester.rayCasts(given, makeRays(mix === 4 ? 2 ** 15 : 20, axes), asked as never);
    else await tester[query](given as Bodies & MovingBodies, pairs, asked as never);
    const names = [...new Set(bodies.shapes)].map((id) => kinds[id].type);
    const message = `seed ${SEED}, mix ${mix} of ${names.join(', ')}${isLarge ? ', large' : ''}`;
    expect(compiled.slice(prepared), message).toEqual([]);
  }
}

/** So many bodies that the device searches their pairs, a few of which meet. */
function manyOf({ shapes }: Bodies): never {
  const count = 2 ** 14;
  return {
    shapes: Uint32Array.from({ length: count }, (_, i) => shapes[i % shapes.length]),
    positions: Float32Array.from({ length: 2 * count }, (_, i) => (i % 2 ? Math.floor(i / 256) : i % 256) * 2),
    angles: new Float32Array(count),
  } as never;
}

function makeRays(count: number, axes: number): never {
  const vectors = Float32Array.from({ length: axes * count }, (_, i) => Math.cos(3.7 * i));
  return { origins: vectors.map((value) => -3 * value), directions: vectors } as never;
}

const COMMON: Case[] = [
  { query: 'intersects', margin: 0.1, results: 'hits', fields: ['hit'] },
  { query: 'contacts', bodies: true, bounds: true },
  { query: 'impacts', duration: 1, turning: true, results: 'earliest', stopAtPenetration: false },
  { query: 'rayCasts' },
];
const OF_SPACE: Case[] = [
  { query: 'distances', algorithm: 'gjk', float64Positions: true, parts: 'all', margin: 1 },
  { query: 'contacts', margin: 0.1, parts: 'all', escalate: true, fields: ['partA', 'distance'] },
  { query: 'manifolds', algorithm: 'mpr', mprDepth: 'ray', signal: new AbortController().signal },
  { query: 'impacts', duration: 1, algorithm: 'velocity-epa', parts: 'all', turning: true },
];

async function open(info: AdapterChanges['info'], options: TesterOptions, shapes: readonly unknown[]) {
  const { gpu, compiled } = recordVariants(info);
  const tester = (await createTester({ backend: 'webgpu', gpu, ...options })) as unknown as Tester;
  for (const shape of shapes) tester.addShape(shape as ShapeDescription);
  return { tester, compiled };
}

describe('after prepare no query compiles anything, whatever kinds of shapes its pairs have', () => {
  describe.each(atNight(['hardware'] as const, ['hardware', 'software'] as const))('%s', (name) => {
    const info = name === 'hardware' ? HARDWARE.info : undefined;
    test.each([...COMMON, ...OF_SPACE])('%o', async (options) => {
      const { tester, compiled } = await open(info, {}, SPACE);
      await expectPrepared(tester, compiled, SPACE, options).finally(() => tester.dispose());
    });
  });

  test.each([...COMMON, { query: 'findPairs', margin: 0.1 } as const])('2-D: %o', async (options) => {
    const { tester, compiled } = await open(HARDWARE.info, { dimension: 2 }, PLANE);
    await expectPrepared(tester, compiled, PLANE, options).finally(() => tester.dispose());
  });
});
