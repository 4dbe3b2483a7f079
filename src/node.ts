/** narrowphase/node: the entry for Node, on Dawn if the package `webgpu` is installed. */
import { createTesterWith, openGpuBackend, type CreateTester } from './tester/create-tester.ts';
import { openDawnBackend } from './node/dawn.ts';
import { throttleWhile } from './node/throttle-polling.ts';
import type { TesterOptions } from './api/types.ts';

/**
 * Creates a tester: a `Tester`, or with `dimension: 2` a `PlanarTester`. With `backend: 'auto'` (the default) it runs on
 * WebGPU if there is a hardware adapter that can be used, otherwise on the CPU. `tester.backend` says which, and
 * `tester.fallback` why. On Linux, `'auto'` tries the system's Vulkan drivers. `'webgpu'` tries them first, and
 * then the software driver of an installed Chrome. On Windows, `'webgpu'` tries WARP last, a software adapter of the
 * system.
 *
 * @throws NarrowphaseError `WEBGPU_UNAVAILABLE` if `backend` is `'webgpu'` and no adapter can be used; `INVALID_INPUT` for
 * wrong or unknown options; with a `device` of your own also `LIMIT_EXCEEDED`, `DEVICE_LOST`, `SHADER` and `OUT_OF_MEMORY`
 * if the device cannot be used.
 */
export const createTester = ((options: TesterOptions = {}) => {
  return createTesterWith(options, (parts, choice) => {
    const { device, gpu } = options;
    if (device || gpu) return openGpuBackend(gpu, options, parts, { choice, throttle: throttleWhile });
    return openDawnBackend(options, parts, choice);
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
