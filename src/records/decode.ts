/** Decodes records into the arrays that callers get. */
import { INFO_HAS_POINTS, INFO_HIT, INFO_STATUS_MASK } from '../generated/constants.ts';
import type { QueryName, QueryResult } from '../api/queries.ts';
import type { Numbers } from '../util/arrays.ts';
import type { AnyBodies } from './bodies.ts';
import { pairOf, type RecordChunk } from './chunk.ts';
import { addOrigins, clampColumn, clearColumn, copyBits, copyColumn } from './columns.ts';
import type { MutableResult } from './create-result.ts';
import type { RecordSize, Records } from './layout.ts';
import { fieldsOf, type ResultField } from './result-fields.ts';

/** What the host knows of the pairs. */
export interface PairBodies {
  bodies: AnyBodies;
  /** Body indices, two per pair. */
  pairs: Uint32Array;
  /** For `impacts`: the linear velocity of each body. */
  linear?: Float32Array;
}

/**
 * Records are decoded field by field, this many at a time. A block of them stays in the first-level cache: a record has
 * at most 112 bytes.
 */
const BLOCK = 128;

/** For each record of a block, the position that its points are relative to: `axes` numbers. */
const origins = new Float64Array(3 * BLOCK);

/** The records of a chunk, and the slot of the first one. */
interface Source {
  query: QueryName;
  layout: Records;
  chunk: RecordChunk;
  integers: Uint32Array;
  floats: Float32Array;
  slot: number;
}

/** An array of the result. */
interface Target {
  field: ResultField;
  array: Numbers;
  integers: Uint32Array;
}

/**
 * Writes a chunk's records to the arrays that the result has, from `slot` on. Points are relative to A in records: A's
 * position is added to them. For impacts that is A's position at the time of impact, which depends on its velocity.
 */
export function decodeRecords(
  query: QueryName,
  layout: Records,
  result: QueryResult,
  slot: number,
  chunk: RecordChunk,
  given: PairBodies,
): void {
  const { records, recordCount } = chunk;
  const floats = new Float32Array(records);
  const source = { query, layout, chunk, integers: new Uint32Array(records), floats, slot };
  const targets = targetsOf(query, layout, result);
  const hasPoints = targets.some(({ field }) => field.from === 'points');
  for (let start = 0; start < recordCount; start += BLOCK) {
    const end = Math.min(start + BLOCK, recordCount);
    if (hasPoints) findOrigins(source, given, start, end);
    for (const target of targets) decodeField(target, source, given.pairs, start, end);
  }
}

/** The arrays that the result has. */
function targetsOf(query: QueryName, { axes }: Records, result: QueryResult): Target[] {
  const arrays = result as unknown as MutableResult;
  const targets: Target[] = [];
  for (const [name, field] of Object.entries(fieldsOf(query, axes))) {
    const array = arrays[name];
    if (array === undefined) continue;
    const { buffer, byteOffset, length, BYTES_PER_ELEMENT } = array;
    const integers = BYTES_PER_ELEMENT === 4 ? new Uint32Array(buffer, byteOffset, length) : NO_INTEGERS;
    targets.push({ field, array, integers });
  }
  return targets;
}

const NO_INTEGERS = new Uint32Array(0);

/** Writes a field of the records from `start` up to `end`. */
function decodeField(
  { field, array, integers: target }: Target,
  { query, layout: { axes, sizes }, chunk, integers, floats, slot }: Source,
  pairs: Uint32Array,
  start: number,
  end: number,
): void {
  const { words: stride, info } = sizes[query];
  const { width } = field;
  const first = stride * start;
  const from = { integers, floats, at: first + info, stride, count: end - start };
  const to = { array, integers: target, to: width * (slot + start), width };
  switch (field.from) {
    case 'pair':
      for (let i = start; i < end; i++) array[slot + i] = pairOf(chunk, i);
      return;
    case 'bodies':
      for (let i = start; i < end; i++) array[slot + i] = pairs[2 * pairOf(chunk, i) + field.member];
      return;
    case 'info':
      return copyBits(from, to, field.shift, field.mask);
    case 'clamped':
      from.at = first + field.word;
      return clampColumn(from, to);
  }
  for (let k = 0; k < width; k++, to.to++) {
    const word = field.words[k];
    if (word === undefined) {
      clearColumn(from.count, to);
      continue;
    }
    from.at = first + word;
    if (field.from === 'words') copyColumn(from, to);
    else {
      const least = field.isCounted ? Math.floor(k / axes) + 1 : 0;
      addOrigins(from, to, { origins, coordinate: k % axes, axes }, first + info, least);
    }
  }
}

/** Finds the origins of the records from `start` up to `end`: 0 for records without points. */
function findOrigins(
  { query, layout: { axes, sizes, impact }, chunk, integers, floats }: Source,
  { bodies: { positions }, pairs, linear }: PairBodies,
  start: number,
  end: number,
): void {
  const { words: stride, info } = sizes[query];
  const velocities = query === 'impacts' ? linear : undefined;
  for (let i = start, to = 0; i < end; i++) {
    const at = stride * i;
    const hasPoints = integers[at + info] & INFO_HAS_POINTS;
    const a = axes * pairs[2 * pairOf(chunk, i)];
    const unclamped = velocities ? floats[at + impact.unclampedTime] : 0;
    const time = Number.isFinite(unclamped) ? unclamped : 0;
    for (let k = 0; k < axes; k++, to++) {
      origins[to] = !hasPoints ? 0 : velocities ? positions[a + k] + velocities[a + k] * time : positions[a + k];
    }
  }
}

/** Counts over all pairs of a query. */
export interface Totals {
  statusCounts: number[];
  hits: number;
}

/** Adds the counts of some pairs. */
export function addTotals(totals: Totals, statusCounts: readonly number[], hits: number): void {
  for (let status = 0; status < statusCounts.length; status++) totals.statusCounts[status] += statusCounts[status];
  totals.hits += hits;
}

/** The counts of consecutive records. */
export function countRecords(bytes: Uint8Array<ArrayBuffer>, recordCount: number, { words, info }: RecordSize): Totals {
  const integers = new Uint32Array(bytes.buffer, bytes.byteOffset, words * recordCount);
  const totals: Totals = { statusCounts: [0, 0, 0, 0, 0], hits: 0 };
  for (let at = info; at < integers.length; at += words) {
    totals.statusCounts[integers[at] & INFO_STATUS_MASK]++;
    if (integers[at] & INFO_HIT) totals.hits++;
  }
  return totals;
}
