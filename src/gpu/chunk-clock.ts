/**
 * How long submissions take when several are in flight. The device runs them in order, so a submission starts when it
 * is submitted or when the one before it ends. While the host works it does not see ends, so a submission that ended
 * during the host's work is seen after it. Only the time that the host spent waiting is certainly the device's.
 */

/** Milliseconds. */
export interface Elapsed {
  /** The longest that the device may have taken. */
  most: number;
  /** The shortest time that the device may have taken, without the time until a waiting host is woken. */
  least: number;
  /** How long the host waited for the submission, without the time of kernels and of its own work. */
  waited(kernelTime: number): number;
}

export interface ChunkClock {
  /** Runs work of the host while submissions are in flight. */
  work<Result>(use: () => Result): Result;
  /** Called right after a submission. Returns a function to call when the host sees the end of the submission. */
  submitted(): () => Elapsed;
}

export function createChunkClock(now: () => number = () => performance.now()): ChunkClock {
  /** The host's total working time: until now, and until it saw the last end of a submission. */
  let workTime = 0;
  let workAtLastEnd = 0;
  /** When the host saw the last end of a submission, and how much earlier that end may have been. */
  let lastEnd = -Infinity;
  let lateness = 0;

  return {
    work(use) {
      const start = now();
      try {
        return use();
      } finally {
        workTime += now() - start;
      }
    },

    submitted() {
      const start = now();
      const workAtStart = workTime;
      return () => {
        const end = now();
        const isBehind = lastEnd > start;
        const inFlight = end - Math.max(start, lastEnd);
        const worked = workTime - (isBehind ? workAtLastEnd : workAtStart);
        const most = inFlight + (isBehind ? lateness : 0);
        lastEnd = end;
        lateness = worked;
        workAtLastEnd = workTime;
        return {
          most,
          least: Math.max(inFlight - worked, 0),
          // Kernels run beside the host's work: the longer of the two hides the other.
          waited: (kernelTime) => Math.max(inFlight - Math.max(kernelTime, worked), 0),
        };
      };
    },
  };
}
