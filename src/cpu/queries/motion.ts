/** Mirror of shaders/queries/impacts/motion.wgsl: how two bodies move against each other. */
import type { ShapeData } from '../../shapes/shape-data.ts';
import { type Vec3, addScaled, cross, length, quaternionProduct, subtract, transformBack, vec3 } from '../math.ts';
import type { Pair, Pose } from '../pair.ts';
import { placeInWorld } from './pair-unit.ts';

/** The relative motion of two bodies, in world axes. */
export interface Motion {
  /** B's position minus A's at the start, and B's velocity minus A's. */
  offset: Vec3;
  velocity: Vec3;
  /** Seconds, at least 0. */
  duration: number;
  /** The distance at which bodies meet. */
  margin: number;
  /** Overlap up to which bodies only touch, in the pair's unit. */
  touchTolerance: number;
  /** Radians per second, about the axis along which the vector points. Zero for bodies that don't rotate. */
  angularVelocityA: Vec3;
  angularVelocityB: Vec3;
  /** Whether bodies that overlap or touch at the start meet only if they close in. */
  passesParting: boolean;
}

/** Two bodies at the start, and how they move. */
export interface MovingBodies {
  shapeA: ShapeData;
  poseA: Pose;
  shapeB: ShapeData;
  poseB: Pose;
  motion: Motion;
}

/** The greatest distance of a body's points from the origin about which it rotates, in world units. */
export function rotationReach(shape: ShapeData, pose: Pose): number {
  return shape.boundingRadius * pose.scale;
}

export function createMotion(): Motion {
  return {
    offset: vec3(),
    velocity: vec3(),
    duration: 0,
    margin: 0,
    touchTolerance: 0,
    angularVelocityA: vec3(),
    angularVelocityB: vec3(),
    passesParting: false,
  };
}

/** An upper bound of the relative speed of the bodies' points. */
export function greatestSpeed(
  { velocity, angularVelocityA, angularVelocityB }: Motion,
  extentA: number,
  extentB: number,
): number {
  return length(velocity) + length(angularVelocityA) * extentA + length(angularVelocityB) * extentB;
}

const contactPoint = vec3();
const local = vec3();
const lever = vec3();

/** Writes B's velocity at a point relative to A's, both in A's frame. */
export function velocityAt(
  pair: Pair,
  { velocity, angularVelocityA, angularVelocityB }: Motion,
  point: Vec3,
  to: Vec3,
): Vec3 {
  placeInWorld(pair, point, contactPoint);
  subtract(velocity, cross(angularVelocityA, contactPoint, lever), to);
  // B's position.
  placeInWorld(pair, subtract(pair.translation, pair.middleB, local), local);
  addScaled(to, cross(angularVelocityB, subtract(contactPoint, local, lever), lever), 1, to);
  return transformBack(pair.rotationA, to, to);
}

/** Writes a pose some seconds later, rotated about its position. */
export function poseAt(
  { scale: size, quaternion }: Pose,
  angularVelocity: Vec3,
  time: number,
  to: { scale: number; quaternion: Float64Array },
): Pose {
  const speed = length(angularVelocity);
  const half = 0.5 * speed * time;
  const share = speed > 0 ? Math.sin(half) / speed : 0;
  to.scale = size;
  quaternionProduct(
    angularVelocity.x * share,
    angularVelocity.y * share,
    angularVelocity.z * share,
    Math.cos(half),
    quaternion,
    to.quaternion,
  );
  return to;
}
