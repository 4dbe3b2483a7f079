/**
 * The packed package in projects with the configurations of docs/guides/bundlers.md: built by each bundler and opened in
 * Chrome, and run by Bun and Deno. npm installs all of them into a temporary folder.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../../verification/engines/static-server.ts';
import { makeProject, pack, run, temporaryFolder } from '../package/projects.ts';
import { launchBrowser, openPage } from '../setup/launch.ts';

const TOOLS = [
  'vite@8',
  'webpack@5',
  'webpack-cli@6',
  'rollup@4',
  '@rollup/plugin-node-resolve@16',
  'esbuild@0.28',
  'parcel@2',
  'bun@1',
  'deno@2',
];

/** Milliseconds for a step: npm may have to download all tools. */
const LONG = 600_000;

const html = (script: string, attributes = 'type="module"'): string =>
  `<!doctype html><html lang="en"><title></title><script ${attributes} src="${script}"></script></html>\n`;

let folder: string;
let project: string;
let browser: Browser;

const nearby = (name: string): Promise<string> => readFile(new URL(name, import.meta.url), 'utf8');

/** A file of the guide: the block below a line `<!-- file: NAME -->`. */
async function guideFile(name: string): Promise<string> {
  const guide = await nearby('../../docs/guides/bundlers.md');
  const block = new RegExp(`^<!-- file: ${name.replaceAll('.', '\\.')} -->\\n+\`\`\`\\n([^]*?)^\`\`\`$`, 'm').exec(
    guide,
  );
  if (!block) throw new Error(`docs/guides/bundlers.md has no block for ${name}`);
  return block[1];
}

const tool = (name: string, ...parameters: string[]): Promise<{ stdout: string; stderr: string }> =>
  run(join(project, 'node_modules/.bin', name), parameters, project, LONG);

/** Writes the page's script, with the address of the worker's script or without. */
async function writeMain(workerUrl?: string): Promise<void> {
  const main = await nearby('main.js');
  const changed = main.replace('threads: 2 }', `threads: 2, workerUrl: ${workerUrl} }`);
  await writeFile(join(project, 'src/main.js'), workerUrl === undefined ? main : changed);
}

const BESIDE = "new URL('./cpu-worker.js', import.meta.url)";

beforeAll(async () => {
  folder = await temporaryFolder();
  project = join(folder, 'project');
  await makeProject(project, await pack(folder, LONG), [], {
    'index.html': html('./src/main.js'),
    'src/main.js': await nearby('main.js'),
    'src/service-worker.js': await nearby('service-worker.js'),
    'threads.js': await nearby('../package/threads-program.js'),
    'webpack.config.js': await guideFile('webpack.config.js'),
    'rollup.config.js': await guideFile('rollup.config.js'),
    'esbuild.config.js': await guideFile('esbuild.config.js'),
  });
  await run('npm', ['install', '--no-audit', '--no-fund', ...TOOLS], project, LONG);
  browser = await launchBrowser('chrome');
});

afterAll(async () => {
  await browser?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Opens the page of a folder; what it says when its workers have answered or failed. */
async function ask(output: string, texts: Record<string, string> = {}): Promise<unknown> {
  const server = await serve({ '/': join(project, output) }, texts);
  const { page } = await openPage(browser, `${server.origin}/`);
  try {
    await page.waitForFunction(() => document.title !== '', { timeout: 120_000 });
    return JSON.parse(await page.title());
  } finally {
    await page.close();
    await server.close();
  }
}

const WORKERS_ANSWERED = { hasAnswers: true, fallback: null };
const PAGE = { '/index.html': html('./assets/main.js') };

describe('workers of the CPU backend answer on a page that was built by', () => {
  test('Vite', async () => {
    await writeMain();
    await tool('vite', 'build', '--outDir', 'out-vite');
    expect(await ask('out-vite')).toEqual(WORKERS_ANSWERED);
  });

  test('webpack', async () => {
    await writeMain();
    await tool('webpack', '--output-path', 'out-webpack/assets');
    expect(await ask('out-webpack', { '/index.html': html('./assets/main.js', 'defer') })).toEqual(WORKERS_ANSWERED);
  });

  test('Parcel', async () => {
    await writeMain();
    await tool('parcel', 'build', 'index.html', '--dist-dir', 'out-parcel', '--no-cache');
    expect(await ask('out-parcel')).toEqual(WORKERS_ANSWERED);
  });

  test('Rollup', async () => {
    await writeMain(BESIDE);
    await tool('rollup', '--config', 'rollup.config.js', '--dir', 'out-rollup/assets');
    expect(await ask('out-rollup', PAGE)).toEqual(WORKERS_ANSWERED);
  });

  test('esbuild', async () => {
    await writeMain(BESIDE);
    await run(process.execPath, ['esbuild.config.js'], project, LONG);
    expect(await ask('out', PAGE)).toEqual(WORKERS_ANSWERED);
  });
});

test('without workerUrl esbuild loses the workers, and `fallback` names the option', async () => {
  await writeMain();
  await run(process.execPath, ['esbuild.config.js'], project, LONG);
  expect(await ask('out', PAGE)).toEqual({
    hasAnswers: false,
    fallback: expect.stringMatching(/has 1 thread instead of 2, .* pass its address as options\.workerUrl$/),
  });
});

/** What a service worker answers. */
async function askServiceWorker(output: string): Promise<unknown> {
  const server = await serve({ '/': join(project, output) }, { '/index.html': html('data:text/javascript,') });
  const { page } = await openPage(browser, server.origin);
  try {
    return await page.evaluate(async () => {
      await navigator.serviceWorker.register('/service-worker.js', { type: 'module' });
      const { active } = await navigator.serviceWorker.ready;
      const answered = new Promise((resolve) => {
        navigator.serviceWorker.addEventListener('message', ({ data }) => resolve(data));
        navigator.serviceWorker.startMessages();
      });
      active!.postMessage('ask', []);
      return await answered;
    });
  } finally {
    await page.close();
    await server.close();
  }
}

const bundleServiceWorker = (output: string, ...parameters: string[]): Promise<unknown> =>
  tool('esbuild', 'src/service-worker.js', '--bundle', '--format=esm', `--outdir=${output}`, ...parameters);

describe('a service worker', () => {
  test('in one file answers', async () => {
    await bundleServiceWorker('out-service');
    expect(await askServiceWorker('out-service')).toEqual({ value: 1 });
  });

  test('with code splitting rejects, not for lack of WebGPU, and says what to do', async () => {
    await bundleServiceWorker('out-service-split', '--splitting');
    expect(await askServiceWorker('out-service-split')).toEqual({
      code: 'SHADER',
      message: expect.stringMatching(/service workers do not allow import\(\); bundle .* without code splitting$/),
    });
  });
});

describe.each([
  ['Bun', 'bun', []],
  ['Deno', 'deno', ['run', '--allow-all']],
])('%s', (_, name, parameters) => {
  test.each([
    ['a query ends before its workers are ready', 'end before workers are ready', /^2 0 ABORTED undefined\n$/],
    ['workers have answered, and wait for more', 'wait', /^2 2 20000 undefined\n$/],
    ['a tester is disposed of while its workers answer', 'dispose', /^2 2 DISPOSED undefined\n$/],
  ])('a process ends when %s', async (_what, what, expected) => {
    expect((await tool(name, ...parameters, 'threads.js', what)).stdout).toMatch(expected);
  });
});
