/** Integrals of 1, x and x xᵀ over parts of a solid, in double precision. Matrices are 9 numbers row by row. */

export type Vector = readonly [x: number, y: number, z: number];
export type Matrix = readonly number[];

/** Integrals over one or several parts. */
export interface Moments {
  volume: number;
  /** Of x. */
  first: Vector;
  /** Of x xᵀ. */
  second: Matrix;
}

export const NO_MOMENTS: Moments = { volume: 0, first: [0, 0, 0], second: Array<number>(9).fill(0) };
export const IDENTITY: Matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1];

export function sum(a: Moments, b: Moments): Moments {
  return { volume: a.volume + b.volume, first: add(a.first, b.first), second: addMatrices(a.second, b.second) };
}

/** The centroid, and the inertia tensor about it. There must be a volume. */
export function inertiaOf({ volume, first, second }: Moments): { centroid: Vector; inertia: number[] } {
  const centroid = scaled(first, 1 / volume);
  const covariance = addMatrices(second, outer(centroid, centroid, -volume));
  const trace = covariance[0] + covariance[4] + covariance[8];
  return { centroid, inertia: covariance.map((value, i) => (i % 4 === 0 ? trace : 0) - value) };
}

export function add(a: Vector, b: Vector): Vector {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

export function subtract(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function scaled(a: Vector, factor: number): Vector {
  return [factor * a[0], factor * a[1], factor * a[2]];
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function addMatrices(...matrices: Matrix[]): number[] {
  return matrices[0].map((_, i) => matrices.reduce((total, matrix) => total + matrix[i], 0));
}

export function scaledMatrix(matrix: Matrix, factor: number): number[] {
  return matrix.map((value) => factor * value);
}

/** factor · a bᵀ. */
export function outer(a: Vector, b: Vector, factor = 1): number[] {
  return a.flatMap((x) => b.map((y) => factor * x * y));
}

/** factor · (a bᵀ + b aᵀ). */
export function symmetric(a: Vector, b: Vector, factor = 1): number[] {
  return addMatrices(outer(a, b, factor), outer(b, a, factor));
}
