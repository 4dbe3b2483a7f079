/** Assembles a query's result from the records that a backend returns chunk by chunk. */
import type { QueryResult } from '../api/queries.ts';
import type { RecordChunk } from '../records/chunk.ts';
import { createResult } from '../records/create-result.ts';
import { addCounts, countRecords, decodeRecords } from '../records/decode.ts';
import { throwIfAborted } from '../request/abort.ts';
import type { Backend, QueryRequest, ResultRequest } from '../request/backend.ts';
import { keepEarliest } from './first-impacts.ts';

/**
 * Has the reference answer the pairs of a chunk that did not converge on the backend. `counted` gets each change of
 * status.
 */
export type Escalate = (
  request: QueryRequest,
  chunk: RecordChunk,
  counted: (before: number, now: number) => void,
) => RecordChunk;

/** Results with one slot per pair. */
export async function collectAll(
  backend: Backend,
  request: ResultRequest,
  target: unknown,
  escalate: Escalate | undefined,
): Promise<QueryResult> {
  const { query, dimension, bodies, pairs, motion, fields, signal } = request;
  const result = createResult(query, dimension.dimension, pairs.length / 2, bodies, fields, target);
  const given = { bodies, pairs, linear: motion?.linear };
  await backend.run(request, {
    write(answered) {
      // By now the caller may have seen the abort and be using the target for something else.
      throwIfAborted(signal);
      const chunk = escalate ? escalate(request, answered, () => {}) : answered;
      decodeRecords(query, dimension.records, result, chunk.firstPair, chunk, given);
      countRecords(dimension.records.sizes[query], result, chunk);
    },
    count() {},
  });
  return result;
}

/** Results with one slot per hit. The number of hits is known only when all chunks are back. */
export async function collectHits(
  backend: Backend,
  request: ResultRequest,
  target: unknown,
  escalate: Escalate | undefined,
): Promise<QueryResult> {
  const { query, dimension, bodies, pairs, motion, fields, signal } = request;
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
  // After this check the target is written without a pause.
  throwIfAborted(signal);
  const result = createResult(query, dimension.dimension, hits, bodies, fields, target);
  addCounts(result, totals, hits);
  if (first) Object.assign(result, { first });
  let slot = 0;
  for (const chunk of chunks) {
    decodeRecords(query, dimension.records, result, slot, chunk, { bodies, pairs, linear: motion?.linear });
    slot += chunk.recordCount;
  }
  return result;
}
