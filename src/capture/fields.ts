/** Checks of values within a capture. `field` is the path within the JSON. */
import { invalidInput } from '../api/errors.ts';
import { checkObject, checkPresent } from '../util/json-fields.ts';
import type { Names } from '../util/known.ts';

/** An object without unknown fields. `path` is empty for the whole capture. */
export function expectFields(value: unknown, path: string, known: Names): Record<string, unknown> {
  checkPresent(value, path || 'the capture', 'an object');
  return checkObject(value, path, known, 'the capture');
}

/** A list of `count` finite numbers; `meaning` says what they are. */
export function expectNumbers(value: unknown, field: string, count: number, meaning: string): number[] {
  const expected = `${count} numbers: ${meaning}`;
  checkPresent(value, field, expected);
  if (!Array.isArray(value) || value.length !== count) invalidInput(field, value, expected);
  value.forEach((number, i) => expectFinite(number, `${field}[${i}]`));
  return value as number[];
}

export function expectFinite(value: unknown, field: string): asserts value is number {
  checkPresent(value, field, 'a finite number');
  if (typeof value !== 'number' || !Number.isFinite(value)) invalidInput(field, value, 'a finite number');
}

/** A number, or an infinity as a string. */
export function expectCaptureNumber(value: unknown, field: string): void {
  const expected = "a number, 'Infinity' or '-Infinity'";
  checkPresent(value, field, expected);
  if (value !== 'Infinity' && value !== '-Infinity' && !(typeof value === 'number' && Number.isFinite(value)))
    invalidInput(field, value, expected);
}

/** A whole number from 0 to 2^32 - 1. */
export function expectWhole(value: unknown, field: string): void {
  const expected = 'a whole number of at least 0';
  checkPresent(value, field, expected);
  if (!(typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32))
    invalidInput(field, value, expected);
}
