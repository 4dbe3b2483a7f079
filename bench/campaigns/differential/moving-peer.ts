/** Another library whose times of impact ours are compared with. */

import type { MovingFamily } from '../../../verification/families/moving-family.ts';
import type { Peer, Slack } from './peer.ts';

/** Times of a family's pairs. */
export interface Times {
  /** Seconds until the pair meets, 0 where it overlaps as the motion begins; Infinity where it does not meet. */
  time: Float64Array;
  /** Milliseconds of the calls. */
  milliseconds: number;
}

export interface MovingPeer extends Pick<Peer, 'name' | 'title' | 'version' | 'scope' | 'notes'> {
  /**
   * How far from touch, in distance, bodies may be at its times without anybody's fault; `ofDistance` is 0, as that of
   * touch is.
   */
  slack: Slack;
  answer(family: MovingFamily): Times;
}
