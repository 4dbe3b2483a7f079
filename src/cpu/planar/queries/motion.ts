/** Mirror of shaders/planar/queries/impacts/motion.wgsl: how two bodies of the plane move against each other. */
import { PLANAR_POINT } from '../../../generated/constants.ts';
import type { PlanarShapeData } from '../../../shapes/planar-shape-data.ts';
import { type Vec2, addScaled, rotate, rotateBack, setRotation, vec2 } from '../math.ts';
import { type PlanarPair, type PlanarPose, makePair } from '../pair.ts';

/** What two bodies have in common in motion, in world axes. */
export interface PlanarMotion {
  /** B's position minus A's as the motion begins, and its velocity minus A's. */
  offset: Vec2;
  velocity: Vec2;
  /** Seconds, at least 0. */
  duration: number;
  /** Bodies meet where they are so far apart. */
  margin: number;
  /** Overlap along a normal that is none, in the pair's unit. */
  slack: number;
  /** How each body turns, radians a second. Zero: not. */
  spinA: number;
  spinB: number;
}

export function createMotion(): PlanarMotion {
  return { offset: vec2(), velocity: vec2(), duration: 0, margin: 0, slack: 0, spinA: 0, spinB: 0 };
}

/** Whether a shape looks the same however it turns: a circle around its body's origin. */
export function isRound({ kind, data }: PlanarShapeData): boolean {
  return kind === PLANAR_POINT && data[0] === 0 && data[1] === 0;
}

const offset = vec2();
const turnA = vec2();
const turnB = vec2();

/** The bodies as they are some seconds after the motion began. */
export function pairAt(shapeA: PlanarShapeData, poseA: PlanarPose, shapeB: PlanarShapeData, poseB: PlanarPose, motion: PlanarMotion, time: number, to: PlanarPair): PlanarPair {
  makePair(shapeA, poseA, shapeB, poseB, addScaled(motion.offset, motion.velocity, time, offset), to);
  // Turns of their own, as their sums with the angles would be rounded more.
  setRotation(motion.spinA * time, turnA);
  setRotation(motion.spinB * time, turnB);
  rotate(turnA, to.rotationA, to.rotationA);
  rotateBack(turnA, to.translation, to.translation);
  rotate(rotateBack(turnA, turnB, turnB), to.rotation, to.rotation);
  return to;
}
