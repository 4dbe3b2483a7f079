/** A GPU that hangs never settles its promises: no wait is without an end. */

/** A wait that was given up. */
export class TimeoutError extends Error {}

let throttle: ((promise: Promise<unknown>) => void) | undefined;

/** From now on, `within` passes every promise to `by` before it waits. undefined turns this off. */
export function throttleWaits(by: typeof throttle): void {
  throttle = by;
}

/** The promise's outcome, or a `TimeoutError` that names `what` after so many seconds. */
export async function within<T>(promise: Promise<T>, seconds: number, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  throttle?.(promise);
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(`${what} did not end within ${seconds} s`)), 1000 * seconds);
  });
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
  }
}

/** Seconds that different things may take on the slowest adapter. */
export const LIMITS = {
  /** An adapter, a device. */
  open: 60,
  /** Compiling all kernels of a query, and the first submission: some drivers compile then. */
  compile: 180,
  /** Any other submission. */
  work: 60,
} as const;
