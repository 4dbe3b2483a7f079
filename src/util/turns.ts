/** Long work on the caller's thread in pieces, between which the event loop has its turns. */

/**
 * Work that stops at each `yield`, which is every few hundred microseconds at most, and gives its result at the end.
 */
export type Work<Result> = Generator<undefined, Result, undefined>;

/** Milliseconds of work after which the event loop gets a turn. */
export const TURN_MS = 8;

/** Steps of some nanoseconds between two stops. */
const STEPS_BETWEEN_STOPS = 2 ** 14;

/** Counts steps of work; tells when enough of them were made for a `yield`. */
export function createPace(): (steps: number) => boolean {
  let left = STEPS_BETWEEN_STOPS;
  return (steps) => {
    left -= steps;
    if (left > 0) return false;
    left = STEPS_BETWEEN_STOPS;
    return true;
  };
}

/** Does all of the work at once. */
export function finish<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/**
 * Does the work with turns of the event loop in between. After each `expectOn` is called, which throws where the work
 * shall end.
 */
export async function workInTurns<Result>(work: Work<Result>, expectOn: () => void): Promise<Result> {
  for (let start = performance.now(); ;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - start < TURN_MS) continue;
    await nextTurn();
    expectOn();
    start = performance.now();
  }
}

/** Settles when the event loop has had a turn; timers would not for another 1 to 4 ms. */
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
