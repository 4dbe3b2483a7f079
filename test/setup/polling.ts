/**
 * Sleeps between Dawn's polls of the tests' devices. Dawn asks for finished work in every turn of the event loop, so a
 * test that waits for a kernel to compile keeps a core busy, which the compiler needs. Testers of `narrowphase/node`
 * sleep by themselves, but not on devices of the caller or on adapters that pass for hardware.
 */

/** Length of a sleep as a share of the time since JavaScript last ran; the bounds are in milliseconds. */
const SHARE = 0.1;
const SHORTEST = 0.05;
const LONGEST = 2;
/** Turns with less between them have run polls alone. */
const IDLE = 0.1;

const sleeper = new Int32Array(new SharedArrayBuffer(4));
/** This runs once per file: wrappers of files that share a worker must not nest. */
const shared = globalThis as { setImmediateOfNode?: typeof setImmediate };
const schedule = (shared.setImmediateOfNode ??= globalThis.setImmediate);
let since = 0;
let polled = 0;

/** Dawn looks up this function for each poll, and passes a native one. */
globalThis.setImmediate = Object.assign((callback: (...given: unknown[]) => void, ...given: unknown[]) => {
  if (callback.name !== '' || !String(callback).includes('[native code]')) return schedule(callback, ...given);
  return schedule(() => {
    const now = performance.now();
    if (now - polled > IDLE) since = now;
    const sleep = Math.min(SHARE * (now - since), LONGEST);
    if (sleep >= SHORTEST) Atomics.wait(sleeper, 0, 0, sleep);
    callback();
    polled = performance.now();
  });
}, schedule) as typeof setImmediate;
