/** The CPU backend's workers in Node, watched, and queries that are large enough for them. */

import { vi } from 'vitest';
import { makeFamily } from '../../verification/families/families.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import type { ToWorker } from '../../src/cpu/threads/task.ts';
import { createTester } from '../../src/index.ts';
import type { Tester, TesterOptions } from '../../src/api/types.ts';
import { withFewShapes } from './few-shapes.ts';

type NodeThreads = typeof import('node:worker_threads');
type NodeWorker = InstanceType<NodeThreads['Worker']>;

export interface WatchedWorkers {
  /** All that were made. */
  readonly workers: NodeWorker[];
  /** Tasks that they have answered. */
  readonly answered: number;
  /** Pairs that they were posted. */
  readonly pairs: number;
  /** Whether any was posted shared memory. */
  readonly sharesMemory: boolean;
  /** Workers that have not ended. */
  readonly alive: number;
  /** Called with each worker when it has answered a task. */
  onAnswer?: (worker: NodeWorker) => void;
  /** Called with each message before it is posted; what it throws, posting throws. */
  onPost?: (message: ToWorker) => void;
}

export interface Meddling {
  /** Another program for the workers. */
  program?: URL;
  /** What making a worker throws. */
  refusal?: Error;
  /** Processors that there are said to be. */
  cores?: number;
}

/** Watches the workers of all testers from here on, until mocks are restored. */
export function watchWorkers({ program, refusal, cores }: Meddling = {}): WatchedWorkers {
  const builtin = process.getBuiltinModule.bind(process) as (name: string) => unknown;
  const threads = builtin('node:worker_threads') as NodeThreads;
  const workers: NodeWorker[] = [];
  const watched = {
    workers,
    answered: 0,
    pairs: 0,
    sharesMemory: false,
    alive: 0,
    onAnswer: undefined as WatchedWorkers['onAnswer'],
    onPost: undefined as WatchedWorkers['onPost'],
  };
  class WatchedWorker extends threads.Worker {
    constructor(file: URL, options: object) {
      if (refusal) throw refusal;
      super(program ?? file, options);
      workers.push(this);
      watched.alive++;
      this.on('message', (data) => {
        if (typeof data !== 'object') return;
        watched.answered++;
        watched.onAnswer?.(this);
      });
      this.on('exit', () => watched.alive--);
    }

    override postMessage(...[message, transfer]: Parameters<NodeWorker['postMessage']>): void {
      watched.onPost?.(message);
      watched.pairs += message.count ?? 0;
      watched.sharesMemory ||= message.query?.over.pairs.buffer instanceof SharedArrayBuffer;
      super.postMessage(message, transfer);
    }
  }
  const changed: Record<string, unknown> = { 'node:worker_threads': { ...threads, Worker: WatchedWorker } };
  if (cores !== undefined) changed['node:os'] = { availableParallelism: () => cores };
  vi.spyOn(process, 'getBuiltinModule').mockImplementation(((name: string) => changed[name] ?? builtin(name)) as never);
  return watched;
}

/**
 * Hulls, half of which overlap: a twentieth of a second on one thread, long enough for workers to be started. With their
 * bodies they are enough for a large query, which workers check.
 */
export const hulls = withFewShapes(makeFamily('hull32-hull32', 12_000, 20_261_122), 8);

export async function hullTester(options: TesterOptions): Promise<Tester> {
  const tester = (await createTester({ backend: 'cpu', ...options })) as Tester;
  useShapes(tester, hulls.shapes);
  return tester;
}

/** Asks until workers have answered tasks: before they are loaded, the caller's thread answers. */
export async function untilAnswered(watched: WatchedWorkers, ask: () => Promise<unknown>): Promise<void> {
  const before = watched.answered;
  await vi.waitFor(
    async () => {
      await ask();
      if (watched.answered === before) throw new Error('no worker has answered a task');
    },
    { timeout: 60_000, interval: 0 },
  );
}
