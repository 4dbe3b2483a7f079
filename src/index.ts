/** narrowphase in browsers and workers. */
import { createTesterWith, openGpuBackend, type CreateTester } from './create-tester.ts';
import type { TesterOptions } from './types.ts';

/**
 * A tester of space, or with `dimension: 2` of the plane, on WebGPU, or on the CPU where there is none and `backend` is `'auto'` (the default); `tester.backend` says which.
 *
 * @throws NarrowphaseError `WEBGPU_UNAVAILABLE` when `backend` is `'webgpu'` and there is no adapter.
 */
export const createTester = ((options: TesterOptions = {}) => {
  return createTesterWith(options, (space) => openGpuBackend(options.gpu ?? globalThis.navigator?.gpu, options, space));
}) as CreateTester;

export { NarrowphaseError, type ErrorCode } from './errors.ts';
export * from './types.ts';
export type * from './batch-types.ts';
export type * from './shapes/descriptions.ts';
export type * from './shapes/planar-descriptions.ts';
