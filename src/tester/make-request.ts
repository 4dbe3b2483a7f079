/** Validates the arguments of a query and makes its request, which later changes of shapes don't affect. */
import type { QueryName } from '../api/queries.ts';
import { invalidInput } from '../api/errors.ts';
import type { Bodies, ContactOptions, ImpactOptions, MovingBodies } from '../api/types.ts';
import type { AnyVelocities } from '../records/bodies.ts';
import type { QueryRequest, ResultRequest } from '../request/backend.ts';
import type { Dimension } from '../request/dimension.ts';
import { resultFields } from '../request/fields.ts';
import {
  chooseImpactStage,
  chooseLeadStage,
  expectBoolean,
  expectMprDepth,
  expectResults,
  queryMargin,
  validateMotion,
  validateQuery,
} from '../request/validate.ts';
import { warmStartState } from '../request/warm-start.ts';
import { snapshotOf, type ShapeTable } from '../shapes/shape-table.ts';

/** The tester's shapes and dimension. */
export interface QueryScene {
  shapes: ShapeTable;
  dimension: Dimension;
}

/** Options as a query gets them. The types of `fields` and `target` depend on each other; they are checked at run time. */
export type Given<Options> = Omit<Options, 'fields' | 'target'> & { fields?: unknown; target?: unknown };

/** The part of a request that all queries have. */
function makeCommon(
  { shapes, dimension }: QueryScene,
  name: QueryName,
  given: Bodies,
  pairs: Uint32Array,
  options: Given<ContactOptions | ImpactOptions>,
) {
  const { results = 'all', margin, escalate: escalates, signal } = options;
  const bodies = validateQuery(given, pairs, shapes, dimension);
  expectResults(name, results);
  expectBoolean('options.escalate', escalates);
  return {
    query: name,
    dimension,
    bodies,
    pairs,
    shapes: snapshotOf(shapes, dimension),
    margin: queryMargin(name, margin),
    fields: resultFields(name, dimension.dimension, options),
    hitsOnly: results !== 'all',
    escalates,
    signal,
  } satisfies Partial<QueryRequest>;
}

/** Throws `INVALID_INPUT` unless impacts of these bodies can be found. */
export function makeImpactRequest(
  scene: QueryScene,
  given: MovingBodies,
  pairs: Uint32Array,
  options: Given<ImpactOptions>,
): ResultRequest {
  const common = makeCommon(scene, 'impacts', given, pairs, options);
  const { duration, algorithm = 'auto', results, stopAtPenetration } = options;
  return {
    ...common,
    leadStage: chooseImpactStage(algorithm),
    motion: validateMotion(
      given as AnyVelocities,
      duration,
      common.bodies.shapes.length,
      scene.dimension,
      stopAtPenetration,
    ),
    earliestOnly: results === 'earliest',
  };
}

/** Throws `INVALID_INPUT` unless the query can be answered. */
export function makeRequest(
  scene: QueryScene,
  name: QueryName,
  given: Bodies,
  pairs: Uint32Array,
  options: Given<ContactOptions>,
): ResultRequest {
  const { shapes, dimension } = scene;
  const common = makeCommon(scene, name, given, pairs, options);
  const { bodies } = common;
  const { algorithm = 'auto', mprDepth } = options;
  const leadStage = chooseLeadStage(name, algorithm);
  expectMprDepth(algorithm, mprDepth);
  if (algorithm === 'sat') {
    for (const body of pairs) {
      if (!shapes.shapes[bodies.shapes[body]]?.takesSat) {
        invalidInput(
          'options.algorithm',
          algorithm,
          `'auto', 'gjk' or 'mpr', as 'sat' is for ${dimension.satShapes}, of which body ${body} is none`,
        );
      }
    }
  }
  if (!dimension.takesWarmStart && options.warmStart !== undefined)
    invalidInput('options.warmStart', options.warmStart, 'undefined in the plane');
  return {
    ...common,
    leadStage,
    mprDepth,
    warmStart: options.warmStart === undefined ? undefined : warmStartState(options.warmStart, pairs.length / 2),
  };
}
