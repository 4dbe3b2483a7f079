/** Which kernels the page's devices have compiled, by the labels of their pipelines. */

import { useShapes } from '../../verification/families/test-pairs.ts';
import { browserFamily, type BrowserFamilyName } from './families.ts';
import { createTester, hardware, testerOf } from './testers.ts';

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

/** The same for kernels that only graphics cards run, on an adapter that passes for one. */
export async function compileAsHardware(): Promise<void> {
  const tester = await createTester({ backend: 'webgpu', gpu: hardware });
  const room = { maxBodies: 2, maxPairs: 1 };
  for (const name of ['curved', 'box-box'] as const) {
    useShapes(tester, browserFamily(name, 1, 1).shapes);
    for (const algorithm of ['auto', 'gjk'] as const) {
      (await tester.createBatch({ query: 'contacts', algorithm, margin: 0.1, ...room })).dispose();
      (await tester.createBatch({ query: 'manifolds', algorithm, ...room })).dispose();
      (await tester.createBatch({ query: 'distances', algorithm, ...room })).dispose();
    }
  }
  tester.dispose();
}
