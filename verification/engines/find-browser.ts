/**
 * Finds a browser's executable: in environment variables, puppeteer's own download, or the usual places of the system.
 */

import { existsSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';

export const BROWSERS = ['chrome', 'firefox'] as const;
export type BrowserName = (typeof BROWSERS)[number];

interface Places {
  /** Environment variables that name the executable. */
  variables: string[];
  /** Names to look for in the folders of PATH and in `folders`. */
  programs: string[];
  folders: string[];
  /** Paths below /Applications. */
  mac: string[];
  /** Paths below the program folders of Windows. */
  windows: string[];
}

const places: Record<BrowserName, Places> = {
  chrome: {
    variables: ['CHROME_PATH', 'PUPPETEER_EXECUTABLE_PATH'],
    programs: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge'],
    folders: ['/usr/bin', '/usr/local/bin', '/opt/google/chrome'],
    mac: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map((name) => `${name}.app/Contents/MacOS/${name}`),
    windows: ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'],
  },
  firefox: {
    variables: ['FIREFOX_PATH'],
    programs: ['firefox-esr', 'firefox'],
    folders: ['/usr/bin', '/usr/local/bin', '/opt/firefox'],
    mac: ['Firefox', 'Firefox Developer Edition', 'Firefox Nightly'].map(
      (name) => `${name}.app/Contents/MacOS/firefox`,
    ),
    windows: ['Mozilla Firefox/firefox.exe', 'Firefox Developer Edition/firefox.exe', 'Firefox Nightly/firefox.exe'],
  },
};

/**
 * Path of the browser's executable; `undefined` if there is none. `chrome` is any of Chrome, Chromium and Edge.
 *
 * @throws Error if the environment names a file that does not exist.
 */
export async function findBrowser(which: BrowserName): Promise<string | undefined> {
  for (const name of places[which].variables) {
    const path = process.env[name];
    if (!path) continue;
    if (!existsSync(path)) throw new Error(`${name} is ${path}, which does not exist`);
    return path;
  }
  return [await puppeteersOwn(which), ...systemPaths(which)].find((path) => path !== undefined && existsSync(path));
}

/** The browser that puppeteer has downloaded; `undefined` without puppeteer, which the package does not depend on. */
async function puppeteersOwn(which: BrowserName): Promise<string | undefined> {
  try {
    const { executablePath } = await import('puppeteer');
    const path = executablePath({ browser: which });
    // If a path is configured for puppeteer, puppeteer returns it for every browser.
    return basename(path).toLowerCase().includes('firefox') === (which === 'firefox') ? path : undefined;
  } catch {
    return undefined;
  }
}

function systemPaths(which: BrowserName): string[] {
  const { programs, folders, mac, windows } = places[which];
  const { env } = process;
  switch (process.platform) {
    case 'darwin':
      return below(['/Applications', env.HOME && join(env.HOME, 'Applications')], mac);
    case 'win32':
      return below([env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA], windows);
    default:
      return programs.flatMap((program) => below([...(env.PATH ?? '').split(delimiter), ...folders], [program]));
  }
}

/** Each path below each existing root. */
function below(roots: (string | undefined)[], paths: string[]): string[] {
  return roots.flatMap((root) => (root ? paths.map((path) => join(root, path)) : []));
}
