/** narrowphase in browsers and workers. */
import { createTesterWith, openGpuBackend } from './create-tester.ts';
import type { Tester, TesterOptions } from './types.ts';

/**
 * A tester on WebGPU, or on the CPU where there is none and `backend` is `'auto'` (the default); `tester.backend` says which.
 *
 * @throws NarrowphaseError `WEBGPU_UNAVAILABLE` when `backend` is `'webgpu'` and there is no adapter.
 */
export function createTester(options: TesterOptions = {}): Promise<Tester> {
  return createTesterWith(options, () => openGpuBackend(options.gpu ?? globalThis.navigator?.gpu, options));
}

export { NarrowphaseError, type ErrorCode } from './errors.ts';
export * from './types.ts';
export type * from './batch-types.ts';
export type * from './shapes/descriptions.ts';
