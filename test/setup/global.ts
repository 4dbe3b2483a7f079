/** Once before all tests: a browser for the pages, a Vulkan driver for Dawn. A missing one fails the run; it skips nothing. */

import { listVulkanDrivers } from '../../src/gpu/vulkan.ts';
import { ensureBrowser } from './browser.ts';

export default function setup(): void {
  const browser = ensureBrowser();
  if (listVulkanDrivers().length === 0) {
    throw new Error(
      `No Vulkan driver found for Dawn, and no SwiftShader beside ${browser}: install one (on Debian 12: chromium, or mesa-vulkan-drivers from bookworm-backports) or set VK_DRIVER_FILES.`,
    );
  }
}
