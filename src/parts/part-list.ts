/** The answers for all pairs of parts that hit, in ascending order of pair, part of A and part of B. */
import type { QueryName } from '../api/queries.ts';
import { INFO_HIT, INFO_STATUS_MASK, STATUS_OVERLAPPING, STATUS_SEPARATED } from '../generated/constants.ts';
import { pairOf } from '../records/chunk.ts';
import type { Records } from '../records/layout.ts';
import { allocate } from '../util/arrays.ts';
import { movePoints, type Answers } from './pair-answers.ts';

/** Lists the hits of the pairs from `firstPair` on, up to `end`. The backend lists hits only. */
export function createPartList(query: QueryName, layout: Records, firstPair: number, end: number): Answers {
  const { words, info } = layout.sizes[query];
  const lists: { records: Uint32Array; pairs: Uint32Array; partsA: Uint32Array; partsB: Uint32Array }[] = [];
  /** The status of each pair of bodies: that of its parts that overlap, or did not converge. */
  const statuses = new Uint8Array(end - firstPair).fill(STATUS_SEPARATED);
  return {
    end,
    put() {
      throw new Error('no answer for bodies is known before those for their parts');
    },
    take(chunk, candidates, offsetOf) {
      const count = chunk.recordCount;
      const records = allocate('answers of parts', Uint32Array, words * count);
      records.set(new Uint32Array(chunk.records, 0, words * count));
      const floats = new Float32Array(records.buffer);
      const pairs = new Uint32Array(count);
      const partsA = new Uint32Array(count);
      const partsB = new Uint32Array(count);
      for (let i = 0; i < count; i++) {
        const candidate = pairOf(chunk, i);
        pairs[i] = candidates.pairs[candidate] - firstPair;
        partsA[i] = candidates.partsA[candidate];
        partsB[i] = candidates.partsB[candidate];
        const status = records[words * i + info] & INFO_STATUS_MASK;
        if (statuses[pairs[i]] !== STATUS_OVERLAPPING && status !== STATUS_SEPARATED) statuses[pairs[i]] = status;
        const offset = offsetOf(candidate);
        if (offset) movePoints(query, layout, floats, records, words * i, offset.offsets, offset.at);
      }
      lists.push({ records, pairs, partsA, partsB });
    },
    finish(reached) {
      const statusCounts = [0, 0, 0, 0, 0];
      for (let slot = 0; slot < reached - firstPair; slot++) statusCounts[statuses[slot]]++;
      const records = joined(lists.map((list) => list.records));
      const listed = joined(lists.map(({ pairs }) => pairs));
      const parts = [joined(lists.map(({ partsA }) => partsA)), joined(lists.map(({ partsB }) => partsB))] as const;
      let hits = 0;
      for (let at = info; at < records.length; at += words) if (records[at] & INFO_HIT) hits++;
      const chunk = { firstPair, recordCount: listed.length, records: records.buffer as ArrayBuffer, listed, parts };
      return { chunk, statusCounts, hits };
    },
  };
}

function joined(lists: readonly Uint32Array[]): Uint32Array {
  const all = allocate(
    'answers of parts',
    Uint32Array,
    lists.reduce((sum, { length }) => sum + length, 0),
  );
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}
