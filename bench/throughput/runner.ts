/** A query of one library over one workload, in the process or page that the library runs in. */

import { bodiesNeeded, type AnyWorkload } from '../../verification/workloads/workload.ts';
import type { Answers } from '../../verification/judges/compare-answers.ts';
import type { Sample } from './protocol.ts';

export interface Runner {
  /** Makes objects for the first `count` pairs. */
  reserve(count: number): void | Promise<void>;
  /** Runs the query over the first `count` pairs, which were reserved. */
  run(count: number): Promise<Sample>;
  /** Answers of the last run for the requested pairs. */
  answers(indices: Uint32Array): Promise<Answers>;
}

/** What a peer's loop writes: a slot a pair. Writing keeps the compiler from leaving the work out. */
export interface PeerAnswers {
  hit: Uint8Array;
  /** NaN where the call tells none. */
  distance: Float64Array;
  /** Seconds until the pair meets; NaN where it does not. Of calls that tell times. */
  time: Float64Array;
}

export interface PeerLoop {
  tellsDistance: boolean;
  /** Default false. */
  tellsTime?: boolean;
  /** Makes what the calls need for one more body; called in order. */
  addBody: (body: number) => void;
  /** Calls the library for the first `count` pairs and writes the answers. */
  loop: (count: number, answers: PeerAnswers) => void;
  /** Before each run, untimed. */
  before?: (count: number) => void;
  /** After each run, untimed: writes answers that the loop left in the library. */
  after?: (count: number, answers: PeerAnswers) => void;
}

/** A runner for a synchronous library. */
export function peerRunner(
  workload: AnyWorkload,
  { tellsDistance, tellsTime = false, addBody, loop, before, after }: PeerLoop,
): Runner {
  let bodyCount = 0;
  let answers = emptyAnswers(0);
  return {
    reserve(count) {
      if (answers.hit.length < count) answers = emptyAnswers(count);
      for (const needed = bodiesNeeded(workload, count); bodyCount < needed; bodyCount++) addBody(bodyCount);
    },
    async run(count) {
      before?.(count);
      const start = performance.now();
      loop(count, answers);
      const ms = performance.now() - start;
      after?.(count, answers);
      return { ms };
    },
    async answers(indices) {
      return {
        hit: Uint8Array.from(indices, (i) => answers.hit[i]),
        distance: tellsDistance ? Float64Array.from(indices, (i) => answers.distance[i]) : null,
        ...(tellsTime && { time: Float64Array.from(indices, (i) => answers.time[i]) }),
      };
    },
  };
}

export function emptyAnswers(count: number): PeerAnswers {
  return { hit: new Uint8Array(count), distance: new Float64Array(count), time: new Float64Array(count) };
}
