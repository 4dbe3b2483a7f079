/** Assembles a query's result from what a backend returns chunk by chunk. */
import type { QueryResult } from '../api/queries.ts';
import type { RecordChunk } from '../records/chunk.ts';
import { createResult, expectRoom } from '../records/create-result.ts';
import type { PairBodies } from '../records/decode.ts';
import { addTotals, noTotals } from '../records/totals.ts';
import { copyArrays, ownArrays, type ArrayChunk } from '../records/result-arrays.ts';
import { isAbort, throwIfAborted } from '../request/abort.ts';
import type { Backend, QueryRequest } from '../request/backend.ts';
import type { ResultForm } from '../request/result-form.ts';
import { door } from '../util/door.ts';

/** Where kernels write the arrays of a result, no record is decoded. */
export const loadDecoding = door(
  'decoding of records',
  async () => (await import('../records/decode.ts')).decodeRecords,
);
const loadFirstImpacts = door('first impacts', async () => (await import('./first-impacts.ts')).keepEarliest);

type Decoding = Awaited<ReturnType<typeof loadDecoding>>;

/** Runs a query. If it fails before its numbers are checked, a wrong number is named all the same. */
export async function collect(
  backend: Pick<Backend, 'run'>,
  request: QueryRequest,
  result: ResultForm,
): Promise<QueryResult> {
  try {
    return await (result.slots === 'all' ? collectAll : collectHits)(backend, request, result);
  } catch (error) {
    if (!isAbort(error)) request.over.check?.();
    throw error;
  }
}

/** Results with one slot per pair. */
async function collectAll(
  backend: Pick<Backend, 'run'>,
  request: QueryRequest,
  { fields, target }: ResultForm,
): Promise<QueryResult> {
  const { what, over, signal, ensureIntact } = request;
  const { query } = what;
  const { dimension, bodies, pairs, motion } = over;
  const pairCount = pairs.length / 2;
  const resultWith = (own?: ArrayChunk['arrays']): QueryResult =>
    createResult(query, dimension.dimension, pairCount, bodies, fields, { target, own });
  // A wrong target is refused before the query runs.
  let result = target === undefined ? undefined : resultWith();
  const totals = noTotals();
  /** By now the caller may have seen the abort and be using the target for something else, or its memory may be gone. */
  const expectOn = (): void => {
    throwIfAborted(signal);
    ensureIntact?.();
    if (target !== undefined) expectRoom(query, dimension.dimension, pairCount, fields, result!);
  };
  const given: PairBodies = { bodies, pairs, linear: motion?.linear };
  let decodeRecords: Decoding | undefined;
  await backend.run(request, {
    async loadDecoding() {
      decodeRecords = await loadDecoding();
    },
    count: (statusCounts, hits) => addTotals(totals, statusCounts, hits),
    write(chunk) {
      expectOn();
      result ??= resultWith();
      decodeRecords!(query, dimension.records, result, chunk.firstPair, chunk, given);
    },
    writeArrays(answered) {
      expectOn();
      const chunk = !result && answered.count === pairCount ? ownArrays(answered) : answered;
      result ??= resultWith(chunk === answered ? undefined : chunk.arrays);
      copyArrays(result, chunk.firstPair, chunk);
    },
  });
  return Object.assign(result ?? resultWith(), totals);
}

/** Results with one slot per hit. The number of hits is known only when all chunks are back. */
async function collectHits(
  backend: Pick<Backend, 'run'>,
  request: QueryRequest,
  { slots, fields, target }: ResultForm,
): Promise<QueryResult> {
  const { what, over, signal, ensureIntact } = request;
  const { query } = what;
  const { dimension, bodies, pairs, motion } = over;
  const keepEarliest = slots === 'earliest' ? await loadFirstImpacts() : undefined;
  const answered: RecordChunk[] = [];
  const arrayChunks: ArrayChunk[] = [];
  const totals = noTotals();
  let decodeRecords: Decoding | undefined;
  await backend.run(request, {
    async loadDecoding() {
      decodeRecords = await loadDecoding();
    },
    count: (statusCounts, hits) => addTotals(totals, statusCounts, hits),
    write(chunk) {
      throwIfAborted(signal);
      answered.push(chunk);
    },
    writeArrays(chunk) {
      throwIfAborted(signal);
      arrayChunks.push(ownArrays(chunk));
    },
  });
  const { chunks, first } = keepEarliest
    ? keepEarliest(answered, dimension, bodies, pairs, motion!)
    : { chunks: answered, first: undefined };
  const counts = [...chunks.map(({ recordCount }) => recordCount), ...arrayChunks.map(({ count }) => count)];
  const hits = counts.reduce((sum, count) => sum + count, 0);
  // After these checks the target is written without a pause.
  throwIfAborted(signal);
  ensureIntact?.();
  const own = arrayChunks.length === 1 ? arrayChunks[0].arrays : undefined;
  const result = createResult(query, dimension.dimension, hits, bodies, fields, { target, own });
  Object.assign(result, { ...totals, hits }, first && { first });
  const given = { bodies, pairs, linear: motion?.linear };
  let slot = 0;
  for (const chunk of chunks) {
    decodeRecords!(query, dimension.records, result, slot, chunk, given);
    slot += chunk.recordCount;
  }
  for (const chunk of arrayChunks) {
    copyArrays(result, slot, chunk);
    slot += chunk.count;
  }
  return result;
}
