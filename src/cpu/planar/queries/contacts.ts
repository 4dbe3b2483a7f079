/** Mirror of shaders/planar/queries/contacts.wgsl: signed distance, witness points and features. */
import type { PairResult } from '../../queries/result.ts';
import { feature } from '../feature.ts';
import { rotateBack, scale, vec2 } from '../math.ts';
import type { PlanarPair } from '../pair.ts';
import { createAnswer, signedDistance } from './signed-distance.ts';
import { writeAnswer } from './result.ts';
import { marginInUnits } from './pair-unit.ts';

const found = createAnswer();
const backward = vec2();

export function contact(
  pair: PlanarPair,
  callersMargin: number,
  stage: number,
  to: PairResult,
  mprDepth: number,
): PairResult {
  const margin = marginInUnits(pair, callersMargin);
  signedDistance(pair, margin, stage, mprDepth, found);
  writeAnswer(pair, found, margin, to);
  if (!found.hasPoints) return to;
  to.featureA = feature(pair.coreA, found.normal, found.cornerA);
  to.featureB = feature(
    pair.coreB,
    rotateBack(pair.rotation, scale(found.normal, -1, backward), backward),
    found.cornerB,
  );
  return to;
}
