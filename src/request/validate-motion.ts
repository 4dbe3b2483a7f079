/** Validation of velocities and durations, in the two steps of validate-bodies.ts. */
import { expectArray } from '../util/arrays.ts';
import { invalidInput } from '../api/errors.ts';
import { MOTION_MOST_TURN } from '../generated/constants.ts';
import type { AnyVelocities, BodyMotion } from '../records/bodies.ts';
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
  for (let i = 0; i < linear.length; i++) expectCoordinate('bodies.linearVelocities', linear, i);
}

function checkAngularVelocities(angular: Float32Array, angularComponents: number, duration: number): void {
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

/** The greatest angular speed of all bodies. */
export function greatestAngularSpeed(angular: Float32Array | undefined, axes: number): number {
  let greatest = 0;
  if (angular)
    for (let i = 0; i < angular.length; i += axes) greatest = Math.max(greatest, angularSpeedAt(angular, i, axes));
  return greatest;
}
