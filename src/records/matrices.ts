/** Splits bodies given by matrices into position, rotation and scale. */
import { allocate } from '../util/arrays.ts';
import { invalidInput } from '../api/errors.ts';
import type { MatrixBodies, PosedBodies } from '../api/types.ts';
import { GREATEST_POSITION } from '../generated/constants.ts';

/**
 * Differences that count as rounding: between the lengths of the axes, as a share of these lengths, and between the
 * axes' cosines and zero. Matrices composed in f32 have up to about 1e-7; products of several matrices have more.
 */
const UNEVEN = 1e-5;

/** Places of the last row in a matrix, with the expected values. */
const LAST_ROW = [
  [3, 0],
  [7, 0],
  [11, 0],
  [15, 1],
] as const;

/**
 * Throws `INVALID_INPUT` unless each matrix is a rotation with one positive scale and a translation. The arrays'
 * lengths have been checked.
 */
export function posesOfMatrices({ shapes, matrices }: MatrixBodies): PosedBodies & { scales: Float32Array } {
  const count = shapes.length;
  const positions = allocate<Float32Array | Float64Array>(
    'positions of bodies.matrices',
    matrices instanceof Float64Array ? Float64Array : Float32Array,
    3 * count,
  );
  const quaternions = allocate('quaternions of bodies.matrices', Float32Array, 4 * count);
  const scales = allocate('scales of bodies.matrices', Float32Array, count);
  for (let i = 0; i < count; i++) {
    expectNumbers(matrices, i);
    const at = 16 * i;
    positions[3 * i] = matrices[at + 12];
    positions[3 * i + 1] = matrices[at + 13];
    positions[3 * i + 2] = matrices[at + 14];
    const scale = scaleOf(matrices, i);
    scales[i] = scale;
    writeQuaternion(matrices, at, 1 / scale, quaternions, 4 * i);
  }
  return { shapes, positions, quaternions, scales };
}

function expectNumbers(matrices: Float32Array | Float64Array, body: number): void {
  const at = 16 * body;
  for (let k = at; k < at + 16; k++) {
    if (!Number.isFinite(matrices[k]))
      invalidInput(`bodies.matrices[${k}]`, matrices[k], `a finite number in the matrix of body ${body}`);
  }
  for (const [k, expected] of LAST_ROW) {
    if (matrices[at + k] === expected) continue;
    invalidInput(
      `bodies.matrices[${at + k}]`,
      matrices[at + k],
      `${expected}, as the last row of the matrix of body ${body} is 0, 0, 0, 1`,
    );
  }
  for (let k = at + 12; k < at + 15; k++) {
    if (Math.abs(matrices[k]) <= GREATEST_POSITION) continue;
    invalidInput(`bodies.matrices[${k}]`, matrices[k], `a position of body ${body} of at most 1e30 either way`);
  }
}

/** The common length of a body's axes, which are the columns. */
function scaleOf(matrices: Float32Array | Float64Array, body: number): number {
  const at = 16 * body;
  const xx = dotOf(matrices, at, at);
  const yy = dotOf(matrices, at + 4, at + 4);
  const zz = dotOf(matrices, at + 8, at + 8);
  const lengths = [Math.sqrt(xx), Math.sqrt(yy), Math.sqrt(zz)] as const;
  const longest = Math.max(...lengths);
  const shortest = Math.min(...lengths);
  if (!(Math.fround(shortest) > 0 && Math.fround(longest) < Infinity)) {
    refuse(
      matrices,
      body,
      `axes of a length above 0 within the range of f32; those of body ${body} have ${lengths.join(', ')}`,
    );
  }
  const volume = determinant(matrices, at);
  if (volume < 0) refuse(matrices, body, `no mirrored matrix; that of body ${body} has the determinant ${volume}`);
  if (longest - shortest > UNEVEN * longest) {
    refuse(matrices, body, `one scale along all axes, no non-uniform one; body ${body} has ${lengths.join(', ')}`);
  }
  const cosines = [dotOf(matrices, at, at + 4), dotOf(matrices, at + 4, at + 8), dotOf(matrices, at + 8, at)].map(
    (dot) => dot / (longest * longest),
  );
  if (!cosines.every((cosine) => Math.abs(cosine) <= UNEVEN)) {
    refuse(matrices, body, `no sheared matrix; the axes of body ${body} have the cosines ${cosines.join(', ')}`);
  }
  return (lengths[0] + lengths[1] + lengths[2]) / 3;
}

function refuse(matrices: Float32Array | Float64Array, body: number, expected: string): never {
  const at = 16 * body;
  return invalidInput(`bodies.matrices[${at}..${at + 15}]`, Array.from(matrices.subarray(at, at + 16)), expected);
}

function dotOf(m: ArrayLike<number>, a: number, b: number): number {
  return m[a] * m[b] + m[a + 1] * m[b + 1] + m[a + 2] * m[b + 2];
}

function determinant(m: ArrayLike<number>, at: number): number {
  return (
    m[at] * (m[at + 5] * m[at + 10] - m[at + 6] * m[at + 9]) +
    m[at + 1] * (m[at + 6] * m[at + 8] - m[at + 4] * m[at + 10]) +
    m[at + 2] * (m[at + 4] * m[at + 9] - m[at + 5] * m[at + 8])
  );
}

/**
 * Writes the quaternion of the matrix times `toUnit`. It divides by a component that can't be small: Shepperd,
 * "Quaternion from Rotation Matrix" (1978).
 */
function writeQuaternion(m: ArrayLike<number>, at: number, toUnit: number, to: Float32Array, word: number): void {
  const xx = m[at] * toUnit;
  const yy = m[at + 5] * toUnit;
  const zz = m[at + 10] * toUnit;
  const trace = xx + yy + zz;
  // Differences and sums of elements across the diagonal: 4 times the products of components.
  const wx = (m[at + 6] - m[at + 9]) * toUnit;
  const wy = (m[at + 8] - m[at + 2]) * toUnit;
  const wz = (m[at + 1] - m[at + 4]) * toUnit;
  const xy = (m[at + 1] + m[at + 4]) * toUnit;
  const xz = (m[at + 2] + m[at + 8]) * toUnit;
  const yz = (m[at + 6] + m[at + 9]) * toUnit;
  if (trace >= Math.max(xx, yy, zz)) put(wx, wy, wz, 1 + trace, to, word);
  else if (xx >= Math.max(yy, zz)) put(1 + 2 * xx - trace, xy, xz, wx, to, word);
  else if (yy >= zz) put(xy, 1 + 2 * yy - trace, yz, wy, to, word);
  else put(xz, yz, 1 + 2 * zz - trace, wz, to, word);
}

/** Normalises a quaternion and writes it. */
function put(x: number, y: number, z: number, w: number, to: Float32Array, word: number): void {
  const toUnit = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  to[word] = x * toUnit;
  to[word + 1] = y * toUnit;
  to[word + 2] = z * toUnit;
  to[word + 3] = w * toUnit;
}
