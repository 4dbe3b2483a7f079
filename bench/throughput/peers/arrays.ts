/**
 * A peer called in a loop on the caller's arrays, as a program calls it whose bodies have moved: before each call two
 * bodies are placed from the arrays.
 */

import { emptyAnswers, type PeerLoop } from '../runner.ts';
import type { Workload } from '../../../verification/workloads/workload.ts';

/** A loop whose bodies can be placed anew. */
export interface PlacingLoop extends PeerLoop {
  /** Gives the body that was added as number `slot` the shape, pose and velocity of `body`. */
  setBody: (slot: number, body: number) => void;
}

/** `makeLoop` is given the workload with one pair, of bodies 0 and 1. */
export function arraysLoop<Given extends Workload>(
  workload: Given,
  makeLoop: (onePair: Given) => PlacingLoop,
): PeerLoop {
  const { pairs } = workload;
  const { addBody, setBody, loop, tellsDistance, tellsTime } = makeLoop({ ...workload, pairs: Uint32Array.of(0, 1) });
  addBody(0);
  addBody(1);
  const one = emptyAnswers(1);
  return {
    tellsDistance,
    tellsTime,
    addBody: () => {},
    loop(count, { hit, distance, time }) {
      for (let i = 0; i < count; i++) {
        setBody(0, pairs[2 * i]);
        setBody(1, pairs[2 * i + 1]);
        loop(1, one);
        hit[i] = one.hit[0];
        distance[i] = one.distance[0];
        time[i] = one.time[0];
      }
    },
  };
}
