/** `rayCasts` on the device: uploads bodies and rays, finds the first impact of each ray and reads it back. */
import { NO_BODY } from '../../api/results.ts';
import { MOTION_NONE } from '../../generated/constants.ts';
import { throwIfAborted } from '../../request/abort.ts';
import { someBodies, usesFixedPoint } from '../../records/bodies.ts';
import type { PrepareRequest, RayCastRequest, RayImpacts } from '../../request/backend.ts';
import { allocate } from '../../util/arrays.ts';
import { toleranceOfTable } from '../broad-phase/tolerance.ts';
import { bindTree, treeBytes, treeVariants } from '../broad-phase/tree.ts';
import { shapesOfBodies, usedShapes, type PairFacts } from '../classes.ts';
import type { DeviceState } from '../device-slot.ts';
import { bindQuery, encodePass, encodeQuery } from '../encode-query.ts';
import type { KernelVariant } from '../kernels.ts';
import { variantsOfQuery } from '../passes.ts';
import { formOfQuery, type Planner } from '../planner.ts';
import { queryScope, type InputBuffers } from '../query-buffers.ts';
import { roundTrip } from '../round-trip.ts';
import { packChecked } from '../pack-checked.ts';
import { bindRays, hitBytes, rayVariants } from './search.ts';

/** Most pairs in a part. Those of later parts are found and answered in memory that the last one is done with. */
const PAIRS_AT_ONCE = 2 ** 20;

/** The most pairs of all rays: their places have 32 bits, and so has the end of the last part. */
const MOST_PAIRS = 2 ** 31;

const OUTPUT = { hitsOnly: false, hasCounts: false, gathersHits: false } as const;

/** The kernels that find what rays may meet, without those of the impacts. */
export function castVariants({
  dimension,
  hasFixedPoint,
}: Pick<PrepareRequest, 'dimension' | 'hasFixedPoint'>): KernelVariant[] {
  const form = { isPlanar: dimension.dimension === 2, hasFixedPoint };
  return [...treeVariants(form), ...Object.values(rayVariants(form, dimension))];
}

/** The first impact of each ray; undefined without bodies or rays, or if the device has no buffers large enough. */
export async function castRaysOnDevice(
  state: DeviceState,
  planner: Planner,
  request: RayCastRequest,
): Promise<RayImpacts | undefined> {
  const { session } = state;
  const { device, kernels, pool } = session;
  const { over, rayCount, maxTimes, groups, pairsAtOnce = PAIRS_AT_ONCE, signal } = request;
  const { dimension, bodies, shapes, motion } = over;
  const total = bodies.shapes.length;
  const bodyCount = total - rayCount;
  if (bodyCount === 0 || rayCount === 0) return undefined;
  const mostBytes = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize);
  const { poseWords, velocityWords } = dimension;
  const bodyBytes = 4 * Math.max(poseWords, velocityWords) * total;
  if (Math.max(treeBytes(bodyCount), hitBytes(dimension) * rayCount, bodyBytes) > mostBytes) return undefined;

  const form = { isPlanar: dimension.dimension === 2, hasFixedPoint: usesFixedPoint(bodies) };
  const seen = state.seenPairs.of(planner, formOfQuery(request, kernels.adapter), shapes);
  const facts = factsOf(request);
  const plan = seen.planWith(facts);
  const variants = [...castVariants({ dimension, ...form }), ...variantsOfQuery(plan.steps, dimension, false)];
  const cellSize = await packChecked(state, over, variants);
  seen.add(facts);
  throwIfAborted(signal);

  const sizes = {
    bodyCount: total,
    bodyCapacity: bodyCount,
    rayCount,
    rayCapacity: rayCount,
    shapeCount: shapes.shapes.length,
    pairCapacity: pairsAtOnce,
    margin: 0,
    motion: MOTION_NONE,
    tolerance: toleranceOfTable(shapes.shapes, dimension),
    duration: 0,
    cellSize,
  };
  let bound: { rays: ReturnType<typeof bindRays>; input: InputBuffers } | undefined;
  const [words] = await roundTrip(session, 'rayCasts.count', (encoder) => {
    const input = {
      shapeRecords: pool.get('shapes', 0),
      geometry: pool.get('geometry', 0),
      poses: pool.get('poses', 0),
      bodyShapes: pool.get('bodies', 0),
      velocities: pool.get('velocities', 0),
      maxTimes: pool.upload('maxTimes', maxTimes),
      groups: groups && pool.upload('groups', groups),
    };
    const foundPairs = pool.get('foundPairs', 8 * pairsAtOnce);
    const context = { device, kernels, pool, uniform: pool.uniform };
    const tree = bindTree(context, form, sizes, input);
    const rays = bindRays(context, dimension, form, sizes, tree, { ...input, foundPairs });
    bound = { rays, input: { ...input, pairs: foundPairs } };
    for (const buffer of [...tree.cleared, ...rays.cleared]) encoder.clearBuffer(buffer);
    encodePass(encoder, [...tree.dispatches, ...rays.counting], { label: 'rayCasts.count' });
    return [rays.total];
  });
  const { rays, input } = bound!;
  const [low, high] = new Uint32Array(words);
  if (high > 0 || low > MOST_PAIRS) return undefined;

  for (let firstPair = 0; firstPair < low || firstPair === 0; firstPair += pairsAtOnce) {
    throwIfAborted(signal);
    // Waits for the part, so that the query can be aborted before the next one.
    await roundTrip(session, 'rayCasts.part', (encoder) => {
      const passSizes = {
        ...sizes,
        pairCount: Math.min(low - firstPair, pairsAtOnce),
        pairCapacity: Math.max(1, Math.min(low, pairsAtOnce)),
        duration: motion!.duration,
        gatherCapacity: 0,
        callersWorkgroupSize: 1,
      };
      const context = { device, kernels, dimension, pool, uniform: pool.uniform };
      const scope = queryScope(context, plan, plan.steps, passSizes, OUTPUT, input);
      const { buffers } = scope;
      const { finding, keeping } = rays.part(firstPair, buffers.records);
      encodePass(encoder, finding, { label: 'rayCasts.find' });
      encodeQuery(encoder, buffers, bindQuery(scope, plan.steps), { label: 'rayCasts.impacts' });
      encodePass(encoder, keeping, { label: 'rayCasts.first' });
      return [rays.total];
    });
  }
  return readHits(state, request, rays.hits);
}

/** The kinds of the pairs: a body's shape and the ball that is a ray. */
function factsOf({ over, rayCount }: RayCastRequest): PairFacts {
  const { shapes, bodies, dimension } = over;
  const standing = someBodies(bodies, 0, bodies.shapes.length - rayCount);
  const used = usedShapes(shapes.shapes, shapesOfBodies({ shapes, bodies: standing }));
  const kinds = [...new Set(used.map(({ kind }) => kind))].sort((a, b) => a - b);
  return {
    kinds: kinds.map((kind) => [kind, dimension.ball.kind] as const),
    shapes: usedShapes(shapes.shapes, shapesOfBodies({ shapes, bodies })),
  };
}

async function readHits(
  { session }: DeviceState,
  { over: { dimension }, rayCount }: RayCastRequest,
  hits: GPUBuffer,
): Promise<RayImpacts> {
  const { words } = dimension.records.sizes.impacts;
  const hitWords = hitBytes(dimension) / 4;
  const regions = [{ buffer: hits, offset: 0, size: 4 * hitWords * rayCount }];
  const [bytes] = await roundTrip(session, 'rayCasts.read', () => regions);
  const found = new Uint32Array(bytes);
  const isHit = (ray: number): boolean => found[hitWords * ray + words] !== NO_BODY;
  let hitCount = 0;
  for (let ray = 0; ray < rayCount; ray++) if (isHit(ray)) hitCount++;
  const records = allocate('impacts of rays', Uint32Array, words * hitCount);
  const pairs = allocate('pairs of bodies and rays', Uint32Array, 2 * hitCount);
  for (let ray = 0, hit = 0; ray < rayCount; ray++) {
    if (!isHit(ray)) continue;
    const from = hitWords * ray;
    records.set(found.subarray(from, from + words), words * hit);
    pairs[2 * hit] = found[from + words];
    pairs[2 * hit + 1] = ray;
    hit++;
  }
  return { pairs, chunk: { firstPair: 0, recordCount: hitCount, records: records.buffer as ArrayBuffer } };
}
