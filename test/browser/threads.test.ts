/**
 * Workers of the CPU backend in browsers: from the built package and in a program that Vite bundled; on pages that are
 * isolated from other origins and on others; where workers may come from the page's own origin alone, and from nowhere.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build } from 'vite';
import type { Browser } from 'puppeteer';
import { BROWSERS, type BrowserName } from '../../verification/engines/find-browser.ts';
import { launchBrowser, openPage } from '../setup/launch.ts';
import { serve } from '../../verification/engines/static-server.ts';
import { atNight } from '../helpers/night.ts';
import { CALL_TIMEOUT } from './open.ts';
import type { ThreadsReport } from './threads-page.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const PAGE =
  '<!doctype html><html lang="en"><title>threads</title><script type="module" src="/assets/page.js"></script></html>';
/** The package as it is, found by an import map. */
const PLAIN_PAGE = PAGE.replace(
  '<script',
  '<script type="importmap">{"imports":{"narrowphase":"/dist/index.js"}}</script><script',
).replace('/assets/page.js', '/plain.js');

const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
const OWN_WORKERS = {
  'content-security-policy': "default-src 'none'; script-src 'self'; img-src 'self'; worker-src 'self'",
};
const NO_WORKERS = {
  'content-security-policy': "default-src 'none'; script-src 'self' 'unsafe-inline'; worker-src 'none'",
};

/** The server's answer to the address of the worker's script in the package. */
const WITHOUT_WORKER = { '/dist/cpu-worker.js': PAGE };

/** Pages on which workers answer: headers, document, and whether the page is isolated. */
type Page = [name: string, headers: Record<string, string>, html: string, isIsolated: boolean];
const WORKING: Page[] = [
  ['bundled, on an isolated page under a content security policy', { ...ISOLATED, ...OWN_WORKERS }, PAGE, true],
  ['not bundled, on a page that is not isolated', {}, PLAIN_PAGE, false],
  ...atNight<Page[]>(
    [],
    [
      ['bundled, on a page that is not isolated, under a content security policy', OWN_WORKERS, PAGE, false],
      ['not bundled, on an isolated page', ISOLATED, PLAIN_PAGE, true],
    ],
  ),
];

/** How workers fail to load: response headers, and responses that replace the server's files. */
type Failure = [name: string, headers: Record<string, string>, texts: Record<string, string>];
const FAILING: Failure[] = [
  ['forbidden', NO_WORKERS, {}],
  ['replaced by another file', {}, WITHOUT_WORKER],
];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'narrowphase-threads-'));
  const shared = { configFile: false, logLevel: 'error', publicDir: false } as const;
  const entryFileNames = 'assets/page.js';
  await build({
    ...shared,
    resolve: { alias: { narrowphase: path('../../dist/index.js') } },
    build: {
      outDir: folder,
      target: 'es2022',
      rolldownOptions: { input: path('threads-page.ts'), output: { entryFileNames } },
    },
  });
  await build({
    ...shared,
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      lib: { entry: path('threads-page.ts'), formats: ['es'], fileName: () => 'plain.js' },
      rolldownOptions: { external: 'narrowphase' },
    },
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(BROWSERS)('%s', (which: BrowserName) => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser(which);
  });

  afterAll(() => browser?.close());

  async function ask(
    headers: Record<string, string>,
    html: string,
    texts: Record<string, string> = {},
    workerUrl?: string,
  ): Promise<ThreadsReport & { complaints: string[] }> {
    const server = await serve(
      { '/': folder, '/dist/': path('../../dist'), '/moved/': path('../../dist') },
      { '/index.html': html, ...texts },
      headers,
    );
    const { page, complaints } = await openPage(browser, `${server.origin}/`);
    try {
      await page.waitForFunction(() => 'askThreads' in window, { timeout: CALL_TIMEOUT });
      return { ...(await page.evaluate((url) => window.askThreads(2, url), workerUrl)), complaints };
    } finally {
      await page.close();
      await server.close();
    }
  }

  test.each(WORKING)('%s: workers give the same bits', async (_, headers, html, isIsolated) => {
    const { answers, ...report } = await ask(headers, html);
    expect(report).toEqual({ isIsolated, workers: 2, isSame: true, fallback: undefined, complaints: [] });
    expect(answers).toBeGreaterThan(0);
  });

  test('a worker’s script that was moved is found by its address relative to the page', async () => {
    const { answers, complaints, ...report } = await ask({}, PLAIN_PAGE, WITHOUT_WORKER, './moved/cpu-worker.js');
    expect(report).toEqual({ isIsolated: false, workers: 2, isSame: true, fallback: undefined });
    expect([answers > 0, complaints]).toEqual([true, []]);
  });

  test.each(which === BROWSERS[0] ? FAILING : atNight([], FAILING))(
    'where workers are %s, the caller’s thread gives the same bits, and `fallback` says why',
    async (_, headers, texts) => {
      const { complaints: _complaints, ...report } = await ask(headers, PLAIN_PAGE, texts);
      expect(report).toMatchObject({
        answers: 0,
        isSame: true,
        fallback: expect.stringContaining('has 1 thread instead of 2, as its workers failed: '),
      });
    },
  );
});
