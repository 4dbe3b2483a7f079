import { orAborted, throwIfAborted, validateSignal } from './abort.ts';
import type { Backend, QueryRequest } from './backend.ts';
import { makeBatchRequest } from './batch-request.ts';
import type { BatchOf, BatchOptions } from './batch-types.ts';
import { NarrowphaseError, invalidInput } from './errors.ts';
import { escalate } from './escalate.ts';
import { keepEarliest } from './earliest.ts';
import { CORE_BOX } from './generated/constants.ts';
import { addCounts, countRecords, createResult, writeRecords, type QueryName, type QueryResults, type RecordChunk } from './pack/results.ts';
import { impactRung, expectMprDepth, firstRung, queryMargin, validateBodies, validateMotion, validateQuery } from './pack/validate.ts';
import { castRays, validateRays } from './rays/ray-casts.ts';
import { addShape, createShapeTable, removeShape } from './shapes/shape-table.ts';
import { createWarmStart, warmStartState } from './warm-start.ts';
import type { Bodies, ContactOptions, ImpactOptions, MovingBodies, QueryOptions, RayCastOptions, RayHits, Rays, Tester } from './types.ts';

/** What options have to do with an answer. */
interface AnswerOptions<Q extends QueryName> {
  bounds?: boolean;
  escalate?: boolean;
  target?: QueryResults[Q];
}

/** A tester on a backend. Queries run one after the other, in the order in which they were asked. */
export function makeTester(backend: Backend): Tester {
  const shapes = createShapeTable();
  /** They end with the tester. */
  const batches = new Set<{ dispose(): void }>();
  let isDisposed = false;
  let queue: Promise<unknown> = Promise.resolve();

  function ensureOpen(): void {
    if (isDisposed) throw new NarrowphaseError('DISPOSED', 'the tester was disposed');
  }

  async function query<Q extends QueryName>(
    name: Q,
    bodies: Bodies,
    pairs: Uint32Array,
    options: QueryOptions<QueryResults[Q]> & { bounds?: boolean } = {},
  ): Promise<QueryResults[Q]> {
    return ask(options, () => makeRequest(name, bodies, pairs, options));
  }

  /** The answer to a request. */
  async function ask<Q extends QueryName>(options: AnswerOptions<Q> & { signal?: AbortSignal }, makeItsRequest: () => QueryRequest): Promise<QueryResults[Q]> {
    return inTurn(options, () => {
      const request = makeItsRequest();
      return () => (request.hitsOnly ? runHits(request, options) : runAll(request, options));
    });
  }

  /** Checks what a query is given, at once, and runs it when those before are over. */
  async function inTurn<Answer>(options: { signal?: AbortSignal }, check: () => () => Promise<Answer>): Promise<Answer> {
    ensureOpen();
    if (typeof options !== 'object' || options === null) invalidInput('options', options, 'an object');
    validateSignal(options.signal);
    const run = check();
    const before = queue;
    const answer = (async () => {
      await before;
      ensureOpen();
      throwIfAborted(options.signal);
      return run();
    })();
    queue = answer.then(
      () => {},
      () => {},
    );
    return orAborted(answer, options.signal);
  }

  function makeImpactRequest(given: MovingBodies, pairs: Uint32Array, options: ImpactOptions): QueryRequest {
    const bodies = validateQuery(given, pairs, shapes);
    const { duration, algorithm = 'auto', results = 'all', signal } = options;
    if (!['all', 'hits', 'earliest'].includes(results)) invalidInput('options.results', results, "'all', 'hits' or 'earliest'");
    if (![undefined, true, false].includes(options.escalate)) invalidInput('options.escalate', options.escalate, 'a boolean');
    return {
      query: 'impacts',
      bodies,
      pairs,
      shapes: { ...shapes, shapes: [...shapes.shapes] },
      first: impactRung(algorithm),
      margin: queryMargin('impacts', options.margin),
      motion: validateMotion(given, duration, bodies.shapes.length),
      hitsOnly: results !== 'all',
      earliestOnly: results === 'earliest',
      escalates: options.escalate,
      signal,
    };
  }

  function makeRequest(name: QueryName, given: Bodies, pairs: Uint32Array, options: QueryOptions<unknown>): QueryRequest {
    const bodies = validateQuery(given, pairs, shapes);
    const { algorithm = 'auto', mprDepth, results = 'all', signal } = options;
    const first = firstRung(name, algorithm);
    expectMprDepth(algorithm, mprDepth);
    if (!['all', 'hits'].includes(results)) invalidInput('options.results', results, "'all' or 'hits'");
    const margin = queryMargin(name, options.margin);
    if (![undefined, true, false].includes(options.escalate)) invalidInput('options.escalate', options.escalate, 'a boolean');
    if (algorithm === 'sat') {
      for (const body of pairs) {
        if (shapes.shapes[bodies.shapes[body]]?.kind !== CORE_BOX) {
          invalidInput('options.algorithm', algorithm, `'auto', 'gjk' or 'mpr', as body ${body} is not a box`);
        }
      }
    }
    return {
      query: name,
      bodies,
      pairs,
      // As they are now: the caller may remove some before the query's turn comes.
      shapes: { ...shapes, shapes: [...shapes.shapes] },
      first,
      mprDepth,
      margin,
      hitsOnly: results === 'hits',
      warmStart: options.warmStart && warmStartState(options.warmStart, pairs.length / 2),
      signal,
    };
  }

  async function runAll<Q extends QueryName>(
    request: QueryRequest,
    options: AnswerOptions<Q>,
  ): Promise<QueryResults[Q]> {
    const result = createResult(request.query as Q, request.pairs.length / 2, request.bodies, options);
    await backend.run(request, {
      write(given) {
        // The caller has heard of the abort already, and may use the target again.
        throwIfAborted(request.signal);
        const chunk = options.escalate ? escalate(request, given, () => {}) : given;
        writeRecords(request.query, result, chunk.firstPair, chunk, request.bodies, request.pairs, request.motion?.linear);
        countRecords(request.query, result, chunk);
      },
      count() {},
    });
    return result;
  }

  /** The number of hits is known when all chunks are back. */
  async function runHits<Q extends QueryName>(
    request: QueryRequest,
    options: AnswerOptions<Q>,
  ): Promise<QueryResults[Q]> {
    const given: RecordChunk[] = [];
    const totals = [0, 0, 0, 0, 0];
    const counted = (before: number, now: number): void => {
      totals[before]--;
      totals[now]++;
    };
    await backend.run(request, {
      write(chunk) {
        throwIfAborted(request.signal);
        given.push(options.escalate ? escalate(request, chunk, counted) : chunk);
      },
      count: (statusCounts) => totals.forEach((total, status) => (totals[status] = total + statusCounts[status])),
    });
    const { chunks, first } = request.earliestOnly ? keepEarliest(given, request.bodies, request.pairs, request.motion!) : { chunks: given, first: undefined };
    const hits = chunks.reduce((sum, chunk) => sum + chunk.recordCount, 0);
    const result = createResult(request.query as Q, hits, request.bodies, options);
    addCounts(result, totals, hits);
    if (first) Object.assign(result, { first });
    let slot = 0;
    for (const chunk of chunks) {
      writeRecords(request.query, result, slot, chunk, request.bodies, request.pairs, request.motion?.linear);
      slot += chunk.recordCount;
    }
    return result;
  }

  function rayCasts(given: Bodies, rays: Rays, options: RayCastOptions = {}): Promise<RayHits> {
    return inTurn(options, () => {
      const bodies = validateBodies(given, shapes);
      validateRays(rays);
      impactRung(options.algorithm ?? 'auto');
      const table = { ...shapes, shapes: [...shapes.shapes] };
      return () => castRays(table, bodies, rays, options, (request) => chunksOf({ ...request, signal: options.signal }));
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
    const request = makeBatchRequest(options, shapes);
    if (!backend.createBatch) throw new NarrowphaseError('WEBGPU_UNAVAILABLE', 'a batch lives on a GPU, and this tester runs on the CPU');
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
    backend: backend.name,
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
      return addShape(shapes, description);
    },
    removeShape(id) {
      ensureOpen();
      removeShape(shapes, id);
    },
    intersects: (bodies, pairs, options) => query('intersects', bodies, pairs, options),
    distances: (bodies, pairs, options) => query('distances', bodies, pairs, options),
    contacts: (bodies, pairs, options?: ContactOptions) => query('contacts', bodies, pairs, options),
    manifolds: (bodies, pairs, options) => query('manifolds', bodies, pairs, options),
    impacts: (bodies, pairs, options) => ask<'impacts'>(options, () => makeImpactRequest(bodies, pairs, options)),
    rayCasts,
    createWarmStart(maxPairs) {
      ensureOpen();
      return createWarmStart(maxPairs);
    },
    createBatch,
    dispose,
    [Symbol.dispose]: dispose,
  };
}
