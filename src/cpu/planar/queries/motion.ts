/** Mirror of shaders/planar/queries/impacts/motion.wgsl: how two bodies in 2-D move against each other. */
import { MOTION_SHALLOW, PLANAR_POINT } from '../../../generated/constants.ts';
import type { PlanarShapeData } from '../../../shapes/planar-shape-data.ts';
import { type Vec2, addScaled, length, rotate, rotateBack, scale, set, setRotation, vec2 } from '../math.ts';
import { type BodyPair, type PlanarPair, rotatedPair } from '../pair.ts';

/** The relative motion of two bodies, in world axes. */
export interface PlanarMotion {
  /** B's position minus A's at time 0, and its velocity minus A's. */
  offset: Vec2;
  velocity: Vec2;
  /** Seconds, at least 0. */
  duration: number;
  /** The distance at which bodies meet. */
  margin: number;
  /**
   * Overlap up to which bodies only touch, for a pair whose bounding radii have a sum of at most 1 in its unit: see
   * `touchToleranceOf`.
   */
  touchTolerance: number;
  /** Radians per second. Zero for bodies that don't rotate. */
  angularVelocityA: number;
  angularVelocityB: number;
  /** How long before time 0 the bodies have the orientations of their poses. 0: time is counted from the start. */
  began: number;
  /** Whether bodies that overlap or touch at the start meet only if they close in. */
  passesParting: boolean;
}

/** Two bodies at the start, and how they move. */
export interface MovingBodies extends BodyPair {
  motion: PlanarMotion;
}

export function createMotion(): PlanarMotion {
  return {
    offset: vec2(),
    velocity: vec2(),
    duration: 0,
    margin: 0,
    touchTolerance: 0,
    angularVelocityA: 0,
    angularVelocityB: 0,
    began: 0,
    passesParting: false,
  };
}

/** Whether rotation has no effect on a shape: a circle around its body's origin. */
export function isRound({ kind, data }: PlanarShapeData): boolean {
  return kind === PLANAR_POINT && data[0] === 0 && data[1] === 0;
}

/** Whether bodies without relative velocity rotate by so little that they count as resting. */
export function isResting(
  { angularVelocityA, angularVelocityB, duration, touchTolerance }: PlanarMotion,
  isMoving: boolean,
): boolean {
  return (
    !isMoving && (Math.abs(angularVelocityA) + Math.abs(angularVelocityB)) * duration <= MOTION_SHALLOW * touchTolerance
  );
}

const offset = vec2();
const turn = vec2();
const rotationA = vec2();
const rotationB = vec2();

/** Overlap up to which bodies only touch, for a pair whose bounding radii have this sum in its unit. */
export function touchToleranceOf(touchTolerance: number, size: number): number {
  return touchTolerance * Math.max(size, 1);
}

/** The bodies as they are at some time. */
export function pairAt(bodies: MovingBodies, time: number, to: PlanarPair): PlanarPair {
  const { poseA, poseB, motion } = bodies;
  // Separate rotations, as sums with the angles would be rounded more.
  setRotation(motion.angularVelocityA * (motion.began + time), turn);
  rotate(turn, setRotation(poseA.angle, rotationA), rotationA);
  setRotation(motion.angularVelocityB * (motion.began + time), turn);
  rotate(turn, setRotation(poseB.angle, rotationB), rotationB);
  addScaled(motion.offset, motion.velocity, time, offset);
  return rotatedPair(bodies, rotationA, rotationB, offset, motion.margin, to);
}

/** An upper bound of the relative speed of the bodies' points. `size`: the sum of the bounding radii. */
export function greatestSpeed({ velocity, angularVelocityA, angularVelocityB }: PlanarMotion, size: number): number {
  return length(velocity) + (Math.abs(angularVelocityA) + Math.abs(angularVelocityB)) * size;
}

/** Writes the velocity of a point of B minus that of a point of A, in A's frame and the pair's unit. */
export function relativeVelocity(
  { rotationA: ofA, translation, unit, middleA, middleB }: PlanarPair,
  { velocity, angularVelocityA, angularVelocityB }: PlanarMotion,
  pointA: Vec2,
  pointB: Vec2,
  to: Vec2,
): Vec2 {
  scale(rotateBack(ofA, velocity, to), 1 / unit, to);
  // From the bodies' origins, about which they turn.
  const xA = pointA.x + middleA.x;
  const yA = pointA.y + middleA.y;
  const xB = pointB.x - translation.x + middleB.x;
  const yB = pointB.y - translation.y + middleB.y;
  return set(
    to.x - yB * angularVelocityB + yA * angularVelocityA,
    to.y + xB * angularVelocityB - xA * angularVelocityA,
    to,
  );
}
