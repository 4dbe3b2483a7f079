/**
 * Two moving bodies in double precision: their poses at any time, by the definition of `impacts` and without any of its
 * code. Positions are p + v t, rotations exp(spin t) q.
 */

import { quaternionProduct, set, vec3, type Vec3 } from '../../../src/cpu/math.ts';
import { makePair, type Pair } from '../../../src/cpu/pair.ts';
import { CORE_HALFSPACE } from '../../../src/generated/constants.ts';
import type { ShapeData } from '../../../src/shapes/shape-data.ts';
import type { PosedBodies, Velocities } from '../../../src/api/types.ts';

export interface Moving {
  shapeA: ShapeData;
  shapeB: ShapeData;
  /** A's position at the start of the motion, and B's minus A's. */
  origin: Vec3;
  offset: Vec3;
  quaternionA: Float64Array;
  quaternionB: Float64Array;
  /** A's velocity, and B's minus A's. */
  velocityA: Vec3;
  velocity: Vec3;
  /** Radians per second around each axis. */
  spinA: Vec3;
  spinB: Vec3;
  duration: number;
  /** The sum of both bounding radii. */
  reach: number;
  isTurning: boolean;
  isPlane: boolean;
}

export function createMoving(shape: ShapeData): Moving {
  return {
    shapeA: shape,
    shapeB: shape,
    origin: vec3(),
    offset: vec3(),
    quaternionA: new Float64Array(4),
    quaternionB: new Float64Array(4),
    velocityA: vec3(),
    velocity: vec3(),
    spinA: vec3(),
    spinB: vec3(),
    duration: 0,
    reach: 0,
    isTurning: false,
    isPlane: false,
  };
}

export type MovingBodyArrays = PosedBodies & Velocities;

/** Sets up the bodies `a` and `b`. `shapes` are those that the bodies name. */
export function takePair(
  shapes: readonly ShapeData[],
  bodies: MovingBodyArrays,
  a: number,
  b: number,
  duration: number,
  to: Moving,
): void {
  const { positions: p, linearVelocities: v, angularVelocities: w } = bodies;
  to.shapeA = shapes[bodies.shapes[a]];
  to.shapeB = shapes[bodies.shapes[b]];
  set(p[3 * a], p[3 * a + 1], p[3 * a + 2], to.origin);
  set(p[3 * b] - p[3 * a], p[3 * b + 1] - p[3 * a + 1], p[3 * b + 2] - p[3 * a + 2], to.offset);
  set(v[3 * a], v[3 * a + 1], v[3 * a + 2], to.velocityA);
  set(v[3 * b] - v[3 * a], v[3 * b + 1] - v[3 * a + 1], v[3 * b + 2] - v[3 * a + 2], to.velocity);
  takeUnit(bodies.quaternions, a, to.quaternionA);
  takeUnit(bodies.quaternions, b, to.quaternionB);
  set(0, 0, 0, to.spinA);
  set(0, 0, 0, to.spinB);
  if (w) {
    set(w[3 * a], w[3 * a + 1], w[3 * a + 2], to.spinA);
    set(w[3 * b], w[3 * b + 1], w[3 * b + 2], to.spinB);
  }
  to.isTurning = w !== undefined;
  to.isPlane = to.shapeA.kind === CORE_HALFSPACE || to.shapeB.kind === CORE_HALFSPACE;
  to.duration = duration;
  to.reach = to.shapeA.boundingRadius + to.shapeB.boundingRadius;
}

function takeUnit(quaternions: ArrayLike<number>, body: number, to: Float64Array): void {
  const [x, y, z, w] = [
    quaternions[4 * body],
    quaternions[4 * body + 1],
    quaternions[4 * body + 2],
    quaternions[4 * body + 3],
  ];
  const size = Math.sqrt(x * x + y * y + z * z + w * w);
  to[0] = x / size;
  to[1] = y / size;
  to[2] = z / size;
  to[3] = w / size;
}

/** The rotation exp(spin t) q. */
export function turnedBy(
  { x, y, z }: Vec3,
  time: number,
  quaternion: ArrayLike<number>,
  to: Float64Array,
): Float64Array {
  const speed = Math.sqrt(x * x + y * y + z * z);
  const half = 0.5 * speed * time;
  const share = speed > 0 ? Math.sin(half) / speed : 0;
  return quaternionProduct(x * share, y * share, z * share, Math.cos(half), quaternion, to);
}

export const poseA = { scale: 1, quaternion: new Float64Array(4) };
export const poseB = { scale: 1, quaternion: new Float64Array(4) };
const between = vec3();

/** The pair at a time. If `isTurning` is false, the rotations are those at the start. */
export function placeAt(moving: Moving, time: number, isTurning: boolean, to: Pair): Pair {
  const { shapeA, shapeB, offset, velocity } = moving;
  turnedBy(moving.spinA, isTurning ? time : 0, moving.quaternionA, poseA.quaternion);
  turnedBy(moving.spinB, isTurning ? time : 0, moving.quaternionB, poseB.quaternion);
  set(offset.x + velocity.x * time, offset.y + velocity.y * time, offset.z + velocity.z * time, between);
  return makePair(shapeA, poseA, shapeB, poseB, between, to);
}

/** |B - A| at a time. */
export function originsApart({ offset, velocity }: Moving, time: number): number {
  const x = offset.x + velocity.x * time;
  const y = offset.y + velocity.y * time;
  const z = offset.z + velocity.z * time;
  return Math.sqrt(x * x + y * y + z * z);
}
