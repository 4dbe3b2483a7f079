/** The built package in headless Chrome on SwiftShader. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'puppeteer';
import { build, transformWithOxc } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { familyNames } from '../families.ts';
import { launchBrowser, openPage } from '../setup/launch.ts';
import type { WatchedPage } from '../setup/launch.ts';
import { readmeSample } from '../setup/readme.ts';
import { serve } from '../setup/server.ts';
import type { StaticServer } from '../setup/server.ts';
import type { harness } from './page.ts';

declare global {
  interface Window {
    harness: typeof harness;
  }
}

const pairCount = 100_000;
const seed = 1;
/** The contract's 5e-6 on the GPU plus 1e-9 of the reference. */
const k = 5e-6 + 1e-9;

let server: StaticServer;
let browser: Browser;
let watched: WatchedPage;

beforeAll(async () => {
  const dist = fileURLToPath(new URL('../../dist', import.meta.url));
  server = await serve(
    { '/dist/': dist },
    {
      '/page.html': readFileSync(new URL('page.html', import.meta.url), 'utf8'),
      '/page.js': await bundle(fileURLToPath(new URL('page.ts', import.meta.url))),
      '/sample.js': (await transformWithOxc(readmeSample('browser'), 'sample.ts')).code,
    },
  );
  browser = await launchBrowser(300_000);
  watched = await openPage(browser, `${server.origin}/page.html`);
  await watched.page.waitForFunction(() => 'harness' in window);
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test('the README sample prints its results', async () => {
  const lines = await watched.page.evaluate((url) => window.harness.runSample(url), '/sample.js');
  expect(lines.length).toBeGreaterThan(0);
  expect(watched.complaints).toEqual([]);
});

describe(`${pairCount} pairs on WebGPU agree with the double-precision reference`, () => {
  test.each(familyNames)('%s', { timeout: 300_000 }, async (name) => {
    const result = await watched.page.evaluate(
      (...parameters) => window.harness.compareFamily(...parameters),
      name,
      pairCount,
      seed,
      k,
    );
    console.log(
      `${name}: ${result.pairs} pairs, ${((100 * result.overlapping) / result.pairs).toFixed(1)} % overlapping, ` +
        `largest difference ${result.worst.toExponential(1)}, ${result.adapter} ${result.seconds.webgpu.toFixed(1)} s, ` +
        `of that compiling ${result.seconds.compile.toFixed(1)} s, reference ${result.seconds.cpu.toFixed(1)} s`,
    );
    expect(result.backend).toBe('webgpu');
    expect(result.pairs).toBe(pairCount);
    expect(result.faults).toEqual([]);
    expect(result.faultCount).toBe(0);
    expect(result.overlapping / result.pairs).toBeGreaterThan(0.4);
    expect(result.overlapping / result.pairs).toBeLessThan(0.6);
    expect(watched.complaints).toEqual([]);
  });
});

/** One module with everything that `entry` imports, but for what the page's import map gives. */
async function bundle(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, minify: false, target: 'es2022', lib: { entry, formats: ['es'], fileName: 'page' } },
  });
  const [{ output }] = result as Extract<typeof result, unknown[]>;
  return output[0].code;
}
