/** Checks of the numbers in shape descriptions. Each throws `INVALID_INPUT` naming the field. */
import { invalidInput, isDetached } from '../api/errors.ts';
import { GREATEST_POSITION, GREATEST_SIZE } from '../generated/constants.ts';
import type { NumberList } from '../api/shapes.ts';

/** Most vertices of a hull: kernels have 16 bits for a vertex number. */
export const MAX_HULL_VERTICES = 65_535;

/** How numbers are rounded on entry. */
export type Rounding = (value: number) => number;

/** The greatest size of a body in a tester, as an f32: kernels compare with the same number. */
export const LARGEST_SIZE = Math.fround(GREATEST_SIZE);

/** The same limit for the reference, which rounds nothing: a box as large as the range of positions. */
export const LARGEST_EXACT_SIZE = 4 * GREATEST_POSITION;

function largestSize(round: Rounding): number {
  return round === Math.fround ? LARGEST_SIZE : LARGEST_EXACT_SIZE;
}

/** A length or a radius. */
export function sizeNumber(value: unknown, field: string, round: Rounding): number {
  if (typeof value !== 'number' || !Number.isFinite(round(value)) || value < 0) {
    invalidInput(field, value, 'a number of at least 0 within the range of f32');
  }
  return lengthNumber(value, field, round);
}

/** A coordinate of a point, or an offset. */
export function lengthNumber(value: unknown, field: string, round: Rounding): number {
  const rounded = finiteNumber(value, field, round);
  if (Math.abs(rounded) > largestSize(round))
    invalidInput(field, value, `a number of at most ${shownSize(largestSize(round))}`);
  return rounded;
}

/** Throws if the whole shape is too large. */
export function expectExtent(field: string, extent: number, round: Rounding): void {
  if (round(extent) > largestSize(round))
    invalidInput(`the bounding radius of ${field}`, extent, `at most ${shownSize(largestSize(round))}`);
}

/** A size as the message shows it, without the effect of rounding to f32. */
export function shownSize(size: number): string {
  return size.toExponential(0).replace('+', '');
}

export function finiteNumber(value: unknown, field: string, round: Rounding): number {
  if (typeof value !== 'number' || !Number.isFinite(round(value)))
    invalidInput(field, value, 'a finite number within the range of f32');
  return round(value);
}

export function numberList(
  value: unknown,
  field: string,
  expected: string,
  isLength: (n: number) => boolean,
): NumberList & Iterable<number> {
  if (!Array.isArray(value) && !(ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    invalidInput(field, value, expected);
  }
  if (ArrayBuffer.isView(value) && isDetached(value)) invalidInput(field, value, expected);
  const list = value as unknown as number[];
  if (!isLength(list.length)) invalidInput(`${field}.length`, list.length, expected);
  return list;
}
