/** Headless Chrome and Firefox with WebGPU on software drivers, and pages whose complaints are kept. */

import type { Browser, Page } from 'puppeteer';
import type { BrowserName } from '../../verification/engines/find-browser.ts';
import { launchBrowser as launch } from '../../verification/engines/launch.ts';

/**
 * Starts a browser on a fresh profile. `timeout` limits the start and every later command, so also a script that never
 * ends.
 */
export function launchBrowser(which: BrowserName = 'chrome', timeout = 300_000): Promise<Browser> {
  return launch(which, 'software', timeout);
}

export interface WatchedPage {
  page: Page;
  /**
   * Console errors and warnings, uncaught exceptions, failed requests, and WebGPU errors that no error scope caught.
   */
  complaints: string[];
}

/** Opens a page and keeps its complaints. */
export async function openPage(browser: Browser, url: string): Promise<WatchedPage> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) =>
    complaints.push(`uncaught: ${error instanceof Error ? error.message : String(error)}`),
  );
  page.on('requestfailed', (request) => complaints.push(`${request.url()}: ${request.failure()?.errorText}`));
  page.on('response', (response) => {
    if (!response.ok()) complaints.push(`${response.url()}: status ${response.status()}`);
  });
  await page.evaluateOnNewDocument(reportUncapturedErrors);
  await page.goto(url, { waitUntil: 'load' });
  return { page, complaints };
}

/** Runs in the page: every device that it makes reports to the console. */
function reportUncapturedErrors(): void {
  // Pages that aren't secure, such as the empty one before an isolated page, have no WebGPU.
  if (!('GPUAdapter' in globalThis)) return;
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = async function (...parameters) {
    const device = await requestDevice.apply(this, parameters);
    device.addEventListener('uncapturederror', ({ error }) => console.error(`WebGPU: ${error.message}`));
    return device;
  };
}
