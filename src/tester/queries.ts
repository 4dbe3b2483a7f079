/** The queries over pairs: `intersects`, `distances`, `contacts`, `manifolds` and `impacts`. */
import type { QueryName } from '../api/queries.ts';
import type { Bodies, ContactOptions, ImpactOptions, MovingBodies, ResidentBodies } from '../api/types.ts';
import type { RecordChunk } from '../records/chunk.ts';
import { throwIfAborted } from '../request/abort.ts';
import type { Backend, BodyPairs, QueryRequest } from '../request/backend.ts';
import type { Dimension } from '../request/dimension.ts';
import { holdResident } from '../request/resident.ts';
import { bodyInputs, type NamedArrays } from '../request/watched-arrays.ts';
import { fixedLength } from '../util/arrays.ts';
import { door } from '../util/door.ts';
import { collect } from './collect.ts';
import { expectRunning, type TesterContext } from './context.ts';
import { makeImpactRequest, makeRequest, type Given, type MadeRequest } from './make-request.ts';

export const loadParts = door('compounds and meshes', async (dimension: Dimension) =>
  (await import('../parts/run-parts.ts')).loadPartsRun(dimension),
);

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
  /** Loads the reference; resolves to a backend that falls back to it. */
  loadEscalation(): Promise<Pick<Backend, 'run'>>;
}

/** The arrays that a query reads. Those of a handle stay. */
function inputsOf({ bodies, pairs, motion, resident }: BodyPairs): NamedArrays {
  return [['pairs', pairs], ...(resident ? [] : bodyInputs(bodies, motion))];
}

export function createQueries(context: TesterContext): Queries {
  const { backend, dimension, inTurn, loadReference, loadCpu } = context;

  const loadEscalation = door('escalation', async () => {
    const [{ escalating }, answerPair] = await Promise.all([import('./escalate.ts'), loadReference()]);
    return escalating(backend, answerPair);
  });

  /** Checks the options, makes the request and runs it in its turn. */
  async function ask(
    name: QueryName,
    options: Given<ContactOptions | ImpactOptions>,
    make: () => MadeRequest,
  ): Promise<never> {
    return inTurn(name, options, (onEnd, watch) => {
      const { signal } = options;
      const { request: made, result } = make();
      const { bodies: given, shapes, motion, resident } = made.over;
      const ensureIntact = watch(inputsOf(made.over));
      if (resident) onEnd(holdResident(resident.state));
      const bodies = dimension.absorbHalfspaceOffsets(given, shapes, motion?.angular);
      const over = { ...made.over, bodies, resident: bodies === given ? resident : undefined };
      const request: QueryRequest = { ...made, over, ensureIntact };
      const expectOn = (): void => expectRunning(context, signal, ensureIntact);
      return async () => {
        const answering = result.escalates ? await loadEscalation() : backend;
        if (!result.parts) return collect(answering, request, result) as Promise<never>;
        const [runParts, cpu] = await Promise.all([loadParts(dimension), loadCpu()]);
        const parts = { backend, answering, cpu, request, listsParts: result.parts === 'all', expectOn };
        return collect({ run: (_, sink) => runParts(parts, sink) }, request, result) as Promise<never>;
      };
    });
  }

  async function chunksOf(request: QueryRequest): Promise<RecordChunk[]> {
    const chunks: RecordChunk[] = [];
    await backend.run(request, {
      write(chunk) {
        throwIfAborted(request.signal);
        request.ensureIntact?.();
        chunks.push(chunk);
      },
      async loadDecoding() {},
      count() {},
    });
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
