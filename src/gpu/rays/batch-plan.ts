/**
 * The commands of a batch that casts rays: all that `cast-rays.ts` does, over buffers that stay on the GPU, in one part.
 *
 *     join-bodies, join-rays  bodies, and behind the room for them rays, as balls that move
 *     (tree)                  a tree of the bodies' boxes
 *     (counting)              the number of each ray's pairs, and where they go
 *     find                    the pairs that there is room for, and the number of all
 *     (impacts)               their impacts
 *     first                   the first impact of each ray, with points in world space; statuses and their counts
 */
import type { BatchInput } from '../../api/batch.ts';
import { MOTION_NONE, STATE_INVALID } from '../../generated/constants.ts';
import { layouts } from '../../generated/layouts.ts';
import type { BatchRequest } from '../../request/backend.ts';
import type { Plans } from '../batch-handle.ts';
import type { ShapeBase } from '../../shapes/shape-table.ts';
import { packParameters } from '../broad-phase/parameters.ts';
import { bindCallersSize, SIZE_DISPATCHES, sizeDispatches } from '../broad-phase/sized-dispatches.ts';
import { toleranceOfTable } from '../broad-phase/tolerance.ts';
import { bindTree, treeVariants } from '../broad-phase/tree.ts';
import type { BroadPhaseForm } from '../broad-phase/variants.ts';
import { createBatchTables, type BatchTables } from '../batch-tables.ts';
import type { BufferPool } from '../buffers.ts';
import { kindsOfShapes } from '../classes.ts';
import { bindQuery, encodePass, encodeQuery } from '../encode-query.ts';
import type { Dispatch, KernelVariant } from '../kernels.ts';
import { variantsOfQuery } from '../passes.ts';
import { planForm, type Planner } from '../planner.ts';
import { queryScope, type PassBuffers } from '../query-buffers.ts';
import type { Session } from '../session.ts';
import type { Plan } from '../steps.ts';
import { bindRays, rayVariants } from './search.ts';

const OUTPUT = { hitsOnly: false, hasCounts: false, gathersHits: false } as const;

export interface BoundRayBatch {
  version: number;
  cleared: readonly GPUBuffer[];
  finding: readonly Dispatch[];
  impacts: readonly Dispatch[];
  finishing: readonly Dispatch[];
  buffers: PassBuffers;
  /** Words as in shaders/broad-phase/state.wgsl. */
  state: GPUBuffer;
  counts: GPUBuffer;
  hits: GPUBuffer;
}

export interface RayBatchPlans extends Plans {
  /** `version` is the version of the shape table that the plan is for. */
  bind(plan: Plan, version: number, input: BatchInput): BoundRayBatch;
  encode(encoder: GPUCommandEncoder, bound: BoundRayBatch, input: BatchInput): void;
}

/** What a batch of rays has from the beginning. */
interface RayBatch {
  readonly session: Session;
  readonly request: BatchRequest;
  readonly pool: BufferPool;
  readonly form: BroadPhaseForm;
  readonly own: OwnVariants;
  /** One shape of each kind that the tester has had so far, as in batch-plan.ts. */
  readonly known: Map<string, ShapeBase>;
  readonly tables: BatchTables;
  /** Uniform buffers by name: those that begin with the number of bodies and have that of rays, too. */
  readonly ofBodies: Map<string, GPUBuffer>;
  /** Those that begin with the number of pairs. */
  readonly ofPairs: Map<string, GPUBuffer>;
  /** Those that begin with the number of rays. */
  readonly ofRays: Map<string, GPUBuffer>;
}

type OwnVariants = ReturnType<typeof ownVariants>;

/** Kernels that only batches of rays have. */
function ownVariants({ dimension }: BatchRequest) {
  const plane = { ...(dimension.dimension === 2 && { IS_PLANAR: 1 }) };
  return {
    bodies: { kernel: 'rays/join-bodies', constants: plane },
    rays: { kernel: 'rays/join-rays', constants: plane },
  } as const satisfies Record<string, KernelVariant>;
}

function variantsOf({ request: { dimension }, form, own }: RayBatch, plan: Plan): KernelVariant[] {
  return [
    ...treeVariants(form),
    ...Object.values(rayVariants(form, dimension)),
    ...Object.values(own),
    ...variantsOfQuery(plan.steps, dimension, false),
    SIZE_DISPATCHES,
  ];
}

function planNow({ session: { kernels }, request, known }: RayBatch, planner: Planner): Plan {
  const { dimension, shapes: table, what } = request;
  const { ball } = dimension;
  for (const shape of table.shapes) if (shape) known.set(planner.keyOf(shape), shape);
  const shapes = [...known.values(), ball];
  const pairs = { kinds: kindsOfShapes(shapes).filter(([, kind]) => kind === ball.kind), shapes };
  const form = planForm({ ...what, margin: 0 }, { hasFixedPoint: false, isWarm: false }, kernels.adapter);
  return planner.plan({ ...form, ...pairs });
}

export function createRayBatchPlans(
  session: Session,
  request: BatchRequest,
  planner: Planner,
  pool: BufferPool,
): RayBatchPlans {
  const { device, kernels, orLost } = session;
  const batch: RayBatch = {
    session,
    request,
    pool,
    form: { isPlanar: request.dimension.dimension === 2, hasFixedPoint: false },
    own: ownVariants(request),
    known: new Map(),
    tables: createBatchTables(device, pool),
    ofBodies: new Map(),
    ofPairs: new Map(),
    ofRays: new Map(),
  };
  return {
    planNow: () => planNow(batch, planner),
    prepare: (plan) => orLost(kernels.prepare(variantsOf(batch, plan))),
    isPrepared: (plan) => kernels.has(variantsOf(batch, plan)),
    bind: (plan, version, input) => bindRayBatch(batch, plan, version, input),
    encode: (encoder, bound, input) => encodeRayBatch(batch, encoder, bound, input),
  };
}

function sizesOf({ request }: RayBatch, shapeCount: number) {
  const { dimension, maxBodies, maxPairs, shapes, workgroupSize } = request;
  const { maxRays } = request.rayCasts!;
  const searching = {
    bodyCount: maxBodies,
    bodyCapacity: maxBodies,
    rayCount: 0,
    rayCapacity: maxRays,
    shapeCount,
    pairCapacity: maxPairs,
    margin: 0,
    motion: MOTION_NONE,
    tolerance: toleranceOfTable(shapes.shapes, dimension),
    duration: 0,
    cellSize: 1,
  };
  const answering = {
    ...searching,
    bodyCount: maxBodies + maxRays,
    pairCount: 0,
    duration: Infinity,
    gatherCapacity: 0,
    callersWorkgroupSize: workgroupSize,
  };
  return { searching, answering };
}

/** Buffers of bodies and, behind the room for them, rays. */
function joinedBuffers({ request: { dimension, maxBodies, rayCasts }, pool }: RayBatch) {
  const { maxRays } = rayCasts!;
  const all = maxBodies + maxRays;
  return {
    poses: pool.get('joined.poses', 4 * dimension.poseWords * all),
    bodyShapes: pool.get('joined.shapes', 4 * all),
    velocities: pool.get('joined.velocities', 4 * dimension.velocityWords * all),
    groups: pool.get('joined.groups', 4 * all),
    maxTimes: pool.get('joined.maxTimes', 4 * maxRays),
  };
}

function bindRayBatch(batch: RayBatch, plan: Plan, version: number, input: BatchInput): BoundRayBatch {
  const { session, request, pool, form, own, known, tables, ofBodies, ofPairs, ofRays } = batch;
  const { device, kernels } = session;
  const { dimension, maxBodies, maxPairs, shapes: table, workgroupSize } = request;
  const { maxRays } = request.rayCasts!;
  const uniformIn =
    (uniforms: Map<string, GPUBuffer>) =>
    (name: string, data: ArrayBuffer): GPUBuffer => {
      const buffer = tables.uniform(name, data);
      uniforms.set(name, buffer);
      return buffer;
    };
  const searching = { device, kernels, pool, uniform: uniformIn(ofBodies) };
  const answering = { device, kernels, dimension, pool, uniform: uniformIn(ofPairs) };
  const joined = joinedBuffers(batch);
  const shapes = [...table.shapes, dimension.ball];
  const given = { ...joined, ...tables.upload(dimension.packShapes(shapes), known.size) };
  const { searching: sizes, answering: passSizes } = sizesOf(batch, shapes.length);
  const foundPairs = pool.get('foundPairs', 8 * maxPairs);
  const tree = bindTree(searching, form, sizes, given);
  const counts = pool.get('counts', layouts.Counts.size);
  const rays = bindRays(searching, dimension, form, sizes, tree, { ...given, foundPairs, counts });
  const scope = queryScope(answering, plan, plan.steps, passSizes, OUTPUT, { ...given, pairs: foundPairs });
  const { buffers } = scope;
  const { finding, keeping } = rays.part(0, buffers.records);
  const others = { rayShape: shapes.length - 1 };
  const parametersFor = (name: string, invocations: number): GPUBuffer =>
    searching.uniform(`parameters.rays.${name}`, packParameters(device, sizes, invocations, others));
  const bind = (variant: KernelVariant, invocations: number, named: Record<string, GPUBuffer>): Dispatch =>
    kernels.bind(variant, named, invocations, pool);
  const ofEach = parametersFor('each', maxRays);
  const impacts = bindQuery(scope, plan.steps);
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
      ...finding,
    ],
    impacts: sizeDispatches(answering, maxPairs, impacts),
    finishing: [
      ...keeping,
      bindCallersSize({ ...answering, uniform: uniformIn(ofRays) }, maxRays, workgroupSize, buffers.dispatch),
    ],
    buffers,
    state: tree.state,
    counts,
    hits: rays.hits,
  };
}

function encodeRayBatch(
  { ofBodies, ofPairs, ofRays }: RayBatch,
  encoder: GPUCommandEncoder,
  { cleared, finding, impacts, finishing, buffers, state, counts }: BoundRayBatch,
  { bodyCount, rayCount, pairCount }: BatchInput,
): void {
  const { offset } = layouts.BroadPhaseParameters.fields.rayCount;
  for (const buffer of ofBodies.values()) {
    encoder.copyBufferToBuffer(bodyCount!, 0, buffer, 0, 4);
    encoder.copyBufferToBuffer(rayCount!, 0, buffer, offset, 4);
  }
  for (const buffer of cleared) encoder.clearBuffer(buffer);
  encodePass(encoder, finding, { label: 'batch.rayCasts.find' });
  const { invalidBodies } = layouts.Counts.fields;
  encoder.copyBufferToBuffer(state, 4 * STATE_INVALID, counts, invalidBodies.offset, 4);
  encoder.copyBufferToBuffer(counts, 0, pairCount, 0, 4);
  for (const buffer of ofPairs.values()) encoder.copyBufferToBuffer(counts, 0, buffer, 0, 4);
  for (const buffer of ofRays.values()) encoder.copyBufferToBuffer(rayCount!, 0, buffer, 0, 4);
  encodeQuery(encoder, { workLists: buffers.workLists }, impacts, { label: 'batch.rayCasts.impacts' });
  encodePass(encoder, finishing, { label: 'batch.rayCasts.finish' });
}
