/**
 * Ray casts. A ray is a point or a sphere that moves along its direction; its hit is the first of its impacts. A
 * bounding tree skips the bodies that a ray can't meet.
 */
import { throwIfAborted } from '../request/abort.ts';
import { allocate, type ArrayType } from '../util/arrays.ts';
import type { LeadStage, QueryRequest } from '../request/backend.ts';
import { CORE_HALFSPACE, INFO_STATUS_MASK } from '../generated/constants.ts';
import { pairOf, type RecordChunk } from '../records/chunk.ts';
import { resultArray } from '../records/create-result.ts';
import { vector } from '../records/items.ts';
import { ballOf } from '../shapes/shape-table.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import type { Dimension } from '../request/dimension.ts';
import type { AnyBodies } from '../records/bodies.ts';
import { NO_BODY, Status, type RayHitItem, type RayHits, type RayCastOptions, type Rays } from '../api/types.ts';
import { createBoundingTree } from '../broad-phase/bounding-tree.ts';

/** Most body-ray pairs in one request. */
const PAIRS_AT_ONCE = 2 ** 18;

/**
 * Runs requests for impacts until every ray has its hit. `shapes` is a snapshot, which includes the ball that
 * represents a ray.
 */
export async function castRays(
  dimension: Dimension,
  shapes: ShapeTable,
  bodies: AnyBodies,
  rays: Rays,
  leadStage: LeadStage,
  options: RayCastOptions,
  answer: (request: QueryRequest) => Promise<RecordChunk[]>,
): Promise<RayHits> {
  const axes = dimension.dimension;
  const count = rays.origins.length / axes;
  const result = createRayHits(count, axes, bodies, rays, options);
  const candidates = candidatesOf(axes, shapes, bodies, rays);
  const is64Bit = bodies.positions instanceof Float64Array || rays.origins instanceof Float64Array;
  for (let ray = 0; ray < count;) {
    const part = candidates(ray, PAIRS_AT_ONCE);
    if (part.pairs.length > 0) {
      const request = requestFor(dimension, shapes, bodies, rays, part, is64Bit, leadStage);
      const chunks = await answer(request);
      throwIfAborted(options.signal);
      for (const chunk of chunks) keepFirst(dimension, result, rays, bodies, part, chunk);
    }
    ray = part.end;
  }
  // The arrays of a target may be longer.
  for (let ray = 0; ray < count; ray++) (result.statusCounts as unknown as number[])[result.status[ray]]++;
  return result;
}

/**
 * A range of rays, from `first` up to but not including `end`, and the bodies that they may meet: for each pair the
 * body, and the ray counted from `first`.
 */
interface Part {
  first: number;
  end: number;
  pairs: Uint32Array;
}

function candidatesOf(
  axes: number,
  table: ShapeTable,
  { shapes, positions, scales }: AnyBodies,
  { origins, directions, maxTimes, radii }: Rays,
): (first: number, most: number) => Part {
  const count = shapes.length;
  const bounded = allocate('bodies with boxes', Uint32Array, count);
  const halfspaces: number[] = [];
  const extents = allocate('reaches of the bodies', Float64Array, count);
  let boundedCount = 0;
  for (let body = 0; body < count; body++) {
    const { kind, boundingRadius } = table.shapes[shapes[body]]!;
    if (kind === CORE_HALFSPACE) halfspaces.push(body);
    else bounded[boundedCount++] = body;
    extents[body] = boundingRadius * (scales ? scales[body] : 1);
  }
  const tree = createBoundingTree(axes, positions, extents, bounded.subarray(0, boundedCount));
  return (first, most) => {
    const pairs: number[] = [];
    let ray = first;
    for (; ray < origins.length / axes && pairs.length < 2 * most; ray++) {
      const meet = (body: number): void => void pairs.push(body, ray - first);
      halfspaces.forEach(meet);
      tree.cast(origins, directions, ray, maxTimes ? maxTimes[ray] : Infinity, radii ? radii[ray] : 0, meet);
    }
    const found = allocate('bodies that rays may meet', Uint32Array, pairs.length);
    found.set(pairs);
    return { first, end: ray, pairs: found };
  };
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

function createRayHits(
  count: number,
  axes: number,
  bodies: AnyBodies,
  rays: Rays,
  { target }: RayCastOptions,
): RayHits {
  const Points =
    bodies.positions instanceof Float64Array || rays.origins instanceof Float64Array ? Float64Array : Float32Array;
  const take = <Values extends Float32Array | Float64Array | Uint32Array | Uint8Array>(
    name: string,
    Type: ArrayType<Values>,
    length: number,
  ): Values => resultArray(target, name, Type, length);
  const result = {
    count,
    pair: take('pair', Uint32Array, count),
    status: take('status', Uint8Array, count),
    statusCounts: [0, 0, 0, 0, 0] as const,
    time: take('time', Float32Array, count),
    normal: take('normal', Float32Array, axes * count),
    point: take<Float32Array | Float64Array>('point', Points, axes * count),
    body: take('body', Uint32Array, count),
  };
  for (let ray = 0; ray < count; ray++) result.pair[ray] = ray;
  result.status.fill(0, 0, count);
  result.normal.fill(0, 0, axes * count);
  result.point.fill(0, 0, axes * count);
  result.time.fill(Infinity, 0, count);
  result.body.fill(NO_BODY, 0, count);
  return {
    ...result,
    *[Symbol.iterator]() {
      for (let ray = 0; ray < count; ray++) yield itemOf(result, ray, axes);
    },
  };
}

function itemOf(
  { status, time, body, normal, point }: Omit<RayHits, typeof Symbol.iterator>,
  ray: number,
  axes: number,
): RayHitItem {
  return {
    pair: ray,
    status: status[ray] as Status,
    time: time[ray],
    body: body[ray],
    normal: vector(normal, ray, axes),
    point: vector(point, ray, axes),
  };
}

/**
 * Updates each ray's hit with the impacts of a chunk that come earlier. If two times are equal, the body with the lower
 * index wins.
 */
function keepFirst(
  { dimension, records }: Dimension,
  { status, time, normal, point, body }: RayHits,
  { maxTimes }: Rays,
  { positions }: AnyBodies,
  { first, pairs }: Part,
  chunk: RecordChunk,
): void {
  const { impact, sizes } = records;
  const { words, info } = sizes.impacts;
  const floats = new Float32Array(chunk.records);
  const integers = new Uint32Array(chunk.records);
  for (let i = 0; i < chunk.recordCount; i++) {
    const at = words * i;
    const pair = pairOf(chunk, i);
    const ray = first + pairs[2 * pair + 1];
    const met = pairs[2 * pair];
    const when = Math.max(floats[at + impact.unclampedTime], 0);
    if (when > (maxTimes ? maxTimes[ray] : Infinity) || when > time[ray] || (when === time[ray] && met > body[ray]))
      continue;
    time[ray] = when;
    body[ray] = met;
    status[ray] = integers[at + info] & INFO_STATUS_MASK;
    const hasPoint = status[ray] === Status.Overlapping;
    for (let k = 0; k < dimension; k++) {
      normal[dimension * ray + k] = floats[at + impact.normal + k];
      point[dimension * ray + k] = hasPoint ? positions[dimension * met + k] + floats[at + impact.point + k] : 0;
    }
  }
}
