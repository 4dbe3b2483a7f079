/** Validation of velocities and durations, in the two steps of validate-bodies.ts. */
import { expectArray, fixedLength } from '../util/arrays.ts';
import { invalidInput } from '../api/errors.ts';
import type { AnyVelocities, BodyMotion } from '../records/bodies.ts';
import { areCoordinates, areFinite } from '../records/screens.ts';
import type { Check, Dimension } from './dimension.ts';
import { expectCoordinate, expectLength, inOrder } from './validate-bodies.ts';
import { expectDuration, passesParting } from './validate.ts';

/** The motion of `count` bodies, whose duration is checked as it is read. */
export function readMotion(
  velocities: AnyVelocities,
  duration: number,
  count: number,
  { dimension, angularComponents }: Dimension,
  stopAtPenetration?: boolean,
): { motion: BodyMotion; check: Check } {
  const linear = fixedLength(velocities.linearVelocities);
  const angular = fixedLength(velocities.angularVelocities);
  expectDuration('options.duration', duration);
  expectVelocities('bodies.linearVelocities', linear, dimension, count);
  const checkLinear = (): void => checkVelocities(linear);
  return inOrder(checkLinear, () => {
    const motion = { linear, duration, passesParting: passesParting(stopAtPenetration) };
    if (angular === undefined) return { motion, check: checkLinear };
    expectVelocities('bodies.angularVelocities', angular, angularComponents, count);
    const check = (): void => {
      checkLinear();
      checkAngularVelocities(angular, angularComponents);
    };
    return { motion: { ...motion, angular }, check };
  });
}

function checkVelocities(linear: Float32Array): void {
  if (areCoordinates(linear)) return;
  for (let i = 0; i < linear.length; i++) expectCoordinate('bodies.linearVelocities', linear, i);
}

/** Bodies may turn at any speed: a pair of one that turns too far says so by its status (records/turning.ts). */
function checkAngularVelocities(angular: Float32Array, components: number): void {
  if (areFinite(angular)) return;
  for (let i = 0; i < angular.length; i += components) {
    const numbers = Array.from(angular.subarray(i, i + components));
    if (numbers.every(Number.isFinite)) continue;
    if (components === 1) invalidInput(`bodies.angularVelocities[${i}]`, angular[i], 'a finite number');
    invalidInput(`bodies.angularVelocities[${i}..${i + 2}]`, numbers, 'finite numbers');
  }
}

function expectVelocities(field: string, array: unknown, width: number, count: number): asserts array is Float32Array {
  expectArray(field, array, Float32Array);
  expectLength(field, array, width * count, count);
}
