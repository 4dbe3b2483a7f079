/** Answers of a backend for contacts with meshes, with the records of the first pass, until all answers of their pair are there. */
import { allocate } from '../../util/arrays.ts';
import { appendRecord, createRecordList, RECORD_SIZE, type ContactRecord, type RecordList } from './contact-records.ts';

export interface TakenAnswers {
  /** Words per answer. */
  readonly words: number;
  /** The answers, as integers and as numbers. */
  integers: Uint32Array;
  floats: Float32Array;
  pairs: number[];
  partsA: number[];
  partsB: number[];
  /** One record per answer. */
  records: RecordList;
}

export function createTakenAnswers(words: number): TakenAnswers {
  const integers = new Uint32Array(0);
  return {
    words,
    integers,
    floats: new Float32Array(integers.buffer),
    pairs: [],
    partsA: [],
    partsB: [],
    records: createRecordList(),
  };
}

function allocateWords(to: TakenAnswers, count: number): void {
  to.integers = allocate('contacts with the mesh', Uint32Array, to.words * count);
  to.floats = new Float32Array(to.integers.buffer);
}

/** Appends an answer, whose words are copied. */
export function takeAnswer(
  to: TakenAnswers,
  pair: number,
  partA: number,
  partB: number,
  integers: Uint32Array,
  record: ContactRecord,
): void {
  const { words, pairs } = to;
  const at = words * pairs.length;
  if (at + words > to.integers.length) {
    const before = to.integers;
    allocateWords(to, Math.max(2 * pairs.length, 64));
    to.integers.set(before);
  }
  to.integers.set(integers.subarray(0, words), at);
  pairs.push(pair);
  to.partsA.push(partA);
  to.partsB.push(partB);
  appendRecord(to.records, record);
}

/** Keeps the answers of pairs from `end` on only. */
export function keepFrom(to: TakenAnswers, end: number): void {
  const { words, pairs, partsA, partsB, integers, records } = to;
  const kept = pairs.flatMap((pair, entry) => (pair >= end ? [entry] : []));
  allocateWords(to, Math.max(kept.length, 64));
  to.records = createRecordList();
  to.records.values = allocate('contacts with the mesh', Float64Array, RECORD_SIZE * Math.max(kept.length, 8));
  to.records.count = kept.length;
  for (const [i, entry] of kept.entries()) {
    to.records.values.set(records.values.subarray(RECORD_SIZE * entry, RECORD_SIZE * (entry + 1)), RECORD_SIZE * i);
    to.integers.set(integers.subarray(words * entry, words * (entry + 1)), words * i);
  }
  [to.pairs, to.partsA, to.partsB] = [pairs, partsA, partsB].map((numbers) => kept.map((entry) => numbers[entry]));
}
