/** Mirror of shaders/shared/math.wgsl in double precision, and the vectors it needs. The destination comes last. */

export interface Vec3 {
  x: number;
  y: number;
  z: number;
}

/** Column-major 3 by 3 matrix: 9 numbers. */
export type Mat3 = Float64Array;

/** Machine epsilon of double precision: what the ULPS of constants.wgsl are multiplied with here. */
export const EPSILON = Number.EPSILON;

export function vec3(x = 0, y = 0, z = 0): Vec3 {
  return { x, y, z };
}

export function set(x: number, y: number, z: number, to: Vec3): Vec3 {
  to.x = x;
  to.y = y;
  to.z = z;
  return to;
}

export function copy(v: Vec3, to: Vec3): Vec3 {
  return set(v.x, v.y, v.z, to);
}

export function subtract(a: Vec3, b: Vec3, to: Vec3): Vec3 {
  return set(a.x - b.x, a.y - b.y, a.z - b.z, to);
}

export function scale(v: Vec3, factor: number, to: Vec3): Vec3 {
  return set(v.x * factor, v.y * factor, v.z * factor, to);
}

/** a + b · factor */
export function addScaled(a: Vec3, b: Vec3, factor: number, to: Vec3): Vec3 {
  return set(a.x + b.x * factor, a.y + b.y * factor, a.z + b.z * factor, to);
}

export function dot(a: Vec3, b: Vec3): number {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

export function cross(a: Vec3, b: Vec3, to: Vec3): Vec3 {
  return set(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x, to);
}

export function length(v: Vec3): number {
  return Math.sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

export function distance(a: Vec3, b: Vec3): number {
  return Math.sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2);
}

/** matrix · v */
export function transform(matrix: Mat3, v: Vec3, to: Vec3): Vec3 {
  const { x, y, z } = v;
  return set(
    matrix[0] * x + matrix[3] * y + matrix[6] * z,
    matrix[1] * x + matrix[4] * y + matrix[7] * z,
    matrix[2] * x + matrix[5] * y + matrix[8] * z,
    to,
  );
}

/** transpose(matrix) · v, which undoes a rotation */
export function transformBack(matrix: Mat3, v: Vec3, to: Vec3): Vec3 {
  const { x, y, z } = v;
  return set(
    matrix[0] * x + matrix[1] * y + matrix[2] * z,
    matrix[3] * x + matrix[4] * y + matrix[5] * z,
    matrix[6] * x + matrix[7] * y + matrix[8] * z,
    to,
  );
}

export function column(matrix: Mat3, i: number, to: Vec3): Vec3 {
  return set(matrix[3 * i], matrix[3 * i + 1], matrix[3 * i + 2], to);
}

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** The largest power of two that is at most x, within the normal range of f32, or by a rounding error the next. */
export function powerOfTwoBelow(x: number): number {
  float[0] = x;
  bits[0] &= 0x7f80_0000;
  return float[0];
}

/** Rotation matrix of a quaternion x, y, z, w of any length. */
export function rotationMatrix(q: ArrayLike<number>, to: Mat3): Mat3 {
  const x = q[0];
  const y = q[1];
  const z = q[2];
  const w = q[3];
  const k = 2 / (x * x + y * y + z * z + w * w);
  const kx = x * k;
  const ky = y * k;
  const kz = z * k;
  to[0] = 1 - (y * ky + z * kz);
  to[1] = x * ky + w * kz;
  to[2] = x * kz - w * ky;
  to[3] = x * ky - w * kz;
  to[4] = 1 - (x * kx + z * kz);
  to[5] = y * kz + w * kx;
  to[6] = x * kz + w * ky;
  to[7] = y * kz - w * kx;
  to[8] = 1 - (x * kx + y * ky);
  return to;
}

/** Quaternion product conjugate(a) · b: b's frame seen from a's. */
export function relativeQuaternion(a: ArrayLike<number>, b: ArrayLike<number>, to: Float64Array): Float64Array {
  const ax = a[0];
  const ay = a[1];
  const az = a[2];
  const aw = a[3];
  const bx = b[0];
  const by = b[1];
  const bz = b[2];
  const bw = b[3];
  to[0] = aw * bx - bw * ax - (ay * bz - az * by);
  to[1] = aw * by - bw * ay - (az * bx - ax * bz);
  to[2] = aw * bz - bw * az - (ax * by - ay * bx);
  to[3] = aw * bw + ax * bx + ay * by + az * bz;
  return to;
}

/** The product of quaternions: the turn b, then the turn of w and x, y, z. */
export function quaternionProduct(
  x: number,
  y: number,
  z: number,
  w: number,
  b: ArrayLike<number>,
  to: Float64Array,
): Float64Array {
  const [bx, by, bz, bw] = [b[0], b[1], b[2], b[3]];
  to[0] = w * bx + x * bw + y * bz - z * by;
  to[1] = w * by - x * bz + y * bw + z * bx;
  to[2] = w * bz + x * by - y * bx + z * bw;
  to[3] = w * bw - x * bx - y * by - z * bz;
  return to;
}

/** A unit vector perpendicular to the unit vector u. */
export function perpendicular(u: Vec3, to: Vec3): Vec3 {
  const x = Math.abs(u.x);
  const y = Math.abs(u.y);
  const z = Math.abs(u.z);
  if (x <= y && x <= z) set(0, -u.z, u.y, to);
  else if (y <= z) set(u.z, 0, -u.x, to);
  else set(-u.y, u.x, 0, to);
  return scale(to, 1 / length(to), to);
}
