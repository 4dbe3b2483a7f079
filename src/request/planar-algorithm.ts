/** The stage that leads in 2-D (shaders/planar/queries/signed-distance.wgsl), from the options. */
import type { LeadStage } from './backend.ts';
import {
  PLANAR_MPR_NORMAL,
  PLANAR_MPR_RAY,
  PLANAR_STAGE_CLOSED,
  PLANAR_STAGE_GJK,
  PLANAR_STAGE_MPR,
  PLANAR_STAGE_SAT,
  PLANAR_STAGE_VELOCITY_EPA,
} from '../generated/constants.ts';
import type { MprDepth } from '../api/types.ts';

/** One of the `PLANAR_STAGE_`s. */
export function planarStage(leadStage: LeadStage): number {
  if (leadStage === 'sat') return PLANAR_STAGE_SAT;
  if (leadStage === 'newton') return PLANAR_STAGE_CLOSED;
  if (leadStage === 'epa') return PLANAR_STAGE_VELOCITY_EPA;
  return leadStage === 'mpr' ? PLANAR_STAGE_MPR : PLANAR_STAGE_GJK;
}

/** The depth that MPR computes for overlapping pairs. */
export function planarMprDepth(mprDepth: MprDepth | undefined): number {
  return mprDepth === 'ray' ? PLANAR_MPR_RAY : PLANAR_MPR_NORMAL;
}
