/** The answers for all pairs of parts that hit, in ascending order of pair, part of A and part of B. */
import { NarrowphaseError } from '../api/errors.ts';
import type { QueryName } from '../api/queries.ts';
import { INFO_HIT, INFO_STATUS_MASK, STATUS_OVERLAPPING, STATUS_SEPARATED } from '../generated/constants.ts';
import { pairOf } from '../records/chunk.ts';
import type { Records } from '../records/layout.ts';
import { allocate } from '../util/arrays.ts';
import { inOrder, sortSlots } from '../util/sort-slots.ts';
import { createPace, type Work } from '../util/turns.ts';
import { TAKE_STEPS, type Answers } from './pair-answers.ts';
import type { SurfaceImpacts } from './surface/surface-impacts.ts';
import type { SurfaceList } from './surface/surface-list.ts';

/** Most bytes of the records of a list. */
const MOST_BYTES = 2 ** 31;

/** Answers of pairs of parts, in the order in which they come. */
interface Hits {
  count: number;
  records: Uint32Array;
  pairs: Uint32Array;
  partsA: Uint32Array;
  partsB: Uint32Array;
}

function createHits(room: number, words: number): Hits {
  return {
    count: 0,
    records: allocate('answers of parts', Uint32Array, words * room),
    pairs: allocate('answers of parts', Uint32Array, room),
    partsA: allocate('answers of parts', Uint32Array, room),
    partsB: allocate('answers of parts', Uint32Array, room),
  };
}

function append(list: Hits, record: Uint32Array, slot: number, partA: number, partB: number): void {
  list.records.set(record, record.length * list.count);
  list.pairs[list.count] = slot;
  list.partsA[list.count] = partA;
  list.partsB[list.count] = partB;
  list.count++;
}

/** What decides about hits with meshes. */
export interface SurfaceOfHits {
  contacts: SurfaceList | undefined;
  impacts: SurfaceImpacts | undefined;
}

/** Lists the hits of the pairs from `firstPair` on, up to `end`. Of pairs of parts it gets hits only. */
export function createPartList(
  query: QueryName,
  layout: Records,
  firstPair: number,
  end: number,
  { contacts, impacts }: SurfaceOfHits,
): Answers {
  const { words, info } = layout.sizes[query];
  const isDue = createPace();
  const lists: Hits[] = [];
  /** Of all lists. */
  let total = 0;
  const most = Math.floor(MOST_BYTES / (4 * words));
  const record = new Uint32Array(words);
  const recordFloats = new Float32Array(record.buffer);
  /** The status of each pair of bodies: that of its parts that overlap, or did not converge. */
  const statuses = new Uint8Array(end - firstPair).fill(STATUS_SEPARATED);

  function noteStatus(pair: number, bits: number): void {
    const slot = pair - firstPair;
    const status = bits & INFO_STATUS_MASK;
    if (statuses[slot] !== STATUS_OVERLAPPING && status !== STATUS_SEPARATED) statuses[slot] = status;
  }

  /** Appends a hit, of which the words are those of `integers`. */
  function put(list: Hits, pair: number, partA: number, partB: number, integers: Uint32Array): void {
    noteStatus(pair, integers[info]);
    append(list, integers, pair - firstPair, partA, partB);
  }

  function addList(list: Hits): void {
    lists.push(list);
    total += list.count;
    if (total <= most) return;
    const message = `pairs have more than ${most} pairs of parts that hit, expected at most that`;
    throw new NarrowphaseError('LIMIT_EXCEEDED', message);
  }

  function* settle(before: number): Work<void> {
    if (!contacts) return;
    const list = createHits(contacts.count, words);
    yield* contacts.settle(before, (pair, partA, partB, integers) => put(list, pair, partA, partB, integers));
    addList(list);
  }

  return {
    end,
    // What is known before the parts are answered is no hit: only its status counts.
    put: (pair, { result }) => void (statuses[pair - firstPair] = result.status),
    *take(chunk, candidates) {
      const from = new Uint32Array(chunk.records);
      const list = createHits(chunk.recordCount, words);
      for (let i = 0; i < chunk.recordCount; i++) {
        if (isDue(TAKE_STEPS)) yield;
        const candidate = pairOf(chunk, i);
        const pair = candidates.pairs[candidate];
        const partA = candidates.partsA[candidate];
        const partB = candidates.partsB[candidate];
        for (let word = 0; word < words; word++) record[word] = from[words * i + word];
        if (!(record[info] & INFO_HIT)) {
          noteStatus(pair, record[info]);
          continue;
        }
        if (contacts?.take(pair, partA, partB, record, recordFloats)) continue;
        if (impacts?.acceptRecord(pair, partA, partB, recordFloats) === false) continue;
        put(list, pair, partA, partB, record);
      }
      addList(list);
    },
    settle,
    *finish() {
      yield* settle(Infinity);
      const statusCounts = [0, 0, 0, 0, 0];
      for (let slot = 0; slot < end - firstPair; slot++) statusCounts[statuses[slot]]++;
      const { records, pairs: listed, partsA, partsB } = yield* inOneList(lists, words);
      const chunk = { firstPair, recordCount: listed.length, records, listed, parts: [partsA, partsB] } as const;
      return { chunk, statusCounts, hits: listed.length };
    },
  };
}

/** All hits in ascending order. Empties the lists, whose memory is free from then on. */
function* inOneList(lists: Hits[], words: number) {
  const records = yield* joined(lists.map((list) => list.records.subarray(0, words * list.count)));
  const pairs = yield* joined(lists.map((list) => list.pairs.subarray(0, list.count)));
  const partsA = yield* joined(lists.map((list) => list.partsA.subarray(0, list.count)));
  const partsB = yield* joined(lists.map((list) => list.partsB.subarray(0, list.count)));
  lists.length = 0;
  const order = yield* sortSlots(pairs, partsA, partsB);
  if (!order) return { records: records.buffer as ArrayBuffer, pairs, partsA, partsB };
  const isDue = createPace();
  const sorted = allocate('answers of parts', Uint32Array, records.length);
  for (let to = 0; to < pairs.length; to++) {
    if (isDue(words)) yield;
    const from = words * order[to];
    for (let word = 0; word < words; word++) sorted[words * to + word] = records[from + word];
  }
  return {
    records: sorted.buffer as ArrayBuffer,
    pairs: yield* inOrder(pairs, order),
    partsA: yield* inOrder(partsA, order),
    partsB: yield* inOrder(partsB, order),
  };
}

function* joined(lists: readonly Uint32Array[]): Work<Uint32Array> {
  const isDue = createPace();
  const all = allocate(
    'answers of parts',
    Uint32Array,
    lists.reduce((sum, { length }) => sum + length, 0),
  );
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
    if (isDue(list.length)) yield;
  }
  return all;
}
