/** narrowphase in Node: the same as in browsers, with Dawn behind it where the package `webgpu` is installed. */
import { createTesterWith, openGpuBackend, type CreateTester } from './create-tester.ts';
import { openDawnBackend } from './dawn.ts';
import { restWhile } from './rest.ts';
import type { TesterOptions } from './types.ts';

/**
 * A tester of space, or with `dimension: 2` of the plane, on WebGPU, or on the CPU where there is none and `backend` is `'auto'` (the default); `tester.backend` says which.
 * On Linux the system's Vulkan drivers are tried first, then a software one that a Chrome on this machine carries.
 *
 * @throws NarrowphaseError `WEBGPU_UNAVAILABLE` when `backend` is `'webgpu'` and there is no adapter.
 */
export const createTester = ((options: TesterOptions = {}) => {
  return createTesterWith(options, (space) => {
    const { device, gpu } = options;
    return device || gpu ? openGpuBackend(gpu, options, space, restWhile) : openDawnBackend(options, space);
  });
}) as CreateTester;

export { NarrowphaseError, type ErrorCode } from './errors.ts';
export * from './types.ts';
export type * from './batch-types.ts';
export type * from './shapes/descriptions.ts';
export type * from './shapes/planar-descriptions.ts';
