/**
 * Error bounds of results, as the page Accuracy promises them. Lengths are shares of max(s, |B - A|), where s is the sum
 * of both bounding radii. `narrowphase verify`, `conformance` and the tests judge by these.
 */

import { isCurved } from './kinds.ts';

/**
 * Tolerance of distances, supports and witness points for polytopes, spheres and capsules. `kernels` work in f32,
 * `reference` in f64.
 */
export const TOLERANCE = { kernels: 5e-6, reference: 1e-9 } as const;

/** Tolerances if either shape is a cylinder, a cone or an ellipsoid, by the sign of the true distance. */
export const CURVED_TOLERANCE = {
  kernels: { apart: 2e-5, overlapping: 1e-4 },
  reference: { apart: 1e-6, overlapping: 1e-6 },
} as const;

/** The backend whose results are judged. */
export type Precision = keyof typeof TOLERANCE;

/** The tolerance k of a pair with shapes of two `CORE_` kinds, which overlap or are apart. */
export function toleranceOf(precision: Precision, kindA: number, kindB: number, isOverlapping: boolean): number {
  return toleranceOfPair(precision, isCurved(kindA) || isCurved(kindB), isOverlapping);
}

/** The same. `hasCurved`: whether a shape of the pair, or a part of one, is a cylinder, a cone or an ellipsoid. */
export function toleranceOfPair(precision: Precision, hasCurved: boolean, isOverlapping: boolean): number {
  if (!hasCurved) return TOLERANCE[precision];
  return CURVED_TOLERANCE[precision][isOverlapping ? 'overlapping' : 'apart'];
}

/** Largest error of a normal's length. */
export const UNIT_TOLERANCE = 1e-5;

/** Rounding to the nearest f32 or f64 changes a number by at most this share of it. */
export const F32_ROUNDING = 2 ** -24;
export const F64_ROUNDING = 2 ** -53;
