/** Validation of the options of `createBatch`. */
import type { BatchMotion, BatchRequest } from './backend.ts';
import type { BatchQuery } from '../api/batch-options.ts';
import { invalidInput } from '../api/errors.ts';
import {
  expectDuration,
  expectMprDepth,
  expectResults,
  chooseLeadStage,
  chooseImpactStage,
  passesParting,
  queryMargin,
} from './validate.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import type { Dimension } from './dimension.ts';
import { residentState, type ResidentState } from './resident.ts';
import type { Algorithm } from '../api/types.ts';
import { expectKnown } from '../util/known.ts';
import { makeBatchPairs } from './batch-pairs.ts';
import { expectBuffer } from './expect-buffer.ts';
import { BATCH_OPTIONS, type AnyBatchOptions } from './options.ts';
import { makeRayBuffers } from './ray-batch.ts';

const QUERIES: readonly string[] = [
  'intersects',
  'distances',
  'contacts',
  'manifolds',
  'impacts',
  'rayCasts',
  'pairs',
] satisfies BatchQuery[];

function isBatchQuery(query: unknown): query is BatchQuery {
  return QUERIES.includes(query as string);
}

/** Invocations in a workgroup of the caller's pass over the output. */
const DEFAULT_WORKGROUP_SIZE = 64;

export function makeBatchRequest(
  options: AnyBatchOptions,
  shapes: ShapeTable,
  dimension: Dimension,
  owner?: object,
): Omit<BatchRequest, 'loadSurfaces' | 'onDispose'> {
  if (typeof options !== 'object' || options === null)
    invalidInput('options', options, '{ query, maxBodies, maxPairs }');
  expectKnown(options, 'options', BATCH_OPTIONS);
  const resident = residentOf(options, owner);
  const {
    query: asked,
    maxBodies = resident?.arrays.shapes.length,
    maxPairs,
    maxHits = maxPairs,
    workgroupSize = DEFAULT_WORKGROUP_SIZE,
    algorithm = 'auto',
    mprDepth,
    results = 'all',
    warmStart = false,
  } = options;
  const rayCasts = makeRayBuffers(options, dimension);
  if (!isBatchQuery(asked))
    invalidInput(
      'options.query',
      asked,
      "'intersects', 'distances', 'contacts', 'manifolds', 'impacts', 'rayCasts' or 'pairs'",
    );
  const query = asked === 'pairs' ? 'intersects' : asked === 'rayCasts' ? 'impacts' : asked;
  expectCount('options.maxBodies', maxBodies);
  if (resident && maxBodies < resident.arrays.shapes.length) {
    const expected = `at least ${resident.arrays.shapes.length}, the number of options.bodies`;
    invalidInput('options.maxBodies', maxBodies, expected);
  }
  expectCount('options.maxPairs', maxPairs);
  expectCount('options.maxHits', maxHits);
  const motion = motionOf(options);
  expectPartCount(options);
  const listsParts = expectParts(options);
  expectCount('options.workgroupSize', workgroupSize);
  const isMotion = query === 'impacts';
  expectResults(query, results);
  if (typeof warmStart !== 'boolean') invalidInput('options.warmStart', warmStart, 'a boolean');
  if (warmStart && !dimension.takesWarmStart) invalidInput('options.warmStart', warmStart, 'undefined in the plane');
  const margin = queryMargin(query, options.margin);
  const leadStage = isMotion ? chooseImpactStage(algorithm) : chooseLeadStage(query, algorithm as Algorithm);
  const stageAlgorithm = isMotion ? 'auto' : (algorithm as Algorithm);
  expectMprDepth(stageAlgorithm, mprDepth);
  expectSatShapes(stageAlgorithm, shapes, dimension);
  expectBuffer('options.poses', options.poses, 4 * dimension.poseWords * maxBodies, 'STORAGE');
  expectBuffer('options.shapes', options.shapes, 4 * maxBodies, 'STORAGE');
  expectBuffer('options.pairs', options.pairs, 8 * maxPairs, 'STORAGE');
  expectBuffer('options.pairCount', options.pairCount, 4, 'COPY_SRC');
  expectBuffer('options.velocities', options.velocities, 4 * dimension.velocityWords * maxBodies, 'STORAGE');
  const { poses, shapes: shapeIds, pairs, pairCount, velocities } = options;
  return {
    what: { query, leadStage, mprDepth, margin },
    name: asked,
    dimension,
    resident,
    maxBodies,
    maxPairs,
    maxPartPairs: options.maxPartPairs,
    listsParts,
    maxHits: listsParts ? (options.maxHits ?? Infinity) : Math.min(maxHits, maxPairs),
    workgroupSize,
    shapes,
    algorithm: stageAlgorithm,
    slots: results,
    rayCasts,
    motion,
    isWarm: warmStart,
    poses,
    shapeIds,
    pairs,
    pairCount,
    velocities,
    ...makeBatchPairs(options, maxBodies, margin),
  };
}

/** Whether bodies of a batch may be compounds and meshes. Their manifolds are those of pairs of parts. */
export function takesParts({ name, listsParts }: Pick<BatchRequest, 'name' | 'listsParts'>): boolean {
  return name === 'manifolds' ? listsParts : name !== 'pairs' && name !== 'rayCasts';
}

/** Throws `INVALID_INPUT` unless the batch can have this many pairs of parts, or says nothing about them. */
function expectPartCount({ query, maxPartPairs, parts }: AnyBatchOptions): void {
  if (maxPartPairs === undefined) return;
  const listsParts = parts === 'all';
  if (!takesParts({ name: query!, listsParts }))
    invalidInput(
      'options.maxPartPairs',
      maxPartPairs,
      query === 'manifolds' ? "undefined, or options.parts: 'all' too" : `undefined for ${query}`,
    );
  expectCount('options.maxPartPairs', maxPartPairs);
}

/** Whether the batch lists pairs of parts. Throws `INVALID_INPUT` for a wrong option, or where it can't. */
function expectParts({ query, parts, results }: AnyBatchOptions): boolean {
  if (parts === undefined) return false;
  if (query !== 'contacts' && query !== 'manifolds') invalidInput('options.parts', parts, `undefined for ${query}`);
  if (parts !== 'all') invalidInput('options.parts', parts, "'all'");
  if (results !== 'hits') invalidInput('options.results', results, "'hits', as there are options.parts");
  return true;
}

/** The state behind `options.bodies`. `owner` is whose handles are taken. */
function residentOf({ bodies, poses, shapes }: AnyBatchOptions, owner: object | undefined): ResidentState | undefined {
  if (bodies === undefined) return undefined;
  for (const [name, buffer] of Object.entries({ poses, shapes })) {
    if (buffer !== undefined) invalidInput(`options.${name}`, buffer, 'undefined, as there are options.bodies');
  }
  const resident = owner && residentState('options.bodies', bodies, owner);
  return resident ?? invalidInput('options.bodies', bodies, 'bodies that createBodies of this tester gave');
}

/** The motion of a batch of impacts. */
function motionOf({
  query,
  duration,
  turning = false,
  stopAtPenetration,
  velocities,
  warmStart,
}: AnyBatchOptions): BatchMotion | undefined {
  // A batch of pairs has a motion if it has a duration.
  if (query === 'rayCasts') return undefined;
  if (query !== 'impacts' && !(query === 'pairs' && duration !== undefined)) {
    for (const [name, value] of Object.entries({
      duration,
      velocities,
      turning: turning || undefined,
      stopAtPenetration,
    })) {
      if (value !== undefined) invalidInput(`options.${name}`, value, `undefined for ${query}`);
    }
    return undefined;
  }
  if (query === 'pairs' && stopAtPenetration !== undefined)
    invalidInput('options.stopAtPenetration', stopAtPenetration, 'undefined for pairs');
  if (typeof turning !== 'boolean') invalidInput('options.turning', turning, 'a boolean');
  if (warmStart) invalidInput('options.warmStart', warmStart, 'undefined for impacts');
  expectDuration('options.duration', duration);
  return { duration, isRotating: turning, passesParting: passesParting(stopAtPenetration) };
}

/** Throws `INVALID_INPUT` if the algorithm is `'sat'` and the table has shapes that SAT does not take. */
export function expectSatShapes(algorithm: Algorithm, { shapes }: ShapeTable, { satShapes }: Dimension): void {
  if (algorithm === 'sat' && !shapes.every((shape) => shape === undefined || shape.takesSat)) {
    invalidInput(
      'options.algorithm',
      algorithm,
      `'auto', 'gjk' or 'mpr', as the tester has shapes that are not ${satShapes}`,
    );
  }
}

function expectCount(field: string, value: unknown): asserts value is number {
  if (!(Number.isInteger(value) && (value as number) > 0 && (value as number) < 2 ** 32))
    invalidInput(field, value, 'a whole number from 1 up');
}
