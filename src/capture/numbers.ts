/** Numbers of captures: infinities as strings, and no -0, whose sign `JSON.stringify` drops. */
import type { CaptureNumber } from '../api/capture.ts';

export function toCaptureNumber(value: number): CaptureNumber {
  return Number.isFinite(value) ? value + 0 : (String(value) as CaptureNumber);
}

export function fromCaptureNumber(value: CaptureNumber): number {
  return Number(value);
}

/** Finite numbers as a plain list. */
export function toList(values: ArrayLike<number>): number[] {
  return Array.from(values, (value) => value + 0);
}

/** A slot of a result, with all its numbers as captures have them. */
export function toCaptureItem(value: unknown): unknown {
  if (typeof value === 'number') return toCaptureNumber(value);
  if (Array.isArray(value)) return value.map(toCaptureItem);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toCaptureItem(field)]));
}
