/**
 * The last stage: the double-precision reference answers pairs that a GPU's f32 could not finish, and its answers
 * replace their records. `narrowphase/cpu` gives the same answers.
 */
import { throwIfAborted } from '../request/abort.ts';
import type { AskedQuery, Backend } from '../request/backend.ts';
import type { AnswerPair } from '../cpu/asked-pairs.ts';
import { createPairResult } from '../cpu/queries/result.ts';
import { writeRecord } from '../cpu/write-record.ts';
import { INFO_HIT, INFO_STATUS_MASK, STATUS_CAPACITY_EXCEEDED, STATUS_NOT_CONVERGED } from '../generated/constants.ts';
import { keepRecords, pairOf, type RecordChunk } from '../records/chunk.ts';
import { noTotals, type Totals } from '../records/totals.ts';

const answer = createPairResult();

/** A backend that falls back to the reference for pairs that it leaves open. */
export function escalating({ run }: Pick<Backend, 'run'>, answerPair: AnswerPair): Pick<Backend, 'run'> {
  return {
    run: (request, sink) =>
      run(request, {
        ...sink,
        write(answered) {
          throwIfAborted(request.signal);
          request.ensureIntact?.();
          const changes = noTotals();
          const chunk = escalate(answerPair, request, answered, changes);
          sink.count(changes.statusCounts, changes.hits);
          sink.write(chunk);
        },
      }),
  };
}

/** The chunk with those records replaced, and `totals` corrected. A listed pair that turns out not to be a hit is removed. */
export function escalate(answerPair: AnswerPair, asked: AskedQuery, chunk: RecordChunk, totals: Totals): RecordChunk {
  const { query } = asked.what;
  const { records } = asked.over.dimension;
  const { words, info } = records.sizes[query];
  const integers = new Uint32Array(chunk.records);
  const floats = new Float32Array(chunk.records);
  const dropped = new Set<number>();
  for (let slot = 0; slot < chunk.recordCount; slot++) {
    const bits = integers[slot * words + info];
    const before = bits & INFO_STATUS_MASK;
    if (before !== STATUS_NOT_CONVERGED && before !== STATUS_CAPACITY_EXCEEDED) continue;
    const pair = pairOf(chunk, slot);
    answerPair(asked, pair, answer);
    writeRecord(query, records, answer, floats, integers, slot);
    totals.statusCounts[before]--;
    totals.statusCounts[answer.status]++;
    totals.hits += Number(answer.hit) - (bits & INFO_HIT ? 1 : 0);
    if (chunk.listed && !answer.hit) dropped.add(slot);
  }
  return dropped.size > 0 ? keepRecords(words, chunk, (slot) => !dropped.has(slot)) : chunk;
}
