import type { Throttle } from '../gpu/session.ts';

/**
 * Throttles Dawn's polling in Node, so that a software adapter gets the CPU.
 *
 * Dawn in Node asks for finished work in every turn of the event loop, which keeps a core busy that a software adapter
 * has to compute with: on two cores its kernels take up to twice as long. So each turn sleeps a little while something
 * is awaited; other events of the program wait as long at most.
 */

/**
 * Sleep a turn as a share of the time since the last wait began, so that none is made much longer, and its bounds in
 * milliseconds.
 */
const SHARE = 0.05;
const SHORTEST = 0.05;
const LONGEST = 1;
/** The program may not sleep everywhere, as in the window of a desktop application. */
let maySleep = true;

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Promises that are waited for, when the last one began, and whether a turn is due. */
let waiting = 0;
let since = 0;
let isTurning = false;

/**
 * Sleeps in every turn of the event loop until the promise is settled. For Node: a browser's main thread may not sleep.
 */
export const throttleWhile: Throttle = (promise) => {
  waiting++;
  since = performance.now();
  if (!isTurning && maySleep) {
    isTurning = true;
    setImmediate(turn);
  }
  const settled = (): void => {
    waiting--;
  };
  promise.then(settled, settled);
  return promise;
};

function turn(): void {
  isTurning = waiting > 0 && maySleep;
  if (!isTurning) return;
  const sleep = Math.min(SHARE * (performance.now() - since), LONGEST);
  try {
    if (sleep >= SHORTEST) Atomics.wait(sleeper, 0, 0, sleep);
  } catch {
    maySleep = false;
  }
  setImmediate(turn);
}
