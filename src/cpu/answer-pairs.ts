/** Records of consecutive pairs of a query on the CPU. */
import type { AnswerForm } from '../request/backend.ts';
import type { Dimension } from '../request/dimension.ts';
import type { AnswerPair, AskedPairs } from './asked-pairs.ts';
import { GUESS_LENGTH } from './gjk.ts';
import { createPairResult } from './queries/result.ts';
import { writeRecord } from './write-record.ts';

/** Pairs that are asked about, and which of them have records. */
export interface RecordedPairs extends AskedPairs {
  over: AskedPairs['over'] & { dimension: Pick<Dimension, 'records'> };
  form: AnswerForm;
}

/** Records of all the pairs, or of the hits. */
export interface PairAnswers {
  recordCount: number;
  records: ArrayBuffer;
  /** For records of hits: which pairs, counted from the first. */
  listed?: Uint32Array;
  /** Over all the pairs. */
  statusCounts: number[];
  hits: number;
}

/** What GJK starts from, and where it leaves what it ended with. */
const guess = new Float64Array(GUESS_LENGTH);
const result = createPairResult();

/** Answers `count` pairs from `first` on. `ids` are the warm start's for these pairs, and are replaced. */
export function answerPairs(
  answerPair: AnswerPair,
  asked: RecordedPairs,
  first: number,
  count: number,
  ids?: Float64Array,
): PairAnswers {
  const { query } = asked.what;
  const { records: layout } = asked.over.dimension;
  const isOfHits = asked.form.slots !== 'all';
  const bytes = 4 * layout.sizes[query].words;
  const records = new ArrayBuffer(bytes * count);
  const floats = new Float32Array(records);
  const integers = new Uint32Array(records);
  const listed: number[] = [];
  const statusCounts = [0, 0, 0, 0, 0];
  let slot = 0;
  let hits = 0;
  for (let i = 0; i < count; i++) {
    if (ids) {
      const at = GUESS_LENGTH * i;
      for (let k = 0; k < GUESS_LENGTH; k++) guess[k] = ids[at + k];
      answerPair(asked, first + i, result, guess);
      ids.set(guess, at);
    } else {
      answerPair(asked, first + i, result);
    }
    statusCounts[result.status]++;
    if (result.hit) hits++;
    if (isOfHits) {
      if (!result.hit) continue;
      listed.push(i);
    }
    writeRecord(query, layout, result, floats, integers, slot++);
  }
  const counts = { statusCounts, hits };
  if (!isOfHits) return { recordCount: count, records, ...counts };
  return { recordCount: slot, records: records.slice(0, bytes * slot), listed: Uint32Array.from(listed), ...counts };
}
