/** What this demo uses of narrowphase: shapes and masses, then contacts on the GPU, or on the CPU. */

import { createTester } from 'narrowphase';
import type { BatchOf, Manifolds, ShapeDescription, Tester } from 'narrowphase';
import { posedBodies } from './bodies.ts';
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
  /**
   * The manifolds of these pairs: `output.records`, `output.hits` and `output.dispatch`. In a scene with a mesh, one for each
   * triangle that a body touches, and `output.partPairs`.
   */
  manifolds: BatchOf<'manifolds'>;
}

/** Batches that read the poses from the simulation's buffer. A step encodes both, one after the other. */
export async function createGpuContacts(
  tester: Tester,
  { count, shapes, fixed, hasMesh }: BodyArrays,
  { poses, groups }: { poses: GPUBuffer; groups: GPUBuffer },
  maxPairs: number,
): Promise<GpuContacts> {
  const capacity = { maxBodies: count, maxPairs };
  const broadPhase = { margin: MARGIN };
  const pairs = await tester.createBatch({ query: 'pairs', broadPhase, poses, groups, ...capacity });
  const found = { pairs: pairs.output.pairs!, pairCount: pairs.output.counts, shapes: pairs.input.shapes };
  const query = { query: 'manifolds', margin: MARGIN, results: 'hits' } as const;
  const parts = hasMesh ? ({ parts: 'all', maxPartPairs: maxPairs } as const) : {};
  const manifolds = await tester.createBatch({ ...query, ...parts, poses, ...found, ...capacity });
  pairs.device.queue.writeBuffer(pairs.input.shapes, 0, shapes.slice());
  pairs.device.queue.writeBuffer(pairs.input.fixed!, 0, fixed.slice());
  return { pairs, manifolds };
}

/** The same on the CPU. */
export async function findCpuContacts(
  tester: Tester,
  { shapes, poses, fixed, groups }: BodyArrays,
): Promise<{ pairs: Uint32Array; manifolds: Manifolds }> {
  const bodies = { ...posedBodies(shapes, poses), groups, fixed: Uint8Array.from(fixed) };
  const pairs = await tester.findPairs(bodies, { margin: MARGIN });
  return { pairs, manifolds: await tester.manifolds(bodies, pairs, { margin: MARGIN, results: 'hits', parts: 'all' }) };
}
