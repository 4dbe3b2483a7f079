/**
 * Validation of bodies, pairs and velocities, in two steps. Reading finds arrays of wrong types or lengths. Checking
 * looks at every number; on WebGPU, kernels do so in its place (gpu/input.ts).
 */
import { expectArray, fixedLength } from '../util/arrays.ts';
import { expectKnown } from '../util/known.ts';
import { invalidInput } from '../api/errors.ts';
import type { AnyBodies } from '../records/bodies.ts';
import {
  areBelow,
  arePoses,
  areScales,
  areShapes,
  findUnboundedPair,
  isCoordinate,
  isSquareOfLength,
} from '../records/screens.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import type { Check, Dimension, ReadBodies } from './dimension.ts';
import { PLANAR_BODIES, SPACE_BODIES } from './options.ts';
import type { Bodies, CollisionFilters, PlanarBodies, PosedBodies } from '../api/types.ts';
import { checkScales, expectedOfScale } from './validate-scales.ts';
import { posesOfMatrices } from '../records/matrices.ts';

/**
 * Reads something that comes after what `check` checks. If it can't be read, `check` runs first, so that of several
 * faults the first is named.
 */
export function inOrder<Read>(check: Check, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    check();
    throw error;
  }
}

/** Throws `INVALID_INPUT` unless every body can be used. Gives the bodies by position and rotation. */
export function validateBodies(given: unknown, table: ShapeTable, dimension: Dimension): AnyBodies {
  const { bodies, check } = dimension.readBodies(given, table);
  check();
  return bodies;
}

/** Throws `INVALID_INPUT` unless it is an array of pairs, whatever is in it. */
export function readPairs(pairs: Uint32Array): void {
  expectArray('pairs', pairs, Uint32Array);
  if (pairs.length % 2 !== 0) invalidInput('pairs.length', pairs.length, 'an even number');
}

/** Throws `INVALID_INPUT` unless all pairs are of the first `count` bodies. */
export function checkPairs(pairs: Uint32Array, count: number): void {
  if (areBelow(pairs, count)) return;
  for (let i = 0; i < pairs.length; i++) {
    if (pairs[i] >= count) invalidInput(`pairs[${i}]`, pairs[i], `an index below the ${count} bodies`);
  }
}

/** Two half-spaces have no distance. */
export function expectBounded(shapes: Uint32Array, pairs: Uint32Array, table: ShapeTable): void {
  const i = findUnboundedPair(shapes, pairs, table);
  if (i < 0) return;
  const expected = `a body with a bounded shape, as body ${pairs[i]} is a half-space already`;
  invalidInput(`pairs[${i + 1}]`, pairs[i + 1], expected);
}

/** Bodies in 3-D. Matrices are checked as they are read. */
export function readSpaceBodies(given: Bodies, table: ShapeTable): ReadBodies<PosedBodies> {
  if (typeof given !== 'object' || given === null)
    invalidInput('bodies', given, '{ shapes, positions, quaternions, scales? } or { shapes, matrices }');
  if (given.quaternions === undefined && (given as unknown as PlanarBodies).angles !== undefined)
    invalidInput('bodies.quaternions', undefined, 'a Float32Array; angles are for a tester of dimension 2');
  expectKnown(given, 'bodies', SPACE_BODIES);
  if (given.matrices !== undefined) {
    const bodies = readMatrices(given, table);
    return { bodies, filters: readFilters(given, bodies.shapes.length), check() {} };
  }
  const bodies = fixedLengths({
    shapes: given.shapes,
    positions: given.positions,
    quaternions: given.quaternions,
    scales: given.scales,
  });
  expectBodyArrays(bodies, 'quaternions', bodies.quaternions, 3, 4);
  return withScales(bodies, given, table, () => checkSpacePoses(bodies, table));
}

function readMatrices(bodies: Extract<Bodies, { matrices: unknown }>, table: ShapeTable): PosedBodies {
  const { shapes, matrices } = fixedLengths(bodies);
  for (const name of ['positions', 'quaternions', 'scales'] as const) {
    if (bodies[name] !== undefined)
      invalidInput(`bodies.${name}`, bodies[name], 'nothing, as there are bodies.matrices');
  }
  expectArray('bodies.shapes', shapes, Uint32Array);
  expectArray<Float32Array | Float64Array>('bodies.matrices', matrices, Float32Array, Float64Array);
  expectLength('bodies.matrices', matrices, 16 * shapes.length, shapes.length);
  if (!areShapes(shapes, table)) shapes.forEach((shape, i) => expectShape(table, shape, i));
  const posed = posesOfMatrices({ shapes, matrices });
  if (areScales(posed.scales, table)) return posed;
  for (let i = 0; i < shapes.length; i++) {
    const expected = expectedOfScale(posed.scales[i], table.shapes[shapes[i]]!);
    if (expected) invalidInput(`the scale of bodies.matrices[${16 * i}..${16 * i + 15}]`, posed.scales[i], expected);
  }
  return posed;
}

function checkSpacePoses(bodies: PosedBodies, table: ShapeTable): void {
  if (arePoses(bodies, table)) return;
  const { shapes, positions, quaternions } = bodies;
  for (let i = 0; i < shapes.length; i++) {
    expectShape(table, shapes[i], i);
    expectCoordinate('bodies.positions', positions, 3 * i);
    expectCoordinate('bodies.positions', positions, 3 * i + 1);
    expectCoordinate('bodies.positions', positions, 3 * i + 2);
    const x = quaternions[4 * i];
    const y = quaternions[4 * i + 1];
    const z = quaternions[4 * i + 2];
    const w = quaternions[4 * i + 3];
    if (!isSquareOfLength(x * x + y * y + z * z + w * w)) {
      invalidInput(
        `bodies.quaternions[${4 * i}..${4 * i + 3}]`,
        [x, y, z, w],
        'finite numbers of length at least 1e-6',
      );
    }
  }
}

/** Bodies in 2-D. */
export function readPlanarBodies(given: PlanarBodies, table: ShapeTable): ReadBodies<PlanarBodies> {
  if (typeof given !== 'object' || given === null)
    invalidInput('bodies', given, '{ shapes, positions, angles, scales? }');
  for (const name of ['quaternions', 'matrices'] as const) {
    const value = (given as unknown as Record<string, unknown>)[name];
    if (value !== undefined) invalidInput(`bodies.${name}`, value, 'nothing: bodies of the plane have angles');
  }
  expectKnown(given, 'bodies', PLANAR_BODIES);
  const { shapes, positions, angles, scales } = given;
  const bodies = fixedLengths({ shapes, positions, angles, scales });
  expectBodyArrays(bodies, 'angles', bodies.angles, 2, 1);
  return withScales(bodies, given, table, () => checkPlanarPoses(bodies, table));
}

function checkPlanarPoses(bodies: PlanarBodies, table: ShapeTable): void {
  if (arePoses(bodies, table)) return;
  const { shapes, positions, angles } = bodies;
  for (let i = 0; i < shapes.length; i++) {
    expectShape(table, shapes[i], i);
    expectCoordinate('bodies.positions', positions, 2 * i);
    expectCoordinate('bodies.positions', positions, 2 * i + 1);
    if (!Number.isFinite(angles[i])) invalidInput(`bodies.angles[${i}]`, angles[i], 'a finite number of radians');
  }
}

/**
 * Throws `INVALID_INPUT` unless the arrays of bodies have their types and lengths. `axes` and `width`: numbers per
 * position and per rotation.
 */
function expectBodyArrays(
  { shapes, positions }: AnyBodies,
  name: string,
  rotations: unknown,
  axes: number,
  width: number,
): void {
  expectArray('bodies.shapes', shapes, Uint32Array);
  const count = shapes.length;
  expectArray<Float32Array | Float64Array>('bodies.positions', positions, Float32Array, Float64Array);
  expectArray(`bodies.${name}`, rotations, Float32Array);
  expectLength('bodies.positions', positions, axes * count, count);
  expectLength(`bodies.${name}`, rotations, width * count, count);
}

/** Bodies whose scales and filters come after what `checkPoses` checks. */
function withScales<Posed extends AnyBodies>(
  bodies: Posed,
  given: CollisionFilters,
  table: ShapeTable,
  checkPoses: Check,
): ReadBodies<Posed> {
  const { shapes, scales } = bodies;
  const count = shapes.length;
  const check = (): void => {
    checkPoses();
    if (scales !== undefined) checkScales(shapes, scales, table);
  };
  if (scales !== undefined) {
    inOrder(checkPoses, () => {
      expectArray('bodies.scales', scales, Float32Array);
      expectLength('bodies.scales', scales, count, count);
    });
  }
  return { bodies, filters: inOrder(check, () => readFilters(given, count)), check };
}

/** Throws `INVALID_INPUT` unless the filters have their types and lengths. All their numbers can be used. */
function readFilters(given: CollisionFilters, count: number): CollisionFilters {
  const { groups, fixed } = fixedLengths({ groups: given.groups, fixed: given.fixed });
  if (groups !== undefined) {
    expectArray('bodies.groups', groups, Uint32Array);
    expectLength('bodies.groups', groups, count, count);
  }
  if (fixed !== undefined) {
    expectArray('bodies.fixed', fixed, Uint8Array);
    expectLength('bodies.fixed', fixed, count, count);
  }
  return { groups, fixed };
}

function expectShape({ shapes, idCount = shapes.length }: ShapeTable, shape: number, body: number): void {
  if (!(shape < idCount && shapes[shape]))
    invalidInput(`bodies.shapes[${body}]`, shape, 'the id of a shape that was added');
}

/** The record with `fixedLength` arrays: queries read them until they end. */
export function fixedLengths<Record extends object>(record: Record): Record {
  return Object.fromEntries(Object.entries(record).map(([name, array]) => [name, fixedLength(array)])) as Record;
}

/** Throws `INVALID_INPUT` unless number i of positions or velocities can be used. */
export function expectCoordinate(field: string, array: ArrayLike<number>, i: number): void {
  if (!isCoordinate(array[i])) invalidInput(`${field}[${i}]`, array[i], 'a finite number of at most 1e30 either way');
}

/** Throws `INVALID_INPUT` unless an array for `count` bodies has `length` elements. */
export function expectLength(field: string, array: ArrayLike<number>, length: number, count: number): void {
  if (array.length !== length) invalidInput(`${field}.length`, array.length, `${length} for ${count} bodies`);
}
