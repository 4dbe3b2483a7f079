/**
 * Ray casts. A ray is a point or a sphere that moves along its direction; its hit is the first of its impacts, or with
 * `results: 'all'` each of them is a hit.
 *
 * - Few rays, and those among compounds and meshes, are cast at once, body by body (cast-directly.ts): by the tree of a
 *   handle's bodies, or without a tree if one would be built for these rays alone.
 * - Many rays or bodies are left to the device, which builds a tree of its own and finds first hits only.
 * - For the others, a tree finds the bodies that rays may meet, and the backend answers for these pairs.
 */
import { throwIfAborted } from '../request/abort.ts';
import { allocate } from '../util/arrays.ts';
import type {
  AnswerForm,
  BodyPairs,
  LeadStage,
  PairQuery,
  QueryRequest,
  RayCastRequest,
  RayImpacts,
} from '../request/backend.ts';
import type { ResidentVersion } from '../request/resident.ts';
import { AT_REST, countRaysWithoutTree, knownTree, raysWithoutTree, treeFor } from '../request/resident-trees.ts';
import type { AnswerPair } from '../cpu/asked-pairs.ts';
import type { RecordChunk } from '../records/chunk.ts';
import { ballOf, type ShapeTable } from '../shapes/shape-table.ts';
import type { BroadPhase, Dimension } from '../request/dimension.ts';
import { listedBodies, type AnyBodies } from '../records/bodies.ts';
import type { CollisionFilters, Rays } from '../api/types.ts';
import type { BodyTree } from '../broad-phase/body-tree.ts';
import { createBoxRay, createRayWalk, setBoxRay, startRayWalk, walkAlongRay } from '../broad-phase/box-rays.ts';
import { ALL_GROUPS, groupsMeet } from '../broad-phase/filters.ts';
import type { CreatePartImpacts } from '../parts/ray-impacts.ts';
import { createPace, workInTurns, type Work } from '../util/turns.ts';
import { createAllHits } from '../request/all-ray-hits.ts';
import { createFirstHits, keepImpacts, type RayPairs, type RaySink } from '../request/ray-hits.ts';
import type { EnsureIntact } from '../request/watched-arrays.ts';
import { createDirectCast, type DirectCast } from './cast-directly.ts';
import { bodiesHaveParts, shapesWithParts } from './make-request.ts';
import { createRayImpacts, LEAST_RADIUS } from './ray-impacts.ts';

/** Most body-ray pairs in one request. */
const PAIRS_AT_ONCE = 2 ** 18;

/**
 * So many rays are cast before a backend has a request for their impacts, and a tree that is built for them is searched. The
 * rays of calls for the same bodies of a handle count together for the tree.
 */
const FEW_RAYS = 64;

/** The same where the device would take the rays: it builds a tree in the time in which so many rays pass all bodies. */
const FEW_BESIDE_DEVICE = 8;

/** What rays are cast with. */
export interface RayTools {
  dimension: Dimension;
  loadBroadPhase(): Promise<BroadPhase>;
  loadReference(): Promise<AnswerPair>;
  loadPartImpacts(): Promise<CreatePartImpacts>;
  /** Has the backend answer. */
  answer(request: QueryRequest): Promise<RecordChunk[]>;
  /** Whether the device takes rays among so many bodies, which count together. */
  isForDevice(count: number): boolean;
  /** Resolves to undefined if the rays are to be cast here. */
  castOnDevice(makeRequest: () => RayCastRequest): Promise<RayImpacts | undefined>;
}

/** Rays and what they are cast at. */
export interface RayQuery {
  bodies: AnyBodies;
  filters: CollisionFilters;
  /** The handle of the bodies, as it was at the call. */
  resident?: ResidentVersion;
  /** A snapshot, which includes the ball that represents a ray. */
  shapes: ShapeTable;
  rays: Rays;
  leadStage: LeadStage;
  results: 'first' | 'all';
  fields: readonly string[];
  target: unknown;
  signal?: AbortSignal;
  ensureIntact: EnsureIntact;
}

export type CastRays = (query: RayQuery) => Promise<object>;

/** What is kept from call to call. */
interface Kept {
  shapes: ShapeTable;
  leadStage: LeadStage;
  cast: DirectCast;
}

/** A tester's ray casts, one after the other. */
export function createRayCasts(tools: RayTools): CastRays {
  const { dimension } = tools;
  let kept: Kept | undefined;

  async function castFor(shapes: ShapeTable, leadStage: LeadStage): Promise<DirectCast> {
    const partImpacts = shapesWithParts(shapes) && (await tools.loadPartImpacts());
    const impacts = createRayImpacts(dimension, shapes, leadStage, await tools.loadReference(), partImpacts);
    kept = { shapes, leadStage, cast: createDirectCast(dimension, shapes, impacts) };
    return kept.cast;
  }

  return async (query) => {
    const { bodies: given, filters, resident, shapes, rays, leadStage, results, signal } = query;
    const axes = dimension.dimension;
    const count = rays.origins.length / axes;
    const bodies = dimension.absorbHalfspaceOffsets(given, shapes);
    const sink = createSink(dimension, query, bodies);
    const expectOn = (): void => {
      throwIfAborted(signal);
      query.ensureIntact();
    };
    const finish = async (): Promise<object> => {
      if (sink.sort) await workInTurns(sink.sort(), expectOn);
      expectOn();
      return sink.finish();
    };
    let tree = knownTree(resident, given, shapes, AT_REST);
    // After enough rays at a handle that was not written meanwhile, a tree is built and kept.
    const isKept = tree !== undefined || (resident !== undefined && raysWithoutTree(resident) > FEW_RAYS);
    const hasParts = bodiesHaveParts(given, shapes);
    // A tree that is kept leaves only the rays to compare.
    const isForDevice = !hasParts && tools.isForDevice(isKept ? count : bodies.shapes.length + count);
    const isFew = count <= (isForDevice ? FEW_BESIDE_DEVICE : FEW_RAYS);
    const isAllForDevice = isForDevice && !isFew && results === 'first';
    if (isAllForDevice && (await castOnDevice(tools, query, bodies, sink, count))) return finish();
    if (!tree && (isKept || !isFew)) {
      const broadPhase = await tools.loadBroadPhase();
      tree = await workInTurns(treeFor(broadPhase, resident, given, shapes, { ...AT_REST, filters }), expectOn);
    }
    if (resident && !tree) countRaysWithoutTree(resident, count);
    if (isFew || hasParts) {
      const isKnown = kept?.shapes === shapes && kept.leadStage === leadStage;
      const cast = isKnown ? kept!.cast : await castFor(shapes, leadStage);
      cast.begin({ bodies, filters, tree }, rays, sink);
      try {
        await workInTurns(cast.finish(), expectOn);
      } catch (error) {
        // What was broken off is not in order.
        kept = undefined;
        throw error;
      }
      cast.end();
      return finish();
    }
    await castInRequests(tools, query, bodies, tree!, sink, expectOn);
    return finish();
  };
}

function createSink(dimension: Dimension, query: RayQuery, { positions }: AnyBodies): RaySink {
  const { rays, results, fields, target } = query;
  const count = rays.origins.length / dimension.dimension;
  const create = results === 'all' ? createAllHits : createFirstHits;
  return create(dimension, count, positions, isIn64Bits(query), fields, target);
}

function isIn64Bits({ bodies, rays }: RayQuery): boolean {
  return bodies.positions instanceof Float64Array || rays.origins instanceof Float64Array;
}

/** Casts rays on the device. Resolves to false if the rays are to be cast here. */
async function castOnDevice(
  { dimension, castOnDevice: cast }: RayTools,
  query: RayQuery,
  bodies: AnyBodies,
  sink: RaySink,
  count: number,
): Promise<boolean> {
  const { filters, rays, signal } = query;
  const all = { first: 0, end: count, pairs: new Uint32Array(0) };
  const found = await cast(() => ({
    what: impactsBy(query.leadStage),
    over: pairsWithRays(dimension, query, bodies, all),
    rayCount: count,
    maxTimes: rays.maxTimes ?? allocate('greatest times of rays', Float32Array, count).fill(Infinity),
    groups: groupsOfAll(bodies, filters, rays, count),
    signal,
  }));
  if (found) keepImpacts(dimension, sink, rays, { first: 0, pairs: found.pairs }, found.chunk);
  return found !== undefined;
}

/** Has the backend answer for the bodies that rays may meet. */
async function castInRequests(
  { dimension, answer }: RayTools,
  query: RayQuery,
  bodies: AnyBodies,
  tree: BodyTree,
  sink: RaySink,
  expectOn: () => void,
): Promise<void> {
  const { filters, rays, signal, ensureIntact } = query;
  const axes = dimension.dimension;
  const count = rays.origins.length / axes;
  for (let ray = 0; ray < count;) {
    const part = await workInTurns(candidatesFor(tree, filters, rays, axes, ray), expectOn);
    if (part.pairs.length > 0) {
      const over = pairsWithRays(dimension, query, bodies, part);
      const chunks = await answer({ what: impactsBy(query.leadStage), over, form: HITS, signal, ensureIntact });
      expectOn();
      for (const chunk of chunks) keepImpacts(dimension, sink, rays, part, chunk);
    }
    ray = part.end;
  }
}

/** Groups of the bodies, followed by those of the rays. */
function groupsOfAll(
  { shapes }: AnyBodies,
  filters: CollisionFilters,
  rays: Rays,
  rayCount: number,
): Uint32Array | undefined {
  if (!filters.groups && !rays.groups) return undefined;
  const count = shapes.length;
  const groups = allocate('groups with rays', Uint32Array, count + rayCount).fill(ALL_GROUPS);
  if (filters.groups) groups.set(filters.groups);
  if (rays.groups) groups.set(rays.groups, count);
  return groups;
}

/** A range of rays, from `first` up to but not including `end`, and the bodies that they may meet. */
interface Part extends RayPairs {
  end: number;
}

/** The next rays that have about `PAIRS_AT_ONCE` pairs with bodies that they may meet. */
function* candidatesFor(
  { tree, halfspaces }: BodyTree,
  { groups }: CollisionFilters,
  rays: Rays,
  axes: number,
  first: number,
): Work<Part> {
  const isDue = createPace();
  const count = rays.origins.length / axes;
  const pairs: number[] = [];
  const boxRay = createBoxRay();
  const walk = createRayWalk();
  let ray = first;
  for (; ray < count && pairs.length < 2 * PAIRS_AT_ONCE; ray++) {
    const ownGroups = rays.groups ? rays.groups[ray] : ALL_GROUPS;
    setBoxRay(axes, rays, ray, boxRay);
    const meet = (body: number): number => {
      if (groupsMeet(ownGroups, groups ? groups[body] : ALL_GROUPS)) pairs.push(body, ray - first);
      return boxRay.end;
    };
    for (const { body } of halfspaces) meet(body);
    startRayWalk(tree, boxRay, walk);
    for (let hasEnded = false; !hasEnded;) {
      hasEnded = walkAlongRay(tree, boxRay, ownGroups, meet, walk);
      if (!hasEnded || isDue(512 + halfspaces.length)) yield;
    }
  }
  const found = allocate('bodies that rays may meet', Uint32Array, pairs.length);
  found.set(pairs);
  return { first, end: ray, pairs: found };
}

/** The part with numbers of bodies in a list of those that it names, if they are few. */
function withListed(bodies: AnyBodies, part: Part): { bodies: AnyBodies; part: Part } {
  const { pairs } = part;
  if (pairs.length === 0 || pairs.length > bodies.shapes.length) return { bodies, part };
  const numbers = new Map<number, number>();
  const renamed = allocate('pairs of bodies and rays', Uint32Array, pairs.length);
  for (let i = 0; i < pairs.length; i += 2) {
    const number = numbers.get(pairs[i]) ?? numbers.size;
    numbers.set(pairs[i], number);
    renamed[i] = number;
    renamed[i + 1] = pairs[i + 1];
  }
  return { bodies: listedBodies(bodies, [...numbers.keys()]), part: { ...part, pairs: renamed } };
}

/** In which form the backend answers. */
const HITS: AnswerForm = { type: 'records', slots: 'hits' };

function impactsBy(leadStage: LeadStage): PairQuery {
  return { query: 'impacts', leadStage, margin: 0 };
}

/** The given bodies at rest, followed by the rays, which move. */
function pairsWithRays(dimension: Dimension, query: RayQuery, given: AnyBodies, ofGiven: Part): BodyPairs {
  const { shapes } = query;
  const { origins, directions, radii } = query.rays;
  const { bodies, part } = withListed(given, ofGiven);
  const { first: firstRay, end, pairs } = part;
  const axes = dimension.dimension;
  const standing = bodies.shapes.length;
  const count = standing + end - firstRay;
  const positions = allocate<Float32Array | Float64Array>(
    'positions with rays',
    isIn64Bits(query) ? Float64Array : Float32Array,
    axes * count,
  );
  positions.set(bodies.positions);
  positions.set(origins.subarray(axes * firstRay, axes * end), axes * standing);
  const scales = allocate('scales with rays', Float32Array, count).fill(1);
  if (bodies.scales) scales.set(bodies.scales);
  const linear = allocate('velocities with rays', Float32Array, axes * count);
  linear.set(directions.subarray(axes * firstRay, axes * end), axes * standing);
  const ids = allocate('shapes with rays', Uint32Array, count).fill(ballOf(shapes));
  ids.set(bodies.shapes);
  for (let i = standing; i < count; i++)
    scales[i] = radii ? Math.max(radii[firstRay + i - standing], LEAST_RADIUS) : LEAST_RADIUS;
  const moved = allocate('pairs of bodies and rays', Uint32Array, pairs.length);
  for (let i = 0; i < pairs.length; i++) moved[i] = i & 1 ? standing + pairs[i] : pairs[i];
  const upright = dimension.withUpright(bodies, ids, positions, scales);
  return { dimension, shapes, bodies: upright, pairs: moved, motion: { linear, duration: Infinity } };
}
