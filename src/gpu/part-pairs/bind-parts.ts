/** The kernels that find pairs of parts and join their answers, and the plans between them, bound to their buffers. */
import { FIRST_BOUND, LANES, LIST_HEADER, SWEEP_WORDS } from '../../generated/constants.ts';
import { layouts } from '../../generated/layouts.ts';
import { packRecord } from '../../records/record.ts';
import type { BatchRequest } from '../../request/backend.ts';
import { bindScan, blockTotalsSize, scanBlocks } from '../broad-phase/scan.ts';
import { sizeDispatches } from '../broad-phase/sized-dispatches.ts';
import type { BufferPool } from '../buffers.ts';
import { widthFor, type Dispatch, type KernelVariant } from '../kernels.ts';
import { bindSteps, LARGEST } from '../passes.ts';
import {
  queryScope,
  type InputBuffers,
  type PassBuffers,
  type PassContext,
  type PassOutput,
  type PassSizes,
  type QueryScope,
} from '../query-buffers.ts';
import type { Session } from '../session.ts';
import { SIMPLEX_BYTES } from '../simplices.ts';
import { batchPass, type Plan } from '../steps.ts';
import { PART_PAIR_BYTES, PROPOSAL_BYTES } from './limits.ts';

/** The search of a pair of bodies goes on at least to this many pairs of parts, even if there is less room. */
const LEAST_MOST_FOUND = 2 ** 22;

/** What each step writes is for the next one only. */
const NO_OUTPUT: PassOutput = { hitsOnly: false, hasCounts: false, gathersHits: false };

/** A buffer that is cleared before each use, or its first bytes. */
interface Cleared {
  buffer: GPUBuffer;
  size?: number;
}

export interface BoundParts {
  /** The dispatches that find the pairs of parts, and those that answer them and join the answers. */
  search: readonly Dispatch[];
  answer: readonly Dispatch[];
  cleared: readonly Cleared[];
  workLists: GPUBuffer | undefined;
  /** How many pairs of parts there was room for, and how many were left out; then the same for pairs of bodies. */
  partPairCount: GPUBuffer;
  /** If pairs of parts are listed: the pair of bodies of each. */
  pairOfParts: GPUBuffer;
  /** Of 64 bits: the number of all pairs of parts. */
  total: { buffer: GPUBuffer; offset: number };
}

/** Pairs of parts in the output. */
export interface ListedParts {
  capacity: number;
  /** Their buffer. */
  buffer(pool: BufferPool): GPUBuffer;
  /** A context whose uniform buffers start with their number. */
  context(context: PassContext): PassContext;
}

/** What binding needs of a batch. */
export interface PartsBinding {
  session: Session;
  request: BatchRequest;
  joinOf: () => KernelVariant;
  search: KernelVariant;
  probe: KernelVariant;
  sweep: KernelVariant;
  /** Levels of the deepest trees of two bodies together, at most. */
  levelsOf: () => number;
  isContact: boolean;
  /** Whether bodies move. */
  isMotion: boolean;
  /** Whether each pair of bodies has a bound for its pairs of parts. */
  hasBounds: boolean;
  capacity: number;
  listed: ListedParts;
  /** The context of kernels over pairs of parts. `prefix`: of the names of their buffers. */
  contextOfParts: (context: PassContext, prefix: string) => PassContext;
  parametersOf: (context: PassContext, of: PartPairSizes, isWriting: boolean) => GPUBuffer;
}

/** Sizes in the parameters of kernels over pairs of bodies that find or join pairs of parts. */
export interface PartPairSizes extends PassSizes {
  partPairCapacity: number;
  levels: number;
  gridWidth: number;
  hasBounds: boolean;
}

/** The parameters of `BatchParts.bind`. */
export interface BoundTo {
  context: PassContext;
  plan: Plan;
  sizes: PassSizes;
  pairs: PassBuffers['pairs'];
  output: QueryScope;
}

/** The dispatches of the plan over pairs of parts. */
function bindPlan(scope: QueryScope, capacity: number): readonly Dispatch[] {
  const { context, plan } = scope;
  return sizeDispatches(context, capacity, bindSteps(scope, batchPass(plan)));
}

export function bindParts(of: PartsBinding, { context, plan, sizes, pairs, output }: BoundTo): BoundParts {
  const { session, request, joinOf, search, probe, sweep, isContact, isMotion, hasBounds, capacity, listed } = of;
  const { contextOfParts, levelsOf } = of;
  const { device, kernels } = session;
  const { isWarm, maxPairs, listsParts } = request;
  const join = joinOf();
  const { pool } = context;
  const { buffers } = output;
  const own = makeBuffers(pool, maxPairs, capacity, hasBounds ? 1 : isMotion ? SWEEP_WORDS : 0);
  const simplices = isWarm && { simplices: pool.get('parts.simplices', SIMPLEX_BYTES * capacity) };
  const sizesOfParts = { ...sizes, pairCapacity: capacity, gatherCapacity: 0 };
  const { shapeRecords, geometry, poses, bodyShapes, velocities } = buffers;
  const hasProposals = isContact || plan.start !== undefined;
  const proposals = (isContact || isMotion) && {
    proposals: pool.get('parts.proposals', hasProposals ? PROPOSAL_BYTES * capacity : 0),
  };
  const ofBodies = { shapeRecords, geometry, poses, bodyShapes, velocities };
  const input = { ...ofBodies, pairs: own.partPairs, ...simplices, ...proposals };
  const start = plan.start && bindBeside(contextOfParts(context, 'start'), plan.start, sizesOfParts, input);
  // Manifolds come after the join.
  const ofStages = { ...plan, query: plan.stageQuery };
  const scope = queryScope(contextOfParts(context, 'parts'), ofStages, batchPass(plan), sizesOfParts, NO_OUTPUT, input);

  const pairOfParts = pool.get('parts.pairs of bodies', listsParts ? 4 * capacity : 0);
  const chosenParts = listsParts
    ? listed.buffer(pool)
    : pool.get('parts.chosen', isContact ? PART_PAIR_BYTES * maxPairs : 0);
  const named = {
    ...buffers,
    ...own,
    ...proposals,
    pairs,
    records: buffers.contacts ?? buffers.records,
    chosenParts,
    pairOfParts,
    partRecords: scope.buffers.records,
    // Without surfaces, nothing reads them.
    startRecords: start?.records ?? own.partPairs,
  } as Record<string, GPUBuffer>;
  // All these kernels have workgroups of the same size.
  const parameters = {
    ...sizes,
    partPairCapacity: capacity,
    levels: levelsOf(),
    gridWidth: widthFor(device, search.kernel, { pairs: maxPairs, each: 1 }),
    hasBounds,
  };
  const bind = (variant: KernelVariant, isWriting: boolean, others: Record<string, GPUBuffer> = {}): Dispatch => {
    const isByWorkgroup = variant === search ? kernels.adapter.stridesAll : variant === join && !hasBounds;
    const invocations = { pairs: maxPairs, each: isByWorkgroup ? LANES : 1 };
    const bound = { ...named, ...others, parameters: of.parametersOf(context, parameters, isWriting) };
    return kernels.bind(variant, bound, invocations, pool);
  };
  const { firstParts, partPairCount, blockTotals } = own;
  const probed = hasBounds ? bindProbed(context, plan, sizes, input) : undefined;
  const bounding = probed && [
    bind(probe, false, { probedParts: probed.pairs }),
    ...probed.dispatches,
    bind(join, false, { partRecords: probed.records, partPairs: probed.pairs }),
  ];
  return {
    search: [
      ...(bounding ?? []),
      ...(isMotion ? [bind(sweep, false)] : []),
      bind(search, false),
      ...bindScan(context, 'parts', firstParts, maxPairs, blockTotals),
      bind(search, true),
    ],
    answer: [
      ...(start?.dispatches ?? []),
      ...bindPlan(scope, capacity),
      bind(join, true),
      ...bindSteps({ ...output, buffers: { ...buffers, pairs: chosenParts } }, plan.joinedSteps ?? []),
    ],
    cleared: [
      { buffer: firstParts }, // Bounds and sweeps are written for each pair.
      { buffer: partPairCount, size: 4 * FIRST_BOUND },
      ...(probed?.cleared ?? []),
      ...(start?.cleared ?? []),
    ],
    workLists: scope.buffers.workLists,
    partPairCount,
    pairOfParts,
    total: { buffer: blockTotals, offset: 8 * scanBlocks(maxPairs) },
  };
}

/** A plan that runs beside that of the batch. */
interface BoundBeside {
  dispatches: readonly Dispatch[];
  records: GPUBuffer;
  cleared: readonly Cleared[];
}

function bindBeside(
  context: PassContext,
  plan: Plan,
  sizes: PassSizes,
  input: InputBuffers & Partial<Pick<PassBuffers, 'simplices' | 'proposals'>>,
): BoundBeside {
  const scope = queryScope(context, plan, batchPass(plan), { ...sizes, gatherCapacity: 0 }, NO_OUTPUT, input);
  const { records, workLists } = scope.buffers;
  const cleared = workLists ? [{ buffer: workLists, size: 4 * LIST_HEADER }] : [];
  return { dispatches: bindPlan(scope, sizes.pairCapacity), records, cleared };
}

/** The plan over the pair of parts of each pair of bodies that bounds its distance. */
function bindProbed(
  context: PassContext,
  plan: Plan,
  sizes: PassSizes,
  { simplices, ...input }: InputBuffers & Partial<Pick<PassBuffers, 'simplices'>>,
): BoundBeside & { pairs: GPUBuffer } {
  const { pairCapacity } = sizes;
  const own: PassContext = {
    ...context,
    pool: poolOf('probed', context.pool),
    uniform: (name, data) => context.uniform(`probed.${name}`, data),
  };
  const pairs = own.pool.get('pairs', PART_PAIR_BYTES * pairCapacity);
  const warm = simplices && { simplices: own.pool.get('simplices', SIMPLEX_BYTES * pairCapacity) };
  return { pairs, ...bindBeside(own, plan, sizes, { ...input, pairs, ...warm }) };
}

/**
 * The buffers between the kernels, for `maxPairs` pairs of bodies and `capacity` pairs of parts. The numbers of pairs of
 * parts precede the bounds or sweeps, which have `words` per pair of bodies.
 */
function makeBuffers(pool: BufferPool, maxPairs: number, capacity: number, words: number) {
  return {
    firstParts: pool.get('parts.first', 4 * (maxPairs + 1)),
    partPairs: pool.get('parts.pairs', PART_PAIR_BYTES * capacity),
    partPairCount: pool.get('parts.count', 4 * (FIRST_BOUND + words * maxPairs)),
    blockTotals: pool.get('parts.blockTotals', blockTotalsSize(maxPairs)),
  };
}

/** The name and the contents of the parameters. */
export function packedParameters(of: PartPairSizes, isWriting: boolean): [name: string, data: ArrayBuffer] {
  const { pairCount, pairCapacity, bodyCount, shapeCount, partPairCapacity, levels, gridWidth } = of;
  return [
    `parameters.partPairs.${isWriting ? 'write' : 'count'}`,
    packRecord(layouts.PartPairParameters, {
      pairCount,
      pairCapacity,
      bodyCount,
      shapeCount,
      partPairCapacity,
      mostFound: Math.max(LEAST_MOST_FOUND, partPairCapacity + 1),
      isWriting: Number(isWriting),
      levels,
      gridWidth,
      margin: Math.min(of.margin, LARGEST),
      hasBounds: Number(of.hasBounds),
      duration: Math.min(of.duration, LARGEST),
    }),
  ];
}

/** A pool with separate buffers for these pairs of parts. */
export function poolOf(prefix: string, pool: BufferPool): BufferPool {
  return {
    ...pool,
    get: (name, size, usage) => pool.get(`${prefix}.${name}`, size, usage),
    bindGroup: (name, resources, make) => pool.bindGroup(`${prefix}.${name}`, resources, make),
  };
}
