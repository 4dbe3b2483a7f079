/**
 * Compounds and meshes in a batch: pairs of bodies become pairs of parts, which the kernels of the plan answer, and their
 * answers become those of the bodies. All of it is recorded with the batch's other commands:
 *
 *     part-pairs/search      the number of pairs of parts of each pair of bodies
 *     broad-phase/scan-...   the first place of each pair's pairs of parts
 *     part-pairs/search      the pairs of parts, whole pairs of bodies as long as there is room
 *     the plan               as over pairs of bodies, with HAS_PARTS
 *     part-pairs/any, nearest, deepest   the record of each pair of bodies; contacts get their features after that
 *
 * For `distances`, the search begins with a bound for each pair of bodies: the distance of one pair of parts that are near
 * each other (part-pairs/probe, the plan, part-pairs/nearest).
 */
import { COUNTS_PAIRS, COUNTS_PART_PAIRS, LANES, LIST_HEADER } from '../../generated/constants.ts';
import { layouts } from '../../generated/layouts.ts';
import { packRecord } from '../../records/record.ts';
import type { QueryName } from '../../api/queries.ts';
import type { ShapeBase } from '../../shapes/shape-table.ts';
import type { BatchRequest } from '../../request/backend.ts';
import type { BatchTables } from '../batch-tables.ts';
import { bindScan, blockTotalsSize, scanBlocks } from '../broad-phase/scan.ts';
import { SIZE_DISPATCHES, sizeDispatches } from '../broad-phase/sized-dispatches.ts';
import { SCAN } from '../broad-phase/variants.ts';
import type { BufferPool } from '../buffers.ts';
import { encodePass } from '../encode-query.ts';
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
import type { PlanForm } from '../planner.ts';
import { batchPass, type Plan } from '../steps.ts';
import { PART_PAIR_BYTES, PROPOSAL_BYTES } from './limits.ts';
import { withJoinedSteps } from './joined-steps.ts';
import { createPartTables, type PartTables } from './part-tables.ts';
import { deepestTree } from './part-trees.ts';

/** The search of a pair of bodies goes on at least to this many pairs of parts, even if there is less room. */
const LEAST_MOST_FOUND = 2 ** 22;

const SEARCH = { kernel: 'part-pairs/search' } as const satisfies KernelVariant;
const PROBE = { kernel: 'part-pairs/probe' } as const satisfies KernelVariant;
/** The kernels that join the answers of pairs of parts. */
const JOINS = {
  intersects: { kernel: 'part-pairs/any' },
  distances: { kernel: 'part-pairs/nearest' },
  contacts: { kernel: 'part-pairs/deepest' },
  manifolds: { kernel: 'part-pairs/deepest' },
} as const satisfies Partial<Record<QueryName, KernelVariant>>;

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

export interface BatchParts {
  /** The kernels besides those of the plan. */
  readonly variants: readonly KernelVariant[];
  readonly tables: PartTables;
  withJoinedSteps(plan: Plan, form: PlanForm, shapes: readonly ShapeBase[]): Plan;
  /** For what runs over the pairs of parts in the output, if the batch lists these. */
  readonly listed: ListedParts;
  /**
   * `context` and `sizes` are those of the pairs of bodies, and `pairs` are these. `output`: of the pairs that the output has.
   */
  bind(context: PassContext, plan: Plan, sizes: PassSizes, pairs: PassBuffers['pairs'], output: QueryScope): BoundParts;
  /** Records the search. */
  encodeSearch(encoder: GPUCommandEncoder, bound: BoundParts): void;
  /** Records the copies of the numbers of pairs of parts to the counts of the batch. */
  encodeCounts(encoder: GPUCommandEncoder, bound: BoundParts, counts: GPUBuffer): void;
}

export async function createBatchParts(
  session: Session,
  request: BatchRequest,
  tables: Pick<BatchTables, 'uniform'>,
): Promise<BatchParts> {
  const { listsParts } = request;
  const joins: KernelVariant = JOINS[request.name as keyof typeof JOINS];
  let hasSolids = false;
  const joinOf = (): KernelVariant => ({
    ...joins,
    constants: { ...(listsParts && { LISTS_PARTS: 1 }), ...(hasSolids && { HAS_SOLIDS: 1 }) },
  });
  const isContact = request.name === 'contacts' || request.name === 'manifolds';
  const hasBounds = request.name === 'distances';
  const shapeTables = createPartTables(request, isContact ? await request.loadSurfaces() : undefined);
  const capacity = request.maxPartPairs!;
  /** Uniform buffers of kernels over pairs of parts, which start with the number of these. */
  const uniforms = new Map<string, GPUBuffer>();

  const listed: ListedParts = {
    capacity,
    buffer: (pool) => pool.get('parts.listed', PART_PAIR_BYTES * capacity),
    context: (context) => ({ ...context, uniform: uniformOf('listed') }),
  };

  /** Uniform buffers that start with the number of pairs of parts. */
  function uniformOf(prefix: string): PassContext['uniform'] {
    return (name, data) => {
      const buffer = tables.uniform(`${prefix}.${name}`, data);
      uniforms.set(`${prefix}.${name}`, buffer);
      return buffer;
    };
  }

  /** The context of kernels over pairs of parts. */
  const contextOfParts = (context: PassContext): PassContext => ({
    ...context,
    pool: poolOf('parts', context.pool),
    uniform: uniformOf('parts'),
  });

  const binding = { session, request, joinOf, isContact, hasBounds, capacity, listed, contextOfParts };

  return {
    get variants() {
      return [SEARCH, ...(hasBounds ? [PROBE] : []), ...SCAN, joinOf(), SIZE_DISPATCHES];
    },

    tables: shapeTables,
    withJoinedSteps(plan, form, shapes) {
      // A plan stays valid when shapes are removed.
      hasSolids ||= shapeTables.haveSolids(request.shapes.shapes);
      return withJoinedSteps(plan, form, shapes, hasSolids);
    },
    listed,

    bind: (context, plan, sizes, pairs, output) => bindParts(binding, { context, plan, sizes, pairs, output }),

    encodeSearch(encoder, { search, cleared, partPairCount }) {
      for (const { buffer, size } of cleared) encoder.clearBuffer(buffer, 0, size);
      encodePass(encoder, search, { label: 'batch.partPairs' });
      for (const buffer of uniforms.values()) encoder.copyBufferToBuffer(partPairCount, 0, buffer, 0, 4);
    },

    encodeCounts(encoder, { total, partPairCount }, counts) {
      if (listsParts) encoder.copyBufferToBuffer(partPairCount, 8, counts, 4 * COUNTS_PAIRS, 8);
      encoder.copyBufferToBuffer(total.buffer, total.offset, counts, 4 * COUNTS_PART_PAIRS, 8);
      encoder.copyBufferToBuffer(partPairCount, 4, counts, 4 * (COUNTS_PART_PAIRS + 2), 4);
    },
  };
}

/** What binding needs of a batch. */
interface PartsBinding {
  session: Session;
  request: BatchRequest;
  joinOf: () => KernelVariant;
  isContact: boolean;
  /** Whether each pair of bodies has a bound for its pairs of parts. */
  hasBounds: boolean;
  capacity: number;
  listed: ListedParts;
  contextOfParts: (context: PassContext) => PassContext;
}

/** The parameters of `BatchParts.bind`. */
interface BoundTo {
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

function bindParts(
  { session, request, joinOf, isContact, hasBounds, capacity, listed, contextOfParts }: PartsBinding,
  { context, plan, sizes, pairs, output }: BoundTo,
): BoundParts {
  const { device, kernels } = session;
  const { isWarm, maxPairs, listsParts } = request;
  const join = joinOf();
  const { pool } = context;
  const { buffers } = output;
  const own = makeBuffers(pool, maxPairs, capacity, hasBounds);
  const simplices = isWarm && { simplices: pool.get('parts.simplices', SIMPLEX_BYTES * capacity) };
  const sizesOfParts = { ...sizes, pairCapacity: capacity, gatherCapacity: 0 };
  const { shapeRecords, geometry, poses, bodyShapes } = buffers;
  const proposals = isContact ? { proposals: pool.get('parts.proposals', PROPOSAL_BYTES * capacity) } : {};
  const input = { shapeRecords, geometry, poses, bodyShapes, pairs: own.partPairs, ...simplices, ...proposals };
  // Manifolds come after the join.
  const ofStages = { ...plan, query: plan.stageQuery };
  const scope = queryScope(contextOfParts(context), ofStages, batchPass(plan), sizesOfParts, NO_OUTPUT, input);

  const pairOfParts = pool.get('parts.pairs of bodies', listsParts ? 4 * capacity : 0);
  const chosenParts = listsParts
    ? listed.buffer(pool)
    : pool.get('parts.chosen', isContact ? PART_PAIR_BYTES * maxPairs : 0);
  const records = buffers.contacts ?? buffers.records;
  const named = {
    ...buffers,
    ...own,
    ...proposals,
    pairs,
    records,
    chosenParts,
    pairOfParts,
    partRecords: scope.buffers.records,
  } as Record<string, GPUBuffer>;
  const levels = 2 * deepestTree(request.shapes.shapes);
  // All these kernels have workgroups of the same size.
  const gridWidth = widthFor(device, SEARCH.kernel, { pairs: maxPairs, each: 1 });
  const bind = (variant: KernelVariant, isWriting: boolean, others: Record<string, GPUBuffer> = {}): Dispatch => {
    const isByWorkgroup = variant === SEARCH ? kernels.adapter.stridesAll : variant === join && !hasBounds;
    const invocations = { pairs: maxPairs, each: isByWorkgroup ? LANES : 1 };
    const parameters = context.uniform(
      ...parametersOf({ ...sizes, levels, gridWidth, hasBounds }, capacity, isWriting),
    );
    return kernels.bind(variant, { ...named, ...others, parameters }, invocations, pool);
  };
  const { firstParts, partPairCount, blockTotals } = own;
  const probed = hasBounds ? bindProbed(context, plan, sizes, input) : undefined;
  const bounding = probed && [
    bind(PROBE, false, { probedParts: probed.pairs }),
    ...probed.dispatches,
    bind(join, false, { partRecords: probed.records, partPairs: probed.pairs }),
  ];
  return {
    search: [
      ...(bounding ?? []),
      bind(SEARCH, false),
      ...bindScan(context, 'parts', firstParts, maxPairs, blockTotals),
      bind(SEARCH, true),
    ],
    answer: [
      ...bindPlan(scope, capacity),
      bind(join, true),
      ...bindSteps({ ...output, buffers: { ...buffers, pairs: chosenParts } }, plan.joinedSteps ?? []),
    ],
    cleared: [{ buffer: firstParts }, { buffer: partPairCount }, ...(probed?.cleared ?? [])],
    workLists: scope.buffers.workLists,
    partPairCount,
    pairOfParts,
    total: { buffer: blockTotals, offset: 8 * scanBlocks(maxPairs) },
  };
}

/** The plan over the pair of parts of each pair of bodies that bounds its distance. */
function bindProbed(
  context: PassContext,
  plan: Plan,
  sizes: PassSizes,
  { simplices, ...input }: InputBuffers & Partial<Pick<PassBuffers, 'simplices'>>,
): { pairs: GPUBuffer; dispatches: readonly Dispatch[]; records: GPUBuffer; cleared: readonly Cleared[] } {
  const { pairCapacity } = sizes;
  const own: PassContext = {
    ...context,
    pool: poolOf('probed', context.pool),
    uniform: (name, data) => context.uniform(`probed.${name}`, data),
  };
  const pairs = own.pool.get('pairs', PART_PAIR_BYTES * pairCapacity);
  const warm = simplices && { simplices: own.pool.get('simplices', SIMPLEX_BYTES * pairCapacity) };
  const sizesOfProbed = { ...sizes, gatherCapacity: 0 };
  const scope = queryScope(own, plan, batchPass(plan), sizesOfProbed, NO_OUTPUT, { ...input, pairs, ...warm });
  const { records, workLists } = scope.buffers;
  const cleared = workLists ? [{ buffer: workLists, size: 4 * LIST_HEADER }] : [];
  return { pairs, dispatches: bindPlan(scope, pairCapacity), records: records!, cleared };
}

/**
 * The buffers between the kernels, for `maxPairs` pairs of bodies and `capacity` pairs of parts. The numbers of pairs of
 * parts precede the bounds, if there are any.
 */
function makeBuffers(pool: BufferPool, maxPairs: number, capacity: number, hasBounds: boolean) {
  return {
    firstParts: pool.get('parts.first', 4 * (maxPairs + 1)),
    partPairs: pool.get('parts.pairs', PART_PAIR_BYTES * capacity),
    partPairCount: pool.get('parts.count', 16 + (hasBounds ? 4 * maxPairs : 0)),
    blockTotals: pool.get('parts.blockTotals', blockTotalsSize(maxPairs)),
  };
}

/** The name and the contents of the parameters of kernels over pairs of bodies that find or join pairs of parts. */
function parametersOf(
  {
    pairCount,
    pairCapacity,
    bodyCount,
    shapeCount,
    margin,
    levels,
    gridWidth,
    hasBounds,
  }: PassSizes & { levels: number; gridWidth: number; hasBounds: boolean },
  partPairCapacity: number,
  isWriting: boolean,
): [name: string, data: ArrayBuffer] {
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
      margin: Math.min(margin, LARGEST),
      hasBounds: Number(hasBounds),
    }),
  ];
}

/** A pool with separate buffers for these pairs of parts. */
function poolOf(prefix: string, pool: BufferPool): BufferPool {
  return {
    ...pool,
    get: (name, size, usage) => pool.get(`${prefix}.${name}`, size, usage),
    bindGroup: (name, resources, make) => pool.bindGroup(`${prefix}.${name}`, resources, make),
  };
}
