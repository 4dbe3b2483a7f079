/**
 * Once before all tests: browsers for the pages, a Vulkan driver for Dawn, and a folder for what the test files of a run
 * share. A missing browser or driver fails the run; it skips nothing.
 */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { BROWSERS } from '../../verification/engines/find-browser.ts';
import { listVulkanDrivers } from '../../src/node/vulkan.ts';
import { ensureBrowser } from './browser.ts';
import { RUN_FOLDER } from './run-folder.ts';

/** Returns what Vitest calls after the run. */
export default async function setup(project: TestProject): Promise<() => void> {
  for (const which of BROWSERS) await ensureBrowser(which);
  if (listVulkanDrivers().length === 0) {
    throw new Error(
      'No Vulkan driver found for Dawn and Firefox, and no SwiftShader of a Chrome: install one (on Debian 12: ' +
        'chromium, or mesa-vulkan-drivers from bookworm-backports) or set VK_DRIVER_FILES.',
    );
  }
  // Projects of one run set up one after the other, and share the folder of the first.
  const folder = (process.env[RUN_FOLDER] ??= mkdtempSync(join(tmpdir(), 'narrowphase-tests-')));
  project.onTestsRerun(() => {
    // In watch mode the sources have changed.
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  });
  return () => rmSync(folder, { recursive: true, force: true });
}
