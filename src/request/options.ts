/** The names of options and of fields that callers may use, checked against the interfaces that declare them. */
import type { BatchOptions, BroadPhaseOptions } from '../api/batch-options.ts';
import type { Batch, BatchReadOptions } from '../api/batch.ts';
import type { QueryName } from '../api/queries.ts';
import type {
  ContactOptions,
  FindPairsOptions,
  ImpactOptions,
  MatrixBodies,
  PlanarBodies,
  PlanarRays,
  PlanarVelocities,
  PosedBodies,
  PrepareOptions,
  QueryOptions,
  RayCastOptions,
  Rays,
  TesterOptions,
  TrianglePairOptions,
  Velocities,
} from '../api/types.ts';
import { namesOf, type Names } from '../util/known.ts';

/** Options of `createTester`. */
export const TESTER_OPTIONS = namesOf<TesterOptions>({
  backend: true,
  threads: true,
  workerUrl: true,
  dimension: true,
  device: true,
  gpu: true,
  powerPreference: true,
  onDeviceLost: true,
});

const COMMON = {
  algorithm: true,
  mprDepth: true,
  margin: true,
  results: true,
  target: true,
  escalate: true,
  warmStart: true,
  bodies: true,
  parts: true,
  fields: true,
  signal: true,
} as const;
const commonOptions = namesOf<QueryOptions<unknown>>(COMMON);

/** Options of a tester's queries. */
export const QUERY_OPTIONS: Record<QueryName | 'trianglePairs' | 'rayCasts' | 'findPairs' | 'prepare', Names> = {
  intersects: commonOptions,
  distances: commonOptions,
  contacts: namesOf<ContactOptions>({ ...COMMON, bounds: true }),
  manifolds: commonOptions,
  impacts: namesOf<ImpactOptions>({
    duration: true,
    algorithm: true,
    margin: true,
    stopAtPenetration: true,
    results: true,
    target: true,
    escalate: true,
    bodies: true,
    parts: true,
    fields: true,
    signal: true,
  }),
  trianglePairs: namesOf<TrianglePairOptions>({ target: true, fields: true, signal: true }),
  rayCasts: namesOf<RayCastOptions>({ algorithm: true, results: true, target: true, fields: true, signal: true }),
  findPairs: namesOf<FindPairsOptions>({ margin: true, duration: true, signal: true }),
  prepare: namesOf<PrepareOptions>({
    ...COMMON,
    query: true,
    bounds: true,
    duration: true,
    float64Positions: true,
    turning: true,
    stopAtPenetration: true,
  }),
};

type NamesOf<Union> = Union extends unknown ? keyof Union : never;
type ValueOf<Union, Name extends PropertyKey> = Union extends unknown
  ? Name extends keyof Union
    ? Union[Name]
    : never
  : never;

/** Options of a batch before it is known what they are for. */
export type AnyBatchOptions = { [Name in NamesOf<BatchOptions>]?: ValueOf<BatchOptions, Name> };

/** Options of `createBatch`. */
export const BATCH_OPTIONS = namesOf<AnyBatchOptions>({
  query: true,
  maxRays: true,
  rays: true,
  rayCount: true,
  bodies: true,
  maxBodies: true,
  maxPairs: true,
  maxPartPairs: true,
  parts: true,
  algorithm: true,
  mprDepth: true,
  margin: true,
  duration: true,
  turning: true,
  stopAtPenetration: true,
  results: true,
  maxHits: true,
  workgroupSize: true,
  warmStart: true,
  poses: true,
  shapes: true,
  velocities: true,
  pairs: true,
  pairCount: true,
  broadPhase: true,
  bodyCount: true,
  groups: true,
  fixed: true,
});

/** Options of a broad phase. */
export const BROAD_PHASE_OPTIONS = namesOf<BroadPhaseOptions>({ margin: true });

/** Fields of the data that a batch's `write` takes. */
export const BATCH_DATA = namesOf<Parameters<Batch<unknown>['write']>[0]>({
  bodies: true,
  pairs: true,
  duration: true,
  rays: true,
});

/** The same of a batch that casts rays. */
export const RAY_BATCH_DATA = namesOf<Pick<Parameters<Batch<unknown>['write']>[0], 'bodies' | 'rays'>>({
  bodies: true,
  rays: true,
});

/** Options of a batch's `read`. */
export const READ_OPTIONS = namesOf<BatchReadOptions<unknown>>({
  target: true,
  bounds: true,
  bodies: true,
  fields: true,
  signal: true,
});

/** The same of a batch that casts rays. */
export const RAY_READ_OPTIONS = namesOf<Pick<BatchReadOptions<unknown>, 'target' | 'fields' | 'signal'>>({
  target: true,
  fields: true,
  signal: true,
});

/** Options of a batch's `readCounts`. */
export const READ_COUNTS_OPTIONS = namesOf<NonNullable<Parameters<Batch<unknown>['readCounts']>[0]>>({ signal: true });

/** Fields of bodies in 3-D. Every query takes velocities, so that one object serves `impacts` and the others. */
export const SPACE_BODIES = namesOf<PosedBodies & MatrixBodies & Velocities>({
  shapes: true,
  positions: true,
  quaternions: true,
  scales: true,
  matrices: true,
  groups: true,
  fixed: true,
  linearVelocities: true,
  angularVelocities: true,
});

/** Fields of bodies in 2-D. */
export const PLANAR_BODIES = namesOf<PlanarBodies & PlanarVelocities>({
  shapes: true,
  positions: true,
  angles: true,
  scales: true,
  groups: true,
  fixed: true,
  linearVelocities: true,
  angularVelocities: true,
});

/** Fields of rays, in 3-D and in 2-D. */
export const RAYS = namesOf<Rays & PlanarRays>({
  origins: true,
  directions: true,
  maxTimes: true,
  radii: true,
  groups: true,
});
