/** Checks of the numbers in shape descriptions. Each throws `INVALID_INPUT` naming the field. */
import { invalidInput, isDetached } from '../errors.ts';
import type { NumberList } from './descriptions.ts';

/** How numbers are rounded on entry. */
export type Rounding = (value: number) => number;

/** A length or a radius. */
export function sizeNumber(value: unknown, field: string, round: Rounding): number {
  if (typeof value !== 'number' || !Number.isFinite(round(value)) || value < 0) {
    invalidInput(field, value, 'a number of at least 0 within the range of f32');
  }
  return round(value);
}

export function finiteNumber(value: unknown, field: string, round: Rounding): number {
  if (typeof value !== 'number' || !Number.isFinite(round(value))) invalidInput(field, value, 'a finite number within the range of f32');
  return round(value);
}

export function numberList(value: unknown, field: string, expected: string, isLength: (n: number) => boolean): NumberList & Iterable<number> {
  if (!Array.isArray(value) && !(ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    invalidInput(field, value, expected);
  }
  if (ArrayBuffer.isView(value) && isDetached(value)) invalidInput(field, value, expected);
  const list = value as unknown as number[];
  if (!isLength(list.length)) invalidInput(`${field}.length`, list.length, expected);
  return list;
}
