/**
 * Web workers and Node's worker threads behind one interface. It imports nothing of Node: bundlers for browsers would
 * look for it.
 */
import { threadsOfNode } from './platform.ts';

/** A worker of the CPU backend. */
export interface CpuWorker {
  post(message: unknown, transfer: Transferable[]): void;
  /** Whether it keeps the process alive, which browsers' workers never do; at first it doesn't. */
  keepAlive(isBusy: boolean): void;
  terminate(): void;
}

export interface WorkerEvents {
  message(data: unknown): void;
  /** It can't be loaded, or has ended. */
  failure(reason: string): void;
}

/** Starts a worker, from `url` if given, otherwise from the file of the package. Throws where that isn't allowed. */
export function spawnWorker(url: URL | undefined, events: WorkerEvents): CpuWorker {
  const threads = threadsOfNode();
  return threads ? spawnThread(threads, url, events) : spawnWebWorker(url, events);
}

function spawnWebWorker(url: URL | undefined, { message, failure }: WorkerEvents): CpuWorker {
  const name = 'narrowphase';
  // Bundlers look for the second expression as it stands.
  const worker = url
    ? new Worker(url, { type: 'module', name })
    : new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'narrowphase' });
  worker.addEventListener('message', ({ data }) => message(data));
  worker.addEventListener('messageerror', () => failure('a message could not be read'));
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    failure(event.message || `its script could not be loaded${url ? ` from ${url.href}` : ADVICE}`);
  });
  return {
    post: (data, transfer) => worker.postMessage(data, transfer),
    keepAlive() {},
    terminate: () => worker.terminate(),
  };
}

const ADVICE = '; if a bundler moved it, pass its address as options.workerUrl';

function spawnThread(
  { Worker }: typeof import('node:worker_threads'),
  url: URL | undefined,
  { message, failure }: WorkerEvents,
): CpuWorker {
  const base = import.meta.url;
  // The process's own flags, such as --input-type, may not be a worker's.
  const worker = new Worker(url ?? new URL('./worker.ts', base), { name: 'narrowphase', execArgv: [] });
  worker.on('message', message);
  worker.on('messageerror', () => failure('a message could not be read'));
  worker.on('error', (error) => failure(error.message));
  worker.on('exit', (code) => failure(`it ended with exit code ${code}`));
  // Last: the first listener for messages lets the worker keep the process alive again.
  worker.unref();
  return {
    post: (data, transfer) => worker.postMessage(data, transfer as import('node:worker_threads').TransferListItem[]),
    keepAlive: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
    terminate: () => void worker.terminate(),
  };
}
