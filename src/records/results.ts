/** Decodes the records of a backend into the arrays that callers get. */
import {
  INFO_HAS_POINTS,
  INFO_HIT,
  INFO_ITERATIONS_SHIFT,
  INFO_POINTS_MASK,
  INFO_POINTS_SHIFT,
  INFO_STATUS_MASK,
} from '../generated/constants.ts';
import { allocate, type ArrayType } from '../util/arrays.ts';
import { invalidInput, isDetached } from '../api/errors.ts';
import type { QueryName, QueryResult, QueryResults } from '../api/queries.ts';
import type {
  ContactItem,
  Contacts,
  DistanceItem,
  Distances,
  ImpactItem,
  Impacts,
  IntersectionItem,
  Intersections,
  ManifoldItem,
  Manifolds,
  SpaceVector,
  Status,
} from '../api/types.ts';
import type { AnyBodies } from './bodies.ts';
import type { RecordSize, Records } from './layout.ts';

/** Consecutive records of one query: those of all pairs from `firstPair` on, or those of the listed pairs. */
export interface RecordChunk {
  firstPair: number;
  recordCount: number;
  /**
   * Records in the query's layout, one after the other. Without `listed`, the backend may reuse this memory after the
   * sink returns.
   */
  records: ArrayBuffer;
  /** With `results: 'hits'`: the pairs of the records, counted from `firstPair`. */
  listed?: Uint32Array;
  /** Body indices of each record's pair, two per record. Set if the host doesn't have the pairs. */
  bodies?: Uint32Array;
}

/** The pair of a chunk's record. */
export function pairOf({ firstPair, listed }: RecordChunk, slot: number): number {
  return firstPair + (listed ? listed[slot] : slot);
}

/**
 * A chunk with only the records of the slots for which `isKept` returns true, with their pairs listed. `words` is the
 * length of a record.
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
    kept.set(from.subarray(words * slot, words * (slot + 1)), words * to);
    listed[to] = pairOf(chunk, slot) - chunk.firstPair;
  }
  return { firstPair: chunk.firstPair, recordCount, records: kept.buffer as ArrayBuffer, listed };
}

/** Elements per slot, and the constructor of the array. */
type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;
type Field = readonly [width: number, Type: ArrayType<Numbers>];
type Arrays = Record<string, Numbers>;
type Mutable = { count: number; statusCounts: number[]; hits: number } & Arrays;

/** Capacity in points of a slot of `manifolds`. */
const MANIFOLD_POINTS = 4;

/** Options of a query that add to its own arrays or replace them. */
export interface ResultOptions<Result> {
  bounds?: boolean;
  bodies?: boolean;
  target?: Result;
}

/** Elements per slot and constructor of each field's array. Points are `Float64Array` if positions are. */
function fieldsOf(
  query: QueryName,
  axes: number,
  { positions }: AnyBodies,
  { bounds, bodies }: ResultOptions<unknown>,
): Record<string, Field> {
  const points = positions instanceof Float64Array ? Float64Array : Float32Array;
  const ofPair = { pair: [1, Uint32Array], status: [1, Uint8Array] } as const;
  const common = bodies ? ({ ...ofPair, a: [1, Uint32Array], b: [1, Uint32Array] } as const) : ofPair;
  if (query === 'intersects') return { ...common, hit: [1, Uint8Array] };
  if (query === 'manifolds') {
    return {
      ...common,
      normal: [axes, Float32Array],
      contactDistance: [1, Float32Array],
      pointCount: [1, Uint8Array],
      position: [axes * MANIFOLD_POINTS, points],
      distance: [MANIFOLD_POINTS, Float32Array],
      feature: [MANIFOLD_POINTS, Uint32Array],
    };
  }
  if (query === 'impacts') {
    return {
      ...common,
      time: [1, Float32Array],
      unclampedTime: [1, Float32Array],
      normal: [axes, Float32Array],
      point: [axes, points],
      iterations: [1, Uint16Array],
    };
  }
  const distance = {
    ...common,
    distance: [1, Float32Array],
    normal: [axes, Float32Array],
    pointA: [axes, points],
    pointB: [axes, points],
  } as const;
  if (query === 'distances') return distance;
  const contact = {
    ...distance,
    featureA: [1, Uint32Array],
    featureB: [1, Uint32Array],
    iterations: [1, Uint16Array],
  } as const;
  return bounds ? { ...contact, lower: [1, Float32Array], upper: [1, Float32Array] } : contact;
}

/**
 * The result array called `name`: the one in `target`, which must hold at least `length` elements, or a new one if
 * there is no target.
 */
export function resultArray<Values extends ArrayLike<number> & ArrayBufferView>(
  target: object | undefined,
  name: string,
  Type: ArrayType<Values>,
  length: number,
): Values {
  if (target === undefined) return allocate(`result.${name}`, Type, length);
  const given = (target as Record<string, unknown> | null)?.[name];
  if (!(given instanceof Type && given.length >= length && !isDetached(given)))
    invalidInput(`options.target.${name}`, given, `a ${Type.name} of at least ${length} elements`);
  return given;
}

/**
 * An empty result of `count` slots, with `axes` numbers per vector. If `target` is given, its arrays are checked and
 * used.
 */
export function createResult<Q extends QueryName>(
  query: Q,
  axes: 2 | 3,
  count: number,
  bodies: AnyBodies,
  options: ResultOptions<QueryResults[Q]>,
): QueryResults[Q] {
  const result = { count, statusCounts: [0, 0, 0, 0, 0], hits: 0 } as unknown as Mutable;
  for (const [name, [width, Type]] of Object.entries(fieldsOf(query, axes, bodies, options))) {
    result[name] = resultArray(options.target, name, Type, width * count);
  }
  const items = {
    intersects: intersectionItem,
    distances: distanceItem,
    contacts: contactItem,
    manifolds: manifoldItem,
    impacts: impactItem,
  }[query];
  Object.defineProperty(result, Symbol.iterator, {
    value: function* () {
      const { a, b } = result;
      for (let slot = 0; slot < count; slot++) {
        const item = items(result as never, slot, axes);
        yield options.bodies ? { ...item, a: a[slot], b: b[slot] } : item;
      }
    },
  });
  return result as unknown as QueryResults[Q];
}

/**
 * Writes a chunk's records to the result from `slot` on. Records hold points relative to A. `bodies` and `pairs` give
 * the position that is added. For `impacts` that is A's position at the time of impact; `linear` holds one velocity
 * vector per body.
 */
export function writeRecords(
  query: QueryName,
  layout: Records,
  result: QueryResult,
  slot: number,
  chunk: RecordChunk,
  { positions }: AnyBodies,
  pairs: Uint32Array,
  linear?: Float32Array,
): void {
  const { pair, status, a, b } = result;
  const { recordCount, bodies } = chunk;
  const { words, info } = layout.sizes[query];
  const integers = new Uint32Array(chunk.records);
  for (let i = 0; i < recordCount; i++) {
    pair[slot + i] = pairOf(chunk, i);
    status[slot + i] = integers[i * words + info] & INFO_STATUS_MASK;
  }
  if (a && b) {
    for (let i = 0; i < recordCount; i++) {
      const at = 2 * (bodies ? i : pair[slot + i]);
      a[slot + i] = (bodies ?? pairs)[at];
      b[slot + i] = (bodies ?? pairs)[at + 1];
    }
  }
  if (query === 'intersects') {
    const { hit } = result as Intersections;
    for (let i = 0; i < recordCount; i++) hit[slot + i] = integers[i * words + info] & INFO_HIT ? 1 : 0;
    return;
  }
  if (query === 'manifolds') {
    writeManifolds(layout, result as Manifolds, slot, chunk, positions, pairs);
    return;
  }
  if (query === 'impacts') {
    writeImpacts(layout, result as Impacts, slot, chunk, positions, pairs, linear);
    return;
  }
  writeGeometry(query, layout, result as Distances, slot, chunk, positions, pairs);
  if (query === 'contacts') writeContacts(layout, result as Contacts, slot, chunk);
}

/** Writes the fields that distance and contact records share. */
function writeGeometry(
  query: QueryName,
  { axes, sizes, fields }: Records,
  result: Distances,
  slot: number,
  chunk: RecordChunk,
  positions: Float32Array | Float64Array,
  pairs: Uint32Array,
): void {
  const { pair, distance, normal, pointA, pointB } = result;
  const { words, info } = sizes[query];
  const { normal: normalWord, distance: distanceWord, pointA: wordA, pointB: wordB } = fields;
  const integers = new Uint32Array(chunk.records);
  const floats = new Float32Array(chunk.records);
  for (let i = 0; i < chunk.recordCount; i++) {
    const at = i * words;
    const to = axes * (slot + i);
    distance[slot + i] = floats[at + distanceWord];
    const a = integers[at + info] & INFO_HAS_POINTS ? axes * pairs[2 * pair[slot + i]] : -1;
    for (let k = 0; k < axes; k++) {
      const origin = a >= 0 ? positions[a + k] : 0;
      normal[to + k] = floats[at + normalWord + k];
      pointA[to + k] = origin + floats[at + wordA + k];
      pointB[to + k] = origin + floats[at + wordB + k];
    }
  }
}

/** Writes the fields that only contact records have. */
function writeContacts(
  { sizes, fields }: Records,
  { featureA, featureB, iterations, lower, upper }: Contacts,
  slot: number,
  chunk: RecordChunk,
): void {
  const { words, info } = sizes.contacts;
  const integers = new Uint32Array(chunk.records);
  const floats = new Float32Array(chunk.records);
  for (let i = 0; i < chunk.recordCount; i++) {
    const at = i * words;
    featureA[slot + i] = integers[at + fields.featureA];
    featureB[slot + i] = integers[at + fields.featureB];
    iterations[slot + i] = integers[at + info] >>> INFO_ITERATIONS_SHIFT;
    if (!lower || !upper) continue;
    lower[slot + i] = floats[at + fields.lower];
    upper[slot + i] = floats[at + fields.upper];
  }
}

function writeManifolds(
  { axes, sizes, manifold }: Records,
  result: Manifolds,
  slot: number,
  chunk: RecordChunk,
  positions: Float32Array | Float64Array,
  pairs: Uint32Array,
): void {
  const { pair, normal, contactDistance, pointCount, position, distance, feature } = result;
  const { words, info } = sizes.manifolds;
  const integers = new Uint32Array(chunk.records);
  const floats = new Float32Array(chunk.records);
  for (let i = 0; i < chunk.recordCount; i++) {
    const at = i * words;
    const to = slot + i;
    const bits = integers[at + info];
    const count = (bits >>> INFO_POINTS_SHIFT) & INFO_POINTS_MASK;
    for (let k = 0; k < axes; k++) normal[axes * to + k] = floats[at + manifold.normal + k];
    contactDistance[to] = floats[at + manifold.contactDistance];
    pointCount[to] = count;
    const a = bits & INFO_HAS_POINTS ? axes * pairs[2 * pair[to]] : -1;
    for (let point = 0; point < MANIFOLD_POINTS; point++) {
      const isThere = point < manifold.positions.length;
      const isMoved = a >= 0 && point < count;
      for (let k = 0; k < axes; k++) {
        position[axes * (MANIFOLD_POINTS * to + point) + k] =
          (isMoved ? positions[a + k] : 0) + (isThere ? floats[at + manifold.positions[point] + k] : 0);
      }
      distance[MANIFOLD_POINTS * to + point] = isThere ? floats[at + manifold.distances[point]] : 0;
      feature[MANIFOLD_POINTS * to + point] = isThere ? integers[at + manifold.features[point]] : 0;
    }
  }
}

function writeImpacts(
  { axes, sizes, impact }: Records,
  result: Impacts,
  slot: number,
  chunk: RecordChunk,
  positions: Float32Array | Float64Array,
  pairs: Uint32Array,
  linear?: Float32Array,
): void {
  const { pair, time, unclampedTime, normal, point, iterations } = result;
  const { words, info } = sizes.impacts;
  const integers = new Uint32Array(chunk.records);
  const floats = new Float32Array(chunk.records);
  for (let i = 0; i < chunk.recordCount; i++) {
    const at = i * words;
    const to = slot + i;
    const unclamped = floats[at + impact.unclampedTime];
    const bits = integers[at + info];
    unclampedTime[to] = unclamped;
    time[to] = Math.max(unclamped, 0);
    iterations[to] = bits >>> INFO_ITERATIONS_SHIFT;
    const a = linear && bits & INFO_HAS_POINTS ? axes * pairs[2 * pair[to]] : -1;
    const moved = Number.isFinite(unclamped) ? unclamped : 0;
    for (let k = 0; k < axes; k++) {
      normal[axes * to + k] = floats[at + impact.normal + k];
      point[axes * to + k] = (a >= 0 ? positions[a + k] + linear![a + k] * moved : 0) + floats[at + impact.point + k];
    }
  }
}

/** Adds the statuses and hits of a chunk that has the records of all its pairs to the result's counts. */
export function countRecords({ words, info }: RecordSize, result: QueryResult, chunk: RecordChunk): void {
  const integers = new Uint32Array(chunk.records);
  const out = result as unknown as Mutable;
  for (let i = 0; i < chunk.recordCount; i++) {
    const bits = integers[i * words + info];
    out.statusCounts[bits & INFO_STATUS_MASK]++;
    if (bits & INFO_HIT) out.hits++;
  }
}

/** Adds counts from elsewhere. */
export function addCounts(result: QueryResult, statusCounts: ArrayLike<number>, hits: number): void {
  const out = result as unknown as Mutable;
  for (let status = 0; status < 5; status++) out.statusCounts[status] += statusCounts[status];
  out.hits += hits;
}

function intersectionItem(result: Intersections, slot: number): IntersectionItem {
  return { pair: result.pair[slot], status: result.status[slot] as Status, hit: result.hit[slot] === 1 };
}

function distanceItem(result: Distances, slot: number, axes: number): DistanceItem {
  return {
    pair: result.pair[slot],
    status: result.status[slot] as Status,
    distance: result.distance[slot],
    normal: vector(result.normal, slot, axes),
    pointA: vector(result.pointA, slot, axes),
    pointB: vector(result.pointB, slot, axes),
  };
}

function contactItem(result: Contacts, slot: number, axes: number): ContactItem {
  const item: ContactItem = {
    ...distanceItem(result, slot, axes),
    featureA: result.featureA[slot],
    featureB: result.featureB[slot],
    iterations: result.iterations[slot],
  };
  if (result.lower && result.upper) {
    item.lower = result.lower[slot];
    item.upper = result.upper[slot];
  }
  return item;
}

function manifoldItem(result: Manifolds, slot: number, axes: number): ManifoldItem {
  const { pair, status, normal, contactDistance, pointCount, position, distance, feature } = result;
  return {
    pair: pair[slot],
    status: status[slot] as Status,
    normal: vector(normal, slot, axes),
    contactDistance: contactDistance[slot],
    points: Array.from({ length: pointCount[slot] }, (_, point) => ({
      position: vector(position, MANIFOLD_POINTS * slot + point, axes),
      distance: distance[MANIFOLD_POINTS * slot + point],
      feature: feature[MANIFOLD_POINTS * slot + point],
    })),
  };
}

function impactItem(result: Impacts, slot: number, axes: number): ImpactItem {
  return {
    pair: result.pair[slot],
    status: result.status[slot] as Status,
    time: result.time[slot],
    unclampedTime: result.unclampedTime[slot],
    normal: vector(result.normal, slot, axes),
    point: vector(result.point, slot, axes),
    iterations: result.iterations[slot],
  };
}

/** In 2-D a vector has two numbers, as the types of a `PlanarTester` say. */
export function vector(array: ArrayLike<number>, slot: number, axes: number): SpaceVector {
  const at = axes * slot;
  return (axes === 2 ? [array[at], array[at + 1]] : [array[at], array[at + 1], array[at + 2]]) as SpaceVector;
}
