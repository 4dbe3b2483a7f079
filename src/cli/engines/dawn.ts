/** Engine `dawn`: WebGPU in this process, by the package `webgpu`. */

import { basename } from 'node:path';
import { createTesterWith, openGpuBackend } from '../../create-tester.ts';
import { dawnDrivers, withDawn } from '../../dawn.ts';
import { NarrowphaseError } from '../../errors.ts';
import type { VulkanDriver } from '../../gpu/vulkan.ts';
import { restWhile } from '../../rest.ts';
import { adapterFacts } from './adapter-facts.ts';
import type { Engine } from './engine.ts';
import { testerEngine } from './tester-engine.ts';

/** The engine on one driver; throws `WEBGPU_UNAVAILABLE` where it gives no adapter. */
export async function openDawn(driver: VulkanDriver): Promise<Engine> {
  const adapter = await withDawn(driver, (gpu) => gpu.requestAdapter());
  if (!adapter) throw new NarrowphaseError('WEBGPU_UNAVAILABLE', `the Vulkan driver ${driver.name} gives Dawn no adapter`);
  const tester = await withDawn(driver, (gpu) =>
    createTesterWith({ backend: 'webgpu', gpu }, (space) => openGpuBackend(gpu, {}, space, restWhile)),
  );
  const runtime = driver.file === undefined ? driver.name : basename(driver.file);
  return testerEngine(tester, { name: 'dawn', runtime: `Vulkan, ${runtime}` }, adapterFacts(adapter));
}

/** The engine on the first driver that gives an adapter, or with `hardware` on the first that gives a hardware one. */
export async function openBestDawn(hardware = false): Promise<Engine> {
  let failure: unknown = new NarrowphaseError('WEBGPU_UNAVAILABLE', 'Dawn has no hardware adapter');
  for (const driver of await dawnDrivers()) {
    if (hardware && driver.kind !== 'system') continue;
    try {
      const engine = await openDawn(driver);
      if (!hardware || !engine.facts.adapter.isSoftware) return engine;
      await engine.close();
    } catch (error) {
      if (!(error instanceof NarrowphaseError && error.code === 'WEBGPU_UNAVAILABLE')) throw error;
      failure = error;
    }
  }
  throw failure;
}
