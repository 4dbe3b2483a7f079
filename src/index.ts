/** narrowphase in browsers and workers. */
import { createTesterWith, openGpuBackend, type CreateTester } from './create-tester.ts';
import type { TesterOptions } from './types.ts';

/**
 * A tester of space, or with `dimension: 2` of the plane. With `backend: 'auto'` (the default) it runs on WebGPU where
 * there is a hardware adapter that can be used, otherwise on the CPU: `tester.backend` says which, and
 * `tester.fallback` why.
 *
 * @throws NarrowphaseError `WEBGPU_UNAVAILABLE` when `backend` is `'webgpu'` and no adapter can be used;
 * `INVALID_INPUT` for wrong options.
 */
export const createTester = ((options: TesterOptions = {}) => {
  return createTesterWith(options, (space, choice) => {
    return openGpuBackend(options.gpu ?? globalThis.navigator?.gpu, options, space, { choice });
  });
}) as CreateTester;

export { NarrowphaseError, type ErrorCode } from './errors.ts';
export * from './features.ts';
export * from './types.ts';
export type * from './batch-types.ts';
export type * from './shapes/descriptions.ts';
export type * from './shapes/planar-descriptions.ts';
