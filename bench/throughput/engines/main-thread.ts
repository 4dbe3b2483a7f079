/** How long the JavaScript thread of Node is busy. */

import { performance } from 'node:perf_hooks';
import type { MainThreadMeter } from './whole-query.ts';

/**
 * A turn of the event loop that takes no longer than this only polls: with Dawn, turns follow each other without a
 * pause, and each asks whether the GPU has finished.
 */
const POLL_MS = 0.05;

/** Milliseconds that `Atomics.wait` has slept: the tester sleeps between polls of a software adapter. */
let slept = 0;
let isWatched = false;

function watchSleep(): void {
  if (isWatched) return;
  isWatched = true;
  const { wait } = Atomics;
  Atomics.wait = (array: never, index: number, value: never, timeout?: number) => {
    const start = performance.now();
    try {
      return wait(array, index, value, timeout);
    } finally {
      slept += performance.now() - start;
    }
  };
}

/**
 * With Dawn, Node's event loop is never idle: `performance.eventLoopUtilization` tells the whole wait as active. So the
 * turns of the loop are timed, without what was slept in them, and those that only poll do not count.
 */
export const meterTurns: MainThreadMeter = async (work) => {
  watchSleep();
  let busyMs = 0;
  let isOver = false;
  let last = performance.now();
  let lastSlept = slept;
  const endTurn = (): void => {
    const now = performance.now();
    const turn = now - last - (slept - lastSlept);
    if (turn > POLL_MS) busyMs += turn;
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
    return [query, busyMs];
  } finally {
    isOver = true;
  }
};

/** Without Dawn nothing polls: what is not idle is busy. */
export const meterUtilization: MainThreadMeter = async (work) => {
  const start = performance.eventLoopUtilization();
  const query = await work();
  return [query, performance.eventLoopUtilization(start).active];
};
