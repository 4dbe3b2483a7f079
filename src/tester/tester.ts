import { throwIfAborted } from '../request/abort.ts';
import type { Backend, QueryRequest, QuerySink, ResultRequest } from '../request/backend.ts';
import type { BatchOptions, BatchQuery } from '../api/batch-options.ts';
import type { BatchOf } from '../api/batch.ts';
import { NarrowphaseError, invalidInput } from '../api/errors.ts';
import type { AnswerPair } from '../cpu/answer-request.ts';
import { type Escalate, collect } from './collect.ts';
import {
  type Given,
  type GivenBodies,
  bodiesHaveParts,
  expectMeshPairs,
  isLarge,
  makeImpactRequest,
  makeRequest,
  readGiven,
  readScene,
} from './make-request.ts';
import { createQueryQueue, type OnEnd } from './query-queue.ts';
import { fixedLength } from '../util/arrays.ts';
import { createResidentBodies } from './resident-bodies.ts';
import { door } from '../util/door.ts';
import { GREATEST_POSITION } from '../generated/constants.ts';
import type { QueryName } from '../api/queries.ts';
import type { RecordChunk } from '../records/chunk.ts';
import { chooseImpactStage } from '../request/validate.ts';
import { resultFields } from '../request/fields.ts';
import { namesPart } from '../records/result-fields.ts';
import { readMotion } from '../request/validate-motion.ts';
import { validateRays } from '../request/validate-rays.ts';
import { addShape, createShapeTable, removeShape, shapeOf, snapshotOf } from '../shapes/shape-table.ts';
import type { Dimension } from '../request/dimension.ts';
import type { AnyBodies, AnyVelocities, BodyMotion } from '../records/bodies.ts';
import { holdResident, versionOf } from '../request/resident.ts';
import { treeFor } from '../request/resident-trees.ts';
import type { CastRays, RayQuery } from './ray-casts.ts';
import { bodyInputs, fieldsIn, type EnsureIntact, type NamedArrays } from '../request/watched-arrays.ts';
import { workInTurns } from '../util/turns.ts';
import type { MassProperties, ShapeGeometry } from '../api/geometry.ts';
import { createWarmStart } from '../request/warm-start.ts';
import type {
  Bodies,
  ContactOptions,
  FindPairsOptions,
  ImpactOptions,
  PrepareOptions,
  RayCastOptions,
  Rays,
  ResidentBodies,
  Tester,
  TrianglePairOptions,
} from '../api/types.ts';

const loadRayCasts = door('ray casts', async () => (await import('./ray-casts.ts')).createRayCasts);
const loadPartImpacts = door(
  'compounds and meshes',
  async () => (await import('../parts/ray-impacts.ts')).createPartImpacts,
);
const loadParts = door('compounds and meshes', async () => (await import('../parts/run-parts.ts')).runParts);
const loadTrianglePairs = door('meshes', async () => (await import('../parts/triangle-pairs.ts')).trianglePairs);
const loadPrepare = door('prepare', async () => (await import('./prepare.ts')).prepare);
const loadCapture = door('captures', async () => (await import('./capture.ts')).capture);
const loadBatchRequests = door('batches', async () => (await import('../request/batch-request.ts')).makeBatchRequest);
const loadBroadPhase = door('the broad phase', (dimension: Dimension) => dimension.loadBroadPhase());

/** The most pairs that `findPairs` returns: longer arrays of them can't be relied on. */
const MOST_PAIRS = 2 ** 28;

/** No two bodies are farther apart on any axis. Boxes that are enlarged by more could be without end. */
const GREATEST_MARGIN = 4 * GREATEST_POSITION;

/** The arrays that a query reads. Those of a handle stay. */
function inputsOf({ bodies, pairs, motion, resident }: QueryRequest): NamedArrays {
  return [['pairs', pairs], ...(resident ? [] : bodyInputs(bodies, motion))];
}

/**
 * A tester on a backend, for bodies of this dimension. Queries run one after the other, in the order of their calls.
 * The types here are the types of 3-D; `dimension` has everything that differs in 2-D.
 */
export function makeTester(backend: Backend, dimension: Dimension, loadReference: () => Promise<AnswerPair>): Tester {
  const shapes = createShapeTable();
  /** Batches to dispose of with the tester. */
  const batches = new Set<{ dispose(): void }>();
  let isDisposed = false;
  const inTurn = createQueryQueue(ensureOpen);
  const scene = { shapes, dimension };

  /** Loads the reference and the function that asks it, when they are first needed. */
  const loadEscalation = door('escalation', async (): Promise<Escalate> => {
    const [{ escalate }, answerPair] = await Promise.all([import('./escalate.ts'), loadReference()]);
    return (request, chunk, totals) => escalate(answerPair, request, chunk, totals);
  });

  function ensureOpen(): void {
    if (isDisposed) throw new NarrowphaseError('DISPOSED', 'the tester was disposed');
  }

  /** For queries that take long on the host. */
  function expectRunning(signal: AbortSignal | undefined, ensureIntact: EnsureIntact | undefined): void {
    ensureOpen();
    throwIfAborted(signal);
    ensureIntact?.();
  }

  async function query(
    name: QueryName,
    bodies: Bodies | ResidentBodies,
    pairs: Uint32Array,
    options: Given<ContactOptions> = {},
  ): Promise<never> {
    return ask(name, options, () => makeRequest(scene, name, bodies, fixedLength(pairs), options));
  }

  /**
   * Checks the options, makes the request and runs it in its turn. The type of the result depends on the caller's
   * `fields`, so it is left open.
   */
  async function ask(
    name: QueryName,
    options: Given<ContactOptions | ImpactOptions>,
    makeQueryRequest: () => ResultRequest,
  ): Promise<never> {
    return inTurn(name, options, (onEnd, watch) => {
      const { target, escalate: escalates } = options;
      const given = makeQueryRequest();
      const ensureIntact = watch(inputsOf(given));
      if (given.resident) onEnd(holdResident(given.resident.state));
      const bodies = dimension.absorbHalfspaceOffsets(given.bodies, given.shapes, given.motion?.angular);
      const request = {
        ...given,
        ensureIntact,
        bodies,
        resident: bodies === given.bodies ? given.resident : undefined,
        // The host has to look at each record to replace it, or to find each body's first impact. Few records are
        // decoded in less time than it takes to start a kernel.
        takesArrays:
          isLarge(given) && !escalates && !given.earliestOnly && !given.hasParts && !given.fields.some(namesPart),
      };
      return async () => {
        const escalate = escalates ? await loadEscalation() : undefined;
        if (!request.hasParts) return collect(backend, request, target, escalate) as Promise<never>;
        const runParts = await loadParts();
        const expectOn = (): void => expectRunning(request.signal, ensureIntact);
        const run: Backend['run'] = (ofBodies, sink) => runParts(backend, ofBodies, sink, expectOn, escalate);
        return collect({ run }, request, target, undefined) as Promise<never>;
      };
    });
  }

  /** Bodies of a query that reads them on the host. */
  function readBodies(given: Bodies | ResidentBodies, onEnd: OnEnd): GivenBodies {
    const read = readGiven(scene, given, shapes);
    read.check();
    if (read.resident) onEnd(holdResident(read.resident));
    return read;
  }

  /** The motion of bodies, checked. Durations are f32 numbers, as those of `impacts`. */
  function motionOf(velocities: AnyVelocities, duration: number, { shapes: { length } }: AnyBodies): BodyMotion {
    const { motion, check } = readMotion(velocities, duration, length, dimension);
    check();
    return { ...motion, duration: Math.fround(duration) };
  }

  /** Whether a search among `count` bodies is for the device. */
  function isForDevice(search: 'findPairs' | 'castRays', count: number): boolean {
    return backend[search] !== undefined && count >= (backend.leastOnDevice?.[search] ?? Infinity);
  }

  /** What the device finds; undefined if it is lost, or has no room. */
  async function onDevice<Search extends 'findPairs' | 'castRays'>(
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

  /** What casts rays, from the first call on. */
  let castRays: CastRays | undefined;

  async function openRayCasts(): Promise<CastRays> {
    const createRayCasts = await loadRayCasts();
    return (castRays ??= createRayCasts({
      dimension,
      loadBroadPhase: () => loadBroadPhase(dimension),
      loadReference,
      loadPartImpacts,
      answer: (request) => chunksOf({ ...request, hasParts: false }),
      isForDevice: (count) => isForDevice('castRays', count),
      castOnDevice: (makeRayRequest) => onDevice('castRays', makeRayRequest()),
    }));
  }

  function rayCasts(given: Bodies | ResidentBodies, rays: Rays, options: Given<RayCastOptions> = {}): Promise<never> {
    return inTurn('rayCasts', options, (onEnd, watch) => {
      const snapshot = snapshotOf(shapes, dimension);
      const { bodies, filters, resident } = readBodies(given, onEnd);
      const cast = validateRays(rays, dimension.dimension);
      const { algorithm = 'auto', target, signal } = options;
      const asked: RayQuery = {
        bodies,
        filters,
        resident: resident && versionOf(resident),
        shapes: snapshot,
        rays: cast,
        leadStage: chooseImpactStage(algorithm),
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
      const { bodies, resident } = readBodies(given, onEnd);
      const pairs = fixedLength(givenPairs);
      expectMeshPairs(bodies, pairs, shapes, dimension);
      const ensureIntact = watch([['pairs', pairs], ...(resident ? [] : bodyInputs(bodies))]);
      const fields = resultFields('trianglePairs', 3, options);
      const snapshot = snapshotOf(shapes, dimension);
      const expectOn = (): void => expectRunning(signal, ensureIntact);
      return async () => {
        const find = await loadTrianglePairs();
        const request = { bodies, pairs, shapes: snapshot.shapes, fields, target, expectOn };
        return find(backend, request as Parameters<typeof find>[1]) as Promise<never>;
      };
    });
  }

  function findPairs(given: Bodies | ResidentBodies, options: FindPairsOptions = {}): Promise<Uint32Array> {
    return inTurn('findPairs', options, (onEnd, watch) => {
      const { bodies, filters, arrays, resident } = readBodies(given, onEnd);
      const { margin = 0, duration, signal } = options;
      if (!(typeof margin === 'number' && margin >= 0 && margin < Infinity))
        invalidInput('options.margin', margin, 'a finite number of at least 0');
      const limited = Math.min(margin, GREATEST_MARGIN);
      const motion = duration === undefined ? undefined : motionOf(arrays as AnyVelocities, duration, bodies);
      const snapshot = snapshotOf(shapes, dimension);
      const version = resident && versionOf(resident);
      const ensureIntact = watch(resident ? [] : bodyInputs(bodies, motion, filters));
      const expectOn = (): void => expectRunning(signal, ensureIntact);
      return async () => {
        // Boxes that enclose a motion without end, and those of compounds and meshes, are precise on the CPU alone.
        const isForCpu = motion?.duration === Infinity || bodiesHaveParts(bodies, snapshot);
        if (!isForCpu && isForDevice('findPairs', bodies.shapes.length)) {
          const asked = { dimension, bodies, filters, motion, shapes: snapshot, margin: limited };
          const pairs = await onDevice('findPairs', { ...asked, maxPairs: MOST_PAIRS, signal });
          expectOn();
          if (pairs) return pairs;
        }
        const broadPhase = await loadBroadPhase(dimension);
        expectOn();
        const form = { margin: limited, motion, filters };
        const tree = await workInTurns(treeFor(broadPhase, version, bodies, snapshot, form), expectOn);
        return workInTurns(broadPhase.findPairs(tree, filters, MOST_PAIRS), expectOn);
      };
    });
  }

  function prepare(options: PrepareOptions): Promise<void> {
    return inTurn('prepare', options as object, () => {
      const given = { ...options };
      const table = snapshotOf(shapes, dimension);
      return async () => {
        const prepareQuery = await loadPrepare();
        const broadPhase = (): Promise<unknown> => loadBroadPhase(dimension);
        const doors = {
          rayCasts: () => Promise.all([openRayCasts(), loadReference()]),
          broadPhase,
          escalation: loadEscalation,
          parts: () => Promise.all([loadParts(), loadPartImpacts()]),
          trianglePairs: loadTrianglePairs,
        };
        await prepareQuery(given, table, dimension, backend, doors);
      };
    });
  }

  async function chunksOf(request: QueryRequest): Promise<RecordChunk[]> {
    const chunks: RecordChunk[] = [];
    const sink: QuerySink = {
      write(chunk) {
        throwIfAborted(request.signal);
        request.ensureIntact?.();
        chunks.push(chunk);
      },
      count() {},
    };
    if (request.hasParts) {
      const runParts = await loadParts();
      await runParts(backend, request, sink, () => expectRunning(request.signal, request.ensureIntact));
    } else await backend.run(request, sink);
    return chunks;
  }

  async function createBatch<Q extends BatchQuery>(options: BatchOptions<Q>): Promise<BatchOf<Q>> {
    ensureOpen();
    const makeBatchRequest = await loadBatchRequests();
    ensureOpen();
    const request = makeBatchRequest(options, shapes, dimension, scene);
    if (!backend.createBatch)
      throw new NarrowphaseError('WEBGPU_UNAVAILABLE', 'a batch lives on a GPU, and this tester runs on the CPU');
    // The type of the result depends on the query.
    const batch = (await backend.createBatch({
      ...request,
      onDispose: () => batches.delete(batch),
    })) as unknown as BatchOf<Q>;
    batches.add(batch);
    if (isDisposed) {
      batch.dispose();
      ensureOpen();
    }
    return batch;
  }

  function dispose(): void {
    if (isDisposed) return;
    isDisposed = true;
    for (const batch of batches) batch.dispose();
    backend.dispose();
  }

  const tester: Tester = {
    get backend() {
      return backend.name;
    },
    get fallback() {
      return backend.fallback;
    },
    // As for all types here.
    dimension: dimension.dimension as 3,
    get adapter() {
      return backend.adapter;
    },
    get limits() {
      return backend.limits;
    },
    get timings() {
      return { ...backend.timings };
    },
    addShape(description) {
      ensureOpen();
      return addShape(shapes, description, dimension);
    },
    removeShape(id) {
      ensureOpen();
      removeShape(shapes, id);
    },
    massProperties(id) {
      ensureOpen();
      return dimension.massProperties(shapeOf(shapes, id), id) as MassProperties;
    },
    shapeGeometry(id) {
      ensureOpen();
      return dimension.shapeGeometry(shapeOf(shapes, id), id) as ShapeGeometry;
    },
    createBodies(given) {
      ensureOpen();
      return createResidentBodies(scene, given);
    },
    intersects: (bodies, pairs, options) => query('intersects', bodies, pairs, options),
    distances: (bodies, pairs, options) => query('distances', bodies, pairs, options),
    contacts: (bodies, pairs, options) => query('contacts', bodies, pairs, options),
    manifolds: (bodies, pairs, options) => query('manifolds', bodies, pairs, options),
    impacts: (bodies, pairs, options) =>
      ask('impacts', options, () => makeImpactRequest(scene, bodies, fixedLength(pairs), options)),
    trianglePairs,
    rayCasts,
    findPairs,
    prepare,
    async capture(bodies, pairs, index, options) {
      ensureOpen();
      const capture = await loadCapture();
      ensureOpen();
      return capture(tester, shapes, readScene(scene, bodies, pairs), bodies, pairs, index, options) as Promise<never>;
    },
    createWarmStart(maxPairs) {
      ensureOpen();
      if (!dimension.takesWarmStart)
        invalidInput(
          'options.dimension',
          dimension.dimension,
          '3 for createWarmStart: searches in the plane start anew each time',
        );
      return createWarmStart(maxPairs);
    },
    createBatch,
    dispose,
    [Symbol.dispose]: dispose,
  };
  return tester;
}
