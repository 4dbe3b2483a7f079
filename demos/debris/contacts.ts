/** What this demo uses of narrowphase: shapes and masses, then contacts on the GPU, or on the CPU. */

import { createTester } from 'narrowphase';
import type { BatchOf, Manifolds, ShapeDescription, Tester } from 'narrowphase';
import type { BodyArrays } from './bodies.ts';
import { MARGIN } from './constants.ts';

/** A tester on the page's device or on the CPU, and the ids of the shapes. */
export async function openTester(
  shapes: readonly ShapeDescription[],
  device?: GPUDevice,
): Promise<{ tester: Tester; ids: number[] }> {
  const tester = await createTester(device ? { device } : { backend: 'cpu' });
  return { tester, ids: shapes.map((shape) => tester.addShape(shape)) };
}

export interface GpuContacts {
  /** The broad phase: `output.pairs` and `output.counts`. */
  pairs: BatchOf<'pairs'>;
  /** The manifolds of these pairs: `output.records`, `output.hits` and `output.dispatch`. */
  manifolds: BatchOf<'manifolds'>;
}

/** Batches that read the poses from the simulation's buffer. A step encodes both, one after the other. */
export async function createGpuContacts(
  tester: Tester,
  { count, shapes, fixed }: BodyArrays,
  { poses, groups }: { poses: GPUBuffer; groups: GPUBuffer },
  maxPairs: number,
): Promise<GpuContacts> {
  const capacity = { maxBodies: count, maxPairs };
  const broadPhase = { margin: MARGIN };
  const pairs = await tester.createBatch({ query: 'pairs', broadPhase, poses, groups, ...capacity });
  const found = { pairs: pairs.output.pairs!, pairCount: pairs.output.counts, shapes: pairs.input.shapes };
  const query = { query: 'manifolds', margin: MARGIN, results: 'hits' } as const;
  const manifolds = await tester.createBatch({ ...query, poses, ...found, ...capacity });
  pairs.device.queue.writeBuffer(pairs.input.shapes, 0, shapes.slice());
  pairs.device.queue.writeBuffer(pairs.input.fixed!, 0, fixed.slice());
  return { pairs, manifolds };
}

/** The same on the CPU. */
export async function findCpuContacts(
  tester: Tester,
  { shapes, poses, fixed, groups }: BodyArrays,
): Promise<{ pairs: Uint32Array; manifolds: Manifolds }> {
  const positions = Float32Array.from({ length: 3 * shapes.length }, (_, i) => poses[8 * Math.floor(i / 3) + (i % 3)]);
  const quaternions = Float32Array.from({ length: 4 * shapes.length }, (_, i) => poses[8 * (i >> 2) + 4 + (i & 3)]);
  const bodies = { shapes, positions, quaternions, groups, fixed: Uint8Array.from(fixed) };
  const pairs = await tester.findPairs(bodies, { margin: MARGIN });
  return { pairs, manifolds: await tester.manifolds(bodies, pairs, { margin: MARGIN, results: 'hits' }) };
}
