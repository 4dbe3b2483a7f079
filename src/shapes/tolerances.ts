/**
 * How far results may be off, as docs/accuracy.md promises. Lengths are shares of max(s, |B - A|), s being the
 * sum of both bounding radii; `narrowphase verify`, `conformance` and the tests judge by these.
 */

import { isCurved } from './kinds.ts';

/**
 * Of distances, supports and witness points, for polytopes, spheres and capsules. `kernels` work in f32, `reference` in
 * f64.
 */
export const TOLERANCE = { kernels: 5e-6, reference: 1e-9 } as const;

/** The same where either shape is a cylinder, a cone or an ellipsoid, by the sign of the true distance. */
export const CURVED_TOLERANCE = {
  kernels: { apart: 2e-5, overlapping: 1e-4 },
  reference: { apart: 1e-6, overlapping: 1e-6 },
} as const;

/** Whose results are judged. */
export type Precision = keyof typeof TOLERANCE;

/** k for shapes of two `CORE_` kinds, overlapping or apart. */
export function toleranceOf(precision: Precision, kindA: number, kindB: number, isOverlapping: boolean): number {
  if (!isCurved(kindA) && !isCurved(kindB)) return TOLERANCE[precision];
  return CURVED_TOLERANCE[precision][isOverlapping ? 'overlapping' : 'apart'];
}

/** How far from 1 the length of a normal may be. */
export const UNIT_TOLERANCE = 1e-5;

/** Rounding to the nearest f32 or f64 changes a number by at most this share of itself. */
export const F32_ROUNDING = 2 ** -24;
export const F64_ROUNDING = 2 ** -53;
