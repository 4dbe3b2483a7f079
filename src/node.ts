/** narrowphase in Node: the same as in browsers, with Dawn behind it where the package `webgpu` is installed. */
import { createTesterWith, openGpuBackend } from './create-tester.ts';
import { NarrowphaseError } from './errors.ts';
import type { Backend } from './backend.ts';
import { listVulkanDrivers, withVulkanDriver } from './gpu/vulkan.ts';
import type { Tester, TesterOptions } from './types.ts';

/**
 * A tester on WebGPU, or on the CPU where there is none and `backend` is `'auto'` (the default); `tester.backend` says which.
 * On Linux the system's Vulkan drivers are tried first, then a software one that a Chrome on this machine carries.
 *
 * @throws NarrowphaseError `WEBGPU_UNAVAILABLE` when `backend` is `'webgpu'` and there is no adapter.
 */
export function createTester(options: TesterOptions = {}): Promise<Tester> {
  return createTesterWith(options, openNodeBackend);
}

/** Dawn's instances by driver. They must stay referenced: Dawn crashes when one is collected while its devices live. */
const instances = new Map<string | undefined, GPU>();

async function openNodeBackend(options: TesterOptions): Promise<Backend> {
  if (options.device || options.gpu) return openGpuBackend(options.gpu, options);
  const create = await loadDawn();
  let failure: unknown = new NarrowphaseError('WEBGPU_UNAVAILABLE', 'no Vulkan driver was found for Dawn');
  for (const driver of listVulkanDrivers()) {
    try {
      const gpu = instances.get(driver.file) ?? startDawn(create);
      instances.set(driver.file, gpu);
      return await withVulkanDriver(driver, () => openGpuBackend(gpu, options));
    } catch (error) {
      if (!(error instanceof NarrowphaseError && error.code === 'WEBGPU_UNAVAILABLE')) throw error;
      failure = error;
    }
  }
  throw failure;
}

function startDawn(create: (options: string[]) => GPU): GPU {
  try {
    return create([]);
  } catch (cause) {
    throw new NarrowphaseError('WEBGPU_UNAVAILABLE', `Dawn did not start: ${(cause as Error).message}`, { cause });
  }
}

async function loadDawn(): Promise<(options: string[]) => GPU> {
  try {
    return (await import('webgpu')).create;
  } catch (cause) {
    const message = "the package 'webgpu' (Dawn for Node) can't be loaded; npm install webgpu";
    throw new NarrowphaseError('WEBGPU_UNAVAILABLE', message, { cause });
  }
}

export { NarrowphaseError, type ErrorCode } from './errors.ts';
export * from './types.ts';
export type * from './shapes/descriptions.ts';
