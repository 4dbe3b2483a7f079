/** Validation of the options of `prepare`. */
import type { PrepareOptions } from '../api/prepare.ts';
import { invalidInput } from '../api/errors.ts';
import type { QueryName } from '../api/queries.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import type { PrepareRequest } from './backend.ts';
import { makeBatchRequest } from './batch-request.ts';
import type { Dimension } from './dimension.ts';

/** `shapes` are the shapes that pairs may have. */
export function makePrepareRequest(options: PrepareOptions, shapes: ShapeTable, dimension: Dimension): PrepareRequest {
  if (typeof options !== 'object' || options === null) invalidInput('options', options, '{ query }');
  const { query, float64Positions = false, escalate = false, ...others } = options;
  for (const [name, value] of Object.entries({ float64Positions, escalate })) {
    if (typeof value !== 'boolean') invalidInput(`options.${name}`, value, 'a boolean');
  }
  const duration = query === 'impacts' ? 0 : undefined;
  const request = makeBatchRequest(
    { ...others, query: query as QueryName, duration, maxBodies: 1, maxPairs: 1 },
    shapes,
    dimension,
  );
  const { leadStage, mprDepth, margin, isWarm, motion, hitsOnly, earliestOnly } = request;
  return {
    query: request.query,
    dimension,
    leadStage,
    mprDepth,
    margin,
    isWarm,
    motion,
    hitsOnly,
    earliestOnly,
    escalates: escalate,
    hasFixedPoint: float64Positions,
    takesArrays: !escalate && !earliestOnly,
    shapes: shapes.shapes,
  };
}
