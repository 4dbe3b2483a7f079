/** Starts browsers with WebGPU through puppeteer. Only this file loads puppeteer. */

import { once } from 'node:events';
import { join } from 'node:path';
import type { Browser } from 'puppeteer';
import { NarrowphaseError } from '../../src/api/errors.ts';
import { listVulkanDrivers } from '../../src/node/vulkan.ts';
import { findBrowser } from './find-browser.ts';
import { startGuard } from './guard.ts';
import type { Guard } from './guard.ts';
import type { BrowserName } from './find-browser.ts';

/**
 * The kind of adapter that a browser should use. With `'software-canvas'`, Chrome shows WebGPU canvases, which needs a
 * compositor on the same driver; such a Chrome has no WebGL.
 */
export type AdapterKind = 'hardware' | 'software' | 'software-canvas';

const CHROME_FLAGS = [
  '--enable-unsafe-webgpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-dev-shm-usage',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  // The browser opens only this package's page, and in containers the sandbox isn't permitted to start.
  '--no-sandbox',
];

/** On Linux, headless Chrome reaches a graphics card only through Vulkan. Without a card these flags make it hang. */
const LINUX_HARDWARE_FLAGS = ['--enable-features=Vulkan', '--use-angle=vulkan', '--ignore-gpu-blocklist'];

/** Without these, the GPU process of a headless Chrome ends when a WebGPU canvas is first shown on a software adapter. */
const SOFTWARE_CANVAS_FLAGS = ['--enable-features=Vulkan', '--use-vulkan=swiftshader', '--use-angle=vulkan'];

/** On Linux, Firefox needs the first preference for WebGPU, and the second for software drivers. */
const FIREFOX_PREFERENCES = { 'dom.webgpu.enabled': true, 'gfx.webgpu.ignore-blocklist': true };

/** Guards of the running browsers. */
const guards = new WeakMap<Browser, Guard>();

/**
 * Starts a browser on a fresh profile, which is deleted when the browser ends. Throws `WEBGPU_UNAVAILABLE` if there is
 * no puppeteer or no browser, and puppeteer's error if the browser does not start within `timeout` milliseconds. The
 * timeout applies to every later command too.
 */
export async function launchBrowser(name: BrowserName, kind: AdapterKind, timeout: number): Promise<Browser> {
  const { defaultArgs, launch } = await loadPuppeteer();
  const executable = await executableOf(name);
  const guard = startGuard();
  try {
    const options = { browser: name, headless: true, userDataDir: join(guard.folder, 'profile') };
    const browser = await launch({
      ...options,
      ...guard.command(executable, defaultArgs({ ...options, args: name === 'chrome' ? chromeFlags(kind) : [] })),
      ignoreDefaultArgs: true,
      // A pipe opens no port to which others could connect. Firefox has no pipe.
      pipe: name === 'chrome',
      timeout,
      protocolTimeout: timeout,
      env: { ...process.env, ...environmentOf(name, kind, guard.folder) },
      extraPrefsFirefox: FIREFOX_PREFERENCES,
    });
    guards.set(browser, guard);
    browser.process()?.once('exit', () => void guard.end());
    return browser;
  } catch (error) {
    await guard.end();
    throw error;
  }
}

function environmentOf(name: BrowserName, kind: AdapterKind, folder: string): Record<string, string> {
  // Chrome leaves folders behind if it is killed. On other systems the paths of its sockets would become too long.
  const own: Record<string, string> = process.platform === 'linux' ? { TMPDIR: folder } : {};
  return name === 'firefox' && kind !== 'hardware' ? { ...own, ...softwareVulkan() } : own;
}

/**
 * An environment in which Firefox, which has no driver of its own, uses lavapipe, or else the SwiftShader of a Chrome.
 */
function softwareVulkan(): Record<string, string> {
  const drivers = listVulkanDrivers();
  const { file } =
    drivers.find(({ kind }) => kind === 'lavapipe') ?? drivers.find(({ kind }) => kind === 'swiftshader') ?? {};
  // Vulkan loaders before 1.3.207 know only the second name.
  return file === undefined ? {} : { VK_DRIVER_FILES: file, VK_ICD_FILENAMES: file };
}

async function executableOf(name: BrowserName): Promise<string> {
  let path: string | undefined;
  try {
    path = await findBrowser(name);
  } catch (cause) {
    throw new NarrowphaseError('WEBGPU_UNAVAILABLE', (cause as Error).message, { cause });
  }
  if (path !== undefined) return path;
  const variable = name === 'chrome' ? 'CHROME_PATH' : 'FIREFOX_PATH';
  throw new NarrowphaseError('WEBGPU_UNAVAILABLE', `no ${name} was found; install one or set ${variable}`);
}

function chromeFlags(kind: AdapterKind): string[] {
  const software = [...CHROME_FLAGS, '--use-webgpu-adapter=swiftshader'];
  if (kind === 'software') return software;
  if (kind === 'software-canvas') return [...software, ...SOFTWARE_CANVAS_FLAGS];
  return process.platform === 'linux' ? [...CHROME_FLAGS, ...LINUX_HARDWARE_FLAGS] : CHROME_FLAGS;
}

async function loadPuppeteer(): Promise<typeof import('puppeteer')> {
  try {
    return await import('puppeteer');
  } catch (cause) {
    throw new NarrowphaseError('WEBGPU_UNAVAILABLE', "the package 'puppeteer' can't be loaded; npm install puppeteer", {
      cause,
    });
  }
}

/** Closes a browser, by force if it does not respond, and cleans up after it. */
export async function closeBrowser(browser: Browser): Promise<void> {
  const closed = browser.close().catch(() => {});
  const expired = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
  await Promise.race([closed, expired]);
  const child = browser.process();
  if (child && child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  await guards.get(browser)?.end();
}

const CLOSE_MS = 5000;
