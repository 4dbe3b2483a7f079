/** The motion of a pair as traversals of trees take it. */
import type { Moment, Sweep } from '../bvh/find-swept-pairs.ts';
import {
  addScaled,
  length,
  relativeQuaternion,
  rotationMatrix,
  set,
  transformBack,
  vec3,
  type Vec3,
} from '../cpu/math.ts';
import { angularVelocity, linearVelocity, turn } from '../cpu/parts/body-motion.ts';
import type { BodyMotion } from '../records/bodies.ts';
import { createPartPlaces, type PartPlaces } from './part-geometry.ts';

/** The motion of two bodies, which `begin` sets. */
export interface BodySweep extends Sweep {
  /** Begins with the bodies that are at the places now. */
  begin(): void;
}

/**
 * By how much boxes are searched beyond the margin, as a share of both bodies' sizes: bodies overlap by a part of the
 * tolerance before they count as meeting, and times have errors.
 */
export const MOTION_SLACK = 1e-5;

export function createSweep(places: PartPlaces, motion: BodyMotion, margin: number): BodySweep {
  const { geometry } = places;
  const moved = createPartPlaces(geometry);
  const distances = geometry.createDistances(moved);
  const relative = new Float64Array(4);
  const velocity = vec3();
  const spinA = vec3();
  const spinB = vec3();
  const vector = vec3();
  const moment: Moment = {
    time: 0,
    placement: moved.placement,
    velocity: new Float64Array(3),
    spinA: new Float64Array(3),
    spinB: new Float64Array(3),
  };

  /** Writes a vector of the world in A's axes at the moment. */
  function intoA(from: Vec3, to: Float64Array): void {
    transformBack(moved.a.rotation, from, vector);
    to[0] = vector.x;
    to[1] = vector.y;
    to[2] = vector.z;
  }

  function moveTo(time: number): void {
    const { a, b, offset, placement } = moved;
    moment.time = time;
    turn(places.a, spinA, time, a);
    turn(places.b, spinB, time, b);
    // An endless motion begins at 0.
    if (time > 0) addScaled(places.offset, velocity, time, offset);
    else set(places.offset.x, places.offset.y, places.offset.z, offset);
    rotationMatrix(relativeQuaternion(a.quaternion, b.quaternion, relative), placement.rotation);
    intoA(offset, placement.translation as Float64Array);
    placement.scaleA = a.scale;
    placement.scaleB = b.scale;
    intoA(velocity, moment.velocity);
    intoA(spinA, moment.spinA);
    intoA(spinB, moment.spinB);
    distances.begin();
  }

  const sweep = {
    duration: motion.duration,
    isTurning: false,
    margin: 0,
    moment,
    begin() {
      const { a, b } = places;
      linearVelocity(motion, b, velocity);
      addScaled(velocity, linearVelocity(motion, a, vector), -1, velocity);
      angularVelocity(motion, a, spinA);
      angularVelocity(motion, b, spinB);
      sweep.isTurning = length(spinA) > 0 || length(spinB) > 0;
      sweep.margin = margin + MOTION_SLACK * (a.shape.boundingRadius * a.scale + b.shape.boundingRadius * b.scale);
      moveTo(0);
    },
    moveTo,
    gapOf(partA: number, partB: number, most: number, axis: Float64Array) {
      const gap = distances.distance(partA, partB, most, direction);
      intoA(direction, axis);
      return gap;
    },
  };
  return sweep;
}

const direction = vec3();
