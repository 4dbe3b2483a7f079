/** Which kernels the page's devices have compiled, by the labels of their pipelines. */

import { useShapes } from '../../verification/families/test-pairs.ts';
import { browserFamily, type BrowserFamilyName } from './families.ts';
import { testerOf } from './testers.ts';

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

/**
 * Makes a batch of contacts of a family's shapes: the kernels that only few pairs need, and queries compile when one
 * does, among them.
 */
export async function compileBatch(name: BrowserFamilyName): Promise<void> {
  const tester = await testerOf(name);
  useShapes(tester, browserFamily(name, 1, 1).shapes);
  const room = { maxBodies: 2, maxPairs: 1 };
  (await tester.createBatch({ query: 'contacts', ...room, largePolytopes: true })).dispose();
  (await tester.createBatch({ query: 'impacts', ...room, duration: 1, stopAtPenetration: false })).dispose();
  useShapes(tester, []);
}
