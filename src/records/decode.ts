/** Decodes records into the arrays that callers get. */
import type { QueryName, QueryResult } from '../api/queries.ts';
import type { Numbers } from '../util/arrays.ts';
import type { AnyBodies } from './bodies.ts';
import { pairOf, type RecordChunk } from './chunk.ts';
import {
  ONLY_POINT,
  clampNumbers,
  clear,
  copyBits,
  copyWords,
  writePoints,
  type Origins,
  type SecondPoint,
} from './columns.ts';
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

/** The records of a chunk, and the slot of the first one. */
interface Source {
  layout: Records;
  size: RecordSize;
  chunk: RecordChunk;
  integers: Uint32Array;
  floats: Float32Array;
  slot: number;
  pairs: Uint32Array;
  origins: Origins;
}

/** An array of the result. */
interface Target {
  field: ResultField;
  array: Numbers;
  integers: Uint32Array;
  /** A field of points with the same origins: both at once take less time than one after the other. */
  second?: SecondPoint;
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
  const { records, recordCount, firstPair, listed } = chunk;
  const source: Source = {
    layout,
    size: layout.sizes[query],
    chunk,
    integers: new Uint32Array(records),
    floats: new Float32Array(records),
    slot,
    pairs: given.pairs,
    origins: {
      axes: layout.axes,
      positions: given.bodies.positions,
      pairs: given.pairs,
      firstPair,
      listed,
      velocities: query === 'impacts' ? given.linear : undefined,
      time: layout.impact.unclampedTime,
    },
  };
  const targets = targetsOf(query, layout, result);
  for (let start = 0; start < recordCount; start += BLOCK) {
    const end = Math.min(start + BLOCK, recordCount);
    for (const target of targets) decodeField(target, source, start, end);
  }
}

/** The arrays that the result has. */
function targetsOf(query: QueryName, { axes }: Records, result: QueryResult): Target[] {
  const arrays = result as unknown as MutableResult;
  const targets: Target[] = [];
  for (const [name, field] of Object.entries(fieldsOf(query, axes))) {
    const array = arrays[name];
    if (array === undefined) continue;
    const last = targets.at(-1);
    if (field.from === 'points' && last?.field.from === 'points') {
      last.second = { word: field.groups[0]!, array };
      continue;
    }
    const { buffer, byteOffset, length, BYTES_PER_ELEMENT } = array;
    const integers = BYTES_PER_ELEMENT === 4 ? new Uint32Array(buffer, byteOffset, length) : NO_INTEGERS;
    targets.push({ field, array, integers });
  }
  return targets;
}

const NO_INTEGERS = new Uint32Array(0);

/** Writes a field of the records from `start` up to `end`. */
function decodeField(
  { field, array, integers: target, second }: Target,
  { size: { words: stride, info }, chunk, integers, floats, slot, pairs, origins }: Source,
  start: number,
  end: number,
): void {
  const { width } = field;
  const from = { integers, floats, stride, word: info, start, count: end - start };
  const to = { array, integers: target, to: width * (slot + start), width };
  switch (field.from) {
    case 'pair':
      return writePairs(chunk, start, target.subarray(slot + start, slot + end));
    case 'bodies':
      return writeBodies(chunk, start, target.subarray(slot + start, slot + end), pairs, field.member);
    case 'parts':
      return writeParts(chunk, start, target.subarray(slot + start, slot + end), field.member);
    case 'info':
      return copyBits(from, to, field.shift, field.mask);
    case 'clamped':
      from.word = field.word;
      return clampNumbers(from, to);
  }
  const { groups } = field;
  const size = width / groups.length;
  for (let group = 0; group < groups.length; group++, to.to += size) {
    const word = groups[group];
    if (word === undefined) {
      clear(from.count, to, size);
      continue;
    }
    from.word = word;
    if (field.from === 'words') copyWords(from, to, size);
    else writePoints(from, to, info, field.isCounted ? group : ONLY_POINT, origins, second);
  }
}

/** Writes the pairs of the records from `start` on. */
function writePairs(chunk: RecordChunk, start: number, to: Uint32Array): void {
  const { firstPair, listed } = chunk;
  if (listed) for (let i = 0; i < to.length; i++) to[i] = firstPair + listed[start + i];
  else for (let i = 0; i < to.length; i++) to[i] = firstPair + start + i;
}

function writeBodies(chunk: RecordChunk, start: number, to: Uint32Array, pairs: Uint32Array, member: 0 | 1): void {
  for (let i = 0; i < to.length; i++) to[i] = pairs[2 * pairOf(chunk, start + i) + member];
}

function writeParts({ parts }: RecordChunk, start: number, to: Uint32Array, member: 0 | 1): void {
  if (parts) to.set(parts[member].subarray(start, start + to.length));
  else to.fill(0);
}
