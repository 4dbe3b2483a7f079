/** The plan of a batch, bound to its buffers. Both are made again when shapes were added or removed. */
import type { BatchInput } from '../api/batch.ts';
import { CORE_PARTS } from '../generated/constants.ts';
import type { BatchRequest } from '../request/backend.ts';
import { expectSatShapes, takesParts } from '../request/batch-request.ts';
import type { ShapeBase } from '../shapes/shape-table.ts';
import { door } from '../util/door.ts';
import { layouts } from '../generated/layouts.ts';
import type { Plans } from './batch-handle.ts';
import { arraysOfBatch } from './batch-snapshot.ts';
import { createBatchSearch, type BoundSearch } from './broad-phase/batch-search.ts';
import { bindCallersSize, SIZE_DISPATCHES, sizeDispatches } from './broad-phase/sized-dispatches.ts';
import { createBatchTables, type BatchTables } from './batch-tables.ts';
import { writeBuffer, type BufferPool } from './buffers.ts';
import { bindQuery, encodeQuery } from './encode-query.ts';
import type { Dispatch, KernelVariant } from './kernels.ts';
import type { BatchParts } from './part-pairs/batch-parts.ts';
import type { BoundParts, ListedParts } from './part-pairs/bind-parts.ts';
import { LARGEST, PAIR_PARAMETERS, variantsOfQuery } from './passes.ts';
import { planForm, planShapes, type PlanForm, type Planner } from './planner.ts';
import {
  pairsBuffers,
  queryScope,
  type InputBuffers,
  type PassBuffers,
  type PassContext,
  type PassOutput,
  type PassSizes,
  type QueryScope,
} from './query-buffers.ts';
import type { Session } from './session.ts';
import { SIMPLEX_BYTES } from './simplices.ts';
import { batchPass, type Plan, type Step } from './steps.ts';

const loadParts = door(
  'compounds and meshes',
  async () => (await import('./part-pairs/batch-parts.ts')).createBatchParts,
);

/** A plan with its buffers, for the shapes of one version of the table. */
export interface BoundPlan {
  version: number;
  buffers: PassBuffers;
  dispatches: readonly Dispatch[];
  /** If the batch finds its pairs. */
  broadPhase?: BoundSearch;
  /** If bodies may be compounds and meshes. */
  parts?: BoundParts;
}

export interface BatchPlans extends Plans {
  load(): Promise<void>;
  isLoaded(): boolean;
  /** The buffers of a plan, and its shapes uploaded. */
  buffersOf(plan: Plan, input: BatchInput): PassBuffers;
  /** `version` is the version of the shape table that the plan and the buffers are for. */
  bind(plan: Plan, buffers: PassBuffers, version: number, input: BatchInput): BoundPlan;
  encode(encoder: GPUCommandEncoder, bound: BoundPlan, input: BatchInput): void;
  setDuration(duration: number): void;
}

function outputOf({ slots }: BatchRequest): PassOutput {
  const hitsOnly = slots !== 'all';
  return { hitsOnly, hasCounts: true, gathersHits: hitsOnly, earliest: slots === 'earliest' ? 'batch' : undefined };
}

function sizesOf(
  { what, shapes, maxBodies, maxPairs, maxHits, workgroupSize }: BatchRequest,
  duration: number,
): PassSizes {
  return {
    pairCount: 0,
    pairCapacity: maxPairs,
    bodyCount: maxBodies,
    shapeCount: shapes.shapes.length,
    margin: what.margin,
    duration,
    cellSize: 1,
    gatherCapacity: maxHits,
    callersWorkgroupSize: workgroupSize,
  };
}

export function createBatchPlans(
  session: Session,
  request: BatchRequest,
  planner: Planner,
  pool: BufferPool,
): BatchPlans {
  const { device, kernels, orLost } = session;
  const tables = createBatchTables(device, pool);
  const search = request.broadPhase && createBatchSearch(session, request, pool, tables);
  const { dimension, shapes: table } = request;
  let duration = request.motion?.duration ?? 0;
  const uniforms = createUniforms(device.queue, tables);
  // Where the host does not know how many pairs there are.
  const isSized = search !== undefined;
  const context: PassContext = { device, kernels, dimension, pool, uniform: uniforms.uniform };
  /**
   * One shape of each kind that the tester has had so far, plain and rounded, small and large. A plan for all of them
   * stays valid when shapes are removed.
   */
  const known = new Map<string, ShapeBase>();
  /** Loaded once the tester has a compound or a mesh, in batches that take them. */
  let parts: BatchParts | undefined;

  const variantsOf = (plan: Plan): KernelVariant[] => [
    ...(search?.variants ?? []),
    ...(parts?.variants ?? []),
    ...(isSized || request.isPairsOnly ? [SIZE_DISPATCHES] : []),
    ...(request.isPairsOnly ? [] : variantsOfNarrowPhase(request, plan)),
  ];
  /** With compounds or meshes, the steps are those over pairs of parts. */
  const stepsOf = (plan: Plan): Step[] => (parts ? [] : batchPass(plan));
  const outputOver = createOutputScopes(request, context, isSized, () => parts);
  const scopeOf = (plan: Plan, input: InputBuffers) =>
    outputOver.scope(plan, stepsOf(plan), sizesOf(request, duration), input);

  return {
    async load() {
      if (!mayHaveParts(request)) return;
      const create = await loadParts();
      const made = await create(session, request, tables);
      // Another call may have made them meanwhile.
      parts ??= made;
      await parts.tables.prepare(table.shapes);
    },
    isLoaded: () => !mayHaveParts(request) || parts?.tables.isReady(table.shapes) === true,

    planNow() {
      expectSatShapes(request.algorithm, table, dimension);
      noteShapes(known, table.shapes, parts, planner);
      const { what, isWarm, motion } = request;
      const given = { hasFixedPoint: false, isWarm, motion };
      const form = { ...planForm(what, given, kernels.adapter), ...(parts && { hasParts: true as const }) };
      const shapes = [...known.values()];
      const plan = (of: PlanForm): Plan => planShapes(planner, of, shapes);
      return parts ? parts.plan(form, shapes, plan) : plan(form);
    },

    prepare: (plan) => orLost(kernels.prepare(variantsOf(plan))),
    isPrepared: (plan) => kernels.has(variantsOf(plan)),

    buffersOf(plan, { poses, shapes: bodyShapes, pairs, velocities }) {
      const packed = parts ? parts.tables.pack(table.shapes) : dimension.packShapes(table.shapes);
      const shapes = tables.upload(packed, known.size);
      const input = { ...shapes, poses, bodyShapes, pairs, velocities };
      if (request.isPairsOnly) return pairsBuffers(pool, input);
      return scopeOf(plan, input).buffers;
    },

    bind(plan, buffers, version, input) {
      const broadPhase = search?.bind(buffers, input);
      if (request.isPairsOnly) {
        const dispatches = [bindCallersSize(context, request.maxPairs, request.workgroupSize, buffers.dispatch)];
        return { version, buffers, dispatches, broadPhase };
      }
      const scope = scopeOf(plan, buffers);
      const dispatches = outputOver.sized(bindQuery(scope, stepsOf(plan)));
      const boundParts = parts?.bind(context, plan, sizesOf(request, duration), input.pairs, scope);
      return { version, buffers, dispatches, broadPhase, parts: boundParts };
    },

    encode(encoder, { buffers, dispatches, broadPhase, parts: ofParts }, input) {
      if (broadPhase) search!.encode(encoder, broadPhase, input);
      uniforms.encodeCount(encoder, input.pairCount);
      if (ofParts) parts!.encodeSearch(encoder, ofParts);
      const { counts, firstImpacts, workLists } = { ...buffers, ...(ofParts && { workLists: ofParts.workLists }) };
      const all = [...(ofParts?.answer ?? []), ...dispatches];
      encodeQuery(encoder, { counts, firstImpacts, workLists }, all, { label: `batch.${request.name}` });
      if (ofParts) parts!.encodeCounts(encoder, ofParts, counts!);
      if (broadPhase) search!.encodeCounts(encoder, broadPhase, buffers.counts!);
    },

    setDuration(seconds) {
      duration = seconds;
      search?.setDuration(seconds);
      parts?.setDuration(seconds);
      uniforms.setDuration(seconds);
    },
  };
}

/** Adds shapes, and those of their parts, to the known ones. */
function noteShapes(
  known: Map<string, ShapeBase>,
  shapes: BatchRequest['shapes']['shapes'],
  parts: BatchParts | undefined,
  planner: Planner,
): void {
  for (const shape of shapes)
    for (const each of shape ? [shape, ...(parts?.tables.partsOf(shape) ?? [])] : [])
      known.set(planner.keyOf(each), each);
}

/** Whether bodies may be compounds and meshes, as the tester has some, or pairs of parts are listed. */
function mayHaveParts(request: BatchRequest): boolean {
  const { shapes } = request.shapes;
  return takesParts(request) && (request.listsParts || shapes.some((shape) => shape?.kind === CORE_PARTS));
}

/** The pairs that a batch's output has: its pairs, or if it lists pairs of parts, these. */
function createOutputScopes(
  request: BatchRequest,
  context: PassContext,
  isSized: boolean,
  partsOf: () => BatchParts | undefined,
) {
  const { maxPairs, isWarm, listsParts } = request;
  const { pool } = context;
  const listedParts = (): ListedParts | undefined => (listsParts ? partsOf()!.listed : undefined);
  return {
    scope(plan: Plan, steps: readonly Step[], sizes: PassSizes, input: InputBuffers): QueryScope {
      const output = outputOf(request);
      const listed = listedParts();
      if (listed) {
        const pairs = listed.buffer(pool);
        return queryScope(listed.context(context), plan, steps, { ...sizes, pairCapacity: listed.capacity }, output, {
          ...input,
          pairs,
        });
      }
      const simplices = isWarm && !partsOf() && { simplices: pool.get('simplices', SIMPLEX_BYTES * maxPairs) };
      return queryScope(context, plan, steps, sizes, output, { ...input, ...simplices });
    },

    /** The dispatches, of as many workgroups as there are pairs for, where the host does not know how many there are. */
    sized(dispatches: readonly Dispatch[]): readonly Dispatch[] {
      const listed = listedParts();
      if (listed) return sizeDispatches(listed.context(context), listed.capacity, dispatches);
      return isSized ? sizeDispatches(context, maxPairs, dispatches) : dispatches;
    },
  };
}

/** The kernels that answer pairs, and those that list, count and read the answers. */
function variantsOfNarrowPhase(request: BatchRequest, plan: Plan): KernelVariant[] {
  const { hitsOnly, earliest } = outputOf(request);
  const steps = [...(plan.start ? batchPass(plan.start) : []), ...batchPass(plan), ...(plan.joinedSteps ?? [])];
  return [
    ...variantsOfQuery(steps, request.dimension, hitsOnly, earliest),
    { kernel: 'count-statuses' },
    ...(hitsOnly ? [{ kernel: 'gather' } as const] : []),
    arraysOfBatch(request),
  ];
}

/** The uniform buffers of a batch. */
interface BatchUniforms {
  /** The buffer of this name, filled with `data`. It starts with the number of pairs. */
  uniform(name: string, data: ArrayBuffer): GPUBuffer;
  /** Records the copies of the number of pairs to all of them. */
  encodeCount(encoder: GPUCommandEncoder, pairCount: GPUBuffer): void;
  setDuration(seconds: number): void;
}

function createUniforms(queue: GPUQueue, tables: BatchTables): BatchUniforms {
  const uniforms = new Map<string, GPUBuffer>();
  /** Those with a duration, with the ones that recorded commands may still use. */
  const timed = new Set<GPUBuffer>();
  return {
    uniform(name, data) {
      const buffer = tables.uniform(name, data);
      uniforms.set(name, buffer);
      if (name.startsWith(PAIR_PARAMETERS)) timed.add(buffer);
      return buffer;
    },
    encodeCount(encoder, pairCount) {
      for (const buffer of uniforms.values()) encoder.copyBufferToBuffer(pairCount, 0, buffer, 0, 4);
    },
    setDuration(seconds) {
      const { offset } = layouts.Parameters.fields.duration;
      const value = Float32Array.of(Math.min(seconds, LARGEST));
      for (const buffer of timed) writeBuffer(queue, buffer, offset, value);
    },
  };
}
