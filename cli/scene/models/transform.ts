/**
 * Transforms of nodes, composed in double precision. As long as all are rotations with one positive scale factor, they
 * stay quaternion and factor, so that a node's own numbers reach its body unchanged. Otherwise they become matrices, and
 * `placementOf` splits these into a rotation, which is the body's, and an upper triangular matrix (Gram-Schmidt), which
 * is baked into the vertices. Nodes that differ in position and rotation only have equal bakes.
 */

export type Triple = readonly [number, number, number];
/** x, y, z, w; of any length above 0. */
export type Quaternion = readonly [number, number, number, number];
/** 3 by 3, column-major. */
export type Matrix = readonly number[];

export const ORIGIN: Triple = [0, 0, 0];
export const NO_ROTATION: Quaternion = [0, 0, 0, 1];

/** x to translation + linear part of x. */
export interface Transform {
  translation: Triple;
  /** A rotation and a factor above 0, or a matrix. */
  linear: { rotation: Quaternion; scale: number } | Matrix;
}

export const IDENTITY: Transform = { translation: ORIGIN, linear: { rotation: NO_ROTATION, scale: 1 } };

/**
 * Where a body is. A shape's point p is at position + rotation of scale · bake · p. Without a bake the shape stays as it
 * is.
 */
export interface Placement {
  position: Triple;
  rotation: Quaternion;
  scale: number;
  /** Upper triangular; only where the transform is more than a rotation with one positive scale factor. */
  bake?: Matrix;
}

/**
 * Matrices in files are rounded to f32 or to a few decimals. Up to this share of its largest element, a matrix that
 * differs from a rotation with one scale factor is taken for one, and its bake for a diagonal one.
 */
const ROUNDING = 1e-6;

export function makeTransform(translation: Triple, rotation: Quaternion, [x, y, z]: Triple): Transform {
  if (x === y && y === z && x > 0) return { translation, linear: { rotation, scale: x } };
  const [a, b, c, d, e, f, g, h, i] = rotationMatrix(rotation);
  return { translation, linear: [a * x, b * x, c * x, d * y, e * y, f * y, g * z, h * z, i * z] };
}

/** `inner` first, then `outer`. */
export function compose(outer: Transform, inner: Transform): Transform {
  const translation = add(outer.translation, applyLinear(outer, inner.translation));
  const [a, b] = [outer.linear, inner.linear];
  if ('rotation' in a && 'rotation' in b) {
    return { translation, linear: { rotation: multiply(a.rotation, b.rotation), scale: a.scale * b.scale } };
  }
  return { translation, linear: multiplyMatrices(matrixOf(outer), matrixOf(inner)) };
}

/** The transform as seen from a frame that is rotated and moved only. */
export function relativeTo({ position, rotation }: Placement, transform: Transform): Transform {
  const back: Quaternion = [-rotation[0], -rotation[1], -rotation[2], rotation[3]];
  const [x, y, z] = transform.translation;
  const offset: Triple = [x - position[0], y - position[1], z - position[2]];
  return compose({ translation: ORIGIN, linear: { rotation: back, scale: 1 } }, { ...transform, translation: offset });
}

/** The linear part as a matrix. */
export function matrixOf({ linear }: Transform): Matrix {
  if (!('rotation' in linear)) return linear;
  return rotationMatrix(linear.rotation).map((element) => element * linear.scale);
}

/** Whether the transform shrinks everything to a point. Such nodes are not shown. */
export function isZero({ linear }: Transform): boolean {
  if ('rotation' in linear) return Math.fround(linear.scale) === 0;
  return linear.every((element) => Math.fround(element) === 0);
}

export function placementOf(transform: Transform): Placement {
  const { translation: position, linear } = transform;
  if ('rotation' in linear) return { position, ...linear };
  const [ax, ay, az, bx, by, bz, cx, cy, cz] = linear;
  const scales = [Math.hypot(ax, ay, az), Math.hypot(bx, by, bz), Math.hypot(cx, cy, cz)];
  const x = normalised([ax, ay, az]);
  const alongX = dot(x, [bx, by, bz]);
  const rest: Triple = [bx - alongX * x[0], by - alongX * x[1], bz - alongX * x[2]];
  const y = normalised(rest);
  const z = cross(x, y);
  const third = dot(z, [cx, cy, cz]);
  if (isFlat(Math.hypot(...rest), scales[1]) || isFlat(third, scales[2]) || scales[0] === 0) {
    return { position, rotation: NO_ROTATION, scale: 1, bake: linear };
  }
  const rotation = quaternionOf([...x, ...y, ...z]);
  const bake = [scales[0], 0, 0, alongX, Math.hypot(...rest), 0, dot(x, [cx, cy, cz]), dot(y, [cx, cy, cz]), third];
  const rounding = ROUNDING * Math.max(...scales);
  const isDiagonal = Math.max(Math.abs(bake[3]), Math.abs(bake[6]), Math.abs(bake[7])) <= rounding;
  if (!isDiagonal) return { position, rotation, scale: 1, bake };
  const scale = Math.cbrt(bake[0] * bake[4] * bake[8]);
  const isUniform = [bake[0], bake[4], bake[8]].every((factor) => Math.abs(factor - scale) <= rounding);
  if (isUniform) return { position, rotation, scale };
  return { position, rotation, scale: 1, bake: [bake[0], 0, 0, 0, bake[4], 0, 0, 0, bake[8]] };
}

/** Whether a direction is lost in rounding: the matrix presses everything into a plane. */
function isFlat(height: number, length: number): boolean {
  return !(Math.abs(height) > 1e-12 * length);
}

/** The factors of a diagonal bake; undefined for another one. Without a bake all are 1. */
export function diagonalOf(bake: Matrix | undefined): Triple | undefined {
  if (!bake) return [1, 1, 1];
  const isDiagonal = [1, 2, 3, 5, 6, 7].every((i) => bake[i] === 0);
  return isDiagonal ? [bake[0], bake[4], bake[8]] : undefined;
}

/** A text that is equal for bakes that are equal up to rounding in double precision. */
export function bakeKey(bake: Matrix | undefined): string {
  if (!bake) return '';
  const largest = Math.max(...bake.map(Math.abs));
  return [largest.toPrecision(9), ...bake.map((element) => Math.round((element / largest) * 1e9) + 0)].join();
}

export function determinant([a, b, c, d, e, f, g, h, i]: Matrix): number {
  return a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e);
}

export function applyMatrix(m: Matrix, [x, y, z]: Triple): Triple {
  return [m[0] * x + m[3] * y + m[6] * z, m[1] * x + m[4] * y + m[7] * z, m[2] * x + m[5] * y + m[8] * z];
}

/** The point of a placed shape, without its bake. */
export function placed({ position, rotation, scale }: Placement, point: Triple): Triple {
  const [x, y, z] = rotate(rotation, point);
  return add(position, [x * scale, y * scale, z * scale]);
}

/** The product of two rotations: `b` first. A factor that turns nothing leaves the other one as it is. */
export function multiply(a: Quaternion, b: Quaternion): Quaternion {
  if (isIdentity(a)) return b;
  if (isIdentity(b)) return a;
  const [ax, ay, az, aw] = a;
  const [bx, by, bz, bw] = b;
  const product: Quaternion = [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
  const length = Math.hypot(...product);
  return [product[0] / length, product[1] / length, product[2] / length, product[3] / length];
}

function isIdentity([x, y, z, w]: Quaternion): boolean {
  return x === 0 && y === 0 && z === 0 && w > 0;
}

function applyLinear({ linear }: Transform, v: Triple): Triple {
  if (!('rotation' in linear)) return applyMatrix(linear, v);
  const [x, y, z] = rotate(linear.rotation, v);
  return [x * linear.scale, y * linear.scale, z * linear.scale];
}

function rotate(q: Quaternion, v: Triple): Triple {
  return isIdentity(q) ? v : applyMatrix(rotationMatrix(q), v);
}

function rotationMatrix([x, y, z, w]: Quaternion): Matrix {
  const f = 2 / (x * x + y * y + z * z + w * w);
  return [
    1 - f * (y * y + z * z),
    f * (x * y + w * z),
    f * (x * z - w * y),
    f * (x * y - w * z),
    1 - f * (x * x + z * z),
    f * (y * z + w * x),
    f * (x * z + w * y),
    f * (y * z - w * x),
    1 - f * (x * x + y * y),
  ];
}

/** The quaternion of a rotation matrix, from its largest component (Shepperd 1978). */
function quaternionOf([a, b, c, d, e, f, g, h, i]: Matrix): Quaternion {
  const squares = [1 + a - e - i, 1 - a + e - i, 1 - a - e + i, 1 + a + e + i];
  const largest = squares.indexOf(Math.max(...squares));
  const q = [
    [squares[0], b + d, g + c, f - h],
    [b + d, squares[1], f + h, g - c],
    [g + c, f + h, squares[2], b - d],
    [f - h, g - c, b - d, squares[3]],
  ][largest];
  const length = Math.hypot(...q);
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
}

function multiplyMatrices(m: Matrix, n: Matrix): Matrix {
  return [0, 3, 6].flatMap((column) => applyMatrix(m, [n[column], n[column + 1], n[column + 2]]));
}

function add(a: Triple, b: Triple): Triple {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

function dot(a: Triple, b: Triple): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Triple, b: Triple): Triple {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function normalised(v: Triple): Triple {
  const length = Math.hypot(...v);
  return length > 0 ? [v[0] / length, v[1] / length, v[2] / length] : ORIGIN;
}
