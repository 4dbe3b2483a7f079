/**
 * Queries over compounds and meshes whose pairs of parts a device finds, beside those whose pairs the caller's thread finds:
 * the same answers.
 */
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { Status, type PosedBodies, type Tester } from '../../src/api/types.ts';
import { createGpuBackend } from '../../src/gpu/backend.ts';
import { dim3 } from '../../src/dimension/dim3.ts';
import { alwaysOnDevice, type DeviceSearchTester } from '../../verification/engines/device-search.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { recordKernels } from '../helpers/compiled.ts';
import { HARDWARE, openDefaultDevice } from '../helpers/gpu.ts';
import { makeSheet, MESH_FAMILIES } from '../helpers/meshes.ts';
import { createForcedTester } from '../helpers/part-pairs.ts';
import { answersOf } from '../helpers/planar-tester.ts';

const SEED = 20_261_202;

interface Model {
  positions: number[][];
  cells: number[][];
}

/** The bunny, its middle at the origin and its greatest extent about 1. */
function loadBunny(): ShapeDescription {
  const { positions, cells } = createRequire(import.meta.url)('bunny') as Model;
  const middle = [0, 1, 2].map((k) => positions.reduce((sum, point) => sum + point[k], 0) / positions.length);
  const size = Math.max(...positions.flatMap((point) => point.map((x, k) => Math.abs(x - middle[k]))));
  return {
    type: 'mesh',
    positions: Float32Array.from(positions.flatMap((point) => point.map((x, k) => (x - middle[k]) / (2 * size)))),
    indices: Uint32Array.from(cells.flat()),
  };
}

/** `count` pairs of bodies whose positions differ by up to `reach`. */
function makePairs(count: number, reach: number, shapeOf: (body: number) => number, hasScales = false, seed = SEED) {
  const random = createRandom(seed);
  const bodies = {
    shapes: Uint32Array.from({ length: 2 * count }, (_, body) => shapeOf(body)),
    positions: Float32Array.from({ length: 6 * count }, () => uniform(random, -reach / 2, reach / 2)),
    quaternions: new Float32Array(8 * count),
    ...(hasScales && { scales: Float32Array.from({ length: 2 * count }, () => uniform(random, 0.5, 2)) }),
  };
  for (let body = 0; body < 2 * count; body++) bodies.quaternions.set(unitVector(random, [0, 0, 0, 0]), 4 * body);
  return { bodies: bodies as PosedBodies, pairs: Uint32Array.from({ length: 2 * count }, (_, i) => i) };
}

describe('200 poses of the bunny against itself', () => {
  let forced: DeviceSearchTester;
  let tester: Tester;
  let reference: Tester;
  const { bodies, pairs } = makePairs(200, 1, () => 0);
  beforeAll(async () => {
    forced = await createForcedTester();
    ({ tester } = forced);
    reference = await createTester({ backend: 'cpu', threads: 1 });
    for (const each of [tester, reference]) each.addShape(loadBunny());
  });
  afterAll(() => {
    tester?.dispose();
    reference?.dispose();
  });

  test('trianglePairs have the bits of the CPU', async () => {
    const before = forced.asked();
    const [found, expected] = [await tester.trianglePairs(bodies, pairs), await reference.trianglePairs(bodies, pairs)];
    expect(forced.asked()).toBeGreaterThan(before);
    expect(expected.count).toBeGreaterThan(15_000);
    expect(answersOf(found)).toEqual(answersOf(expected));
    // A device looks at few more boxes: their bounds are a little wider.
    const [more, tests] = [tester.timings.tree, reference.timings.tree];
    expect(more.partTests).toBeGreaterThanOrEqual(tests.partTests);
    expect(more.partTests).toBeLessThan(1.05 * tests.partTests);
    expect(more.boxTests).toBeLessThan(1.05 * tests.boxTests);
  });

  test('intersects says the same', async () => {
    const before = forced.asked();
    const [found, expected] = [await tester.intersects(bodies, pairs), await reference.intersects(bodies, pairs)];
    expect(forced.asked()).toBeGreaterThan(before);
    expect(expected.hits).toBeGreaterThan(50);
    expect(expected.hits).toBeLessThan(180);
    expect(answersOf(found)).toEqual(answersOf(expected));
  });

  test('at 64-bit positions far from the origin, too', async () => {
    const far = {
      ...bodies,
      positions: Float64Array.from(
        bodies.positions,
        (x, i) => Math.round(x * 1024) / 1024 + [2 ** 30, -(2 ** 31), 7][i % 3],
      ),
    };
    const [found, expected] = [await tester.trianglePairs(far, pairs), await reference.trianglePairs(far, pairs)];
    expect(expected.count).toBeGreaterThan(15_000);
    expect(answersOf(found)).toEqual(answersOf(expected));
  });
});

/** Compounds, meshes, convex shapes and a half-space. */
function makeShapes(): ShapeDescription[] {
  const random = createRandom(SEED);
  const mesh = (family: string, count: number): ShapeDescription => ({
    type: 'mesh',
    ...MESH_FAMILIES[family](count, random),
  });
  const many = Array.from({ length: 30 }, (_, i) => ({
    shape: { type: 'box', halfExtents: [0.1, 0.2, 0.05] } as const,
    position: [0, 1, 2].map(() => uniform(random, -0.8, 0.8)) as [number, number, number],
    quaternion: unitVector(random, [0, 0, 0, 0]) as [number, number, number, number],
    scale: 1 + (i % 3) / 4,
  }));
  return [
    { type: 'box', halfExtents: [0.5, 0.4, 0.3] },
    { type: 'cone', halfHeight: 0.5, radius: 0.4 },
    { type: 'compound', parts: many },
    {
      type: 'compound',
      parts: [
        { shape: { type: 'capsule', halfHeight: 0.5, radius: 0.1 }, position: [0.5, 0.5, 0] },
        { shape: { type: 'cylinder', halfHeight: 0.4, radius: 0.3 }, position: [-0.5, 0.3, 0] },
      ],
    },
    mesh('a curved sheet', 200),
    mesh('a soup of small triangles', 150),
    { type: 'halfspace', normal: [0, 1, 0], offset: -0.2 },
  ];
}

describe('bodies of all kinds', () => {
  const COUNT = 400;
  let forced: DeviceSearchTester;
  let tester: Tester;
  let other: Tester;
  const shapes = makeShapes();
  const halfspace = shapes.length - 1;
  const bounded = (body: number): number => Math.floor(body / 2) % halfspace;
  // All pairs of kinds in turn; now and then a half-space, which comes first.
  const shapeOf = (body: number): number => {
    const pair = Math.floor(body / 2);
    if (body % 2 === 0) return pair % 11 === 10 ? halfspace : bounded(body);
    return Math.floor(pair / halfspace) % halfspace;
  };
  const { bodies, pairs } = makePairs(COUNT, 1.6, shapeOf, true);
  beforeAll(async () => {
    const device = await openDefaultDevice('part-queries.device');
    forced = await createForcedTester(device);
    ({ tester } = forced);
    other = await createTester({ device });
    for (const each of [tester, other]) for (const shape of shapes) each.addShape(shape);
  });
  afterAll(() => {
    other?.dispose();
    tester?.dispose();
  });

  test.each([
    ['contacts', {}],
    ['contacts', { margin: 0.1 }],
    ['contacts', { parts: 'all', margin: 0.05 }],
    ['contacts', { results: 'hits' }],
    ['manifolds', {}],
    ['manifolds', { margin: 0.1, results: 'hits' }],
    ['distances', { parts: 'all', margin: 0.1 }],
    ['intersects', { parts: 'all' }],
    ['intersects', {}],
  ] as const)('%s with %o', async (query, options) => {
    const before = forced.asked();
    const found = await tester[query](bodies, pairs, options as never);
    const expected = await other[query](bodies, pairs, options as never);
    expect(forced.asked()).toBeGreaterThan(before);
    expect(expected.statusCounts[Status.Overlapping]).toBeGreaterThan(50);
    expect(answersOf(found)).toEqual(answersOf(expected));
  });

  test.each([
    ['distances', {}],
    ['intersects', { margin: 0.1 }],
    ['intersects', { fields: ['hit', 'partA', 'partB'] }],
  ] as const)('%s with %o is left to the CPU', async (query, options) => {
    const before = forced.asked();
    const found = await tester[query](bodies, pairs, options as never);
    expect(forced.asked()).toBe(before);
    expect(answersOf(found)).toEqual(answersOf(await other[query](bodies, pairs, options as never)));
  });

  test('a shape that comes later, and other bodies, have their own answers', async () => {
    const later = { type: 'mesh', ...MESH_FAMILIES.needles(300, createRandom(SEED)) } as const;
    const ids = [tester, other].map((each) => each.addShape(later));
    expect(ids[0]).toBe(ids[1]);
    const more = makePairs(60, 1, (body) => (body % 2 ? ids[0] : 4), true, SEED + 1);
    const found = await tester.trianglePairs(more.bodies, more.pairs);
    expect(found.count).toBeGreaterThan(100);
    expect(answersOf(found)).toEqual(answersOf(await other.trianglePairs(more.bodies, more.pairs)));
    for (const each of [tester, other]) each.removeShape(ids[0]);
    const again = await tester.contacts(bodies, pairs);
    expect(answersOf(again)).toEqual(answersOf(await other.contacts(bodies, pairs)));
  });
});

describe('an adapter that is hardware', () => {
  /** More than the caller's thread tests before the device takes over. */
  const MANY = 120;
  const sheet: ShapeDescription = { type: 'mesh', ...makeSheet(24, (x, z) => 0.3 * Math.sin(5 * x) * Math.cos(4 * z)) };
  const { bodies, pairs } = makePairs(MANY, 0.5, () => 0);

  test('gets searches that the first pairs show to be long, and answers as the CPU does', async () => {
    const { gpu, compiled } = recordKernels(HARDWARE.info);
    using tester = await createTester({ backend: 'webgpu', gpu });
    using reference = await createTester({ backend: 'cpu', threads: 1 });
    for (const each of [tester, reference]) each.addShape(sheet);
    const few = { bodies, pairs: pairs.subarray(0, 2) };
    expect((await tester.trianglePairs(few.bodies, few.pairs)).count).toBeGreaterThan(0);
    expect(compiled).not.toContain('part-pairs/walk');
    const found = await tester.trianglePairs(bodies, pairs);
    expect(compiled).toContain('part-pairs/walk');
    expect(answersOf(found)).toEqual(answersOf(await reference.trianglePairs(bodies, pairs)));
  });

  test.each([{ query: 'contacts' }, { query: 'intersects' }, { query: 'trianglePairs' }] as const)(
    'compiles nothing after prepare: %o',
    async (options) => {
      const { gpu, compiled } = recordKernels(HARDWARE.info);
      using tester = await createTester({ backend: 'webgpu', gpu });
      tester.addShape(sheet);
      await tester.prepare(options);
      expect(compiled).toContain('part-pairs/walk');
      compiled.clear();
      await tester[options.query](bodies, pairs);
      expect([...compiled]).toEqual([]);
    },
  );
});

describe('a search that does not come to its end', () => {
  const sheet: ShapeDescription = { type: 'mesh', ...makeSheet(24, (x, z) => 0.3 * Math.sin(5 * x) * Math.cos(4 * z)) };
  const { bodies, pairs } = makePairs(200, 0.5, () => 0);

  test('is aborted with ABORTED, and the next one finds all', async () => {
    const { tester } = await createForcedTester();
    tester.addShape(sheet);
    const expected = await tester.trianglePairs(bodies, pairs);
    const controller = new AbortController();
    for (const query of ['trianglePairs', 'contacts', 'intersects'] as const) {
      const aborted = tester[query](bodies, pairs, { signal: controller.signal });
      controller.abort();
      await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
    }
    expect(answersOf(await tester.trianglePairs(bodies, pairs))).toEqual(answersOf(expected));
    tester.dispose();
  });

  test('on a device that is lost rejects with DEVICE_LOST, and the next one opens another', async () => {
    const devices: GPUDevice[] = [];
    const open = async () => {
      const device = await openDefaultDevice('part-queries.device');
      devices.push(device);
      const adapter = { vendor: '', architecture: '', description: '', isSoftware: true };
      return { device, adapter, release: () => device.destroy() };
    };
    const backend = createGpuBackend(await open(), {}, dim3.dimension, dim3.planner, { reopen: open });
    const { tester, asked } = alwaysOnDevice(backend);
    tester.addShape(sheet);
    const expected = await tester.trianglePairs(bodies, pairs);
    const running = tester.trianglePairs(bodies, pairs);
    await new Promise((resolve) => setTimeout(resolve));
    devices[0].destroy();
    await expect(running).rejects.toMatchObject({ code: 'DEVICE_LOST' });
    const before = asked();
    expect(answersOf(await tester.trianglePairs(bodies, pairs))).toEqual(answersOf(expected));
    expect(asked()).toBeGreaterThan(before);
    expect(devices.length).toBe(2);
    tester.dispose();
  });

  test('when the tester is disposed of rejects with DISPOSED or DEVICE_LOST', async () => {
    const { tester } = await createForcedTester();
    tester.addShape(sheet);
    const running = tester.trianglePairs(bodies, pairs).then(
      () => 'answered',
      ({ code }: { code: string }) => code,
    );
    await new Promise((resolve) => setTimeout(resolve));
    tester.dispose();
    expect(['DISPOSED', 'DEVICE_LOST']).toContain(await running);
  });
});
