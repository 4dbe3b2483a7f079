/** The built demos on a local server, in headless Chrome. Screenshots are kept in screenshots/, for people to look at. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'puppeteer';
import { serve } from '../../verification/engines/static-server.ts';
import { launchBrowser as launch } from '../../verification/engines/launch.ts';
import { openPage } from '../setup/launch.ts';
import { RUN_FOLDER } from '../setup/run-folder.ts';
import { builtDemos } from './demos-build.ts';

export const WIDE = { width: 1440, height: 900 };
export const NARROW = { width: 390, height: 844, isMobile: true, hasTouch: true };

/** Guards against what hangs: on a busy machine a page compiles kernels for minutes. */
const GUARD_MS = 300_000;

export interface DemoOptions {
  /** `?backend=cpu`, for example. */
  query?: string;
  viewport?: { width: number; height: number };
  /** Runs in the page before its own scripts. */
  before?: string | (() => void);
  colorScheme?: 'light' | 'dark';
}

export interface OpenDemo {
  page: Page;
  /** Errors and warnings of the page so far, WebGPU's included. */
  complaints: string[];
  close(): Promise<void>;
}

export interface DemoPages {
  origin: string;
  /** Opens a demo by the name of its folder, and waits until the page says that it has loaded or failed. */
  open(name: string, options?: DemoOptions): Promise<OpenDemo>;
  /** Keeps a picture of the page, and returns it. */
  shoot(page: Page, name: string): Promise<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Builds the demos, if no other test file of the run has, and serves them. `'webgpu'`: Chrome with WebGPU canvases on a
 * software adapter, without WebGL; `'webgl'`: Chrome with WebGL, as for visitors who have no WebGPU.
 */
export async function openDemoPages(drawing: 'webgpu' | 'webgl'): Promise<DemoPages> {
  const screenshots = fileURLToPath(new URL('screenshots', import.meta.url));
  mkdirSync(screenshots, { recursive: true });
  // Scripts that make pictures have no folder of a test run.
  const shared = process.env[RUN_FOLDER];
  const folder = shared ?? mkdtempSync(join(tmpdir(), 'narrowphase-demos-'));
  const server = await serve({ '/': await builtDemos(folder) }, { '/empty.html': '<!doctype html>' });
  const browser = await launchFor(drawing);

  return {
    origin: server.origin,
    async open(name, { query = '', viewport = WIDE, before, colorScheme = 'light' } = {}) {
      // On a page of the same origin first, so that what follows is in place when the demo loads.
      const { page, complaints } = await openPage(browser, `${server.origin}/empty.html`);
      page.setDefaultTimeout(GUARD_MS);
      await page.setViewport({ deviceScaleFactor: 1, ...viewport });
      await page.emulateMediaFeatures([
        { name: 'prefers-color-scheme', value: colorScheme },
        { name: 'prefers-reduced-motion', value: 'reduce' },
      ]);
      if (before) await page.evaluateOnNewDocument(before);
      await page.goto(`${server.origin}/${name}/${query}`, { waitUntil: 'load' });
      await page.waitForFunction(() => document.documentElement.dataset.state !== 'loading', { polling: 100 });
      return { page, complaints, close: () => page.close() };
    },
    shoot: (page, name) => page.screenshot({ path: join(screenshots, `${name}.png`) as `${string}.png` }),
    async close() {
      await browser.close();
      await server.close();
      if (!shared) rmSync(folder, { recursive: true });
    },
  };
}

function launchFor(drawing: 'webgpu' | 'webgl'): Promise<Browser> {
  return launch('chrome', drawing === 'webgpu' ? 'software-canvas' : 'software', GUARD_MS);
}
