/** Vectors, and frames of bodies. Planar vectors have z = 0. */

export type Vec = readonly [number, number, number];

/** Where a body is: three columns of its rotation, its position, and its scale. */
export interface Frame {
  axes: readonly [Vec, Vec, Vec];
  position: Vec;
  scale: number;
}

export const ZERO: Vec = [0, 0, 0];

export function vec(values: ArrayLike<number>, at = 0): Vec {
  return [values[at], values[at + 1], values[at + 2] ?? 0];
}

export function add(a: Vec, b: Vec): Vec {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

export function subtract(a: Vec, b: Vec): Vec {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function scaled(a: Vec, factor: number): Vec {
  return [a[0] * factor, a[1] * factor, a[2] * factor];
}

export function dot(a: Vec, b: Vec): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Vec, b: Vec): Vec {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function length(a: Vec): number {
  return Math.hypot(a[0], a[1], a[2]);
}

/** The unit vector; zero stays zero. */
export function unit(a: Vec): Vec {
  const size = length(a);
  return size > 0 ? scaled(a, 1 / size) : ZERO;
}

/** A vector of a body's frame in world axes. */
export function turned({ axes: [x, y, z] }: Pick<Frame, 'axes'>, v: Vec): Vec {
  return [
    x[0] * v[0] + y[0] * v[1] + z[0] * v[2],
    x[1] * v[0] + y[1] * v[1] + z[1] * v[2],
    x[2] * v[0] + y[2] * v[1] + z[2] * v[2],
  ];
}

/** A point of the body's shape in world space. */
export function placed(frame: Frame, point: Vec): Vec {
  return add(frame.position, turned(frame, scaled(point, frame.scale)));
}

/** Columns of the rotation by a quaternion of any length. */
export function axesOf(quaternion: ArrayLike<number>): Frame['axes'] {
  const size = Math.hypot(quaternion[0], quaternion[1], quaternion[2], quaternion[3]);
  const [x, y, z, w] = Array.from(quaternion, (value) => value / size);
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
}

/** Axes after a rotation by a vector: its length is the angle. */
export function spun(axes: Frame['axes'], rotation: Vec): Frame['axes'] {
  const angle = length(rotation);
  if (angle === 0) return axes;
  const half = Math.sin(angle / 2) / angle;
  const turn = { axes: axesOf([...scaled(rotation, half), Math.cos(angle / 2)]) };
  return [turned(turn, axes[0]), turned(turn, axes[1]), turned(turn, axes[2])];
}
