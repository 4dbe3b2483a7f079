/** The answers for all pairs of parts that hit, in ascending order of pair, part of A and part of B. */
import type { QueryName } from '../api/queries.ts';
import { INFO_HIT, INFO_STATUS_MASK, STATUS_OVERLAPPING, STATUS_SEPARATED } from '../generated/constants.ts';
import { pairOf } from '../records/chunk.ts';
import type { Records } from '../records/layout.ts';
import { allocate } from '../util/arrays.ts';
import { movePoints, type Answers } from './pair-answers.ts';
import { comesBefore } from './known-answer.ts';
import type { FixContact } from './surface-contacts.ts';

/** Lists the hits of the pairs from `firstPair` on, up to `end`. The backend lists hits only. */
export function createPartList(
  query: QueryName,
  layout: Records,
  firstPair: number,
  end: number,
  fixContact: FixContact | undefined,
): Answers {
  const { words, info } = layout.sizes[query];
  const createList = (room: number) => ({
    count: 0,
    records: allocate('answers of parts', Uint32Array, words * room),
    pairs: allocate('answers of parts', Uint32Array, room),
    partsA: allocate('answers of parts', Uint32Array, room),
    partsB: allocate('answers of parts', Uint32Array, room),
  });
  const lists: ReturnType<typeof createList>[] = [];
  const append = (
    list: ReturnType<typeof createList>,
    from: Uint32Array,
    slot: number,
    partA: number,
    partB: number,
  ) => {
    list.records.set(from, words * list.count);
    list.pairs[list.count] = slot;
    list.partsA[list.count] = partA;
    list.partsB[list.count] = partB;
    list.count++;
  };
  const record = new Uint32Array(words);
  const recordFloats = new Float32Array(record.buffer);
  /** The status of each pair of bodies: that of its parts that overlap, or did not converge. */
  const statuses = new Uint8Array(end - firstPair).fill(STATUS_SEPARATED);
  /** The deepest contact that the surface of a mesh dropped, of pairs of bodies that may have no other. */
  const dropped = new Map<number, Dropped>();
  const depthWord = query === 'manifolds' ? layout.manifold.contactDistance : layout.fields.distance;
  return {
    end,
    put() {
      throw new Error('no answer for bodies is known before those for their parts');
    },
    take(chunk, candidates, numbers, offsetOf) {
      const from = new Uint32Array(chunk.records);
      const list = createList(chunk.recordCount);
      for (let i = 0; i < chunk.recordCount; i++) {
        const answered = pairOf(chunk, i);
        const candidate = numbers ? numbers[answered] : answered;
        const pair = candidates.pairs[candidate];
        const partA = candidates.partsA[candidate];
        const partB = candidates.partsB[candidate];
        for (let word = 0; word < words; word++) record[word] = from[words * i + word];
        const offset = offsetOf?.(answered);
        if (offset) movePoints(query, layout, recordFloats, record, 0, offset.offsets, offset.at);
        if (!(record[info] & INFO_HIT)) continue;
        const slot = pair - firstPair;
        const status = record[info] & INFO_STATUS_MASK;
        if (fixContact?.(pair, partA, partB, record, recordFloats) === false) {
          if (status !== STATUS_SEPARATED) keepDeeper(dropped, slot, recordFloats[depthWord], partA, partB, record);
          continue;
        }
        if (statuses[slot] !== STATUS_OVERLAPPING && status !== STATUS_SEPARATED) statuses[slot] = status;
        append(list, record, slot, partA, partB);
      }
      lists.push(list);
    },
    finish(reached) {
      const spares = createList(dropped.size);
      for (const [slot, spare] of dropped) {
        if (statuses[slot] !== STATUS_SEPARATED) continue;
        statuses[slot] = spare.record[info] & INFO_STATUS_MASK;
        append(spares, spare.record, slot, spare.partA, spare.partB);
      }
      lists.push(spares);
      const statusCounts = [0, 0, 0, 0, 0];
      for (let slot = 0; slot < reached - firstPair; slot++) statusCounts[statuses[slot]]++;
      const records = joined(lists.map((list) => list.records.subarray(0, words * list.count)));
      const pairs = joined(lists.map((list) => list.pairs.subarray(0, list.count)));
      const partsA = joined(lists.map((list) => list.partsA.subarray(0, list.count)));
      const partsB = joined(lists.map((list) => list.partsB.subarray(0, list.count)));
      const hits = pairs.length;
      const slots = sortedSlots(pairs, partsA, partsB);
      const ofSlots = (values: Uint32Array): Uint32Array => (slots ? slots.map((slot) => values[slot]) : values);
      const listed = ofSlots(pairs);
      const parts = [ofSlots(partsA), ofSlots(partsB)] as const;
      const sorted = slots ? allocate('answers of parts', Uint32Array, records.length) : records;
      slots?.forEach((from, to) => sorted.set(records.subarray(words * from, words * (from + 1)), words * to));
      return {
        chunk: { firstPair, recordCount: hits, records: sorted.buffer as ArrayBuffer, listed, parts },
        statusCounts,
        hits,
      };
    },
  };
}

interface Dropped {
  distance: number;
  partA: number;
  partB: number;
  record: Uint32Array;
}

function keepDeeper(
  dropped: Map<number, Dropped>,
  slot: number,
  distance: number,
  partA: number,
  partB: number,
  record: Uint32Array,
): void {
  const last = dropped.get(slot);
  if (last && distance > last.distance) return;
  if (last && distance === last.distance && !comesBefore(partA, partB, last.partA, last.partB)) return;
  dropped.set(slot, { distance, partA, partB, record: record.slice() });
}

/**
 * The slots in ascending order; undefined if they are: only answers by advancement and dropped contacts come after those of
 * the backend.
 */
function sortedSlots(pairs: Uint32Array, partsA: Uint32Array, partsB: Uint32Array): Uint32Array | undefined {
  const compare = (i: number, j: number): number =>
    pairs[i] - pairs[j] || partsA[i] - partsA[j] || partsB[i] - partsB[j];
  for (let slot = 1; slot < pairs.length; slot++) {
    if (compare(slot - 1, slot) > 0) return Uint32Array.from(pairs, (_, i) => i).sort(compare);
  }
  return undefined;
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
