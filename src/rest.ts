/**
 * Rest for Node's main thread while a software adapter works.
 *
 * Dawn in Node asks for finished work in every turn of the event loop, which keeps a core busy that a software adapter has
 * to compute with: on two cores its kernels take up to twice as long. So each turn sleeps a little while something is
 * awaited; other events of the program wait as long at most.
 */

/** The awaited promise itself, with whatever makes waiting for it cheaper. */
export type Rest = <T>(promise: Promise<T>) => Promise<T>;

/** Sleep a turn as a share of the time waited so far, so that short waits are not made much longer, and its bounds in milliseconds. */
const SHARE = 0.05;
const SHORTEST = 0.05;
const LONGEST = 1;

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Promises that are waited for, the time since there are any, and whether a turn is due. */
let waiting = 0;
let since = 0;
let isTurning = false;

/** Sleeps in every turn of the event loop until the promise is settled. For Node: a browser's main thread may not sleep. */
export const restWhile: Rest = (promise) => {
  if (waiting++ === 0) since = performance.now();
  if (!isTurning) setImmediate(turn);
  isTurning = true;
  const settled = (): void => {
    waiting--;
  };
  promise.then(settled, settled);
  return promise;
};

function turn(): void {
  isTurning = waiting > 0;
  if (!isTurning) return;
  const waited = performance.now() - since;
  Atomics.wait(sleeper, 0, 0, Math.min(Math.max(SHARE * waited, SHORTEST), LONGEST));
  setImmediate(turn);
}
