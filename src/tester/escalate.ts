/**
 * The last stage: the double-precision reference answers pairs that a GPU's f32 could not finish, and its answers
 * replace their records. `narrowphase/cpu` gives the same answers.
 */
import type { QueryRequest } from '../request/backend.ts';
import type { AnswerPair } from '../cpu/answer-request.ts';
import { createPairResult } from '../cpu/queries/result.ts';
import { writeRecord } from '../cpu/write-record.ts';
import { INFO_STATUS_MASK, STATUS_CAPACITY_EXCEEDED, STATUS_NOT_CONVERGED } from '../generated/constants.ts';
import { keepRecords, pairOf, type RecordChunk } from '../records/chunk.ts';

const answer = createPairResult();

/**
 * The chunk with those records replaced. A listed pair that turns out to be no hit is removed. Calls `counted` with
 * each pair's status before and after.
 */
export function escalate(
  answerPair: AnswerPair,
  request: QueryRequest,
  chunk: RecordChunk,
  counted: (before: number, now: number) => void,
): RecordChunk {
  const {
    query,
    dimension: { records },
  } = request;
  const { words, info } = records.sizes[query];
  const integers = new Uint32Array(chunk.records);
  const floats = new Float32Array(chunk.records);
  const dropped = new Set<number>();
  for (let slot = 0; slot < chunk.recordCount; slot++) {
    const before = integers[slot * words + info] & INFO_STATUS_MASK;
    if (before !== STATUS_NOT_CONVERGED && before !== STATUS_CAPACITY_EXCEEDED) continue;
    const pair = pairOf(chunk, slot);
    answerPair(request, pair, answer);
    writeRecord(query, records, answer, floats, integers, slot);
    counted(before, answer.status);
    if (chunk.listed && !answer.hit) dropped.add(slot);
  }
  return dropped.size > 0 ? keepRecords(words, chunk, (slot) => !dropped.has(slot)) : chunk;
}
