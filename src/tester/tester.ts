import { orAborted, throwIfAborted, validateSignal } from '../request/abort.ts';
import type { Backend, QueryRequest } from '../request/backend.ts';
import { makeBatchRequest } from '../request/batch-request.ts';
import type { BatchOf, BatchOptions } from '../api/batch.ts';
import { NarrowphaseError, invalidInput } from '../api/errors.ts';
import type { AnswerPair } from '../cpu/answer-request.ts';
import { type AnswerOptions, type Escalate, collectAll, collectHits } from './collect.ts';
import { door } from '../util/door.ts';
import type { QueryName, QueryResults } from '../api/queries.ts';
import type { RecordChunk } from '../records/results.ts';
import {
  expectBoolean,
  expectMprDepth,
  expectResults,
  chooseLeadStage,
  chooseImpactStage,
  queryMargin,
  validateMotion,
  validateQuery,
} from '../request/validate.ts';
import { makePrepareRequest } from '../request/prepare-request.ts';
import { validateRays } from '../request/validate-rays.ts';
import { addShape, createShapeTable, removeShape, shapeOf, snapshotOf } from '../shapes/shape-table.ts';
import type { Dimension } from '../request/dimension.ts';
import type { AnyVelocities } from '../records/bodies.ts';
import { QUERY_OPTIONS } from '../request/options.ts';
import { expectKnown } from '../util/known.ts';
import { workInTurns } from '../util/turns.ts';
import type { MassProperties, ShapeGeometry } from '../api/geometry.ts';
import { createWarmStart, warmStartState } from '../request/warm-start.ts';
import type {
  Bodies,
  ContactOptions,
  FindPairsOptions,
  PrepareOptions,
  ImpactOptions,
  MovingBodies,
  QueryOptions,
  RayCastOptions,
  RayHits,
  Rays,
  Tester,
} from '../api/types.ts';

const loadRayCasts = door('ray casts', async () => (await import('./ray-casts.ts')).castRays);
const loadBroadPhase = door('the broad phase', (dimension: Dimension) => dimension.loadBroadPhase());

/** Pairs that `findPairs` gives at most: a `Uint32Array` of them is as long as one can be relied on to be. */
const MOST_PAIRS = 2 ** 28;

/**
 * A tester on a backend, for bodies of this dimension. Queries run one after the other, in the order of their calls.
 * The types here are the types of 3-D; `dimension` has everything that differs in 2-D.
 */
export function makeTester(backend: Backend, dimension: Dimension, loadReference: () => Promise<AnswerPair>): Tester {
  const shapes = createShapeTable();
  /** They end with the tester. */
  const batches = new Set<{ dispose(): void }>();
  let isDisposed = false;
  let queue: Promise<unknown> = Promise.resolve();

  /** What asks the reference again; loaded with it when it is first needed. */
  const loadEscalation = door('escalation', async (): Promise<Escalate> => {
    const [{ escalate }, answerPair] = await Promise.all([import('./escalate.ts'), loadReference()]);
    return (request, chunk, counted) => escalate(answerPair, request, chunk, counted);
  });

  function ensureOpen(): void {
    if (isDisposed) throw new NarrowphaseError('DISPOSED', 'the tester was disposed');
  }

  async function query<Q extends QueryName>(
    name: Q,
    bodies: Bodies,
    pairs: Uint32Array,
    options: QueryOptions<QueryResults[Q]> & { bounds?: boolean } = {},
  ): Promise<QueryResults[Q]> {
    return ask(name, options, () => makeRequest(name, bodies, pairs, options));
  }

  /** The answer to a request. */
  async function ask<Q extends QueryName>(
    name: Q,
    options: AnswerOptions<Q> & { signal?: AbortSignal },
    makeItsRequest: () => QueryRequest,
  ): Promise<QueryResults[Q]> {
    return inTurn(name, options, () => {
      const { target, bounds, bodies, escalate: escalates } = options;
      const answer = { target, bounds, bodies, escalate: escalates };
      const asked = makeItsRequest();
      const request = { ...asked, bodies: dimension.standOnPlanes(asked.bodies, asked.shapes, asked.motion?.angular) };
      return async () => {
        const escalate = escalates ? await loadEscalation() : undefined;
        return (request.hitsOnly ? collectHits : collectAll)(backend, request, answer, escalate);
      };
    });
  }

  /** Checks what a query is given, at once, and runs it when those before are over. */
  async function inTurn<Answer>(
    name: keyof typeof QUERY_OPTIONS,
    options: { signal?: AbortSignal },
    check: () => () => Promise<Answer>,
  ): Promise<Answer> {
    ensureOpen();
    if (typeof options !== 'object' || options === null) invalidInput('options', options, 'an object');
    expectKnown(options, 'options', QUERY_OPTIONS[name], `for ${name}`);
    const { signal } = options;
    validateSignal(signal);
    const run = check();
    const before = queue;
    const answer = (async () => {
      await before;
      ensureOpen();
      throwIfAborted(signal);
      return run();
    })();
    queue = answer.then(
      () => {},
      () => {},
    );
    return orAborted(answer, signal);
  }

  /** What impacts and the other queries have in common. */
  function makeCommon(
    name: QueryName,
    given: Bodies,
    pairs: Uint32Array,
    { results = 'all', margin, escalate: escalates, bodies: hasBodies, signal }: QueryOptions<unknown> | ImpactOptions,
  ) {
    const bodies = validateQuery(given, pairs, shapes, dimension);
    expectResults(name, results);
    expectBoolean('options.escalate', escalates);
    expectBoolean('options.bodies', hasBodies);
    return {
      query: name,
      dimension,
      bodies,
      pairs,
      shapes: snapshotOf(shapes, dimension),
      margin: queryMargin(name, margin),
      hitsOnly: results !== 'all',
      escalates,
      signal,
    } satisfies Partial<QueryRequest>;
  }

  function makeImpactRequest(given: MovingBodies, pairs: Uint32Array, options: ImpactOptions): QueryRequest {
    const common = makeCommon('impacts', given, pairs, options);
    const { duration, algorithm = 'auto', results, stopAtPenetration } = options;
    return {
      ...common,
      leadStage: chooseImpactStage(algorithm),
      motion: validateMotion(
        given as AnyVelocities,
        duration,
        common.bodies.shapes.length,
        dimension,
        stopAtPenetration,
      ),
      earliestOnly: results === 'earliest',
    };
  }

  function makeRequest(
    name: QueryName,
    given: Bodies,
    pairs: Uint32Array,
    options: QueryOptions<unknown> & { bounds?: boolean },
  ): QueryRequest {
    const common = makeCommon(name, given, pairs, options);
    const { bodies } = common;
    const { algorithm = 'auto', mprDepth, bounds } = options;
    expectBoolean('options.bounds', bounds);
    const leadStage = chooseLeadStage(name, algorithm);
    expectMprDepth(algorithm, mprDepth);
    if (algorithm === 'sat') {
      for (const body of pairs) {
        if (!shapes.shapes[bodies.shapes[body]]?.takesSat) {
          invalidInput(
            'options.algorithm',
            algorithm,
            `'auto', 'gjk' or 'mpr', as 'sat' is for ${dimension.satShapes}, of which body ${body} is none`,
          );
        }
      }
    }
    if (!dimension.takesWarmStart && options.warmStart !== undefined)
      invalidInput('options.warmStart', options.warmStart, 'undefined in the plane');
    return {
      ...common,
      leadStage,
      mprDepth,
      warmStart: options.warmStart === undefined ? undefined : warmStartState(options.warmStart, pairs.length / 2),
    };
  }

  function rayCasts(given: Bodies, rays: Rays, options: RayCastOptions = {}): Promise<RayHits> {
    return inTurn('rayCasts', options, () => {
      const snapshot = snapshotOf(shapes, dimension);
      const bodies = dimension.standOnPlanes(dimension.validateBodies(given, shapes), snapshot);
      const cast = validateRays(rays, dimension.dimension);
      const { algorithm = 'auto', target, signal } = options;
      const leadStage = chooseImpactStage(algorithm);
      return async () => {
        const castRays = await loadRayCasts();
        return castRays(dimension, snapshot, bodies, cast, leadStage, { target, signal }, (request) =>
          chunksOf({ ...request, signal }),
        );
      };
    });
  }

  function findPairs(given: Bodies, options: FindPairsOptions = {}): Promise<Uint32Array> {
    return inTurn('findPairs', options, () => {
      const bodies = dimension.validateBodies(given, shapes);
      const { margin = 0, signal } = options;
      if (!(typeof margin === 'number' && margin >= 0 && margin < Infinity))
        invalidInput('options.margin', margin, 'a finite number of at least 0');
      const snapshot = snapshotOf(shapes, dimension);
      const expectOn = (): void => {
        ensureOpen();
        throwIfAborted(signal);
      };
      return async () => {
        const search = await loadBroadPhase(dimension);
        return workInTurns(search(bodies, snapshot.shapes, margin, MOST_PAIRS), expectOn);
      };
    });
  }

  function prepare(options: PrepareOptions): Promise<void> {
    return inTurn('prepare', options as object, () => {
      if (options.query === 'findPairs') return async () => void (await loadBroadPhase(dimension));
      const isRays = options.query === 'rayCasts';
      const table = isRays ? snapshotOf(shapes, dimension) : shapes;
      const asked = isRays ? { ...options, query: 'impacts' as const, results: 'hits' as const } : options;
      const request = makePrepareRequest(asked, { ...table, shapes: [...table.shapes] }, dimension);
      return async () => {
        await Promise.all([backend.prepare(request), isRays && loadRayCasts(), request.escalates && loadEscalation()]);
      };
    });
  }

  async function chunksOf(request: QueryRequest): Promise<RecordChunk[]> {
    const chunks: RecordChunk[] = [];
    await backend.run(request, {
      write(chunk) {
        throwIfAborted(request.signal);
        chunks.push(chunk);
      },
      count() {},
    });
    return chunks;
  }

  async function createBatch<Q extends QueryName>(options: BatchOptions<Q>): Promise<BatchOf<Q>> {
    ensureOpen();
    const request = makeBatchRequest(options, shapes, dimension);
    if (!backend.createBatch)
      throw new NarrowphaseError('WEBGPU_UNAVAILABLE', 'a batch lives on a GPU, and this tester runs on the CPU');
    const batch: BatchOf<Q> = await backend.createBatch({ ...request, onDispose: () => batches.delete(batch) });
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

  return {
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
      return dimension.shapeGeometry(shapeOf(shapes, id)) as ShapeGeometry;
    },
    intersects: (bodies, pairs, options) => query('intersects', bodies, pairs, options),
    distances: (bodies, pairs, options) => query('distances', bodies, pairs, options),
    contacts: (bodies, pairs, options?: ContactOptions) => query('contacts', bodies, pairs, options),
    manifolds: (bodies, pairs, options) => query('manifolds', bodies, pairs, options),
    impacts: (bodies, pairs, options) => ask('impacts', options, () => makeImpactRequest(bodies, pairs, options)),
    rayCasts,
    findPairs,
    prepare,
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
}
