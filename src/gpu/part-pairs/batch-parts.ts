/**
 * Compounds and meshes in a batch: pairs of bodies become pairs of parts, which the kernels of the plan answer, and their
 * answers become those of the bodies. All of it is recorded with the batch's other commands:
 *
 *     part-pairs/search      the number of pairs of parts of each pair of bodies
 *     broad-phase/scan-...   the first place of each pair's pairs of parts
 *     part-pairs/search      the pairs of parts, whole pairs of bodies as long as there is room
 *     the plan               as over pairs of bodies, with HAS_PARTS
 *     part-pairs/any, nearest, deepest, first-impact
 *                            the record of each pair of bodies; contacts get their features after that
 *
 * For `distances`, the search begins with a bound for each pair of bodies: the distance of one pair of parts that are near
 * each other (part-pairs/probe, the plan, part-pairs/nearest). For `impacts`, it begins with the motion of each pair of
 * bodies (part-pairs/sweep). With surfaces, a plan of `contacts` at the start runs before that of the impacts.
 */
import { COUNTS_PAIRS, COUNTS_PART_PAIRS } from '../../generated/constants.ts';
import { layouts } from '../../generated/layouts.ts';
import type { QueryName } from '../../api/queries.ts';
import type { ShapeBase } from '../../shapes/shape-table.ts';
import type { BatchRequest } from '../../request/backend.ts';
import type { BatchTables } from '../batch-tables.ts';
import { SIZE_DISPATCHES } from '../broad-phase/sized-dispatches.ts';
import { SCAN } from '../broad-phase/variants.ts';
import { writeBuffer } from '../buffers.ts';
import { encodePass } from '../encode-query.ts';
import type { KernelName } from '../../generated/kernel-table.ts';
import type { KernelVariant } from '../kernels.ts';
import { LARGEST, PAIR_PARAMETERS } from '../passes.ts';
import type { PassBuffers, PassContext, PassSizes, QueryScope } from '../query-buffers.ts';
import type { Session } from '../session.ts';
import type { PlanForm } from '../planner.ts';
import type { Plan } from '../steps.ts';
import {
  bindParts,
  packedParameters,
  poolOf,
  type BoundParts,
  type ListedParts,
  type PartsBinding,
} from './bind-parts.ts';
import { PART_PAIR_BYTES } from './limits.ts';
import { planParts } from './joined-steps.ts';
import { planPlanarParts } from './planar-joined-steps.ts';
import { createPartTables, type PartTables } from './part-tables.ts';
import { createPlanarPartTables } from './planar-part-tables.ts';

/** The kernels that find pairs of parts, and that join their answers. */
interface PartKernels {
  search: KernelName;
  probe: KernelName;
  sweep: KernelName;
  joins: Readonly<Partial<Record<QueryName, KernelName>>>;
}

const KERNELS: Readonly<Record<2 | 3, PartKernels>> = {
  2: {
    search: 'part-pairs/planar-search',
    probe: 'part-pairs/planar-probe',
    sweep: 'part-pairs/planar-sweep',
    joins: {
      intersects: 'part-pairs/any',
      distances: 'part-pairs/planar-nearest',
      contacts: 'part-pairs/planar-deepest',
      manifolds: 'part-pairs/planar-deepest',
      impacts: 'part-pairs/planar-first-impact',
    },
  },
  3: {
    search: 'part-pairs/search',
    probe: 'part-pairs/probe',
    sweep: 'part-pairs/sweep',
    joins: {
      intersects: 'part-pairs/any',
      distances: 'part-pairs/nearest',
      contacts: 'part-pairs/deepest',
      manifolds: 'part-pairs/deepest',
      impacts: 'part-pairs/first-impact',
    },
  },
};

export interface BatchParts {
  /** The kernels besides those of the plan. */
  readonly variants: readonly KernelVariant[];
  readonly tables: PartTables;
  /** The plan over pairs of parts. `planFor` makes plans for the shapes. */
  plan(form: PlanForm, shapes: readonly ShapeBase[], planFor: (form: PlanForm) => Plan): Plan;
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
  setDuration(seconds: number): void;
}

export async function createBatchParts(
  session: Session,
  request: BatchRequest,
  tables: Pick<BatchTables, 'uniform'>,
): Promise<BatchParts> {
  const { listsParts, name: query } = request;
  const { dimension } = request.dimension;
  const kernels = KERNELS[dimension];
  let hasSurfaces = false;
  let hasSolids = false;
  const joinOf = (): KernelVariant => ({
    kernel: kernels.joins[query as QueryName]!,
    constants: {
      ...(listsParts && { LISTS_PARTS: 1 }),
      ...(hasSolids && { HAS_SOLIDS: 1 }),
      ...(query === 'impacts' && hasSurfaces && { HAS_SURFACES: 1 }),
      ...(request.motion?.passesParting && { PASSES_PARTING: 1 }),
    },
  });
  const isContact = query === 'contacts' || query === 'manifolds';
  const isMotion = query === 'impacts';
  const hasBounds = query === 'distances';
  const surfaces = isContact || isMotion ? await request.loadSurfaces() : undefined;
  const shapeTables = (dimension === 2 ? createPlanarPartTables : createPartTables)(request, surfaces);
  const capacity = request.maxPartPairs!;
  const rotating = { ...(request.motion?.isRotating && { IS_ROTATING: 1 }) };
  const moving = { ...(isMotion && { HAS_MOTION: 1 }), ...rotating };
  const search: KernelVariant = { kernel: kernels.search, constants: moving };
  const probe: KernelVariant = { kernel: kernels.probe };
  const sweep: KernelVariant = { kernel: kernels.sweep, constants: rotating };
  const uniforms = createPartUniforms(session.device.queue, tables);

  const listed: ListedParts = {
    capacity,
    buffer: (pool) => pool.get('parts.listed', PART_PAIR_BYTES * capacity),
    context: (context) => ({ ...context, uniform: uniforms.of('listed') }),
  };

  /** The context of kernels over pairs of parts. */
  const contextOfParts = (context: PassContext, prefix: string): PassContext => ({
    ...context,
    pool: poolOf(prefix, context.pool),
    uniform: uniforms.of(prefix),
  });

  /** The parameters of kernels over pairs of bodies that find or join pairs of parts. */
  const parametersOf: PartsBinding['parametersOf'] = (context, sizes, isWriting) =>
    uniforms.timed(context.uniform(...packedParameters(sizes, isWriting)), layouts.PartPairParameters.fields.duration);

  const binding: PartsBinding = {
    session,
    request,
    joinOf,
    search,
    probe,
    sweep,
    levelsOf: () => 2 * shapeTables.deepestTree(request.shapes.shapes),
    isContact,
    isMotion,
    hasBounds,
    capacity,
    listed,
    contextOfParts,
    parametersOf,
  };

  return {
    get variants() {
      const before = hasBounds ? [probe] : isMotion ? [sweep] : [];
      return [search, ...before, ...SCAN, joinOf(), SIZE_DISPATCHES];
    },

    tables: shapeTables,
    plan(form, shapes, planFor) {
      // A plan stays valid when shapes are removed.
      hasSolids ||= shapeTables.haveSolids(request.shapes.shapes);
      hasSurfaces ||= hasSolids || shapeTables.haveMeshes(request.shapes.shapes);
      const planOver = dimension === 2 ? planPlanarParts : planParts;
      return planOver(form, { shapes, planFor, hasSurfaces, hasSolids });
    },
    listed,

    bind: (context, plan, sizes, pairs, output) => bindParts(binding, { context, plan, sizes, pairs, output }),

    encodeSearch(encoder, { search: dispatches, cleared, partPairCount }) {
      for (const { buffer, size } of cleared) encoder.clearBuffer(buffer, 0, size);
      encodePass(encoder, dispatches, { label: 'batch.partPairs' });
      uniforms.encodeCount(encoder, partPairCount);
    },

    encodeCounts(encoder, { total, partPairCount }, counts) {
      if (listsParts) encoder.copyBufferToBuffer(partPairCount, 8, counts, 4 * COUNTS_PAIRS, 8);
      encoder.copyBufferToBuffer(total.buffer, total.offset, counts, 4 * COUNTS_PART_PAIRS, 8);
      encoder.copyBufferToBuffer(partPairCount, 4, counts, 4 * (COUNTS_PART_PAIRS + 2), 4);
    },

    setDuration: uniforms.setDuration,
  };
}

/** Uniform buffers of kernels over pairs of parts. */
interface PartUniforms {
  /** Those that start with the number of pairs of parts. */
  of(prefix: string): PassContext['uniform'];
  /** Keeps where a buffer has a duration. */
  timed(buffer: GPUBuffer, field: { offset: number }): GPUBuffer;
  /** Records the copies of the number of pairs of parts to all of them. */
  encodeCount(encoder: GPUCommandEncoder, partPairCount: GPUBuffer): void;
  setDuration(seconds: number): void;
}

function createPartUniforms(queue: GPUQueue, tables: Pick<BatchTables, 'uniform'>): PartUniforms {
  const all = new Map<string, GPUBuffer>();
  const durations = new Map<GPUBuffer, number>();
  const uniforms: PartUniforms = {
    of: (prefix) => (name, data) => {
      const buffer = tables.uniform(`${prefix}.${name}`, data);
      all.set(`${prefix}.${name}`, buffer);
      return name.startsWith(PAIR_PARAMETERS) ? uniforms.timed(buffer, layouts.Parameters.fields.duration) : buffer;
    },
    timed(buffer, { offset }) {
      durations.set(buffer, offset);
      return buffer;
    },
    encodeCount(encoder, partPairCount) {
      for (const buffer of all.values()) encoder.copyBufferToBuffer(partPairCount, 0, buffer, 0, 4);
    },
    setDuration(seconds) {
      const value = Float32Array.of(Math.min(seconds, LARGEST));
      for (const [buffer, offset] of durations) writeBuffer(queue, buffer, offset, value);
    },
  };
  return uniforms;
}
