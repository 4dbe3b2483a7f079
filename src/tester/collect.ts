/** The answer to a query from the records that a backend gives, chunk by chunk. */
import type { QueryName, QueryResults } from '../api/queries.ts';
import {
  addCounts,
  countRecords,
  createResult,
  writeRecords,
  type RecordChunk,
  type ResultOptions,
} from '../records/results.ts';
import { throwIfAborted } from '../request/abort.ts';
import type { Backend, QueryRequest } from '../request/backend.ts';
import { keepEarliest } from './first-impacts.ts';

/** What options have to do with an answer. */
export interface AnswerOptions<Q extends QueryName> extends ResultOptions<QueryResults[Q]> {
  escalate?: boolean;
}

/** Asks the reference about the pairs of a chunk that the backend left open; `counted` gets each status change. */
export type Escalate = (
  request: QueryRequest,
  chunk: RecordChunk,
  counted: (before: number, now: number) => void,
) => RecordChunk;

/** A slot for every pair. */
export async function collectAll<Q extends QueryName>(
  backend: Backend,
  request: QueryRequest,
  options: AnswerOptions<Q>,
  escalate: Escalate | undefined,
): Promise<QueryResults[Q]> {
  const { query, dimension, bodies, pairs, motion, signal } = request;
  const result = createResult(query as Q, dimension.dimension, pairs.length / 2, bodies, options);
  await backend.run(request, {
    write(given) {
      // The caller has heard of the abort already, and may use the target again.
      throwIfAborted(signal);
      const chunk = escalate ? escalate(request, given, () => {}) : given;
      writeRecords(query, dimension.records, result, chunk.firstPair, chunk, bodies, pairs, motion?.linear);
      countRecords(dimension.records.sizes[query], result, chunk);
    },
    count() {},
  });
  return result;
}

/** A slot for every hit. Their number is known when all chunks are back. */
export async function collectHits<Q extends QueryName>(
  backend: Backend,
  request: QueryRequest,
  options: AnswerOptions<Q>,
  escalate: Escalate | undefined,
): Promise<QueryResults[Q]> {
  const { query, dimension, bodies, pairs, motion, signal } = request;
  const given: RecordChunk[] = [];
  const totals = [0, 0, 0, 0, 0];
  const counted = (before: number, now: number): void => {
    totals[before]--;
    totals[now]++;
  };
  await backend.run(request, {
    write(chunk) {
      throwIfAborted(signal);
      given.push(escalate ? escalate(request, chunk, counted) : chunk);
    },
    count: (statusCounts) => totals.forEach((total, status) => (totals[status] = total + statusCounts[status])),
  });
  const { chunks, first } = request.earliestOnly
    ? keepEarliest(given, dimension, bodies, pairs, motion!)
    : { chunks: given, first: undefined };
  const hits = chunks.reduce((sum, chunk) => sum + chunk.recordCount, 0);
  // From here on the target is written.
  throwIfAborted(signal);
  const result = createResult(query as Q, dimension.dimension, hits, bodies, options);
  addCounts(result, totals, hits);
  if (first) Object.assign(result, { first });
  let slot = 0;
  for (const chunk of chunks) {
    writeRecords(query, dimension.records, result, slot, chunk, bodies, pairs, motion?.linear);
    slot += chunk.recordCount;
  }
  return result;
}
