/** Dawn in Node: WebGPU from the package `webgpu`, on a choice of drivers. */

import type { Backend } from '../request/backend.ts';
import { openGpuBackend } from '../tester/create-tester.ts';
import { NarrowphaseError, hasCode } from '../api/errors.ts';
import type { AdapterChoice } from '../gpu/device.ts';
import { listVulkanDrivers, withVulkanDriver } from './vulkan.ts';
import type { VulkanDriver } from './vulkan.ts';
import { throttleWhile } from './throttle-polling.ts';
import type { DimensionParts } from '../dimension/parts.ts';
import type { TesterOptions } from '../api/types.ts';

/**
 * Dawn's instances by driver. They must stay referenced: Dawn crashes if an instance is collected while its devices
 * live.
 */
const instances = new Map<string, GPU>();

/** A backend on the first driver with a usable adapter. Throws `WEBGPU_UNAVAILABLE` if there is none. */
export function openDawnBackend(
  options: TesterOptions,
  parts: DimensionParts,
  choice: AdapterChoice,
): Promise<Backend> {
  const platform = { choice, throttle: throttleWhile };
  return onFirstDriver(choice, (driver) => withDawn(driver, (gpu) => openGpuBackend(gpu, options, parts, platform)));
}

/**
 * The result of `use` for the first driver on which `use` does not throw `WEBGPU_UNAVAILABLE`. Throws
 * `WEBGPU_UNAVAILABLE` if there is no such driver.
 */
export async function onFirstDriver<Result>(
  choice: AdapterChoice,
  use: (driver: VulkanDriver) => Promise<Result>,
): Promise<Result> {
  const reason = 'no Vulkan driver of the system was found for Dawn, only software ones';
  let failure: unknown = new NarrowphaseError('WEBGPU_UNAVAILABLE', reason);
  for (const driver of await dawnDrivers()) {
    if (choice === 'hardware' && driver.kind !== 'system') continue;
    try {
      return await use(driver);
    } catch (error) {
      if (!hasCode(error, 'WEBGPU_UNAVAILABLE')) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** The drivers that Dawn can use. Throws `WEBGPU_UNAVAILABLE` if Dawn is not installed or there is no driver. */
export async function dawnDrivers(): Promise<VulkanDriver[]> {
  await loadDawn();
  const drivers = listVulkanDrivers();
  if (drivers.length === 0) throw new NarrowphaseError('WEBGPU_UNAVAILABLE', 'no Vulkan driver was found for Dawn');
  return drivers;
}

/**
 * Calls `use` with Dawn on a driver. The object has only `requestAdapter`, which chooses this driver whenever it is
 * called.
 */
export async function withDawn<Result>(driver: VulkanDriver, use: (gpu: GPU) => Result): Promise<Awaited<Result>> {
  const create = await loadDawn();
  const gpu = instances.get(driver.name) ?? start(create, driver);
  instances.set(driver.name, gpu);
  const requestAdapter: GPU['requestAdapter'] = (options) =>
    withVulkanDriver(driver, () => gpu.requestAdapter(options));
  return await use({ requestAdapter } as GPU);
}

function start(create: (options: string[]) => GPU, { options = [] }: VulkanDriver): GPU {
  try {
    return create([...options]);
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
