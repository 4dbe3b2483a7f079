/** Records as backends give them: in chunks. */
import { allocate } from '../util/arrays.ts';

/** Consecutive records of one query, for all pairs from `firstPair` on or for the listed pairs. */
export interface RecordChunk {
  firstPair: number;
  recordCount: number;
  /**
   * Records in the query's layout, one after the other. Without `listed`, the memory may be used again after a sink
   * has returned.
   */
  records: ArrayBuffer;
  /** With `results: 'hits'`: which pairs, counted from `firstPair`. */
  listed?: Uint32Array;
  /** Which part of A and of B each record is of; missing if all bodies are convex. */
  parts?: readonly [partsOfA: Uint32Array, partsOfB: Uint32Array];
}

/** The pair of a chunk's record. */
export function pairOf({ firstPair, listed }: RecordChunk, slot: number): number {
  return firstPair + (listed ? listed[slot] : slot);
}

/**
 * The records of a chunk in the slots for which `isKept` is true, with their pairs listed. A record has `words` words.
 */
export function keepRecords(words: number, chunk: RecordChunk, isKept: (slot: number) => boolean): RecordChunk {
  const slots = allocate('kept slots', Uint32Array, chunk.recordCount);
  let recordCount = 0;
  for (let slot = 0; slot < chunk.recordCount; slot++) if (isKept(slot)) slots[recordCount++] = slot;
  const from = new Uint32Array(chunk.records);
  const kept = allocate('kept records', Uint32Array, words * recordCount);
  const listed = allocate('kept pairs', Uint32Array, recordCount);
  for (let to = 0; to < recordCount; to++) {
    const slot = slots[to];
    for (let word = 0; word < words; word++) kept[words * to + word] = from[words * slot + word];
    listed[to] = pairOf(chunk, slot) - chunk.firstPair;
  }
  const keptSlots = slots.subarray(0, recordCount);
  const keepOf = (parts: Uint32Array): Uint32Array => keptSlots.map((slot) => parts[slot]);
  const parts = chunk.parts && ([keepOf(chunk.parts[0]), keepOf(chunk.parts[1])] as const);
  return { firstPair: chunk.firstPair, recordCount, records: kept.buffer as ArrayBuffer, listed, parts };
}
