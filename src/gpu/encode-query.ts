/**
 * The commands of a query or a batch, in order: the steps of the plan, the choice of first impacts, the list of the
 * hits, the counts, and the records of the hits.
 */
import { LIST_HEADER } from '../generated/constants.ts';
import { record, type Dispatch } from './kernels.ts';
import { bindEarliest, bindGather, bindHitList, bindSteps, bindCounts } from './passes.ts';
import type { PassBuffers, QueryScope } from './query-buffers.ts';
import type { Step } from './steps.ts';

/** All dispatches of a pass. Hits are gathered only if the scope has a buffer for their records. */
export function bindQuery(scope: QueryScope, steps: readonly Step[]): Dispatch[] {
  const { context, plan, sizes, buffers, output } = scope;
  return [
    ...bindSteps(scope, steps),
    ...(output.earliest ? bindEarliest(context, output.earliest, sizes, buffers) : []),
    ...(output.hitsOnly ? bindHitList(context, plan, sizes, buffers) : []),
    ...(output.hasCounts ? bindCounts(context, plan, sizes, buffers) : []),
    ...bindGathering(scope),
  ];
}

/** The dispatches after the hits are listed and counted. */
export function bindGathering({ context, plan, sizes, buffers }: QueryScope): Dispatch[] {
  return buffers.gathered ? bindGather(context, plan, sizes, buffers) : [];
}

/**
 * Records the dispatches of `bindQuery`, which may be recorded any number of times. A pass that goes on with the work
 * lists of an earlier one does not name them.
 */
export function encodeQuery(
  encoder: GPUCommandEncoder,
  buffers: Pick<PassBuffers, 'counts' | 'firstImpacts' | 'workLists'>,
  dispatches: readonly Dispatch[],
  descriptor: GPUComputePassDescriptor,
): void {
  const { counts, firstImpacts, workLists } = buffers;
  if (counts) encoder.clearBuffer(counts);
  if (firstImpacts) encoder.clearBuffer(firstImpacts);
  if (workLists) encoder.clearBuffer(workLists, 0, 4 * LIST_HEADER);
  encodePass(encoder, dispatches, descriptor);
}

export function encodePass(
  encoder: GPUCommandEncoder,
  dispatches: readonly Dispatch[],
  descriptor: GPUComputePassDescriptor,
): void {
  const pass = encoder.beginComputePass(descriptor);
  record(pass, dispatches);
  pass.end();
}
