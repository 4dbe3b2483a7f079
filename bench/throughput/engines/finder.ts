/**
 * Finds the engines of this machine: Dawn on each driver that gives an adapter of its own, the browsers that are
 * installed, the CPU.
 */

import { findBrowser, BROWSERS } from '../../../verification/engines/find-browser.ts';
import { dawnDrivers, withDawn } from '../../../src/node/dawn.ts';
import type { VulkanDriver } from '../../../src/node/vulkan.ts';
import type { EngineName, FinderSubject, FoundEngine } from '../protocol.ts';

/** The CPU backend has one thread, as peers have. */
export function finderSubject(): FinderSubject {
  return {
    async find() {
      const dawn = await findDawn();
      const adapter = dawn.some((found) => 'engine' in found && found.engine.name === 'dawn') ? 'hardware' : 'software';
      const browsers = await Promise.all(
        BROWSERS.map(async (name): Promise<FoundEngine> => {
          const path = await findBrowser(name).catch(() => undefined);
          return path === undefined ? { name, reason: 'not installed' } : { engine: { name, adapter } };
        }),
      );
      return [...dawn, ...browsers, { engine: { name: 'cpu', threads: 1 } }];
    },
  };
}

async function findDawn(): Promise<FoundEngine[]> {
  let drivers: VulkanDriver[];
  try {
    drivers = await dawnDrivers();
  } catch (error) {
    return [{ name: 'dawn', reason: (error as Error).message }];
  }
  const found: FoundEngine[] = [];
  const names = new Set<EngineName>();
  for (const driver of drivers) {
    const adapter = await withDawn(driver, (gpu) => gpu.requestAdapter());
    if (!adapter) continue;
    const { architecture, description, device } = adapter.info;
    const text = `${architecture} ${device} ${description}`;
    const name = /swiftshader/i.test(text)
      ? 'dawn-swiftshader'
      : /llvmpipe|lavapipe/i.test(text)
        ? 'dawn-lavapipe'
        : 'dawn';
    if (names.has(name)) continue;
    names.add(name);
    found.push({ engine: { name, driver } });
  }
  return found;
}
