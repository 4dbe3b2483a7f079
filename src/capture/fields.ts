/** Checks of values within a capture. `field` is the path within the JSON. */
import { NarrowphaseError, invalidInput } from '../api/errors.ts';
import { expectKnown, type Names } from '../util/known.ts';

/** An object without unknown fields. `name` is what messages call it if it is none; `path` comes before its fields. */
export function expectFields(value: unknown, name: string, path: string, known: Names): Record<string, unknown> {
  expectThere(value, name, 'an object');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) invalidInput(name, value, 'an object');
  expectKnown(value, path, known);
  return value as Record<string, unknown>;
}

/** Throws if the value is missing. */
export function expectThere(value: unknown, field: string, expected: string): void {
  if (value === undefined) throw new NarrowphaseError('INVALID_INPUT', `${field} is missing, expected ${expected}`);
}

/** A list of `count` finite numbers; `meaning` says what they are. */
export function expectNumbers(value: unknown, field: string, count: number, meaning: string): number[] {
  const expected = `${count} numbers: ${meaning}`;
  expectThere(value, field, expected);
  if (!Array.isArray(value) || value.length !== count) invalidInput(field, value, expected);
  value.forEach((number, i) => expectFinite(number, `${field}[${i}]`));
  return value as number[];
}

export function expectFinite(value: unknown, field: string): asserts value is number {
  expectThere(value, field, 'a finite number');
  if (typeof value !== 'number' || !Number.isFinite(value)) invalidInput(field, value, 'a finite number');
}

/** A number, or an infinity as a string. */
export function expectCaptureNumber(value: unknown, field: string): void {
  const expected = "a number, 'Infinity' or '-Infinity'";
  expectThere(value, field, expected);
  if (value !== 'Infinity' && value !== '-Infinity' && !(typeof value === 'number' && Number.isFinite(value)))
    invalidInput(field, value, expected);
}

/** A whole number from 0 to 2^32 - 1. */
export function expectWhole(value: unknown, field: string): void {
  const expected = 'a whole number of at least 0';
  expectThere(value, field, expected);
  if (!(typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32))
    invalidInput(field, value, expected);
}
