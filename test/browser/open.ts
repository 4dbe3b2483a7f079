/** The built package on a page of a browser, with the functions of page.ts at hand. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformWithOxc } from 'vite';
import { bundlePage } from '../../scripts/bundle.ts';
import type { BrowserName } from '../../verification/engines/find-browser.ts';
import { atNight } from '../helpers/night.ts';
import { launchBrowser, openPage } from '../setup/launch.ts';
import type { WatchedPage } from '../setup/launch.ts';
import { readmeSample } from '../setup/readme.ts';
import { serve } from '../../verification/engines/static-server.ts';
import type { harness } from './page.ts';

declare global {
  interface Window {
    harness: typeof harness;
  }
}

/** Milliseconds for one call of the page, and for a test that makes one. */
export const CALL_TIMEOUT = atNight(300_000, 3_600_000);

/** What the server gives, by path. The browsers of a test file share it. */
let texts: Promise<Record<string, string>> | undefined;

async function makeTexts(): Promise<Record<string, string>> {
  return {
    '/page.html': readFileSync(new URL('page.html', import.meta.url), 'utf8'),
    '/page.js': await bundlePage(fileURLToPath(new URL('page.ts', import.meta.url))),
    '/worker.js': await bundlePage(fileURLToPath(new URL('worker.ts', import.meta.url))),
    '/sample.js': (await transformWithOxc(readmeSample('browser'), 'sample.ts')).code,
    '/shader.js': (await transformWithOxc(inBrowser(readmeSample('shader')), 'shader.ts')).code,
  };
}

export interface HarnessPage extends WatchedPage {
  close(): Promise<void>;
}

/**
 * Opens the page in a browser of its own. The samples of the README and of docs/ are at `/sample.js` and `/shader.js`, the module of
 * worker.ts at `/worker.js`.
 */
export async function openHarness(which: BrowserName): Promise<HarnessPage> {
  const dist = fileURLToPath(new URL('../../dist', import.meta.url));
  texts ??= makeTexts();
  const server = await serve({ '/dist/': dist }, await texts);
  const browser = await launchBrowser(which, CALL_TIMEOUT);
  const close = async (): Promise<void> => {
    await browser.close();
    await server.close();
  };
  try {
    const watched = await openPage(browser, `${server.origin}/page.html`);
    await watched.page.waitForFunction(() => 'harness' in window, { timeout: CALL_TIMEOUT });
    return { ...watched, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A sample for Node with the import that its comment names for browsers. */
function inBrowser(sample: string): string {
  return sample.replace("'narrowphase/node'", "'narrowphase'");
}
