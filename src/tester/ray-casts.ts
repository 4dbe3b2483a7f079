/**
 * Ray casts. A ray is a point or a sphere that moves along its direction; its hit is the first of its impacts. A tree of
 * boxes skips the bodies that a ray can't meet. Many rays or bodies are left to the device, which has a tree of its own.
 */
import { throwIfAborted } from '../request/abort.ts';
import { allocate } from '../util/arrays.ts';
import type { LeadStage, QueryRequest, RayCastRequest, RayImpacts } from '../request/backend.ts';
import type { RecordChunk } from '../records/chunk.ts';
import { ballOf } from '../shapes/shape-table.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import type { BroadPhase, Dimension } from '../request/dimension.ts';
import type { AnyBodies } from '../records/bodies.ts';
import type { CollisionFilters, Rays } from '../api/types.ts';
import { rayTest } from '../broad-phase/box-rays.ts';
import { isEmptyBox } from '../broad-phase/bounding.ts';
import { buildBoxTree, type BoxTree } from '../broad-phase/box-tree.ts';
import { ALL_GROUPS, groupsMeet } from '../broad-phase/filters.ts';
import { searchTree } from '../broad-phase/search-tree.ts';
import { createPace, workInTurns, type Work } from '../util/turns.ts';
import { createRayHits, keepFirst, type FirstHits, type RayPairs } from '../request/ray-hits.ts';

/** Most body-ray pairs in one request. */
const PAIRS_AT_ONCE = 2 ** 18;

/**
 * Runs requests for impacts until every ray has its hit. `shapes` is a snapshot, which includes the ball that
 * represents a ray.
 */
export async function castRays(
  dimension: Dimension,
  shapes: ShapeTable,
  { bodies, filters, broadPhase }: { bodies: AnyBodies; filters: CollisionFilters; broadPhase: BroadPhase },
  rays: Rays,
  leadStage: LeadStage,
  { fields, target, signal }: { fields: readonly string[]; target: unknown; signal?: AbortSignal },
  { answer, castOnDevice }: Answering,
): Promise<object> {
  const axes = dimension.dimension;
  const count = rays.origins.length / axes;
  const is64Bit = bodies.positions instanceof Float64Array || rays.origins instanceof Float64Array;
  const hits = createRayHits(count, axes, is64Bit, fields, target);
  const expectOn = (): void => throwIfAborted(signal);
  const all = { first: 0, end: count, pairs: new Uint32Array(0) };
  const found = await castOnDevice(bodies.shapes.length + count, () => ({
    query: { ...requestFor(dimension, shapes, bodies, rays, all, is64Bit, leadStage), signal },
    rayCount: count,
    maxTimes: rays.maxTimes ?? allocate('greatest times of rays', Float32Array, count).fill(Infinity),
    groups: groupsOfAll(bodies, filters, rays, count),
  }));
  if (found) {
    keepFirst(dimension, hits, rays, bodies, { first: 0, pairs: found.pairs }, found.chunk);
    return withCounts(hits, count);
  }
  const boxes = await workInTurns(broadPhase.boundBodies(bodies, shapes.shapes, { margin: 0 }), expectOn);
  const targets = await workInTurns(findTargets(boxes, filters), expectOn);
  for (let ray = 0; ray < count;) {
    const part = await workInTurns(candidatesFor(targets, rays, axes, ray), expectOn);
    if (part.pairs.length > 0) {
      const request = requestFor(dimension, shapes, bodies, rays, part, is64Bit, leadStage);
      const chunks = await answer(request);
      throwIfAborted(signal);
      for (const chunk of chunks) keepFirst(dimension, hits, rays, bodies, part, chunk);
    }
    ray = part.end;
  }
  return withCounts(hits, count);
}

/** How requests are answered. */
interface Answering {
  answer(request: QueryRequest): Promise<RecordChunk[]>;
  /** `count` is that of bodies and rays. Resolves to undefined if the rays are to be cast here. */
  castOnDevice(count: number, makeRequest: () => RayCastRequest): Promise<RayImpacts | undefined>;
}

function withCounts({ result, status }: FirstHits, count: number): object {
  // The arrays of a target may be longer.
  for (let ray = 0; ray < count; ray++) result.statusCounts[status[ray]]++;
  return result;
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

/** The bodies that rays may meet, and which those are by their groups. */
interface Targets {
  tree: BoxTree;
  halfspaces: readonly number[];
  groups?: Uint32Array;
}

function* findTargets(boxes: Float64Array, { groups }: CollisionFilters): Work<Targets> {
  const tree = yield* buildBoxTree(boxes, { groups });
  const halfspaces: number[] = [];
  const count = boxes.length / 6;
  if (tree.bodies.length < count)
    for (let body = 0; body < count; body++) if (isEmptyBox(boxes, body)) halfspaces.push(body);
  return { tree, halfspaces, groups };
}

/** The next rays that have about `PAIRS_AT_ONCE` pairs with bodies that they may meet. */
function* candidatesFor({ tree, halfspaces, groups }: Targets, rays: Rays, axes: number, first: number): Work<Part> {
  const isDue = createPace();
  const count = rays.origins.length / axes;
  const pairs: number[] = [];
  let ray = first;
  for (; ray < count && pairs.length < 2 * PAIRS_AT_ONCE; ray++) {
    const ownGroups = rays.groups ? rays.groups[ray] : ALL_GROUPS;
    const meet = (body: number): void => {
      if (groupsMeet(ownGroups, groups ? groups[body] : ALL_GROUPS)) pairs.push(body, ray - first);
    };
    halfspaces.forEach(meet);
    const seeker = { groups: ownGroups, isFixed: false, meets: rayTest(axes, rays, ray) };
    yield* searchTree(tree, seeker, meet, isDue);
    if (isDue(128 + halfspaces.length)) yield;
  }
  const found = allocate('bodies that rays may meet', Uint32Array, pairs.length);
  found.set(pairs);
  return { first, end: ray, pairs: found };
}

/** Scale of the sphere of a ray without a radius. It is as small as a point, and a scale of 0 is invalid. */
const LEAST_RADIUS = 1e-30;

/** The request's bodies: the given ones at rest, followed by the rays, which move. */
function requestFor(
  dimension: Dimension,
  shapes: ShapeTable,
  bodies: AnyBodies,
  { origins, directions, radii }: Rays,
  part: Part,
  is64Bit: boolean,
  leadStage: LeadStage,
): QueryRequest {
  const { first: firstRay, end, pairs } = part;
  const axes = dimension.dimension;
  const standing = bodies.shapes.length;
  const count = standing + end - firstRay;
  const positions = allocate<Float32Array | Float64Array>(
    'positions with rays',
    is64Bit ? Float64Array : Float32Array,
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
  return {
    query: 'impacts',
    dimension,
    bodies: dimension.withUpright(bodies, ids, positions, scales),
    pairs: moved,
    shapes,
    leadStage,
    margin: 0,
    motion: { linear, duration: Infinity },
    hitsOnly: true,
  };
}
