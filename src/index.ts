/** narrowphase: the entry for browsers and workers. */
import { createTesterWith, openGpuBackend, type CreateTester } from './tester/create-tester.ts';
import type { TesterOptions } from './api/types.ts';

/**
 * Creates a tester: a `Tester`, or with `dimension: 2` a `PlanarTester`. With `backend: 'auto'` (the default) it runs on
 * WebGPU if there is a hardware adapter that can be used, otherwise on the CPU. `tester.backend` says which, and
 * `tester.fallback` why.
 *
 * @throws NarrowphaseError `WEBGPU_UNAVAILABLE` if `backend` is `'webgpu'` and no adapter can be used; `INVALID_INPUT` for
 * wrong or unknown options; with a `device` of your own also `LIMIT_EXCEEDED`, `DEVICE_LOST`, `SHADER` and `OUT_OF_MEMORY`
 * if the device cannot be used.
 */
export const createTester = ((options: TesterOptions = {}) => {
  return createTesterWith(options, (parts, choice) => {
    return openGpuBackend(options.gpu ?? globalThis.navigator?.gpu, options, parts, { choice });
  });
}) as CreateTester;

export { NarrowphaseError, type ErrorCode } from './api/errors.ts';
export * from './api/features.ts';
export { fitBox } from './shapes/fit-box.ts';
export { heightfield, type HeightfieldMesh, type HeightfieldOptions } from './shapes/heightfield.ts';
export * from './api/types.ts';
export type * from './api/batch-options.ts';
export type * from './api/batch.ts';
export type * from './api/shapes.ts';
export type * from './api/planar-shapes.ts';
