/** Pauses of the host's thread while it waits for a GPU. */

import { throttleWhile } from '../src/node/throttle-polling.ts';
import { throttleWaits } from '../verification/gpu-cases/timeout.ts';

/** Sets whether the host's thread pauses in waits: a software adapter needs its core. */
export function setRests(value: boolean): void {
  throttleWaits(value ? throttleWhile : undefined);
}
