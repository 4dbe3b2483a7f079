/**
 * The last rung of the ladder: pairs that a GPU's f32 could not finish are asked again of the double-precision reference, and
 * their records written over. `narrowphase/cpu` says the same.
 */
import type { QueryRequest } from './backend.ts';
import { answerPair, writeRecord } from './cpu/backend.ts';
import { createPairResult } from './cpu/queries/result.ts';
import { INFO_STATUS_MASK, STATUS_CAPACITY_EXCEEDED, STATUS_NOT_CONVERGED } from './generated/constants.ts';
import { recordWords, type RecordChunk } from './pack/results.ts';

const answer = createPairResult();

/**
 * The chunk with those records replaced; a listed pair that turns out to be no hit is taken out. `counted` is told what each
 * pair was before and is now.
 */
export function escalate(request: QueryRequest, chunk: RecordChunk, counted: (before: number, now: number) => void): RecordChunk {
  const { words, info } = recordWords[request.query];
  const integers = new Uint32Array(chunk.records);
  const floats = new Float32Array(chunk.records);
  const dropped = new Set<number>();
  for (let slot = 0; slot < chunk.recordCount; slot++) {
    const before = integers[slot * words + info] & INFO_STATUS_MASK;
    if (before !== STATUS_NOT_CONVERGED && before !== STATUS_CAPACITY_EXCEEDED) continue;
    const pair = chunk.firstPair + (chunk.listed ? chunk.listed[slot] : slot);
    answerPair(request, pair, answer);
    writeRecord(request.query, answer, floats, integers, slot);
    counted(before, answer.status);
    if (chunk.listed && !answer.hit) dropped.add(slot);
  }
  return dropped.size > 0 ? without(chunk, dropped, words) : chunk;
}

function without(chunk: RecordChunk, dropped: ReadonlySet<number>, words: number): RecordChunk {
  const slots = Uint32Array.from({ length: chunk.recordCount }, (_, slot) => slot).filter((slot) => !dropped.has(slot));
  const records = new Uint32Array(chunk.records);
  const kept = new Uint32Array(words * slots.length);
  slots.forEach((slot, to) => kept.set(records.subarray(words * slot, words * (slot + 1)), words * to));
  return { ...chunk, recordCount: slots.length, records: kept.buffer, listed: chunk.listed && slots.map((slot) => chunk.listed![slot]) };
}
