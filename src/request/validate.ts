import { expectArray } from '../util/arrays.ts';
import { expectKnown } from '../util/known.ts';
import { invalidInput } from '../api/errors.ts';
import type { LeadStage } from './backend.ts';
import { CORE_HALFSPACE, GREATEST_POSITION, MOTION_MOST_TURN } from '../generated/constants.ts';
import { LARGEST_SIZE, shownSize } from '../shapes/fields.ts';
import type { BodyMotion, AnyBodies, AnyVelocities } from '../records/bodies.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import type { Dimension } from './dimension.ts';
import { PLANAR_BODIES, SPACE_BODIES } from './options.ts';
import type { Algorithm, Bodies, MprDepth, PlanarBodies, PosedBodies } from '../api/types.ts';
import { posesOfMatrices } from '../records/matrices.ts';
import type { QueryName } from '../api/queries.ts';

/** Shorter quaternions are invalid. */
const MIN_QUATERNION_LENGTH = 1e-6;

/**
 * Throws `INVALID_INPUT` unless every body and every pair can be used. Nothing has been sent anywhere by then. Gives
 * the bodies by position and rotation.
 */
export function validateQuery(bodies: unknown, pairs: Uint32Array, table: ShapeTable, dimension: Dimension): AnyBodies {
  const posed = dimension.validateBodies(bodies, table);
  validatePairs(pairs, posed.shapes.length);
  dimension.expectPairs(posed.shapes, pairs, table);
  return posed;
}

/** Two half-spaces have no distance. */
export function expectBounded(shapes: Uint32Array, pairs: Uint32Array, table: ShapeTable): void {
  const isHalfspace = table.shapes.map((shape) => shape?.kind === CORE_HALFSPACE);
  if (!isHalfspace.includes(true)) return;
  for (let i = 0; i < pairs.length; i += 2) {
    if (isHalfspace[shapes[pairs[i]]] && isHalfspace[shapes[pairs[i + 1]]]) {
      invalidInput(
        `pairs[${i + 1}]`,
        pairs[i + 1],
        `a body with a bounded shape, as body ${pairs[i]} is a half-space already`,
      );
    }
  }
}

/** Throws `INVALID_INPUT` unless all pairs are of the first `count` bodies. */
export function validatePairs(pairs: Uint32Array, count: number): void {
  expectArray('pairs', pairs, Uint32Array);
  if (pairs.length % 2 !== 0) invalidInput('pairs.length', pairs.length, 'an even number');
  for (let i = 0; i < pairs.length; i++) {
    if (pairs[i] >= count) invalidInput(`pairs[${i}]`, pairs[i], `an index below the ${count} bodies`);
  }
}

/**
 * Throws `INVALID_INPUT` unless every body in space can be used. Gives them by position and rotation, as an object of its
 * own: the caller may put other arrays into `bodies` while the query waits for its turn.
 */
export function validateSpaceBodies(bodies: Bodies, table: ShapeTable): PosedBodies {
  if (typeof bodies !== 'object' || bodies === null)
    invalidInput('bodies', bodies, '{ shapes, positions, quaternions, scales? } or { shapes, matrices }');
  if (bodies.quaternions === undefined && (bodies as unknown as PlanarBodies).angles !== undefined)
    invalidInput('bodies.quaternions', undefined, 'a Float32Array; angles are for a tester of dimension 2');
  expectKnown(bodies, 'bodies', SPACE_BODIES);
  if (bodies.matrices === undefined) return validatePoses(bodies, table);
  const { shapes, matrices } = bodies;
  for (const name of ['positions', 'quaternions', 'scales'] as const) {
    if (bodies[name] !== undefined)
      invalidInput(`bodies.${name}`, bodies[name], 'nothing, as there are bodies.matrices');
  }
  expectArray('bodies.shapes', shapes, Uint32Array);
  expectArray<Float32Array | Float64Array>('bodies.matrices', matrices, Float32Array, Float64Array);
  expectLength('bodies.matrices', matrices, 16 * shapes.length, shapes.length);
  shapes.forEach((shape, i) => expectShape(table, shape, i));
  const posed = posesOfMatrices({ shapes, matrices });
  for (let i = 0; i < shapes.length; i++) {
    const expected = expectedOfScale(posed.scales[i], table.shapes[shapes[i]]!);
    if (expected) invalidInput(`the scale of bodies.matrices[${16 * i}..${16 * i + 15}]`, posed.scales[i], expected);
  }
  return posed;
}

function validatePoses({ shapes, positions, quaternions, scales }: PosedBodies, table: ShapeTable): PosedBodies {
  const bodies = { shapes, positions, quaternions, scales };
  expectBodyArrays(bodies, 'quaternions', quaternions, 3, 4);
  // Body by body: a loop over each array on its own takes twice as long.
  for (let i = 0; i < shapes.length; i++) {
    expectShape(table, shapes[i], i);
    expectCoordinate('bodies.positions', positions, 3 * i);
    expectCoordinate('bodies.positions', positions, 3 * i + 1);
    expectCoordinate('bodies.positions', positions, 3 * i + 2);
    const x = quaternions[4 * i];
    const y = quaternions[4 * i + 1];
    const z = quaternions[4 * i + 2];
    const w = quaternions[4 * i + 3];
    const squared = x * x + y * y + z * z + w * w;
    if (!(squared >= MIN_QUATERNION_LENGTH * MIN_QUATERNION_LENGTH && squared < Infinity)) {
      invalidInput(
        `bodies.quaternions[${4 * i}..${4 * i + 3}]`,
        [x, y, z, w],
        'finite numbers of length at least 1e-6',
      );
    }
  }
  expectScales(bodies, table);
  return bodies;
}

/** As `validateSpaceBodies`, for bodies in 2-D. */
export function validatePlanarBodies(given: PlanarBodies, table: ShapeTable): PlanarBodies {
  if (typeof given !== 'object' || given === null)
    invalidInput('bodies', given, '{ shapes, positions, angles, scales? }');
  for (const name of ['quaternions', 'matrices'] as const) {
    const value = (given as unknown as Record<string, unknown>)[name];
    if (value !== undefined) invalidInput(`bodies.${name}`, value, 'nothing: bodies of the plane have angles');
  }
  expectKnown(given, 'bodies', PLANAR_BODIES);
  const { shapes, positions, angles, scales } = given;
  const bodies = { shapes, positions, angles, scales };
  expectBodyArrays(bodies, 'angles', angles, 2, 1);
  for (let i = 0; i < shapes.length; i++) {
    expectShape(table, shapes[i], i);
    expectCoordinate('bodies.positions', positions, 2 * i);
    expectCoordinate('bodies.positions', positions, 2 * i + 1);
    if (!Number.isFinite(angles[i])) invalidInput(`bodies.angles[${i}]`, angles[i], 'a finite number of radians');
  }
  expectScales(bodies, table);
  return bodies;
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

function expectScales({ shapes, scales }: AnyBodies, table: ShapeTable): void {
  if (scales === undefined) return;
  const count = shapes.length;
  expectArray('bodies.scales', scales, Float32Array);
  expectLength('bodies.scales', scales, count, count);
  for (let i = 0; i < count; i++) {
    const expected = expectedOfScale(scales[i], table.shapes[shapes[i]]!);
    if (expected) invalidInput(`bodies.scales[${i}]`, scales[i], expected);
  }
}

/**
 * The text of the expectation that a body's scale fails; undefined if the body can have this shape at this scale. Sizes
 * and scales are at most `largest`.
 */
export function expectedOfScale(
  scale: number,
  { extent }: { extent: number },
  largest = LARGEST_SIZE,
): string | undefined {
  if (!(typeof scale === 'number' && scale > 0 && scale < Infinity)) return 'a finite number above 0';
  if (scale > largest) return `a number of at most ${shownSize(largest)}`;
  // In the precision of the kernels, which have the last word.
  if (Math.fround(Math.fround(extent) * scale) > largest)
    return `a number that leaves the size of its shape, ${extent}, within ${shownSize(largest)}`;
  return undefined;
}

function expectShape(table: ShapeTable, shape: number, body: number): void {
  if (!table.shapes[shape]) invalidInput(`bodies.shapes[${body}]`, shape, 'the id of a shape that was added');
}

/** Throws `INVALID_INPUT` unless number i of positions or velocities can be used. */
export function expectCoordinate(field: string, array: ArrayLike<number>, i: number): void {
  if (!(Math.abs(array[i]) <= GREATEST_POSITION))
    invalidInput(`${field}[${i}]`, array[i], 'a finite number of at most 1e30 either way');
}

function expectLength(field: string, array: ArrayLike<number>, length: number, count: number): void {
  if (array.length !== length) invalidInput(`${field}.length`, array.length, `${length} for ${count} bodies`);
}

/** Throws `INVALID_INPUT` unless the velocities of all `count` bodies and the duration can be used. */
export function validateMotion(
  { linearVelocities: linear, angularVelocities: angular }: AnyVelocities,
  duration: number,
  count: number,
  { dimension, angularComponents }: Dimension,
  stopAtPenetration?: boolean,
): BodyMotion {
  expectDuration('options.duration', duration);
  expectVelocities('bodies.linearVelocities', linear, dimension, count);
  for (let i = 0; i < dimension * count; i++) expectCoordinate('bodies.linearVelocities', linear, i);
  const common = { linear, duration, passesParting: passesParting(stopAtPenetration) };
  if (angular === undefined) return common;
  expectVelocities('bodies.angularVelocities', angular, angularComponents, count);
  for (let i = 0; i < angularComponents * count; i += angularComponents) {
    const expected = expectedOfAngularSpeed(angularSpeedAt(angular, i, angularComponents), duration);
    if (!expected) continue;
    if (angularComponents === 1) invalidInput(`bodies.angularVelocities[${i}]`, angular[i], expected);
    invalidInput(`bodies.angularVelocities[${i}..${i + 2}]`, Array.from(angular.subarray(i, i + 3)), expected);
  }
  return { ...common, angular };
}

/** Angular speed of the body whose angular velocity begins at `at`. In 2-D an angular velocity has one number. */
export function angularSpeedAt(angular: Float32Array, at: number, axes: number): number {
  return axes === 1 ? Math.abs(angular[at]) : Math.hypot(angular[at], angular[at + 1], angular[at + 2]);
}

/** The text of the expectation that an angular speed fails; undefined if it can be used for this duration. */
export function expectedOfAngularSpeed(speed: number, duration: number): string | undefined {
  if (!Number.isFinite(speed)) return 'finite numbers';
  if (speed > 0 && !(speed * duration <= MOTION_MOST_TURN))
    return `at most ${MOTION_MOST_TURN} radians within options.duration, which is ${duration}`;
  return undefined;
}

export function expectDuration(field: string, duration: unknown): asserts duration is number {
  if (!(typeof duration === 'number' && duration >= 0))
    invalidInput(field, duration, 'a number of seconds of at least 0');
}

/** Whether, with this `stopAtPenetration`, bodies that overlap or touch at the start meet only if they close in. */
export function passesParting(stopAtPenetration: boolean | undefined): boolean {
  expectBoolean('options.stopAtPenetration', stopAtPenetration);
  return stopAtPenetration === false;
}

function expectVelocities(field: string, array: unknown, width: number, count: number): asserts array is Float32Array {
  expectArray(field, array, Float32Array);
  expectLength(field, array, width * count, count);
}

/** A query's margin, or its default. */
export function queryMargin(query: QueryName, margin: number | undefined): number {
  const given = margin === undefined ? (query === 'distances' ? Infinity : 0) : margin;
  // With an infinite margin all bodies meet at any time, so there is no time of impact.
  const isFinite = query === 'impacts';
  if (!(typeof given === 'number' && given >= 0 && !(isFinite && given === Infinity)))
    invalidInput('options.margin', given, `a ${isFinite ? 'finite ' : ''}number of at least 0`);
  return given;
}

/** Throws `INVALID_INPUT` unless `results` is a choice that this query has. */
export function expectResults(query: QueryName, results: unknown): void {
  const isMotion = query === 'impacts';
  if (!(['all', 'hits'].includes(results as string) || (isMotion && results === 'earliest'))) {
    invalidInput('options.results', results, isMotion ? "'all', 'hits' or 'earliest'" : "'all' or 'hits'");
  }
}

/** Throws `INVALID_INPUT` unless an option is a boolean or missing. */
export function expectBoolean(field: string, value: unknown): void {
  if (![undefined, true, false].includes(value as boolean)) invalidInput(field, value, 'a boolean');
}

/** The lead stage of `impacts`. By default sharp boxes are answered by SAT. */
export function chooseImpactStage(algorithm: unknown): LeadStage {
  if (!['auto', 'gjk', 'epa'].includes(algorithm as string))
    invalidInput('options.algorithm', algorithm, "'auto', 'gjk' or 'epa'");
  return algorithm === 'auto' ? 'sat' : algorithm === 'epa' ? 'epa' : 'none';
}

/** The lead stage of the other queries. By default boxes go through SAT if SAT gives the whole answer. */
export function chooseLeadStage(query: QueryName, algorithm: Algorithm): LeadStage {
  if (!['auto', 'sat', 'gjk', 'mpr'].includes(algorithm))
    invalidInput('options.algorithm', algorithm, "'auto', 'sat', 'gjk' or 'mpr'");
  if (algorithm !== 'auto') return algorithm === 'gjk' ? 'none' : algorithm;
  return query === 'distances' ? 'newton' : 'sat';
}

/** Throws `INVALID_INPUT` if `mprDepth` is given for another algorithm than MPR. */
export function expectMprDepth(algorithm: Algorithm, mprDepth: MprDepth | undefined): void {
  if (mprDepth === undefined) return;
  if (!['ray', 'normal'].includes(mprDepth)) invalidInput('options.mprDepth', mprDepth, "'ray' or 'normal'");
  if (algorithm !== 'mpr') invalidInput('options.mprDepth', mprDepth, "undefined unless options.algorithm is 'mpr'");
}
