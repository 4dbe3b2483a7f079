/** Which kernels the page's devices have compiled, by the labels of their pipelines. */

import type { Algorithm } from '../../src/api/types.ts';
import { kernels, loadSearchKernels, type KernelName } from '../../src/generated/kernel-table.ts';
import { kernelCode } from '../../src/gpu/kernel-code.ts';
import { openDevice } from '../../src/gpu/device.ts';
import { HARDWARE } from '../../src/gpu/adapter-class.ts';
import { createKernels, type KernelVariant } from '../../src/gpu/kernels.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { browserFamily, type BrowserFamilyName } from './families.ts';
import { ALL_SORTS } from '../helpers/part-batches.ts';
import { createTester, hardware, heightfield } from './testers.ts';

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
  turning?: boolean;
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

const LEAST = { maxBodies: 2, maxPairs: 1 };

/** Makes batches with compounds and meshes, of all queries that take them, and runs none. */
export async function compileParts(): Promise<void> {
  const tester = await createTester({ backend: 'webgpu' });
  for (const shape of ALL_SORTS) tester.addShape(shape);
  tester.addShape(heightfield({ heights: new Float32Array(9), columns: 3, size: [2, 2] }));
  for (const query of ['intersects', 'distances', 'contacts'] as const)
    (await tester.createBatch({ query, ...LEAST, maxPartPairs: 1 })).dispose();
  const ofMotion = { duration: 1, stopAtPenetration: false, maxPartPairs: 1 };
  for (const turning of [false, true])
    (await tester.createBatch({ query: 'impacts', ...LEAST, ...ofMotion, turning })).dispose();
  const ofParts = { parts: 'all', results: 'hits', maxPartPairs: 1 } as const;
  (await tester.createBatch({ query: 'manifolds', ...LEAST, ...ofParts })).dispose();
  tester.dispose();
}

/**
 * Has the browser check the WGSL of all kernels, without making pipelines. Gives their names and the errors, and those of
 * a module that is wrong.
 */
export async function checkModules(): Promise<{ names: string[]; errors: string[]; ofWrong: string[] }> {
  const { device, release } = await openDevice(navigator.gpu, {});
  const errorsOf = async (label: string, code: string): Promise<string[]> => {
    device.pushErrorScope('validation');
    const { messages } = await device.createShaderModule({ label, code }).getCompilationInfo();
    const error = await device.popErrorScope();
    const errors = messages.filter(({ type }) => type === 'error').map(({ message }) => message);
    return [...errors, ...(error ? [error.message] : [])].map((message) => `${label}: ${message}`);
  };
  const names = Object.keys({ ...kernels, ...(await loadSearchKernels()) }) as KernelName[];
  const errors: string[] = [];
  for (const name of names) errors.push(...(await errorsOf(name, await kernelCode(name))));
  const ofWrong = await errorsOf('wrong', 'fn wrong() -> u32 { return 1.0f; }');
  release();
  return { names, errors, ofWrong };
}

/** Compiles kernels alone, as on a graphics card. */
export async function compileKernels(variants: KernelVariant[]): Promise<void> {
  const { device, release } = await openDevice(navigator.gpu, {});
  await createKernels(device, HARDWARE).prepare(variants);
  release();
}
