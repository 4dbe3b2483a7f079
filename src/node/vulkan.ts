/**
 * Drivers for Dawn in Node: Vulkan's on Linux. Elsewhere Dawn uses Metal or Direct3D by itself. On Windows it uses
 * WARP, Direct3D's CPU implementation, only if asked for.
 *
 * Dawn loads `libvulkan.so.1`. That loader reads driver manifests (`*_icd.json`) from the standard folders, or only
 * those that `VK_DRIVER_FILES` names. A machine may have no driver there, or only one that Dawn rejects (the lavapipe
 * of Mesa 22). It may still have Chrome, whose program folder contains SwiftShader, a CPU implementation of Vulkan that
 * Dawn accepts, and a loader beside it.
 *
 * The loader reads its environment during the call of `requestAdapter`, once for each object that `create` returned:
 *
 *     for (const driver of listVulkanDrivers()) {
 *       const gpu = create([]);
 *       const adapter = await withVulkanDriver(driver, () => gpu.requestAdapter());
 *       if (adapter !== null) return { gpu, adapter };
 *     }
 *
 * Keep `gpu` referenced as long as its device lives: otherwise Dawn crashes when it is collected. Testers on different
 * drivers can live in one process. In a worker thread `process.env` is a copy that native code does not see. Only the
 * loader's default driver is available there, unless the worker was created with `env: SHARE_ENV`.
 */

import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { constants, homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** One choice of driver. */
export interface VulkanDriver {
  /** Name for messages: the manifest's path, or a description of the default. */
  name: string;
  /** The manifest for the loader; `undefined` leaves the choice to the loader and its environment. */
  file: string | undefined;
  /** Options of Dawn's `create`; default none. */
  options?: readonly string[];
  /** `system` is the driver that the loader finds by itself, graphics cards included. The others run on the CPU. */
  kind: 'system' | 'lavapipe' | 'swiftshader' | 'warp';
}

const SYSTEM: VulkanDriver = { name: 'system default', file: undefined, kind: 'system' };

/** Dawn takes a part of the adapter's name, which is Microsoft Basic Render Driver. */
const WARP: VulkanDriver = { name: 'WARP', file: undefined, options: ['adapter=Microsoft'], kind: 'warp' };

/**
 * The drivers to try, best first: the system's own, lavapipe alone, SwiftShader of each Chrome found; on Windows the
 * system's own and WARP. Empty on a Linux machine without any; the caller then shouldn't start Dawn, which would report
 * the failure on stderr. If the system has no Vulkan loader, this loads Chrome's into the process.
 */
export function listVulkanDrivers(): VulkanDriver[] {
  if (process.platform !== 'linux') return process.platform === 'win32' ? [SYSTEM, WARP] : [SYSTEM];
  const programs = chromeFolders();
  if (!loadLibrary(loaderName, 0) && !loadLoaderFrom(programs)) return [];
  if (driversGiven()) return [{ name: 'VK_DRIVER_FILES', file: undefined, kind: 'system' }];
  const manifests = manifestFolders().flatMap((folder) => list(folder).filter((file) => file.endsWith('.json')));
  const drivers: VulkanDriver[] = [];
  if (manifests.length > 0 || process.env.VK_ADD_DRIVER_FILES) drivers.push(SYSTEM);
  for (const file of manifests.filter((path) => /\/lvp_icd[^/]*$/.test(path)))
    drivers.push({ name: file, file, kind: 'lavapipe' });
  for (const file of existing(programs, 'vk_swiftshader_icd.json'))
    drivers.push({ name: file, file, kind: 'swiftshader' });
  return drivers;
}

/**
 * Calls `request` with an environment in which the Vulkan loader uses `driver`. `request` must call `requestAdapter`
 * before it returns.
 */
export function withVulkanDriver<Result>(driver: VulkanDriver, request: () => Result): Result {
  // Loaders before 1.3.207 know only the second name. Mesa's device selection complains without XDG_RUNTIME_DIR.
  const changes: Record<string, string> = {};
  if (driver.file !== undefined) changes.VK_DRIVER_FILES = changes.VK_ICD_FILENAMES = driver.file;
  if (!process.env.XDG_RUNTIME_DIR) changes.XDG_RUNTIME_DIR = tmpdir();
  const before = Object.keys(changes).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, changes);
  try {
    return request();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

const loaderName = 'libvulkan.so.1';

/** RTLD_NODELETE of glibc and musl, for which Node has no name: the library stays loaded when Node closes it. */
const noDelete = 0x1000;

function driversGiven(): boolean {
  return Boolean(process.env.VK_DRIVER_FILES || process.env.VK_ICD_FILENAMES);
}

/**
 * Makes the dynamic linker load a library that is not a Node module. Node then rejects it, but with `noDelete` the
 * library stays loaded. A later `dlopen` of the same soname, as by Dawn, gets the loaded one.
 */
function loadLibrary(file: string, flags: number): boolean {
  try {
    process.dlopen({ exports: {} }, file, constants.dlopen.RTLD_NOW | flags);
    return true;
  } catch (error) {
    return String(error).includes('did not self-register');
  }
}

function loadLoaderFrom(folders: string[]): boolean {
  return existing(folders, loaderName).some((file) => loadLibrary(file, noDelete));
}

/** The folders in which the loader looks for manifests, in its order. */
function manifestFolders(): string[] {
  const home = homedir();
  const roots = [
    process.env.XDG_CONFIG_HOME || join(home, '.config'),
    ...(process.env.XDG_CONFIG_DIRS || '/etc/xdg').split(':'),
    '/usr/local/etc',
    '/etc',
    process.env.XDG_DATA_HOME || join(home, '.local/share'),
    ...(process.env.XDG_DATA_DIRS || '/usr/local/share:/usr/share').split(':'),
  ];
  return [...new Set(roots)].map((root) => join(root, 'vulkan/icd.d'));
}

/** Program folders of Chrome and related browsers that may contain SwiftShader and a Vulkan loader. */
function chromeFolders(): string[] {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const puppeteer = process.env.PUPPETEER_CACHE_DIR || join(cache, 'puppeteer');
  const playwright = process.env.PLAYWRIGHT_BROWSERS_PATH || join(cache, 'ms-playwright');
  const named = [process.env.CHROME_PATH, process.env.PUPPETEER_EXECUTABLE_PATH].filter(
    (path) => path && existsSync(path),
  );
  return [
    ...named.map((path) => dirname(realpathSync(path!))),
    '/usr/lib/chromium',
    '/usr/lib/chromium-browser',
    '/usr/lib64/chromium-browser',
    ...list('/opt/google'),
    ...list('/opt/microsoft'),
    ...[join(puppeteer, 'chrome'), join(puppeteer, 'chrome-headless-shell'), playwright]
      .flatMap(list)
      .reverse()
      .flatMap(list),
  ];
}

function existing(folders: string[], name: string): string[] {
  return [...new Set(folders)].map((folder) => join(folder, name)).filter((file) => existsSync(file));
}

/** Full paths of a folder's entries, sorted. Empty if the folder can't be read. */
function list(folder: string): string[] {
  try {
    return readdirSync(folder)
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}
