/**
 * The broad phase of few bodies: the dispatches that test all pairs of bodies, on the buffers of a pool.
 *
 *     bounds         the box of each body, or that it is a half-space, or invalid
 *     gather-bodies  all that a test of two bodies needs, by body
 *     all-pairs      the number of each owner's pairs; the owner of a pair is the body with the lower index
 *     scan-...       the first place of each owner's pairs
 *     all-pairs      the pairs, in ascending order
 */
import { STATE_WORDS } from '../../generated/constants.ts';
import { layouts } from '../../generated/layouts.ts';
import { createBinder } from './binder.ts';
import type { BoundBroadPhase, BroadPhaseContext, BroadPhaseInput, BroadPhaseSizes } from './context.ts';
import { bindScan, blockTotalsSize, scanBlocks } from './scan.ts';
import { variantsOf, type BroadPhaseForm } from './variants.ts';

/** As `bindGrid`. */
export function bindAllPairs(
  context: BroadPhaseContext,
  form: BroadPhaseForm,
  sizes: BroadPhaseSizes,
  input: BroadPhaseInput,
  foundPairs: GPUBuffer,
): BoundBroadPhase {
  const { bodyCapacity } = sizes;
  const get = (name: string, bytes: number): GPUBuffer => context.pool.get(`allPairs.${name}`, bytes);
  const own = {
    bodies: get('bodies', layouts.GridBody.size * bodyCapacity),
    outerBoxes: get('outerBoxes', layouts.OuterBox.size * bodyCapacity),
    bounds: get('bounds', layouts.Bound.size * bodyCapacity),
    state: get('state', 4 * STATE_WORDS),
    owners: get('owners', 4 * (bodyCapacity + 1)),
    blockTotals: get('blockTotals', blockTotalsSize(bodyCapacity)),
    mostTests: get('mostTests', 4),
  };
  const { bind, parametersOf } = createBinder(context, sizes, input, { ...own, foundPairs });
  const { bounds, gathering, allPairs } = variantsOf(form);
  return {
    state: own.state,
    cleared: [own.state, own.owners],
    total: { buffer: own.blockTotals, offset: 8 * scanBlocks(bodyCapacity), size: 8 },
    mostTests: { buffer: own.mostTests, offset: 0, size: 4 },
    ordering: [bind(bounds), bind(gathering)],
    weigh: () => [],
    search: (isWriting, range) =>
      bind(allPairs, range.count, parametersOf(isWriting ? 'write' : 'count', range, { isWriting: Number(isWriting) })),
    summing: bindScan(context, 'pairs', own.owners, bodyCapacity, own.blockTotals),
    storing: [],
    sorting: [],
  };
}
