/** The browsers that the tests drive; installs one where there is none. */

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { findBrowser } from '../../verification/engines/find-browser.ts';
import type { BrowserName } from '../../verification/engines/find-browser.ts';

const minute = 60_000;

/** Debian's package of each browser, what it needs besides for WebGPU, and what the error calls it. */
const known = {
  chrome: { name: 'Chrome or Chromium', variable: 'CHROME_PATH', packages: ['chromium', 'libvulkan1'] },
  firefox: { name: 'Firefox', variable: 'FIREFOX_PATH', packages: ['firefox-esr', 'libvulkan1'] },
} as const;

/**
 * `findBrowser`, after an installation where needed: Debian's package for root on Debian, otherwise what puppeteer
 * downloads into its cache. Throws one line that says what to do where neither can be had.
 */
export async function ensureBrowser(which: BrowserName): Promise<string> {
  const found = await findBrowser(which);
  if (found) return found;
  const { name, variable, packages } = known[which];
  console.error(`No ${name} found: installing one.`);
  if (!installDebianPackages(packages))
    run('npx', ['--no-install', 'puppeteer', 'browsers', 'install', which], 10 * minute);
  const installed = await findBrowser(which);
  if (installed) return installed;
  throw new Error(
    `No ${name} found, and none could be installed: install one (on Debian: apt-get install ${packages[0]}) ` +
      `or set ${variable} to its executable.`,
  );
}

/** Debian alone: Ubuntu's packages of these names only install snaps, which containers cannot run. */
function installDebianPackages(packages: readonly string[]): boolean {
  if (process.getuid?.() !== 0 || !/^ID=debian$/m.test(readOrEmpty('/etc/os-release'))) return false;
  const environment = { DEBIAN_FRONTEND: 'noninteractive' };
  return (
    run('apt-get', ['update'], 5 * minute, environment) &&
    run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], 15 * minute, environment)
  );
}

function readOrEmpty(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Runs an installer with its output on stderr; true when it succeeded. */
function run(
  command: string,
  parameters: string[],
  timeout: number,
  environment: Record<string, string> = {},
): boolean {
  console.error(`Running: ${command} ${parameters.join(' ')}`);
  const { status } = spawnSync(command, parameters, {
    stdio: ['ignore', 2, 2],
    timeout,
    env: { ...process.env, ...environment },
    shell: process.platform === 'win32',
  });
  return status === 0;
}
