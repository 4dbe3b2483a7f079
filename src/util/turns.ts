/** Long work on the caller's thread, split up so that the event loop can run in between. */

/** A computation that yields at least every few hundred microseconds and returns its result at the end. */
export type Work<Result> = Generator<undefined, Result, undefined>;

/** Milliseconds of work after which the event loop runs. */
export const TURN_MS = 8;

/** Steps between two yields. A step takes some nanoseconds. */
const STEPS_BETWEEN_STOPS = 2 ** 14;

/** A function that counts steps of work and returns true when it is time to `yield`. */
export function createPace(): (steps: number) => boolean {
  let left = STEPS_BETWEEN_STOPS;
  return (steps) => {
    left -= steps;
    if (left > 0) return false;
    left = STEPS_BETWEEN_STOPS;
    return true;
  };
}

/** What is left of work that was begun; undefined if it is done. Short work takes no generator, which would take longer. */
export type Rest = Work<void> | undefined;

/** Does all of the work at once. */
export function finish(work: Rest): void;
export function finish<Result>(work: Work<Result>): Result;
export function finish(work: Work<unknown> | undefined): unknown {
  for (;;) {
    const step = work?.next();
    if (!step || step.done) return step?.value;
  }
}

/**
 * Does the work and lets the event loop run in between. Calls `expectOn` each time the work resumes; an error it throws
 * ends the work. If `waits` returns true at a yield, the work waits for `meanwhile`.
 */
export async function workInTurns<Result>(
  work: Work<Result>,
  expectOn: () => void,
  waits?: () => boolean,
  meanwhile?: () => Promise<void>,
): Promise<Result> {
  for (let start = performance.now(); ;) {
    const step = work.next();
    if (step.done) return step.value;
    if (waits?.()) {
      await meanwhile!();
      start = performance.now();
    }
    if (performance.now() - start < TURN_MS) continue;
    await nextTurn();
    expectOn();
    start = performance.now();
  }
}

/** Resolves after the event loop has run once. A timer would take another 1 to 4 ms. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const settle = (): void => {
      port1.close();
      resolve();
    };
    port1.addEventListener('message', settle, { once: true });
    port1.start();
    port2.postMessage(null);
  });
}
