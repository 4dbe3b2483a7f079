/** Scripts for the workers of a page, which puppeteer has no way to run before the worker's own. */

import type { Page, WebWorker } from 'puppeteer';

/**
 * A script for a page (`DemoOptions.before`). In each of its module workers `script` runs after the worker's modules, and
 * before the worker gets a message.
 */
export function inWorkers(script: () => void): string {
  return `(${wrapWorkers.toString()})(${JSON.stringify(`(${script.toString()})();`)})`;
}

/** Runs in the page. */
function wrapWorkers(code: string): void {
  const Original = window.Worker;
  window.Worker = class extends Original {
    constructor(url: string | URL, options?: WorkerOptions) {
      const source = `import ${JSON.stringify(new URL(url, location.href).href)};\n${code}`;
      super(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })), options);
    }
  };
}

/** Runs in a worker: as in a browser whose workers have no WebGPU. */
export function hideWorkerGpu(): void {
  Object.defineProperty(Object.getPrototypeOf(navigator), 'gpu', { get: () => undefined });
}

/** The only worker of a page. */
export function workerOf(page: Page): WebWorker {
  const workers = page.workers();
  if (workers.length !== 1) throw new Error(`expected one worker, found ${workers.length}`);
  return workers[0];
}
