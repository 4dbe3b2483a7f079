/**
 * How long the JavaScript thread of Node is busy: processor time of the thread, which other processes and the threads of
 * a software adapter do not lengthen. Linux alone tells it; elsewhere it is the time that the event loop was busy.
 */

import { openSync, readSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { MainThreadMeter } from './whole-query.ts';

/**
 * A turn of the event loop that takes no longer than this only polls: with Dawn, turns follow each other without a
 * pause, and each asks whether the GPU has finished.
 */
const POLL_MS = 0.05;

const statistics = openStatistics();
const text = Buffer.alloc(64);
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Milliseconds that `Atomics.wait` has slept: the tester sleeps between polls of a software adapter. */
let slept = 0;
let isWatched = false;

/**
 * With Dawn, the event loop is never idle: `performance.eventLoopUtilization` tells the whole wait as active. So its
 * turns are timed, and those that only poll do not count.
 */
export const meterTurns: MainThreadMeter = async (work) => {
  watchSleep();
  const before = threadMs();
  let busyMs = 0;
  let pollingMs = 0;
  let isOver = false;
  let last = performance.now();
  let lastSlept = slept;
  const endTurn = (): void => {
    const now = performance.now();
    const turn = now - last - (slept - lastSlept);
    if (turn > POLL_MS) busyMs += turn;
    else pollingMs += turn;
    last = now;
    lastSlept = slept;
  };
  const watch = (): void => {
    if (isOver) return;
    endTurn();
    setImmediate(watch);
  };
  setImmediate(watch);
  try {
    const query = await work();
    endTurn();
    return [query, before === undefined ? busyMs : Math.max(0, threadMs()! - before - pollingMs)];
  } finally {
    isOver = true;
  }
};

/** Without Dawn nothing polls. */
export const meterThread: MainThreadMeter = async (work) => {
  const before = threadMs();
  const start = performance.eventLoopUtilization();
  const query = await work();
  const { active } = performance.eventLoopUtilization(start);
  return [query, before === undefined ? active : threadMs()! - before];
};

/** Processor time of the main thread so far; undefined where the system does not tell. */
function threadMs(): number | undefined {
  if (statistics === undefined) return undefined;
  // The kernel counts up to the thread's last sleep, or to a tick of some milliseconds.
  Atomics.wait(sleeper, 0, 0, POLL_MS);
  const length = readSync(statistics, text, 0, text.length, 0);
  return Number(text.toString('latin1', 0, length).split(' ')[0]) / 1e6;
}

function openStatistics(): number | undefined {
  try {
    return openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  } catch {
    return undefined;
  }
}

function watchSleep(): void {
  if (isWatched) return;
  isWatched = true;
  const { wait } = Atomics;
  const watched: typeof wait = (array: Int32Array | BigInt64Array, index: number, value: never, timeout?: number) => {
    const start = performance.now();
    try {
      return wait(array as Int32Array, index, value, timeout);
    } finally {
      slept += performance.now() - start;
    }
  };
  Atomics.wait = watched;
}
