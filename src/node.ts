/** narrowphase in Node: the same as in browsers, with Dawn behind it where the package `webgpu` is installed. */
import { createTesterWith, openGpuBackend } from './create-tester.ts';
import { openDawnBackend } from './dawn.ts';
import { restWhile } from './rest.ts';
import type { Tester, TesterOptions } from './types.ts';

/**
 * A tester on WebGPU, or on the CPU where there is none and `backend` is `'auto'` (the default); `tester.backend` says which.
 * On Linux the system's Vulkan drivers are tried first, then a software one that a Chrome on this machine carries.
 *
 * @throws NarrowphaseError `WEBGPU_UNAVAILABLE` when `backend` is `'webgpu'` and there is no adapter.
 */
export function createTester(options: TesterOptions = {}): Promise<Tester> {
  return createTesterWith(options, ({ device, gpu }) => (device || gpu ? openGpuBackend(gpu, options, restWhile) : openDawnBackend(options)));
}

export { NarrowphaseError, type ErrorCode } from './errors.ts';
export * from './types.ts';
export type * from './batch-types.ts';
export type * from './shapes/descriptions.ts';
