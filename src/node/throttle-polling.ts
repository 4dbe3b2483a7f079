import type { Throttle } from '../gpu/session.ts';

/**
 * Throttles Dawn's polling in Node, so that a software adapter gets the CPU.
 *
 * In every turn of the event loop, Dawn in Node polls for finished work. This keeps one core busy, and a software
 * adapter needs that core to compute: on two cores its kernels take up to twice as long. So while a promise is awaited,
 * each turn of the event loop sleeps a little. The program's other events are delayed by that much at most.
 */

/**
 * Length of a sleep per turn as a share of the time since the last wait began, so that no wait gets much longer. The
 * bounds are in milliseconds.
 */
const SHARE = 0.05;
const SHORTEST = 0.05;
const LONGEST = 1;
/** False once sleeping has failed: some main threads may not sleep, such as the window of a desktop application. */
let maySleep = true;

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** The number of promises awaited, when the last wait began, and whether the next turn is scheduled. */
let waiting = 0;
let since = 0;
let isPolling = false;

/**
 * Sleeps in every turn of the event loop until the promise is settled. Node only: a browser's main thread may not
 * sleep.
 */
export const throttleWhile: Throttle = (promise) => {
  waiting++;
  since = performance.now();
  if (!isPolling && maySleep) {
    isPolling = true;
    setImmediate(turn);
  }
  const settled = (): void => {
    waiting--;
  };
  promise.then(settled, settled);
  return promise;
};

function turn(): void {
  isPolling = waiting > 0 && maySleep;
  if (!isPolling) return;
  const sleep = Math.min(SHARE * (performance.now() - since), LONGEST);
  try {
    if (sleep >= SHORTEST) Atomics.wait(sleeper, 0, 0, sleep);
  } catch {
    maySleep = false;
  }
  setImmediate(turn);
}
