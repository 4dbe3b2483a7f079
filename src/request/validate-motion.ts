/** Validation of velocities and durations, in the two steps of validate-bodies.ts. */
import { expectArray } from '../util/arrays.ts';
import { invalidInput } from '../api/errors.ts';
import { MOTION_MOST_TURN } from '../generated/constants.ts';
import type { AnyVelocities, BodyMotion } from '../records/bodies.ts';
import { areCoordinates, areSpeeds } from '../records/screens.ts';
import { certainSpeedFor } from './certain-speed.ts';
import type { Check, Dimension } from './dimension.ts';
import { expectCoordinate, expectLength, inOrder } from './validate-bodies.ts';
import { expectDuration, passesParting } from './validate.ts';

/** The motion of `count` bodies, whose duration is checked as it is read. */
export function readMotion(
  { linearVelocities: linear, angularVelocities: angular }: AnyVelocities,
  duration: number,
  count: number,
  { dimension, angularComponents }: Dimension,
  stopAtPenetration?: boolean,
): { motion: BodyMotion; check: Check } {
  expectDuration('options.duration', duration);
  expectVelocities('bodies.linearVelocities', linear, dimension, count);
  const checkLinear = (): void => checkVelocities(linear);
  return inOrder(checkLinear, () => {
    const motion = { linear, duration, passesParting: passesParting(stopAtPenetration) };
    if (angular === undefined) return { motion, check: checkLinear };
    expectVelocities('bodies.angularVelocities', angular, angularComponents, count);
    const check = (): void => {
      checkLinear();
      checkAngularVelocities(angular, angularComponents, duration);
    };
    return { motion: { ...motion, angular }, check };
  });
}

function checkVelocities(linear: Float32Array): void {
  if (areCoordinates(linear)) return;
  for (let i = 0; i < linear.length; i++) expectCoordinate('bodies.linearVelocities', linear, i);
}

function checkAngularVelocities(angular: Float32Array, angularComponents: number, duration: number): void {
  if (areSpeeds(angular, angularComponents, certainSpeedFor(duration))) return;
  for (let i = 0; i < angular.length; i += angularComponents) {
    const expected = expectedOfAngularSpeed(angularSpeedAt(angular, i, angularComponents), duration);
    if (!expected) continue;
    if (angularComponents === 1) invalidInput(`bodies.angularVelocities[${i}]`, angular[i], expected);
    invalidInput(`bodies.angularVelocities[${i}..${i + 2}]`, Array.from(angular.subarray(i, i + 3)), expected);
  }
}

/** Angular speed of the body whose angular velocity begins at `at`. In 2-D an angular velocity has one number. */
export function angularSpeedAt(angular: Float32Array, at: number, axes: number): number {
  return axes === 1 ? Math.abs(angular[at]) : Math.hypot(angular[at], angular[at + 1], angular[at + 2]);
}

/** Squares of speeds that differ by a smaller share may be in the order opposite to that of the speeds. */
const NEARLY_EQUAL = 2 ** -40;

/** The greatest angular speed; 0 without angular velocities, which are checked. */
export function greatestAngularSpeed(angular: Float32Array = new Float32Array(0), axes: number): number {
  let greatest = 0;
  if (axes === 1) {
    for (let i = 0; i < angular.length; i++) greatest = Math.max(greatest, Math.abs(angular[i]));
    return greatest;
  }
  // Only speeds whose squares may be the greatest are computed, and of equal velocities in a row only the first.
  let least = 0;
  let knownX = 0;
  let knownY = 0;
  let knownZ = 0;
  for (let i = 0; i < angular.length; i += 3) {
    const x = angular[i];
    const y = angular[i + 1];
    const z = angular[i + 2];
    const squared = x * x + y * y + z * z;
    if (squared <= least || (x === knownX && y === knownY && z === knownZ)) continue;
    knownX = x;
    knownY = y;
    knownZ = z;
    const speed = angularSpeedAt(angular, i, axes);
    if (speed <= greatest) continue;
    greatest = speed;
    least = squared * (1 - NEARLY_EQUAL);
  }
  return greatest;
}

/** The text of the expectation that an angular speed fails; undefined if it can be used for this duration. */
export function expectedOfAngularSpeed(speed: number, duration: number): string | undefined {
  if (!Number.isFinite(speed)) return 'finite numbers';
  if (speed > 0 && !(speed * duration <= MOTION_MOST_TURN))
    return `at most ${MOTION_MOST_TURN} radians within options.duration, which is ${duration}`;
  return undefined;
}

function expectVelocities(field: string, array: unknown, width: number, count: number): asserts array is Float32Array {
  expectArray(field, array, Float32Array);
  expectLength(field, array, width * count, count);
}
