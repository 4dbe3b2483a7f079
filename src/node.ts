/** narrowphase in Node: the same as in browsers, with Dawn behind it where the package `webgpu` is installed. */
import { createTesterWith, openGpuBackend, type CreateTester } from './tester/create-tester.ts';
import { openDawnBackend } from './node/dawn.ts';
import { throttleWhile } from './node/throttle-polling.ts';
import type { TesterOptions } from './api/types.ts';

/**
 * A tester of space, or with `dimension: 2` of the plane. With `backend: 'auto'` (the default) it runs on WebGPU where
 * there is a hardware adapter that can be used, otherwise on the CPU: `tester.backend` says which, and
 * `tester.fallback` why. On Linux `'auto'` tries the system's Vulkan drivers; `'webgpu'` tries them first, and then a
 * software one that a Chrome on this machine carries.
 *
 * @throws NarrowphaseError `WEBGPU_UNAVAILABLE` when `backend` is `'webgpu'` and no adapter can be used;
 * `INVALID_INPUT` for wrong options.
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
export * from './api/types.ts';
export type * from './api/batch.ts';
export type * from './api/shapes.ts';
export type * from './api/planar-shapes.ts';
