/**
 * Once before all tests: browsers for the pages, a Vulkan driver for Dawn. A missing one fails the run; it skips
 * nothing.
 */

import { BROWSERS } from '../../verification/engines/find-browser.ts';
import { listVulkanDrivers } from '../../src/node/vulkan.ts';
import { ensureBrowser } from './browser.ts';

export default async function setup(): Promise<void> {
  for (const which of BROWSERS) await ensureBrowser(which);
  if (listVulkanDrivers().length === 0) {
    throw new Error(
      'No Vulkan driver found for Dawn and Firefox, and no SwiftShader of a Chrome: install one (on Debian 12: ' +
        'chromium, or mesa-vulkan-drivers from bookworm-backports) or set VK_DRIVER_FILES.',
    );
  }
}
