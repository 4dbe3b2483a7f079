/** The reference's query of motion in 2-D: when two moving bodies meet. */
import { invalidInput } from '../../api/errors.ts';
import { expectCoordinate } from '../../request/validate-bodies.ts';
import { isTooFast } from '../../records/turning.ts';
import { expectDuration, chooseImpactStage, passesParting, queryMargin } from '../../request/validate.ts';
import type { Status } from '../../api/types.ts';
import { expectKnown } from '../../util/known.ts';
import { CPU_IMPACT_OPTIONS, type CpuImpactOptions } from '../options.ts';
import { createPairResult, invalidPair } from '../queries/result.ts';
import { type CpuPlanarMovingPose, type CpuPlanarShape, checkPose, checkShapes } from './arguments.ts';
import { set } from './math.ts';
import { createPlanarPair } from './pair.ts';
import { impactOfBodies } from './queries/impacts.ts';
import { createMotion, isRound } from './queries/motion.ts';

/** Result of `impact`; see `Impacts`. */
export interface CpuPlanarImpact {
  status: Status;
  /** Whether they meet within the duration. */
  hit: boolean;
  /** Seconds from 0 to the duration; `Infinity`: no impact. */
  time: number;
  /** The same, except for bodies that overlap at the start: minus the seconds since they met, or `-Infinity`. */
  unclampedTime: number;
  /** Unit vector from A to B in world space at `unclampedTime`. */
  normal: [number, number];
  /** Point on A's surface where they touch, in world space at `unclampedTime`. */
  point: [number, number];
  /** Support evaluations of all searches. */
  iterations: number;
}

/** Overlap up to which moving bodies count as apart, as a share of their size: a tenth of the tolerance. */
const TOUCH_TOLERANCE = 1e-10;

const pair = createPlanarPair();
const motion = createMotion();
const result = createPairResult();

/**
 * Computes when two moving 2-D bodies come within `margin` (default 0) of each other. If a body rotates by more than 32
 * radians within the duration, the status is `InvalidInput` and all results are 0.
 *
 * @throws NarrowphaseError `INVALID_INPUT`.
 */
export function impact(
  a: CpuPlanarShape,
  poseA: CpuPlanarMovingPose,
  b: CpuPlanarShape,
  poseB: CpuPlanarMovingPose,
  options: CpuImpactOptions,
): CpuPlanarImpact {
  if (typeof options !== 'object' || options === null) invalidInput('options', options, '{ duration, margin? }');
  expectKnown(options, 'options', CPU_IMPACT_OPTIONS, 'for impact');
  const { duration, algorithm = 'auto' } = options;
  const leadStage = chooseImpactStage(algorithm);
  checkShapes(a, b);
  expectDuration('options.duration', duration);
  motion.duration = duration;
  motion.margin = queryMargin('impacts', options.margin);
  motion.touchTolerance = TOUCH_TOLERANCE;
  motion.passesParting = passesParting(options.stopAtPenetration);
  checkPose(a, poseA, 'poseA');
  checkPose(b, poseB, 'poseB');
  const v = velocityOf(poseA, 'poseA');
  const w = velocityOf(poseB, 'poseB');
  const { position: p, angle: angleA, scale: scaleA = 1 } = poseA;
  const { position: q, angle: angleB, scale: scaleB = 1 } = poseB;
  set(q[0] - p[0], q[1] - p[1], motion.offset);
  set(w[0] - v[0], w[1] - v[1], motion.velocity);
  const turnA = angularVelocityOf(poseA, 'poseA');
  const turnB = angularVelocityOf(poseB, 'poseB');
  motion.angularVelocityA = isRound(a) ? 0 : turnA;
  motion.angularVelocityB = isRound(b) ? 0 : turnB;
  const placeA = { angle: angleA, scale: scaleA };
  const placeB = { angle: angleB, scale: scaleB };
  const bodies = { shapeA: a, poseA: placeA, shapeB: b, poseB: placeB, motion };
  if (isTooFast(Math.max(Math.abs(turnA), Math.abs(turnB)), duration)) invalidPair(result);
  else impactOfBodies(pair, bodies, leadStage, result);
  const { status, hit, unclampedTime, normal, pointA, iterations, hasPoints } = result;
  const moved = Number.isFinite(unclampedTime) ? unclampedTime : 0;
  return {
    status: status as Status,
    hit,
    time: Math.max(unclampedTime, 0),
    unclampedTime,
    normal: [normal.x, normal.y],
    point: hasPoints ? [p[0] + v[0] * moved + pointA.x, p[1] + v[1] * moved + pointA.y] : [0, 0],
    iterations,
  };
}

function velocityOf({ linearVelocity }: CpuPlanarMovingPose, field: string): ArrayLike<number> {
  if (!(linearVelocity?.length === 2)) invalidInput(`${field}.linearVelocity`, linearVelocity, 'an array of 2 numbers');
  for (let i = 0; i < 2; i++) expectCoordinate(`${field}.linearVelocity`, linearVelocity, i);
  return linearVelocity;
}

function angularVelocityOf({ angularVelocity: angular = 0 }: CpuPlanarMovingPose, field: string): number {
  if (!Number.isFinite(angular)) invalidInput(`${field}.angularVelocity`, angular, 'a finite number');
  return angular;
}
