/**
 * Checks of single JSON values. Each throws `INVALID_INPUT` naming the path within the file, the value and what was
 * expected.
 */

import { invalidInput, NarrowphaseError } from '../api/errors.ts';
import { expectKnown, type Names } from './known.ts';

export type JsonObject = Record<string, unknown>;

/** Checks an object. If `known` is given, it must have no other fields. `path` is empty for the whole file. */
export function checkObject(value: unknown, path: string, known?: Names, file = 'the scene'): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    invalidInput(path || file, value, 'an object');
  }
  if (known) expectKnown(value, path, known);
  return value as JsonObject;
}

/** Throws if `value` is missing. `expected` describes the value. */
export function checkPresent(value: unknown, path: string, expected: string): void {
  if (value === undefined) throw new NarrowphaseError('INVALID_INPUT', `${path} is missing, expected ${expected}`);
}

/** A list of at most `most` elements. */
export function checkList(value: unknown, path: string, expected: string, most: number): unknown[] {
  checkPresent(value, path, expected);
  if (!Array.isArray(value)) invalidInput(path, value, expected);
  if (value.length > most) {
    throw new NarrowphaseError('LIMIT_EXCEEDED', `${path} has ${value.length} elements, expected at most ${most}`);
  }
  return value;
}

/** A string of 1 to 256 characters. */
export function checkName(value: unknown, path: string): string {
  if (typeof value !== 'string' || value.length < 1 || value.length > 256) {
    invalidInput(path, value, 'a string of 1 to 256 characters');
  }
  return value;
}

/** A finite number within the range of f32. */
function checkNumber(value: unknown, path: string): number {
  checkPresent(value, path, 'a finite number');
  if (typeof value !== 'number' || !Number.isFinite(value)) invalidInput(path, value, 'a finite number');
  if (!Number.isFinite(Math.fround(value)))
    invalidInput(path, value, 'a number within the range of f32, at most 3.4028235e38');
  return value;
}

/** A finite number of at least 0. */
export function checkSize(value: unknown, path: string): number {
  checkPresent(value, path, 'a finite number of at least 0');
  if (checkNumber(value, path) < 0) invalidInput(path, value, 'a finite number of at least 0');
  return value as number;
}

/** A finite number that is above 0 after rounding to f32. */
export function checkPositive(value: unknown, path: string): number {
  if (Math.fround(checkNumber(value, path)) <= 0) invalidInput(path, value, 'a positive number, at least 1e-45');
  return value as number;
}

/** An integer from 0 to `count - 1`. `noun` names the things that it counts. */
export function checkIndex(value: unknown, path: string, count: number, noun: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value >= count) {
    const article = /^[aeiou]/.test(noun) ? 'an' : 'a';
    const expected =
      count > 0 ? `${article} ${noun} index from 0 to ${count - 1}` : `no ${noun} index, since there is no ${noun}`;
    invalidInput(path, value, expected);
  }
  return value;
}

/**
 * Finite numbers, exactly as many as `target` has elements. They are written into `target`. `meaning` describes the
 * list.
 */
export function checkNumbers<Target extends Float32Array | Float64Array>(
  value: unknown,
  path: string,
  meaning: string,
  target: Target,
): Target {
  checkPresent(value, path, meaning);
  if (!Array.isArray(value)) invalidInput(path, value, meaning);
  if (value.length !== target.length) {
    throw new NarrowphaseError('INVALID_INPUT', `${path} has ${value.length} elements, expected ${meaning}`);
  }
  for (let i = 0; i < value.length; i++) {
    const number: unknown = value[i];
    if (typeof number !== 'number' || !Number.isFinite(Math.fround(number))) checkNumber(number, `${path}[${i}]`);
    target[i] = number as number;
  }
  return target;
}
