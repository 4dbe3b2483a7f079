/** Validates the arguments of a query and makes its request, which later changes of shapes don't affect. */
import type { QueryName } from '../api/queries.ts';
import { CORE_PARTS } from '../generated/constants.ts';
import { invalidInput } from '../api/errors.ts';
import type {
  Bodies,
  CollisionFilters,
  ContactOptions,
  ImpactOptions,
  MovingBodies,
  ResidentBodies,
} from '../api/types.ts';
import { usesFixedPoint, type AnyBodies, type AnyVelocities } from '../records/bodies.ts';
import type { AskedQuery, BodyPairs, QueryRequest } from '../request/backend.ts';
import type { Check, Dimension } from '../request/dimension.ts';
import { resultFields } from '../request/fields.ts';
import { answerForm, type ResultForm } from '../request/result-form.ts';
import { checkPairs, inOrder, readPairs } from '../request/validate-bodies.ts';
import { residentState, versionOf, type ResidentState } from '../request/resident.ts';
import { readMotion } from '../request/validate-motion.ts';
import {
  chooseImpactStage,
  chooseLeadStage,
  expectBoolean,
  expectMprDepth,
  expectParts,
  expectResults,
  queryMargin,
} from '../request/validate.ts';
import { warmStartState } from '../request/warm-start.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { snapshotOf, type ShapeTable } from '../shapes/shape-table.ts';

/** The tester's shapes and dimension. Handles on bodies belong to a scene. */
export interface QueryScene {
  shapes: ShapeTable;
  dimension: Dimension;
}

/** Bodies as callers pass them. `resident` if they are a handle. */
export interface GivenBodies {
  bodies: AnyBodies;
  filters: CollisionFilters;
  arrays: unknown;
  check: Check;
  resident?: ResidentState;
}

/** Reads bodies, or the arrays of a handle. Those were checked as they were written, except against later shapes. */
export function readGiven(scene: QueryScene, given: unknown, shapes: ShapeTable): GivenBodies {
  const { dimension } = scene;
  const resident = residentState('bodies', given, scene);
  if (!resident) return { ...dimension.readBodies(given, shapes), arrays: given };
  const { arrays } = resident;
  const { bodies, filters, check } = dimension.readBodies(arrays, shapes);
  if (resident.shapesVersion !== shapes.version) check();
  resident.shapesVersion = shapes.version;
  return { bodies, filters, check() {}, arrays, resident };
}

/** Reads and checks all bodies and pairs at once. */
export function readScene(scene: QueryScene, given: unknown, pairs: Uint32Array): GivenBodies {
  const { shapes: table, dimension } = scene;
  const read = readGiven(scene, given, table);
  readPairs(pairs);
  read.check();
  const { shapes } = read.bodies;
  checkPairs(pairs, shapes.length);
  dimension.expectPairs(shapes, pairs, table);
  return read;
}

/** Options as a query gets them. The types of `fields` and `target` depend on each other; they are checked at run time. */
export type Given<Options> = Omit<Options, 'fields' | 'target'> & { fields?: unknown; target?: unknown };

export interface MadeRequest {
  request: QueryRequest;
  result: ResultForm;
}

/** What all queries have in common, and the check of bodies and pairs. */
function readCommon(
  scene: QueryScene,
  query: QueryName,
  given: Bodies | MovingBodies | ResidentBodies,
  pairs: Uint32Array,
  options: Given<ContactOptions | ImpactOptions>,
) {
  const { results = 'all', margin: asked, escalate: escalates, parts: listed } = options;
  const { dimension } = scene;
  const shapes = snapshotOf(scene.shapes, dimension);
  const read = readGiven(scene, given, shapes);
  const { bodies, resident } = read;
  inOrder(read.check, () => readPairs(pairs));
  const check = (): void => {
    read.check();
    checkPairs(pairs, bodies.shapes.length);
    dimension.expectPairs(bodies.shapes, pairs, shapes);
  };
  const over: BodyPairs = { dimension, shapes, bodies, pairs, resident: resident && versionOf(resident) };
  return inOrder(check, () => {
    expectResults(query, results);
    expectBoolean('options.escalate', escalates);
    expectParts(listed, results);
    const hasParts = pairsHaveParts(bodies, pairs, shapes);
    const listsParts = listed === 'all' || (query === 'manifolds' && hasParts);
    const margin = queryMargin(query, asked);
    const fieldOptions = { ...options, parts: listsParts };
    const result: ResultForm = {
      slots: listsParts ? 'hits' : results,
      fields: resultFields(query, dimension.dimension, fieldOptions, true),
      target: options.target,
      escalates: escalates === true,
      parts: hasParts ? (listsParts ? 'all' : 'deciding') : undefined,
    };
    return { margin, over, result, check, arrays: read.arrays };
  });
}

/** Whether a body of any pair is a compound or a mesh. */
function pairsHaveParts({ shapes }: AnyBodies, pairs: Uint32Array, table: ShapeTable): boolean {
  const hasParts = shapesWithParts(table);
  return hasParts !== undefined && pairs.some((body) => hasParts[shapes[body]]);
}

/** Whether a body is a compound or a mesh. */
export function bodiesHaveParts({ shapes }: AnyBodies, table: ShapeTable): boolean {
  const hasParts = shapesWithParts(table);
  return hasParts !== undefined && shapes.some((shape) => hasParts[shape]);
}

/** Throws `INVALID_INPUT` unless all pairs are of meshes. */
export function expectMeshPairs(
  { shapes: ids }: AnyBodies,
  pairs: Uint32Array,
  { shapes }: ShapeTable,
  { dimension }: Dimension,
): void {
  if (dimension === 2) invalidInput('options.dimension', dimension, '3 for trianglePairs');
  readPairs(pairs);
  checkPairs(pairs, ids.length);
  for (let i = 0; i < pairs.length; i++) {
    const { parts } = shapes[ids[pairs[i]]] as ShapeData;
    if (parts?.type !== 'mesh') invalidInput(`pairs[${i}]`, pairs[i], 'a body whose shape is a mesh');
  }
}

/** What `shapesWithParts` found for snapshots. */
const known = new WeakMap<ShapeTable, boolean[] | undefined>();

/** For each shape of a snapshot whether it is a compound or a mesh; undefined if there are none. */
export function shapesWithParts(table: ShapeTable): boolean[] | undefined {
  if (known.has(table)) return known.get(table);
  const hasParts = table.shapes.map((shape) => shape?.kind === CORE_PARTS);
  const found = hasParts.includes(true) ? hasParts : undefined;
  known.set(table, found);
  return found;
}

/** The request, which is checked here unless the backend can do it. */
function checkedRequest(
  { what, over }: AskedQuery,
  result: ResultForm,
  signal: AbortSignal | undefined,
  check: Check,
  isOnlySat = false,
): MadeRequest {
  const { bodies, shapes } = over;
  // Only valid bodies can be moved by the offsets of half-spaces.
  const isMoved = usesFixedPoint(bodies) && shapes.centredHalfspaces!.size > 0;
  const hasOtherShapes = isOnlySat && shapes.shapes.slice(0, shapes.idCount).some((shape) => shape && !shape.takesSat);
  if (isMoved || hasOtherShapes || result.parts) check();
  else over.check = check;
  return { request: { what, over, form: answerForm(result), signal }, result };
}

/** Throws `INVALID_INPUT` unless impacts of these bodies can be found. */
export function makeImpactRequest(
  scene: QueryScene,
  given: MovingBodies | ResidentBodies,
  pairs: Uint32Array,
  options: Given<ImpactOptions>,
): MadeRequest {
  const { margin, over, result, check: checkCommon, arrays } = readCommon(scene, 'impacts', given, pairs, options);
  const { duration, algorithm = 'auto', stopAtPenetration, signal } = options;
  return inOrder(checkCommon, () => {
    const leadStage = chooseImpactStage(algorithm);
    const count = over.bodies.shapes.length;
    const read = readMotion(arrays as AnyVelocities, duration, count, scene.dimension, stopAtPenetration);
    const check = (): void => {
      checkCommon();
      if (!over.resident) read.check();
    };
    const asked: AskedQuery = {
      what: { query: 'impacts', leadStage, margin },
      over: { ...over, motion: read.motion },
    };
    return checkedRequest(asked, result, signal, check);
  });
}

/** Throws `INVALID_INPUT` unless the query can be answered. */
export function makeRequest(
  scene: QueryScene,
  query: QueryName,
  given: Bodies | MovingBodies | ResidentBodies,
  pairs: Uint32Array,
  options: Given<ContactOptions>,
): MadeRequest {
  const { dimension } = scene;
  const { margin, over, result, check: checkCommon } = readCommon(scene, query, given, pairs, options);
  const { algorithm = 'auto', mprDepth, signal } = options;
  const leadStage = inOrder(checkCommon, () => {
    const stage = chooseLeadStage(query, algorithm);
    expectMprDepth(algorithm, mprDepth);
    return stage;
  });
  const check = (): void => {
    checkCommon();
    if (algorithm === 'sat') expectSatPairs(over, dimension);
  };
  return inOrder(check, () => {
    const { warmStart: start } = options;
    if (!dimension.takesWarmStart && start !== undefined)
      invalidInput('options.warmStart', start, 'undefined in the plane');
    const warmStart = start === undefined ? undefined : warmStartState(start, pairs.length / 2);
    const asked = { what: { query, leadStage, mprDepth, margin }, over: { ...over, warmStart } };
    return checkedRequest(asked, result, signal, check, algorithm === 'sat');
  });
}

/** Throws `INVALID_INPUT` unless SAT takes the shapes of all pairs. */
function expectSatPairs({ bodies, pairs, shapes: { shapes } }: BodyPairs, { satShapes }: Dimension): void {
  for (const body of pairs) {
    if (shapes[bodies.shapes[body]]?.takesSat) continue;
    const expected = `'auto', 'gjk' or 'mpr', as 'sat' is for ${satShapes}, of which body ${body} is none`;
    invalidInput('options.algorithm', 'sat', expected);
  }
}
