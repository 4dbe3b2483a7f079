/** The stage that leads in 2-D (shaders/planar/queries/signed-distance.wgsl), from the options. */
import type { LeadStage } from './backend.ts';
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
export function planarStage(leadStage: LeadStage): number {
  if (leadStage === 'sat') return PLANAR_RUNG_SAT;
  if (leadStage === 'newton') return PLANAR_RUNG_CLOSED;
  if (leadStage === 'epa') return PLANAR_RUNG_VELOCITY_EPA;
  return leadStage === 'mpr' ? PLANAR_RUNG_MPR : PLANAR_RUNG_GJK;
}

/** The depth that MPR computes for overlapping pairs. */
export function portalsOf(mprDepth: MprDepth | undefined): number {
  return mprDepth === 'ray' ? PLANAR_MPR_RAY : PLANAR_MPR_NORMAL;
}
