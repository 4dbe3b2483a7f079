/** The searches: `findPairs`, `rayCasts` and `trianglePairs`. */
import { invalidInput } from '../api/errors.ts';
import type {
  Bodies,
  FindPairsOptions,
  RayCastOptions,
  Rays,
  ResidentBodies,
  TrianglePairOptions,
} from '../api/types.ts';
import { GREATEST_POSITION } from '../generated/constants.ts';
import type { AnyBodies, AnyVelocities, BodyMotion } from '../records/bodies.ts';
import type { Backend } from '../request/backend.ts';
import type { Dimension } from '../request/dimension.ts';
import { resultFields } from '../request/fields.ts';
import { versionOf } from '../request/resident.ts';
import { readMotion } from '../request/validate-motion.ts';
import { expectRayResults, validateRays } from '../request/validate-rays.ts';
import { chooseImpactStage } from '../request/validate.ts';
import { bodyInputs, fieldsIn } from '../request/watched-arrays.ts';
import { snapshotOf } from '../shapes/shape-table.ts';
import { fixedLength } from '../util/arrays.ts';
import { door } from '../util/door.ts';
import { workInTurns } from '../util/turns.ts';
import { expectRunning, readBodies, type TesterContext } from './context.ts';
import { bodiesHaveParts, expectMeshPairs, type Given } from './make-request.ts';
import type { Queries } from './queries.ts';
import type { CastRays, RayQuery } from './ray-casts.ts';

const loadRayCasts = door('ray casts', async () => (await import('./ray-casts.ts')).createRayCasts);
export const loadPartImpacts = door('compounds and meshes', async (dimension: Dimension) =>
  (await import('../parts/ray-impacts.ts')).loadPartImpacts(dimension),
);
export const loadTrianglePairs = door('meshes', async () => (await import('../parts/triangle-pairs.ts')).trianglePairs);
const loadTrees = door('the broad phase', async () => (await import('../request/resident-trees.ts')).treeFor);
export const loadBroadPhase = door('the broad phase', (dimension: Dimension) => dimension.loadBroadPhase());

/** The most pairs that `findPairs` returns: longer arrays of them can't be relied on. */
const MOST_PAIRS = 2 ** 28;

/** No two bodies are farther apart on any axis. Boxes that are enlarged by more could be without end. */
const GREATEST_MARGIN = 4 * GREATEST_POSITION;

export interface Searches {
  findPairs(given: Bodies | ResidentBodies, options?: FindPairsOptions): Promise<Uint32Array>;
  rayCasts(given: Bodies | ResidentBodies, rays: Rays, options?: Given<RayCastOptions>): Promise<never>;
  trianglePairs(
    given: Bodies | ResidentBodies,
    pairs: Uint32Array,
    options?: Given<TrianglePairOptions>,
  ): Promise<never>;
  /** Loads all that ray casts need. */
  openRayCasts(): Promise<CastRays>;
}

/** Whether a search among `count` bodies is for the device. */
function isForDevice(backend: Backend, search: 'findPairs' | 'castRays', count: number): boolean {
  return backend[search] !== undefined && count >= (backend.leastOnDevice?.[search] ?? Infinity);
}

/** What the device finds; undefined if it is lost, or has no room. */
async function onDevice<Search extends 'findPairs' | 'castRays'>(
  backend: Backend,
  search: Search,
  request: Parameters<NonNullable<Backend[Search]>>[0],
): Promise<Awaited<ReturnType<NonNullable<Backend[Search]>>>> {
  try {
    return await (backend[search] as (request: unknown) => Promise<never>)(request);
  } catch (error) {
    // Without a device the backend is the CPU's from now on.
    if (backend[search] !== undefined) throw error;
    return undefined as never;
  }
}

/** The motion of bodies, checked. Durations are f32 numbers, as those of `impacts`. */
function motionOf(
  dimension: Dimension,
  velocities: AnyVelocities,
  duration: number,
  { shapes: { length } }: AnyBodies,
): BodyMotion {
  const { motion, check } = readMotion(velocities, duration, length, dimension);
  check();
  return { ...motion, duration: Math.fround(duration) };
}

export function createSearches(context: TesterContext, { chunksOf }: Pick<Queries, 'chunksOf'>): Searches {
  const { backend, dimension, shapes, inTurn, loadReference } = context;
  /** What casts rays, from the first call on. */
  let castRays: CastRays | undefined;

  async function openRayCasts(): Promise<CastRays> {
    const createRayCasts = await loadRayCasts();
    return (castRays ??= createRayCasts({
      dimension,
      loadBroadPhase: () => loadBroadPhase(dimension),
      loadReference,
      loadPartImpacts: () => loadPartImpacts(dimension),
      answer: chunksOf,
      isForDevice: (count) => isForDevice(backend, 'castRays', count),
      castOnDevice: (makeRayRequest) => onDevice(backend, 'castRays', makeRayRequest()),
    }));
  }

  function rayCasts(given: Bodies | ResidentBodies, rays: Rays, options: Given<RayCastOptions> = {}): Promise<never> {
    return inTurn('rayCasts', options, (onEnd, watch) => {
      const snapshot = snapshotOf(shapes, dimension);
      const { bodies, filters, resident } = readBodies(context, given, onEnd);
      const cast = validateRays(rays, dimension.dimension);
      const { algorithm = 'auto', results = 'first', target, signal } = options;
      expectRayResults(results);
      const asked: RayQuery = {
        bodies,
        filters,
        resident: resident && versionOf(resident),
        shapes: snapshot,
        rays: cast,
        leadStage: chooseImpactStage(algorithm),
        results,
        fields: resultFields('rayCasts', dimension.dimension, options),
        target,
        signal,
        ensureIntact: watch([...(resident ? [] : bodyInputs(bodies, undefined, filters)), ...fieldsIn('rays', cast)]),
      };
      return async () => (castRays ?? (await openRayCasts()))(asked) as Promise<never>;
    });
  }

  function trianglePairs(
    given: Bodies | ResidentBodies,
    givenPairs: Uint32Array,
    options: Given<TrianglePairOptions> = {},
  ): Promise<never> {
    return inTurn('trianglePairs', options, (onEnd, watch) => {
      const { target, signal } = options;
      const { bodies, resident } = readBodies(context, given, onEnd);
      const pairs = fixedLength(givenPairs);
      expectMeshPairs(bodies, pairs, shapes, dimension);
      const ensureIntact = watch([['pairs', pairs], ...(resident ? [] : bodyInputs(bodies))]);
      const fields = resultFields('trianglePairs', 3, options);
      const snapshot = snapshotOf(shapes, dimension);
      const expectOn = (): void => expectRunning(context, signal, ensureIntact);
      return async () => {
        const find = await loadTrianglePairs();
        const request = { bodies, pairs, shapes: snapshot.shapes, fields, target, expectOn };
        return find(backend, request as Parameters<typeof find>[1]) as Promise<never>;
      };
    });
  }

  function findPairs(given: Bodies | ResidentBodies, options: FindPairsOptions = {}): Promise<Uint32Array> {
    return inTurn('findPairs', options, (onEnd, watch) => {
      const { bodies, filters, arrays, resident } = readBodies(context, given, onEnd);
      const { margin = 0, duration, signal } = options;
      if (!(typeof margin === 'number' && margin >= 0 && margin < Infinity))
        invalidInput('options.margin', margin, 'a finite number of at least 0');
      const limited = Math.min(margin, GREATEST_MARGIN);
      const motion =
        duration === undefined ? undefined : motionOf(dimension, arrays as AnyVelocities, duration, bodies);
      const snapshot = snapshotOf(shapes, dimension);
      const version = resident && versionOf(resident);
      const ensureIntact = watch(resident ? [] : bodyInputs(bodies, motion, filters));
      const expectOn = (): void => expectRunning(context, signal, ensureIntact);
      return async () => {
        // Boxes that enclose a motion without end, and those of compounds and meshes, are precise on the CPU alone.
        const isForCpu = motion?.duration === Infinity || bodiesHaveParts(bodies, snapshot);
        if (!isForCpu && isForDevice(backend, 'findPairs', bodies.shapes.length)) {
          const asked = { dimension, bodies, filters, motion, shapes: snapshot, margin: limited };
          const pairs = await onDevice(backend, 'findPairs', { ...asked, maxPairs: MOST_PAIRS, signal });
          expectOn();
          if (pairs) return pairs;
        }
        const [broadPhase, treeFor] = await Promise.all([loadBroadPhase(dimension), loadTrees()]);
        expectOn();
        const form = { margin: limited, motion, filters };
        const tree = await workInTurns(treeFor(broadPhase, version, bodies, snapshot, form), expectOn);
        return workInTurns(broadPhase.findPairs(tree, filters, MOST_PAIRS), expectOn);
      };
    });
  }

  return { findPairs, rayCasts, trianglePairs, openRayCasts };
}
