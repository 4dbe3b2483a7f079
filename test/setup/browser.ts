/** Finds the Chrome or Chromium that the tests drive, and installs one where there is none. */

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { executablePath } from 'puppeteer';

const minute = 60_000;

/** Path of a browser's executable: the one named in the environment, puppeteer's own, the system's; undefined if none. */
export function findBrowser(): string | undefined {
  for (const name of ['CHROME_PATH', 'PUPPETEER_EXECUTABLE_PATH']) {
    const path = process.env[name];
    if (!path) continue;
    if (!existsSync(path)) throw new Error(`${name} is ${path}, which does not exist`);
    return path;
  }
  return [puppeteersOwn(), ...systemPaths()].find((path) => existsSync(path));
}

/**
 * `findBrowser`, after an installation where needed: Debian's package for root on Debian, otherwise the Chrome for Testing
 * that puppeteer downloads into its cache. Throws one line that says what to do where neither can be had.
 */
export function ensureBrowser(): string {
  const found = findBrowser();
  if (found) return found;
  if (!installDebianChromium()) run('npx', ['--no-install', 'puppeteer', 'browsers', 'install', 'chrome'], 10 * minute);
  const installed = findBrowser();
  if (installed) return installed;
  throw new Error(
    'No Chrome or Chromium found, and none could be installed: install one (on Debian: apt-get install chromium) or set CHROME_PATH to its executable.',
  );
}

function puppeteersOwn(): string {
  try {
    return executablePath();
  } catch {
    return '';
  }
}

function systemPaths(): string[] {
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge'];
  switch (process.platform) {
    case 'darwin':
      return ['/Applications', join(process.env.HOME ?? '', 'Applications')].flatMap((folder) =>
        ['Google Chrome', 'Chromium', 'Microsoft Edge'].map((name) => join(folder, `${name}.app`, 'Contents', 'MacOS', name)),
      );
    case 'win32':
      return [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA].flatMap((folder = '') => [
        join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
        join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
      ]);
    default: {
      const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/opt/google/chrome'];
      return names.flatMap((name) => folders.map((folder) => join(folder, name)));
    }
  }
}

/** Ubuntu's package of this name only installs a snap, which containers cannot run: Debian alone. */
function installDebianChromium(): boolean {
  if (process.getuid?.() !== 0 || !/^ID=debian$/m.test(readOrEmpty('/etc/os-release'))) return false;
  const environment = { DEBIAN_FRONTEND: 'noninteractive' };
  return (
    run('apt-get', ['update'], 5 * minute, environment) &&
    run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium', 'libvulkan1'], 15 * minute, environment)
  );
}

function readOrEmpty(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Runs an installer with its output on stderr; true when it succeeded. */
function run(command: string, parameters: string[], timeout: number, environment: Record<string, string> = {}): boolean {
  console.error(`No Chrome or Chromium found. Running: ${command} ${parameters.join(' ')}`);
  const { status } = spawnSync(command, parameters, {
    stdio: ['ignore', 2, 2],
    timeout,
    env: { ...process.env, ...environment },
    shell: process.platform === 'win32',
  });
  return status === 0;
}
