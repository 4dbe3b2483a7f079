/** Splits bodies given by matrices into position, rotation and scale. */
import { allocate } from '../util/arrays.ts';
import { invalidInput } from '../api/errors.ts';
import type { MatrixBodies, PosedBodies } from '../api/types.ts';
import { isCoordinate } from './screens.ts';

/**
 * Differences that count as rounding: between the lengths of the axes, as a share of these lengths, and between the
 * axes' cosines and zero. Matrices composed in f32 have up to about 1e-7; products of several matrices have more.
 */
const UNEVEN = 1e-5;

type ScaledBodies = PosedBodies & { scales: Float32Array };

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
export function posesOfMatrices({ shapes, matrices }: MatrixBodies): ScaledBodies {
  const count = shapes.length;
  const positions = allocate<Float32Array | Float64Array>(
    'positions of bodies.matrices',
    matrices instanceof Float64Array ? Float64Array : Float32Array,
    3 * count,
  );
  const quaternions = allocate('quaternions of bodies.matrices', Float32Array, 4 * count);
  const scales = allocate('scales of bodies.matrices', Float32Array, count);
  const bodies = { shapes, positions, quaternions, scales };
  for (let i = 0; i < count; i++) if (!writePose(matrices, i, bodies)) refuseMatrix(matrices, i);
  return bodies;
}

/**
 * Writes the pose and the scale of a body, unless its matrix has none: then it returns false. One function with the
 * matrix in variables, as V8 allocates numbers that are passed between functions that it does not inline.
 */
function writePose(
  m: Float32Array | Float64Array,
  body: number,
  { positions, quaternions, scales }: ScaledBodies,
): boolean {
  const at = 16 * body;
  const ax = m[at];
  const ay = m[at + 1];
  const az = m[at + 2];
  const bx = m[at + 4];
  const by = m[at + 5];
  const bz = m[at + 6];
  const cx = m[at + 8];
  const cy = m[at + 9];
  const cz = m[at + 10];
  const px = m[at + 12];
  const py = m[at + 13];
  const pz = m[at + 14];
  if (!(m[at + 3] === 0 && m[at + 7] === 0 && m[at + 11] === 0 && m[at + 15] === 1)) return false;
  if (!(isCoordinate(px) && isCoordinate(py) && isCoordinate(pz))) return false;
  const a = Math.sqrt(ax * ax + ay * ay + az * az);
  const b = Math.sqrt(bx * bx + by * by + bz * bz);
  const c = Math.sqrt(cx * cx + cy * cy + cz * cz);
  const longest = Math.max(a, b, c);
  const shortest = Math.min(a, b, c);
  if (!(Math.fround(shortest) > 0 && Math.fround(longest) < Infinity)) return false;
  if (!(ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx) >= 0)) return false;
  if (longest - shortest > UNEVEN * longest) return false;
  const squared = longest * longest;
  const ab = (ax * bx + ay * by + az * bz) / squared;
  const bc = (bx * cx + by * cy + bz * cz) / squared;
  const ca = (cx * ax + cy * ay + cz * az) / squared;
  if (!(Math.abs(ab) <= UNEVEN && Math.abs(bc) <= UNEVEN && Math.abs(ca) <= UNEVEN)) return false;
  positions[3 * body] = px;
  positions[3 * body + 1] = py;
  positions[3 * body + 2] = pz;
  const scale = (a + b + c) / 3;
  scales[body] = scale;

  // The quaternion times a component that can't be small: Shepperd, "Quaternion from Rotation Matrix" (1978).
  const toUnit = 1 / scale;
  const xx = ax * toUnit;
  const yy = by * toUnit;
  const zz = cz * toUnit;
  const trace = xx + yy + zz;
  // Differences and sums of elements across the diagonal: 4 times the products of components.
  let x = (bz - cy) * toUnit;
  let y = (cx - az) * toUnit;
  let z = (ay - bx) * toUnit;
  let w = 1 + trace;
  if (trace < Math.max(xx, yy, zz)) {
    const xy = (ay + bx) * toUnit;
    const xz = (az + cx) * toUnit;
    const yz = (bz + cy) * toUnit;
    if (xx >= Math.max(yy, zz)) {
      w = x;
      x = 1 + 2 * xx - trace;
      y = xy;
      z = xz;
    } else if (yy >= zz) {
      w = y;
      x = xy;
      y = 1 + 2 * yy - trace;
      z = yz;
    } else {
      w = z;
      x = xz;
      y = yz;
      z = 1 + 2 * zz - trace;
    }
  }
  const normalise = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  quaternions[4 * body] = x * normalise;
  quaternions[4 * body + 1] = y * normalise;
  quaternions[4 * body + 2] = z * normalise;
  quaternions[4 * body + 3] = w * normalise;
  return true;
}

/** Throws `INVALID_INPUT` with the reason why a matrix has no pose. */
function refuseMatrix(matrices: Float32Array | Float64Array, body: number): void {
  expectNumbers(matrices, body);
  expectAxes(matrices, body);
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
    if (isCoordinate(matrices[k])) continue;
    invalidInput(`bodies.matrices[${k}]`, matrices[k], `a position of body ${body} of at most 1e30 either way`);
  }
}

/** The axes are the columns. */
function expectAxes(matrices: Float32Array | Float64Array, body: number): void {
  const at = 16 * body;
  const lengths = [lengthOf(matrices, at), lengthOf(matrices, at + 4), lengthOf(matrices, at + 8)] as const;
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
}

function refuse(matrices: Float32Array | Float64Array, body: number, expected: string): never {
  const at = 16 * body;
  return invalidInput(`bodies.matrices[${at}..${at + 15}]`, Array.from(matrices.subarray(at, at + 16)), expected);
}

function lengthOf(m: ArrayLike<number>, at: number): number {
  return Math.sqrt(dotOf(m, at, at));
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
