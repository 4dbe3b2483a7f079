/**
 * How long submissions take when several are in flight. The device runs them in order, so a submission starts when it
 * is submitted or when the one before it ends. The host sees an end late if it is busy at that moment; the true end
 * then lies somewhere in the host's work.
 */

/** Milliseconds. */
export interface Elapsed {
  /** The longest that the device may have taken. */
  most: number;
  /** The shortest that the device may have taken. */
  least: number;
  /** How long the host waited for the submission besides its kernels and besides work of its own. */
  waited(kernelTime: number): number;
}

export interface ChunkClock {
  /** Runs work of the host while submissions are in flight. */
  work<Result>(use: () => Result): Result;
  /** Called right after a submission. Returns a function to call when the host sees the end of the submission. */
  submitted(): () => Elapsed;
}

/** An end that the host sees this soon after its work may have come at any time of the work. */
const NOTICE_MS = 1;

export function createChunkClock(now: () => number = () => performance.now()): ChunkClock {
  /** When the host's last stretch of work began and ended, and how long all its work took. */
  let workBegan = -Infinity;
  let workEnded = -Infinity;
  let workTime = 0;
  /** The end of the last submission: the earliest possible time, and the time at which the host saw it. */
  let earliest = -Infinity;
  let latest = -Infinity;
  let workAtLatest = 0;

  return {
    work(use) {
      const start = now();
      // Work right after other work is one stretch with it: the host saw nothing in between.
      if (start - workEnded >= NOTICE_MS) workBegan = start;
      try {
        return use();
      } finally {
        workEnded = now();
        workTime += workEnded - start;
      }
    },

    submitted() {
      const start = now();
      const workAtStart = workTime;
      return () => {
        const end = now();
        const isSeenLate = end - workEnded < NOTICE_MS;
        const earliestEnd = isSeenLate ? Math.min(end, Math.max(start, earliest, workBegan)) : end;
        const most = end - Math.max(start, earliest);
        const least = Math.max(earliestEnd - Math.max(start, latest), 0);
        const inFlight = end - Math.max(start, latest);
        const worked = workTime - (start > latest ? workAtStart : workAtLatest);
        earliest = earliestEnd;
        latest = end;
        workAtLatest = workTime;
        // Kernels run beside the host's work: the longer of the two hides the other.
        const waited = (kernelTime: number): number => Math.max(inFlight - Math.max(kernelTime, worked), 0);
        return { most, least, waited };
      };
    },
  };
}
