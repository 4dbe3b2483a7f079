/** Engine `dawn`: WebGPU in this process, by the package `webgpu`. */

import { basename } from 'node:path';
import { createTesterWith, openGpuBackend } from '../../src/tester/create-tester.ts';
import { onFirstDriver, withDawn } from '../../src/node/dawn.ts';
import { requestAdapter, type AdapterChoice } from '../../src/gpu/device.ts';
import type { VulkanDriver } from '../../src/node/vulkan.ts';
import { throttleWhile } from '../../src/node/throttle-polling.ts';
import { adapterFacts } from './adapter-facts.ts';
import type { Engine } from './engine.ts';
import { testerEngine } from './tester-engine.ts';

/** The engine on one driver. Throws `WEBGPU_UNAVAILABLE` if the driver has no usable adapter of the choice. */
export async function openDawn(driver: VulkanDriver, choice: AdapterChoice = 'any'): Promise<Engine> {
  // An adapter gives only one device. The tester requests its own.
  const adapter = await withDawn(driver, requestAdapter);
  const platform = { choice, throttle: throttleWhile };
  const tester = await withDawn(driver, (gpu) =>
    createTesterWith({ backend: 'webgpu', gpu }, (space) => openGpuBackend(gpu, {}, space, platform)),
  );
  const runtime = driver.file === undefined ? driver.name : basename(driver.file);
  return testerEngine(tester, { name: 'dawn', runtime: `${API}, ${runtime}` }, adapterFacts(adapter));
}

/** What Dawn runs on. */
const API = { win32: 'Direct3D', darwin: 'Metal' }[process.platform as string] ?? 'Vulkan';

/** The engine on the first driver with a usable adapter of the choice. */
export function openBestDawn(choice: AdapterChoice = 'any'): Promise<Engine> {
  return onFirstDriver(choice, (driver) => openDawn(driver, choice));
}
