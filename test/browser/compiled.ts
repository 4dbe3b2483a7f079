/** Which kernels the page's devices have compiled, by the labels of their pipelines. */

import type { Algorithm } from '../../src/api/types.ts';
import { openDevice } from '../../src/gpu/device.ts';
import { HARDWARE } from '../../src/gpu/adapter-class.ts';
import { createKernels, type KernelVariant } from '../../src/gpu/kernels.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { browserFamily, type BrowserFamilyName } from './families.ts';
import { createTester, hardware } from './testers.ts';

const compiled = new Map<string, number>();

/** From now on every compute pipeline is noted once it is there. */
export function recordCompiling(): void {
  const { createComputePipelineAsync } = GPUDevice.prototype;
  GPUDevice.prototype.createComputePipelineAsync = async function (descriptor) {
    const start = performance.now();
    const pipeline = await createComputePipelineAsync.call(this, descriptor);
    compiled.set(descriptor.label ?? '', performance.now() - start);
    return pipeline;
  };
}

/** Labels and milliseconds until the pipeline came, those of others compiled at the same time included. */
export function compiledKernels(): [label: string, milliseconds: number][] {
  return [...compiled];
}

/** A batch of a family's shapes. */
export interface BatchCase {
  family: BrowserFamilyName;
  query: 'intersects' | 'distances' | 'contacts' | 'manifolds' | 'impacts';
  algorithm?: Algorithm;
  margin?: number;
  duration?: number;
  stopAtPenetration?: boolean;
}

/**
 * Makes batches, and runs none: the kernels that only few pairs need, and queries compile when one does, are among those
 * that compile then. `asHardware`: on an adapter that passes for a graphics card.
 */
export async function compileBatches(cases: BatchCase[], asHardware: boolean): Promise<void> {
  const tester = await createTester({ backend: 'webgpu', ...(asHardware && { gpu: hardware }) });
  for (const { family, query, ...options } of cases) {
    useShapes(tester, browserFamily(family, 1, 1).shapes);
    (await tester.createBatch({ query, maxBodies: 2, maxPairs: 1, ...options } as never)).dispose();
  }
  tester.dispose();
}

/** Compiles kernels alone, as on a graphics card. */
export async function compileKernels(variants: KernelVariant[]): Promise<void> {
  const { device, release } = await openDevice(navigator.gpu, {});
  await createKernels(device, HARDWARE).prepare(variants);
  release();
}
