/**
 * Batches and searches on Dawn's null backend, which validates all commands and runs none, so it needs no driver: for many
 * mixes of shapes, with the numbers of graphics cards and of software adapters. Tint compiles each kernel as far as WebGPU
 * does without a driver.
 */
import { create } from 'webgpu';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { BatchOptions, BatchQuery } from '../../src/api/batch-options.ts';
import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { PlanarTester, Tester } from '../../src/api/types.ts';
import { kernelNames } from '../helpers/compiled.ts';
import { HARDWARE, withoutErrors } from '../helpers/gpu.ts';
import { ALL_SORTS } from '../helpers/part-batches.ts';

// The device computes nothing.
vi.mock('../../src/gpu/trial.ts', () => ({ expectLimits: () => {}, tryDevice: async () => {} }));

const SOFTWARE = { ...HARDWARE.info, description: 'llvmpipe' };
const ROOM = { maxBodies: 4, maxPairs: 8 };
/** Dawn crashes when an instance is collected while its devices live. */
const gpu = create(['backend=null']);

const HULL = { type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] } as const;
const BOX = { type: 'box', halfExtents: [1, 1, 1] } as const;
const SPHERE = { type: 'sphere', radius: 1 } as const;
const MESH = { type: 'mesh', positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] } as const;
const MIXES: Record<string, readonly ShapeDescription[]> = {
  spheres: [SPHERE],
  boxes: [BOX],
  'rounded boxes': [{ ...BOX, radius: 0.1 }],
  hulls: [HULL],
  'many corners': [{ type: 'hull', points: Float32Array.from({ length: 600 }, (_, i) => Math.sin(i * i)) }],
  'boxes and hulls': [BOX, HULL],
  cylinders: [{ type: 'cylinder', halfHeight: 1, radius: 1 }],
  'all sorts': ALL_SORTS,
  'all sorts and a mesh': [...ALL_SORTS, MESH],
};
const CHAIN = { type: 'chain', points: [0, 0, 1, 0, 2, 1] } as const;
const PLANAR_MIXES: Record<string, readonly PlanarShapeDescription[]> = {
  circles: [{ type: 'circle', radius: 1 }],
  polygons: [{ type: 'polygon', points: [0, 0, 1, 0, 0, 1] }],
  both: [
    { type: 'circle', radius: 1 },
    { type: 'polygon', points: [0, 0, 1, 0, 0, 1], radius: 0.1 },
  ],
  'a circle, a chain and a compound': [
    { type: 'circle', radius: 1 },
    CHAIN,
    { type: 'compound', parts: [{ shape: { type: 'rectangle', halfExtents: [1, 1] }, position: [1, 0] }] },
  ],
};

/** Options of batches, in space and in the plane. */
const CONVEX: Record<string, object> = {
  intersects: { query: 'intersects' },
  'intersects by gjk': { query: 'intersects', algorithm: 'gjk' },
  'intersects by mpr': { query: 'intersects', algorithm: 'mpr', broadPhase: true },
  distances: { query: 'distances' },
  'distances by gjk': { query: 'distances', algorithm: 'gjk', margin: 1, results: 'hits' },
  'distances by mpr': { query: 'distances', algorithm: 'mpr' },
  contacts: { query: 'contacts' },
  'contacts, warm': { query: 'contacts', margin: 1, warmStart: true, broadPhase: true, results: 'hits' },
  'contacts by gjk': { query: 'contacts', algorithm: 'gjk' },
  'contacts by mpr': { query: 'contacts', algorithm: 'mpr' },
  'contacts by mpr along a ray': { query: 'contacts', algorithm: 'mpr', mprDepth: 'ray' },
  manifolds: { query: 'manifolds', broadPhase: true, results: 'hits' },
  'manifolds with a margin': { query: 'manifolds', margin: 1 },
  impacts: { query: 'impacts', duration: 1 },
  'turning impacts': { query: 'impacts', duration: 1, turning: true, results: 'earliest', broadPhase: true },
  'impacts by casts': { query: 'impacts', duration: 1, algorithm: 'cast', stopAtPenetration: false },
  'impacts by velocity EPA': { query: 'impacts', duration: 1, algorithm: 'velocity-epa' },
  pairs: { query: 'pairs', maxBodies: 5000 },
  rays: { query: 'rayCasts', maxRays: 4 },
};
const OF_PARTS: Record<string, object> = {
  'contacts of all parts': { query: 'contacts', parts: 'all', results: 'hits' },
  'manifolds of all parts': { query: 'manifolds', parts: 'all', results: 'hits' },
};

describe.each([
  { name: 'graphics cards', info: HARDWARE.info },
  { name: 'software adapters', info: SOFTWARE },
])('with the numbers of $name', ({ info }) => {
  const compiled = new Set<string>();
  let device: GPUDevice;
  let space: Tester;
  let plane: PlanarTester;
  beforeAll(async () => {
    device = await openNullDevice(info as GPUAdapterInfo, compiled);
    space = await createTester({ device });
    plane = await createTester({ device, dimension: 2 });
  });
  afterAll(() => {
    space?.dispose();
    plane?.dispose();
    device?.destroy();
  });

  describe.each(Object.entries(MIXES))('%s', (_, shapes) => {
    test('all batches', async () => {
      const ids = shapes.map((shape) => space.addShape(shape));
      await runAll(device, space, { ...CONVEX, ...(shapes.includes(MESH) && OF_PARTS) });
      for (const id of ids) space.removeShape(id);
    });
  });

  test.each(Object.entries(PLANAR_MIXES))('in the plane, %s: all batches', async (_, shapes) => {
    const ids = shapes.map((shape) => plane.addShape(shape));
    const { 'contacts, warm': _warm, ...planar } = CONVEX;
    await runAll(device, plane, { ...planar, ...(shapes.includes(CHAIN) && OF_PARTS) });
    for (const id of ids) plane.removeShape(id);
  });

  // Software adapters leave `findPairs` to the CPU.
  test('queries', async () => {
    const shape = space.addShape(SPHERE);
    for (const float64Positions of [false, true])
      for (const query of ['contacts', 'findPairs', 'rayCasts'] as const)
        await withoutErrors(device, () => space.prepare({ query, float64Positions }));
    space.removeShape(shape);
  });

  test('no kernel is left out', () => {
    const ofFindPairs = info === HARDWARE.info ? [] : ['broad-phase/weigh'];
    const left = [...kernelNames(3), ...kernelNames(2)].filter((name) => !compiled.has(name));
    expect(left).toEqual(ofFindPairs);
  });
});

/** `compiled` gets the names of kernels. */
async function openNullDevice(info: GPUAdapterInfo, compiled: Set<string>): Promise<GPUDevice> {
  const adapter = await gpu.requestAdapter();
  const device = await adapter!.requestDevice();
  Object.defineProperty(device, 'adapterInfo', { value: info });
  const createPipeline = device.createComputePipelineAsync.bind(device);
  device.createComputePipelineAsync = (descriptor) => {
    compiled.add((descriptor.label ?? '').split(/[. ]/)[1]);
    return createPipeline(descriptor);
  };
  return device;
}

/** Runs batches with these options, one after the other. An error names the batch. */
async function runAll(device: GPUDevice, tester: Tester | PlanarTester, all: Record<string, object>): Promise<void> {
  for (const [what, options] of Object.entries(all))
    await withoutErrors(device, () => run(tester, { ...ROOM, ...options } as never)).catch((error: unknown) => {
      throw new Error(what, { cause: error });
    });
}

/** Records a batch twice and submits it. There is nothing to read. */
async function run(tester: Tester | PlanarTester, options: BatchOptions<BatchQuery>): Promise<void> {
  const batch = await (tester as Tester).createBatch(options);
  const encoder = batch.device.createCommandEncoder();
  for (let frame = 0; frame < 2; frame++) batch.encode(encoder);
  batch.device.queue.submit([encoder.finish()]);
  await batch.device.queue.onSubmittedWorkDone();
  batch.dispose();
}
