/**
 * The commands of a batch that casts rays: all that `cast-rays.ts` does, over buffers that stay on the GPU, in one part.
 *
 *     join-bodies, join-rays  bodies, and behind the room for them rays, as balls that move
 *     (tree)                  a tree of the bodies' boxes
 *     (counting)              the number of each ray's pairs, and where they go
 *     count                   the number of all pairs
 *     find                    the pairs that there is room for
 *     (impacts)               their impacts
 *     first                   the first impact of each ray
 *     finish                  statuses, their counts, and points in world space
 */
import type { BatchInput } from '../../api/batch.ts';
import { MOTION_NONE } from '../../generated/constants.ts';
import { layouts } from '../../generated/layouts.ts';
import type { BatchRequest } from '../../request/backend.ts';
import type { Plans } from '../batch-handle.ts';
import type { ShapeBase } from '../../shapes/shape-table.ts';
import { packParameters } from '../broad-phase/parameters.ts';
import { scanBlocks } from '../broad-phase/scan.ts';
import { SIZE_NARROW_PHASE, sizeDispatches } from '../broad-phase/sized-dispatches.ts';
import { toleranceOfTable } from '../broad-phase/tolerance.ts';
import { bindTree, treeVariants } from '../broad-phase/tree.ts';
import { createBatchTables } from '../batch-tables.ts';
import type { BufferPool } from '../buffers.ts';
import { kindsOfShapes } from '../classes.ts';
import { bindQuery, encodePass, encodeQuery } from '../encode-query.ts';
import type { Dispatch, KernelVariant } from '../kernels.ts';
import { bindSizeDispatch, variantsOfQuery } from '../passes.ts';
import { formRequest, makePlan, type Planner } from '../planner.ts';
import { queryBuffers, type PassBuffers } from '../query-buffers.ts';
import type { Session } from '../session.ts';
import type { Plan } from '../steps.ts';
import { bindRays, hitBytes, rayVariants } from './search.ts';

const OUTPUT = { hitsOnly: false, hasCounts: false, gathersHits: false } as const;

export interface BoundRayBatch {
  version: number;
  cleared: readonly GPUBuffer[];
  finding: readonly Dispatch[];
  impacts: readonly Dispatch[];
  finishing: readonly Dispatch[];
  buffers: PassBuffers;
  counts: GPUBuffer;
  hits: GPUBuffer;
}

export interface RayBatchPlans extends Plans {
  /** `version` is the version of the shape table that the plan is for. */
  bind(plan: Plan, version: number, input: BatchInput): BoundRayBatch;
  encode(encoder: GPUCommandEncoder, bound: BoundRayBatch, input: BatchInput): void;
}

export function createRayBatchPlans(
  { device, kernels, orLost }: Session,
  request: BatchRequest,
  planner: Planner,
  pool: BufferPool,
): RayBatchPlans {
  const { dimension, maxBodies, maxPairs, shapes: table, leadStage } = request;
  const { maxRays } = request.rayCasts!;
  const { ball } = dimension;
  const form = { isPlanar: dimension.dimension === 2, hasFixedPoint: false };
  const ofRays = rayVariants(form, dimension);
  const { impact, sizes: recordSizes } = dimension.records;
  const { words, info } = recordSizes.impacts;
  const plane = { ...(form.isPlanar && { IS_PLANAR: 1 }) };
  const own = {
    bodies: { kernel: 'rays/join-bodies', constants: plane },
    rays: { kernel: 'rays/join-rays', constants: plane },
    count: { kernel: 'rays/count' },
    finish: {
      kernel: 'rays/finish',
      constants: {
        ...plane,
        RECORD_WORDS: words,
        INFO_WORD: info,
        POINT_WORD: impact.point,
        HIT_WORDS: hitBytes(dimension) / 4,
      },
    },
  } as const satisfies Record<string, KernelVariant>;
  const isSized = kernels.adapter.sizesDispatches;
  const variantsOf = (plan: Plan): KernelVariant[] => [
    ...treeVariants(form),
    ...Object.values(ofRays),
    ...Object.values(own),
    ...variantsOfQuery(plan, dimension, false),
    { kernel: 'broad-phase/size-dispatch' },
    ...(isSized ? [SIZE_NARROW_PHASE] : []),
  ];
  /** One shape of each kind that the tester has had so far, as in batch-plan.ts. */
  const known = new Map<string, ShapeBase>();
  const tables = createBatchTables(device, pool);
  /** Uniform buffers by name that begin with the number of bodies and have that of rays, and those with that of pairs. */
  const ofBodies = new Map<string, GPUBuffer>();
  const ofPairs = new Map<string, GPUBuffer>();
  const uniformIn =
    (uniforms: Map<string, GPUBuffer>) =>
    (name: string, data: ArrayBuffer): GPUBuffer => {
      const buffer = tables.uniform(name, data);
      uniforms.set(name, buffer);
      return buffer;
    };
  const searching = { device, kernels, pool, uniform: uniformIn(ofBodies) };
  const answering = { device, kernels, dimension, pool, uniform: uniformIn(ofPairs) };

  return {
    planNow() {
      for (const shape of table.shapes) if (shape) known.set(planner.keyOf(shape), shape);
      const shapes = [...known.values(), ball];
      const pairs = { kinds: kindsOfShapes(shapes).filter(([, kind]) => kind === ball.kind), shapes };
      const impacts = { query: 'impacts', leadStage, margin: 0, hasFixedPoint: false, isWarm: false } as const;
      return makePlan(planner, { ...formRequest(impacts, kernels.adapter), ...pairs });
    },

    prepare: (plan) => orLost(kernels.prepare(variantsOf(plan))),
    isPrepared: (plan) => kernels.has(variantsOf(plan)),

    bind(plan, version, input) {
      const all = maxBodies + maxRays;
      const joined = {
        poses: pool.get('joined.poses', 4 * dimension.poseWords * all),
        bodyShapes: pool.get('joined.shapes', 4 * all),
        velocities: pool.get('joined.velocities', 4 * dimension.velocityWords * all),
        groups: pool.get('joined.groups', 4 * all),
        maxTimes: pool.get('joined.maxTimes', 4 * maxRays),
      };
      const shapes = [...table.shapes, ball];
      const given = { ...joined, ...tables.upload(dimension.packShapes(shapes), known.size) };
      const sizes = {
        bodyCount: maxBodies,
        bodyCapacity: maxBodies,
        rayCount: 0,
        rayCapacity: maxRays,
        shapeCount: shapes.length,
        pairCapacity: maxPairs,
        margin: 0,
        motion: MOTION_NONE,
        tolerance: toleranceOfTable(table.shapes, dimension),
        duration: 0,
        cellSize: 1,
      };
      const passSizes = {
        ...sizes,
        bodyCount: all,
        pairCount: 0,
        duration: Infinity,
        gatherCapacity: 0,
        callersWorkgroupSize: request.workgroupSize,
      };
      const foundPairs = pool.get('foundPairs', 8 * maxPairs);
      const tree = bindTree(searching, form, sizes, given);
      const rays = bindRays(searching, dimension, form, sizes, tree, given, foundPairs);
      const buffers = queryBuffers(pool, dimension, plan, passSizes, OUTPUT, { ...given, pairs: foundPairs });
      const { finding, keeping } = rays.part(0, buffers.records);
      const counts = pool.get('counts', layouts.Counts.size);
      const others = { blockCount: scanBlocks(maxRays), rayShape: shapes.length - 1 };
      const parametersFor = (name: string, invocations: number): GPUBuffer =>
        searching.uniform(`parameters.rays.${name}`, packParameters(device, sizes, invocations, others));
      const bind = (variant: KernelVariant, invocations: number, named: Record<string, GPUBuffer>): Dispatch =>
        kernels.bind(variant, named, invocations, pool);
      const { blockTotals, cursors } = rays;
      const ofEach = parametersFor('each', maxRays);
      const impacts = bindQuery({ context: answering, plan, sizes: passSizes, buffers, output: OUTPUT });
      return {
        version,
        cleared: [...tree.cleared, ...rays.cleared, counts],
        finding: [
          bind(own.bodies, maxBodies, {
            ...joined,
            parameters: parametersFor('bodies', maxBodies),
            givenPoses: input.poses,
            givenShapes: input.shapes,
            givenGroups: input.groups!,
          }),
          bind(own.rays, maxRays, { ...joined, parameters: ofEach, givenRays: input.rays! }),
          ...tree.dispatches,
          ...rays.counting,
          bind(own.count, 1, { parameters: ofEach, blockTotals, state: tree.state, counts }),
          ...finding,
        ],
        impacts: isSized ? sizeDispatches(answering, maxPairs, impacts) : impacts,
        finishing: [
          ...keeping,
          bind(own.finish, maxRays, {
            ...joined,
            parameters: ofEach,
            records: buffers.records,
            rayHits: rays.hits,
            cursors,
            counts,
          }),
          bindSizeDispatch(answering, plan, passSizes, buffers, tree.state),
        ],
        buffers,
        counts,
        hits: rays.hits,
      };
    },

    encode(encoder, { cleared, finding, impacts, finishing, buffers, counts }, { bodyCount, rayCount, pairCount }) {
      const { offset } = layouts.BroadPhaseParameters.fields.rayCount;
      for (const buffer of ofBodies.values()) {
        encoder.copyBufferToBuffer(bodyCount!, 0, buffer, 0, 4);
        encoder.copyBufferToBuffer(rayCount!, 0, buffer, offset, 4);
      }
      for (const buffer of cleared) encoder.clearBuffer(buffer);
      encodePass(encoder, finding, { label: 'batch.rayCasts.find' });
      encoder.copyBufferToBuffer(counts, 0, pairCount, 0, 4);
      for (const buffer of ofPairs.values()) encoder.copyBufferToBuffer(counts, 0, buffer, 0, 4);
      encodeQuery(encoder, { workLists: buffers.workLists }, impacts, { label: 'batch.rayCasts.impacts' });
      encodePass(encoder, finishing, { label: 'batch.rayCasts.finish' });
    },
  };
}
