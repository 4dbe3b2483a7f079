/** The two bodies of a pair at a time of their motion. */
import { addScaled, cross, length, set, vec3, type Vec3 } from '../../cpu/math.ts';
import { angularVelocity, linearVelocity, turn } from '../../cpu/parts/body-motion.ts';
import type { BodyPlace } from '../../cpu/parts/part-place.ts';
import { CORE_POINT } from '../../generated/constants.ts';
import type { BodyMotion } from '../../records/bodies.ts';
import { createPartPlaces, type PartGeometry, type PartPlaces } from '../part-geometry.ts';

export interface MovedPair {
  /** Without `placement`. */
  readonly places: PartPlaces;
  /** Velocity of B's position relative to A's, and angular velocities. */
  readonly velocity: Vec3;
  readonly spinA: Vec3;
  readonly spinB: Vec3;
  isTurning: boolean;
  /** Begins with bodies as they are at the start. */
  begin(from: PartPlaces): void;
  /** Moves them. Before the start, they moved without rotation. */
  moveTo(time: number): void;
}

export function createMovedPair(motion: BodyMotion, geometry: PartGeometry): MovedPair {
  const places = createPartPlaces(geometry);
  let start: PartPlaces;
  const moved: MovedPair = {
    places,
    velocity: vec3(),
    spinA: vec3(),
    spinB: vec3(),
    isTurning: false,
    begin(from) {
      start = from;
      const { a, b } = from;
      linearVelocity(motion, b, moved.velocity);
      addScaled(moved.velocity, linearVelocity(motion, a, moved.spinA), -1, moved.velocity);
      spinOf(motion, a, moved.spinA);
      spinOf(motion, b, moved.spinB);
      moved.isTurning = length(moved.spinA) > 0 || length(moved.spinB) > 0;
    },
    moveTo(time) {
      places.pair = start.pair;
      places.a.body = start.a.body;
      places.b.body = start.b.body;
      addScaled(start.offset, moved.velocity, Number.isFinite(time) ? time : 0, places.offset);
      turn(start.a, moved.spinA, Math.max(time, 0), places.a);
      turn(start.b, moved.spinB, Math.max(time, 0), places.b);
    },
  };
  return moved;
}

/** The rotation of a ball or a circle has no effect. */
function spinOf(motion: BodyMotion, place: BodyPlace, to: Vec3): void {
  if (place.shape.kind === CORE_POINT) set(0, 0, 0, to);
  else angularVelocity(motion, place, to);
}

const lever = vec3();
const spin = vec3();

/** Writes the velocity of B relative to A at a point, which is relative to A's position. */
export function velocityAt({ places, velocity, spinA, spinB }: MovedPair, point: Vec3, to: Vec3): Vec3 {
  addScaled(point, places.offset, -1, lever);
  cross(spinB, lever, spin);
  addScaled(velocity, spin, 1, to);
  cross(spinA, point, spin);
  return addScaled(to, spin, -1, to);
}
