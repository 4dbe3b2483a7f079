/** Where the ladder of the plane begins (shaders/planar/queries/signed-distance.wgsl), for what a caller asks. */
import type { FirstRung } from './backend.ts';
import {
  PLANAR_MPR_NORMAL,
  PLANAR_MPR_RAY,
  PLANAR_RUNG_CLOSED,
  PLANAR_RUNG_GJK,
  PLANAR_RUNG_MPR,
  PLANAR_RUNG_SAT,
  PLANAR_RUNG_VELOCITY_EPA,
} from '../generated/constants.ts';
import type { MprDepth } from '../api/types.ts';

/** One of the `PLANAR_RUNG_`s. */
export function rungOf(first: FirstRung): number {
  if (first === 'sat') return PLANAR_RUNG_SAT;
  if (first === 'newton') return PLANAR_RUNG_CLOSED;
  if (first === 'epa') return PLANAR_RUNG_VELOCITY_EPA;
  return first === 'mpr' ? PLANAR_RUNG_MPR : PLANAR_RUNG_GJK;
}

/** What MPR is asked for where a depth is wanted. */
export function portalsOf(mprDepth: MprDepth | undefined): number {
  return mprDepth === 'ray' ? PLANAR_MPR_RAY : PLANAR_MPR_NORMAL;
}
