/** Vectors of three numbers as tuples, for geometry that is not done often. */
import type { Vec3 } from '../api/vectors.ts';

/** Unit vectors along the axes of coordinates. */
export const AXES: readonly [Vec3, Vec3, Vec3] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

const ZERO: Vec3 = [0, 0, 0];

/** The sum of vectors times factors. */
export function combine(a: Vec3, x: number, b = ZERO, y = 0, c = ZERO, z = 0): Vec3 {
  return [a[0] * x + b[0] * y + c[0] * z, a[1] * x + b[1] * y + c[1] * z, a[2] * x + b[2] * y + c[2] * z];
}

export function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function length(v: Vec3): number {
  return Math.hypot(...v);
}

export function unit(v: Vec3): Vec3 {
  return combine(v, 1 / length(v));
}

/** A unit vector at right angles to `v`. */
export function perpendicular(v: Vec3): Vec3 {
  const size = v.map(Math.abs);
  return unit(cross(v, AXES[size.indexOf(Math.min(...size))]));
}
