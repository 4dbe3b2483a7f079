/** Validation of the options of `createBatch` that say how pairs are found. */
import { invalidInput } from '../api/errors.ts';
import { expectKnown } from '../util/known.ts';
import type { BatchRequest } from './backend.ts';
import { expectBuffer } from './expect-buffer.ts';
import { BROAD_PHASE_OPTIONS, type AnyBatchOptions } from './options.ts';

/** Options of queries that the broad phase alone does not have. */
const OF_QUERIES = ['algorithm', 'mprDepth', 'results', 'maxHits', 'warmStart'] as const;

/** `margin` is the margin of the query. */
export function makeBatchPairs(
  options: AnyBatchOptions,
  maxBodies: number,
  margin: number,
): Pick<BatchRequest, 'broadPhase' | 'isPairsOnly' | 'bodyCount' | 'groups' | 'fixed'> {
  const { query, bodyCount, groups, fixed } = options;
  const isPairsOnly = query === 'pairs';
  const { broadPhase = isPairsOnly || query === 'rayCasts' ? true : undefined } = options;
  if (broadPhase === undefined) {
    refuse(options, ['bodyCount', 'groups', 'fixed'], 'undefined without options.broadPhase');
    return {};
  }
  refuse(options, ['pairs', 'pairCount'], 'undefined, as options.broadPhase finds the pairs');
  if (isPairsOnly) refuse(options, OF_QUERIES, 'undefined for pairs');
  if (broadPhase !== true && (typeof broadPhase !== 'object' || broadPhase === null))
    invalidInput('options.broadPhase', broadPhase, 'true or { margin? }');
  const given = broadPhase === true ? {} : broadPhase;
  expectKnown(given, 'options.broadPhase', BROAD_PHASE_OPTIONS);
  const { margin: gap = margin < Infinity ? margin : 0 } = given;
  if (!(typeof gap === 'number' && gap >= 0 && gap < Infinity))
    invalidInput('options.broadPhase.margin', gap, 'a finite number of at least 0');
  expectBuffer('options.bodyCount', bodyCount, 4, 'COPY_SRC');
  expectBuffer('options.groups', groups, 4 * maxBodies, 'STORAGE');
  expectBuffer('options.fixed', fixed, 4 * maxBodies, 'STORAGE');
  return { broadPhase: { margin: gap }, isPairsOnly, bodyCount, groups, fixed };
}

function refuse(options: AnyBatchOptions, names: readonly (keyof AnyBatchOptions)[], expected: string): void {
  for (const name of names) if (options[name] !== undefined) invalidInput(`options.${name}`, options[name], expected);
}
