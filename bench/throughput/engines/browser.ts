/** An engine of narrowphase in a headless browser: starts it, serves it a page, and passes calls on to the page. */

import { createServer, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import type { Browser, Page } from 'puppeteer';
import { closeBrowser, launchBrowser } from '../../../verification/engines/launch.ts';
import type { BrowserName } from '../../../verification/engines/find-browser.ts';
import type { Answers } from '../../../verification/judges/compare-answers.ts';
import type { Arrays, EngineSpec, LoadedWorkload, SubjectInfo, Sample, Subject, WholeQuery } from '../protocol.ts';
import { runWhole, type MainThreadMeter } from './whole-query.ts';
import { createTaskMeter } from './task-meter.ts';

/** The time limit proper is the benchmark's, which ends this process. */
const LIMIT_MS = 600_000;

const ROOT = join(import.meta.dirname, '../..');
const PAGE =
  '<!doctype html><meta charset="utf-8"><title>bench</title><link rel="icon" href="data:,"><script ' +
  'type="module" src="/bench/dist/page.js"></script>';

/** Answers in the form that the page returns. */
interface PageAnswers {
  hit: number[];
  distance: number[] | null;
  time?: number[];
  iterations?: number;
}

export function browserSubject({ name, adapter, plane, dist = join(ROOT, 'dist') }: EngineSpec): Subject {
  let workload: string;
  let kind: Arrays;
  let meter: MainThreadMeter;
  let browser: Browser;
  let page: Page;
  let server: Server;
  return {
    async open() {
      const start = performance.now();
      server = await serve(() => workload, dist);
      browser = await launchBrowser(name as BrowserName, adapter!, LIMIT_MS);
      page = await browser.newPage();
      meter = name === 'chrome' ? await createTaskMeter(page) : async (work) => [await work()];
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { waitUntil: 'load' });
      const opened = (await ask('open', plane)) as SubjectInfo;
      const version = (await browser.version()).replace('Headless', '').replace('/', ' ');
      return {
        ...opened,
        runtime: version.charAt(0).toUpperCase() + version.slice(1),
        openMs: performance.now() - start,
      };
    },
    async load(file, query, arrays) {
      workload = file;
      kind = arrays;
      return (await ask('load', query, arrays)) as LoadedWorkload;
    },
    reserve: async (count) => void (await ask('reserve', count)),
    run: async (count) =>
      kind === 'host'
        ? runWhole(async (use) => (await ask('callWhole', use)) as WholeQuery, meter)
        : ((await ask('run', count)) as Sample),
    async answers(indices) {
      const { hit, distance, time, iterations } = (await ask('answers', Array.from(indices))) as PageAnswers;
      return {
        hit: Uint8Array.from(hit),
        distance: distance && Float64Array.from(distance),
        time: time && Float64Array.from(time),
        iterations,
      } satisfies Answers;
    },
    async close() {
      await closeBrowser(browser);
      server.closeAllConnections();
      server.close();
    },
  };

  function ask(method: string, ...args: unknown[]): Promise<unknown> {
    return page.evaluate(
      (call, given) =>
        (globalThis as unknown as { ask: (call: string, given: unknown[]) => Promise<unknown> }).ask(call, given),
      method,
      args,
    );
  }
}

/** The page, its modules, those of the package in `dist`, and the workload's file. */
async function serve(workload: () => string, dist: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    const path = normalize(`/${(request.url ?? '').split('?')[0]}`);
    const [, isBench, module] = /^\/(bench\/)?dist\/([\w./-]+\.js)$/.exec(path) ?? [];
    const body =
      path === '/'
        ? PAGE
        : path === '/workload'
          ? await readFile(workload())
          : module === undefined
            ? undefined
            : await readFile(join(isBench ? join(ROOT, 'bench/dist') : dist, module)).catch(() => undefined);
    const type = path === '/' ? 'text/html' : module !== undefined ? 'text/javascript' : 'application/octet-stream';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body);
  });
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done));
  return server;
}
