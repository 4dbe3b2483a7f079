/**
 * The answers of consecutive pairs of bodies, one record each, put together from those of pairs of parts: the deepest, or
 * the first to meet.
 */
import { writeRecord } from '../cpu/write-record.ts';
import type { QueryName } from '../api/queries.ts';
import { INFO_HIT, INFO_STATUS_MASK, STATUS_SEPARATED } from '../generated/constants.ts';
import { keepRecords, pairOf, type RecordChunk } from '../records/chunk.ts';
import type { Records } from '../records/layout.ts';
import { allocate } from '../util/arrays.ts';
import { createPace, type Work } from '../util/turns.ts';
import type { Candidates } from './candidates.ts';
import { comesBefore, type KnownAnswer } from './known-answer.ts';

/** The answers for consecutive pairs of bodies. */
export interface Answers {
  /** The end of the pairs. */
  readonly end: number;
  /** Writes the answer of a pair, as it is. */
  put(pair: number, known: KnownAnswer): void;
  /** Takes answers for candidates: pair i of the chunk is candidate i. */
  take(chunk: RecordChunk, candidates: Candidates): Work<void>;
  /** Answers of all pairs before this one have been taken. */
  settle?(pair: number): Work<void>;
  /** The records of all pairs, or with `hitsOnly` of the hits; and their counts. */
  finish(hitsOnly: boolean): Work<{ chunk: RecordChunk; statusCounts: number[]; hits: number }>;
}

/** Steps of `createPace` per answer that is taken. */
export const TAKE_STEPS = 2 ** 7;

/** One answer for each of the pairs from `firstPair` on, up to `end`. */
export function createPairAnswers(query: QueryName, layout: Records, firstPair: number, end: number): Answers {
  const count = end - firstPair;
  const { words, info } = layout.sizes[query];
  const integers = allocate('answers of bodies of parts', Uint32Array, words * count);
  const floats = new Float32Array(integers.buffer);
  const partsA = allocate('parts of bodies', Uint32Array, count);
  const partsB = allocate('parts of bodies', Uint32Array, count);
  /** The key of each answer (`keyReader`); Infinity without an answer. */
  const keys = allocate('answers of bodies of parts', Float64Array, count).fill(Infinity);
  const keyOf = keyReader(query, layout);
  const isDue = createPace();

  return {
    end,
    put(pair, { result, partA, partB }) {
      const slot = pair - firstPair;
      writeRecord(query, layout, result, floats, integers, slot);
      partsA[slot] = partA;
      partsB[slot] = partB;
      keys[slot] = -Infinity;
    },
    *take(chunk, candidates) {
      const from = new Uint32Array(chunk.records);
      const fromFloats = new Float32Array(chunk.records);
      for (let i = 0; i < chunk.recordCount; i++) {
        if (isDue(TAKE_STEPS)) yield;
        const candidate = pairOf(chunk, i);
        const pair = candidates.pairs[candidate];
        const slot = pair - firstPair;
        const partA = candidates.partsA[candidate];
        const partB = candidates.partsB[candidate];
        const key = keyOf(from, fromFloats, words * i);
        if (key > keys[slot]) continue;
        // If two answers have equal keys, the one with the lower part numbers stays.
        if (key === keys[slot] && !comesBefore(partA, partB, partsA[slot], partsB[slot])) continue;
        keys[slot] = key;
        for (let word = 0; word < words; word++) integers[words * slot + word] = from[words * i + word];
        partsA[slot] = partA;
        partsB[slot] = partB;
      }
    },
    *finish(hitsOnly) {
      const statusCounts = [0, 0, 0, 0, 0];
      let hits = 0;
      for (let slot = 0; slot < count; slot++) {
        if (isDue(8)) yield;
        if (keys[slot] === Infinity) writeNone(query, layout, floats, integers, words * slot);
        const bits = integers[words * slot + info];
        statusCounts[bits & INFO_STATUS_MASK]++;
        if (bits & INFO_HIT) hits++;
      }
      const records = integers.buffer as ArrayBuffer;
      const all = { firstPair, recordCount: count, records, parts: [partsA, partsB] } as const;
      if (!hitsOnly) return { chunk: all, statusCounts, hits };
      return {
        chunk: keepRecords(words, all, (slot) => (integers[words * slot + info] & INFO_HIT) !== 0),
        statusCounts,
        hits,
      };
    },
  };
}

/** Reads the key of an answer for two parts. The answer with the least key is that of the bodies. */
function keyReader(
  query: QueryName,
  { sizes, fields, impact }: Records,
): (integers: Uint32Array, floats: Float32Array, at: number) => number {
  if (query === 'impacts') return (_, floats, at) => floats[at + impact.unclampedTime];
  if (query !== 'intersects') return (_, floats, at) => floats[at + fields.distance];
  // Hits first, then by status: overlaps, then pairs without an answer.
  const { info } = sizes.intersects;
  return (integers, _, at) => {
    const bits = integers[at + info];
    return (bits & INFO_HIT ? 0 : 8) + (4 - (bits & INFO_STATUS_MASK));
  };
}

/** The record of bodies none of whose parts can meet within the time. */
function writeNone(
  query: QueryName,
  { sizes, impact }: Records,
  floats: Float32Array,
  integers: Uint32Array,
  at: number,
): void {
  integers[at + sizes[query].info] = STATUS_SEPARATED;
  if (query === 'impacts') floats[at + impact.unclampedTime] = Infinity;
}
