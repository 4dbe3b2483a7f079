/** The queries over pairs: `intersects`, `distances`, `contacts`, `manifolds` and `impacts`. */
import type { QueryName } from '../api/queries.ts';
import type { Bodies, ContactOptions, ImpactOptions, MovingBodies, ResidentBodies } from '../api/types.ts';
import type { RecordChunk } from '../records/chunk.ts';
import { namesPart } from '../records/result-fields.ts';
import { throwIfAborted } from '../request/abort.ts';
import type { Backend, QueryRequest, QuerySink, ResultRequest } from '../request/backend.ts';
import { holdResident } from '../request/resident.ts';
import { bodyInputs, type NamedArrays } from '../request/watched-arrays.ts';
import { fixedLength } from '../util/arrays.ts';
import { door } from '../util/door.ts';
import { collect, type Escalate } from './collect.ts';
import { expectRunning, type TesterContext } from './context.ts';
import { makeImpactRequest, makeRequest, type Given } from './make-request.ts';

export const loadParts = door('compounds and meshes', async () => (await import('../parts/run-parts.ts')).runParts);

export interface Queries {
  /** The type of the result depends on the caller's `fields`, so it is left open. */
  query(
    name: Exclude<QueryName, 'impacts'>,
    bodies: Bodies | ResidentBodies,
    pairs: Uint32Array,
    options?: Given<ContactOptions>,
  ): Promise<never>;
  impacts(bodies: MovingBodies | ResidentBodies, pairs: Uint32Array, options: Given<ImpactOptions>): Promise<never>;
  /** The records of all pairs of a request, or of its hits. */
  chunksOf(request: QueryRequest): Promise<RecordChunk[]>;
  /** Loads the reference and the function that asks it. */
  loadEscalation(): Promise<Escalate>;
}

/** The arrays that a query reads. Those of a handle stay. */
function inputsOf({ bodies, pairs, motion, resident }: QueryRequest): NamedArrays {
  return [['pairs', pairs], ...(resident ? [] : bodyInputs(bodies, motion))];
}

export function createQueries(context: TesterContext): Queries {
  const { backend, dimension, inTurn, loadReference } = context;

  const loadEscalation = door('escalation', async (): Promise<Escalate> => {
    const [{ escalate }, answerPair] = await Promise.all([import('./escalate.ts'), loadReference()]);
    return (request, chunk, totals) => escalate(answerPair, request, chunk, totals);
  });

  /** Checks the options, makes the request and runs it in its turn. */
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
        // The host has to look at each record to replace it, or to find each body's first impact.
        takesArrays: !escalates && !given.earliestOnly && !given.hasParts && !given.fields.some(namesPart),
      };
      return async () => {
        const escalate = escalates ? await loadEscalation() : undefined;
        if (!request.hasParts) return collect(backend, request, target, escalate) as Promise<never>;
        const runParts = await loadParts();
        const expectOn = (): void => expectRunning(context, request.signal, ensureIntact);
        const run: Backend['run'] = (ofBodies, sink) => runParts(backend, ofBodies, sink, expectOn, escalate);
        return collect({ run }, request, target, undefined) as Promise<never>;
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
      async loadDecoding() {},
      count() {},
    };
    if (request.hasParts) {
      const runParts = await loadParts();
      await runParts(backend, request, sink, () => expectRunning(context, request.signal, request.ensureIntact));
    } else await backend.run(request, sink);
    return chunks;
  }

  return {
    query: (name, bodies, pairs, options = {}) =>
      ask(name, options, () => makeRequest(context, name, bodies, fixedLength(pairs), options)),
    impacts: (bodies, pairs, options) =>
      ask('impacts', options, () => makeImpactRequest(context, bodies, fixedLength(pairs), options)),
    chunksOf,
    loadEscalation,
  };
}
