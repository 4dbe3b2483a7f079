/** Dawn on a choice of Vulkan drivers. */

import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { dawnDrivers, withDawn } from '../../src/node/dawn.ts';

const NAMES = { lavapipe: /llvmpipe/, swiftshader: /swiftshader/i, warp: /basic render/i };

afterEach(() => vi.unstubAllEnvs());

test('adapters are those of the driver, however late they are requested', async () => {
  // A caller's choice would leave no other.
  for (const name of ['VK_DRIVER_FILES', 'VK_ICD_FILENAMES']) vi.stubEnv(name, '');
  const kinds = new Set<string>();
  for (const driver of await dawnDrivers()) {
    if (driver.kind === 'system') continue;
    const adapter = await withDawn(driver, async (gpu) => {
      await setTimeout(10);
      return gpu.requestAdapter();
    });
    expect(adapter!.info.description, driver.name).toMatch(NAMES[driver.kind]);
    kinds.add(driver.kind);
  }
  expect(kinds.size).toBeGreaterThan(0);
});
