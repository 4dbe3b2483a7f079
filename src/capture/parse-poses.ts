/** Checks of a capture's poses and velocities. */
import { NarrowphaseError, invalidInput } from '../api/errors.ts';
import type { QueryName } from '../api/queries.ts';
import { posesOfMatrices } from '../records/matrices.ts';
import { expectCoordinate } from '../request/validate-bodies.ts';
import { expectedOfScale } from '../request/validate-scales.ts';
import type { ShapeBase } from '../shapes/shape-table.ts';
import { checkPresent } from '../util/json-fields.ts';
import { expectFields, expectFinite, expectNumbers } from './fields.ts';

const VELOCITIES = ['linearVelocity', 'angularVelocity'];
const SPACE = new Set(['position', 'quaternion', 'scale', ...VELOCITIES]);
const MATRIX = new Set(['matrix', ...VELOCITIES]);
const PLANAR = new Set(['position', 'angle', 'scale', ...VELOCITIES]);

export function expectPoses(
  { poses, float64Positions }: Record<string, unknown>,
  query: QueryName,
  dimension: 2 | 3,
  shapes: readonly ShapeBase[],
): void {
  if (!Array.isArray(poses) || poses.length !== 2) invalidInput('poses', poses, 'the poses of two bodies');
  const [a, b] = poses.map((value, i) => {
    const path = `poses[${i}]`;
    const hasMatrix = dimension === 3 && typeof value === 'object' && value !== null && 'matrix' in value;
    const pose = expectFields(value, path, hasMatrix ? MATRIX : dimension === 3 ? SPACE : PLANAR);
    if (hasMatrix) expectMatrix(pose.matrix, `${path}.matrix`, float64Positions as boolean, shapes[i]);
    else expectPose(pose, path, dimension, shapes[i], float64Positions as boolean);
    expectVelocities(pose, path, query, dimension);
    return pose;
  });
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)]))
    if ((a[name] === undefined) !== (b[name] === undefined))
      invalidInput(`poses[${a[name] === undefined ? 0 : 1}].${name}`, undefined, 'a value, as the other pose has one');
}

function expectPose(
  { position, quaternion, angle, scale }: Record<string, unknown>,
  path: string,
  dimension: 2 | 3,
  shape: ShapeBase,
  isDouble: boolean,
): void {
  const place = expectNumbers(position, `${path}.position`, dimension, dimension === 3 ? 'x, y, z' : 'x, y');
  for (let k = 0; k < dimension; k++) {
    expectCoordinate(`${path}.position`, place, k);
    if (!isDouble) expectSingle(place[k], `${path}.position[${k}]`);
  }
  if (dimension === 3) {
    const turn = expectNumbers(quaternion, `${path}.quaternion`, 4, 'x, y, z, w').map(Math.fround);
    const size = Math.hypot(...turn);
    if (!(size >= 1e-6 && size < Infinity))
      invalidInput(`${path}.quaternion`, quaternion, 'finite numbers of length at least 1e-6');
  } else {
    expectFinite(angle, `${path}.angle`);
    expectSingle(angle, `${path}.angle`);
  }
  if (scale === undefined) return;
  expectFinite(scale, `${path}.scale`);
  const expected = expectedOfScale(Math.fround(scale), shape);
  if (expected) invalidInput(`${path}.scale`, scale, expected);
}

function expectSingle(value: number, field: string): void {
  if (!Number.isFinite(Math.fround(value)))
    invalidInput(field, value, 'a number within the range of f32, at most 3.4028235e38');
}

/** Errors are those of matrices in a query, with the capture's field. */
function expectMatrix(value: unknown, field: string, isDouble: boolean, shape: ShapeBase): void {
  const numbers = expectNumbers(value, field, 16, 'a column-major 4×4 matrix');
  const matrices = isDouble ? Float64Array.from(numbers) : Float32Array.from(numbers);
  let scale: number;
  try {
    scale = posesOfMatrices({ shapes: new Uint32Array(1), matrices }).scales![0];
  } catch (error) {
    if (!(error instanceof NarrowphaseError)) throw error;
    throw new NarrowphaseError(error.code, error.message.replace(/bodies\.matrices(?:\[[^\]]*\])?/, field));
  }
  const expected = expectedOfScale(scale, shape);
  if (expected) invalidInput(`the scale of ${field}`, scale, expected);
}

function expectVelocities(
  { linearVelocity, angularVelocity }: Record<string, unknown>,
  path: string,
  query: QueryName,
  dimension: 2 | 3,
): void {
  if (query === 'impacts' || linearVelocity !== undefined) {
    const field = `${path}.linearVelocity`;
    const velocity = expectNumbers(linearVelocity, field, dimension, 'units per second along each axis');
    for (let k = 0; k < dimension; k++) expectCoordinate(field, velocity, k);
  }
  if (angularVelocity === undefined) return;
  const field = `${path}.angularVelocity`;
  checkPresent(angularVelocity, field, 'radians per second');
  if (dimension === 3) expectNumbers(angularVelocity, field, 3, 'radians per second about each axis');
  else expectFinite(angularVelocity, field);
}
