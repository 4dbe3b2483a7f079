/** Records read back from a backend into the arrays that callers get. */
import { INFO_HAS_POINTS, INFO_HIT, INFO_ITERATIONS_SHIFT, INFO_POINTS_MASK, INFO_POINTS_SHIFT, INFO_STATUS_MASK } from '../generated/constants.ts';
import { layouts } from '../generated/layouts.ts';
import { invalidInput } from '../errors.ts';
import type { PosedBodies, ContactItem, Contacts, DistanceItem, Distances, ImpactItem, Impacts, IntersectionItem, Intersections, ManifoldItem, Manifolds, Status } from '../types.ts';

/** A query by its name, and the result each gives. */
export interface QueryResults {
  intersects: Intersections;
  distances: Distances;
  contacts: Contacts;
  manifolds: Manifolds;
  impacts: Impacts;
}
export type QueryName = keyof QueryResults;
export type QueryResult = QueryResults[QueryName];

/** Consecutive records of one query: all pairs from `firstPair` on, or the listed ones. */
export interface RecordChunk {
  firstPair: number;
  recordCount: number;
  /** Records of the query's layout, one behind the other. Without `listed`, they may be written again once a sink has them. */
  records: ArrayBuffer;
  /** With `results: 'hits'`: which pairs, counted from `firstPair`. */
  listed?: Uint32Array;
}

/** The pair that a chunk's record is of. */
export function pairOf({ firstPair, listed }: RecordChunk, slot: number): number {
  return firstPair + (listed ? listed[slot] : slot);
}

/** A chunk's records of the slots that `isKept` says, their pairs listed. */
export function keepRecords(query: QueryName, chunk: RecordChunk, isKept: (slot: number) => boolean): RecordChunk {
  const { words } = recordWords[query];
  const slots: number[] = [];
  for (let slot = 0; slot < chunk.recordCount; slot++) if (isKept(slot)) slots.push(slot);
  const from = new Uint32Array(chunk.records);
  const kept = new Uint32Array(words * slots.length);
  slots.forEach((slot, to) => kept.set(from.subarray(words * slot, words * (slot + 1)), words * to));
  const listed = Uint32Array.from(slots, (slot) => pairOf(chunk, slot) - chunk.firstPair);
  return { firstPair: chunk.firstPair, recordCount: slots.length, records: kept.buffer, listed };
}

/** 32-bit words in a record of each query, and which of them is `info`. */
export const recordWords: Record<QueryName, { words: number; info: number }> = {
  intersects: { words: 1, info: 0 },
  distances: { words: layouts.Distance.size / 4, info: layouts.Distance.fields.info.offset / 4 },
  contacts: { words: layouts.Contact.size / 4, info: layouts.Contact.fields.info.offset / 4 },
  manifolds: { words: layouts.Manifold.size / 4, info: layouts.Manifold.fields.info.offset / 4 },
  impacts: { words: layouts.Impact.size / 4, info: layouts.Impact.fields.info.offset / 4 },
};

/** Words of the fields in a `Contact` record; those that a `Distance` record has too are in the same places there. */
export const fieldWords = {
  normal: layouts.Contact.fields.normal.offset / 4,
  distance: layouts.Contact.fields.distance.offset / 4,
  pointA: layouts.Contact.fields.pointA.offset / 4,
  pointB: layouts.Contact.fields.pointB.offset / 4,
  lower: layouts.Contact.fields.lower.offset / 4,
  upper: layouts.Contact.fields.upper.offset / 4,
  featureA: layouts.Contact.fields.featureA.offset / 4,
  featureB: layouts.Contact.fields.featureB.offset / 4,
};

/** Words of the fields in a `Manifold` record. */
export const manifoldWords = {
  normal: layouts.Manifold.fields.normal.offset / 4,
  /** Of four words each. */
  points: layouts.Manifold.fields.point0.offset / 4,
  features: layouts.Manifold.fields.features.offset / 4,
};

/** Words of the fields in an `Impact` record. */
export const impactWords = {
  normal: layouts.Impact.fields.normal.offset / 4,
  unclampedTime: layouts.Impact.fields.unclampedTime.offset / 4,
  point: layouts.Impact.fields.point.offset / 4,
};

/** Elements a slot, and what holds them. */
type Field = readonly [width: number, ArrayType: Uint8ArrayConstructor | Uint16ArrayConstructor | Uint32ArrayConstructor | Float32ArrayConstructor | Float64ArrayConstructor];
type Arrays = Record<string, Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array>;
type Mutable = { count: number; statusCounts: number[]; hits: number } & Arrays;

/** Array of each field: elements a slot and constructor. Points are `Float64Array` where positions are. */
function fieldsOf(query: QueryName, bodies: PosedBodies, bounds: boolean) {
  const points = bodies.positions instanceof Float64Array ? Float64Array : Float32Array;
  const common = { pair: [1, Uint32Array], status: [1, Uint8Array] } as const;
  if (query === 'intersects') return { ...common, hit: [1, Uint8Array] } as const;
  if (query === 'manifolds') {
    return {
      ...common, normal: [3, Float32Array], pointCount: [1, Uint8Array], position: [12, points], distance: [4, Float32Array], feature: [4, Uint32Array],
    } as const;
  }
  if (query === 'impacts') {
    return { ...common, time: [1, Float32Array], unclampedTime: [1, Float32Array], normal: [3, Float32Array], point: [3, points], iterations: [1, Uint16Array] } as const;
  }
  const distance = {
    ...common,
    distance: [1, Float32Array],
    normal: [3, Float32Array],
    pointA: [3, points],
    pointB: [3, points],
  } as const;
  if (query === 'distances') return distance;
  const contact = {
    ...distance,
    featureA: [1, Uint32Array],
    featureB: [1, Uint32Array],
    iterations: [1, Uint16Array],
  } as const;
  return bounds ? ({ ...contact, lower: [1, Float32Array], upper: [1, Float32Array] } as const) : contact;
}

/** A result of `count` slots, still empty; in `target`'s arrays if given, which are checked first. */
export function createResult<Q extends QueryName>(
  query: Q,
  count: number,
  bodies: PosedBodies,
  options: { bounds?: boolean; target?: QueryResults[Q] },
): QueryResults[Q] {
  const result = { count, statusCounts: [0, 0, 0, 0, 0], hits: 0 } as unknown as Mutable;
  for (const [name, [width, ArrayType]] of Object.entries<Field>(fieldsOf(query, bodies, options.bounds ?? false))) {
    const given = (options.target as unknown as Arrays | undefined)?.[name];
    if (options.target && !(given instanceof ArrayType && given.length >= width * count)) {
      invalidInput(`options.target.${name}`, given, `a ${ArrayType.name} of at least ${width * count} elements`);
    }
    result[name] = given ?? new ArrayType(width * count);
  }
  const items = { intersects: intersectionItem, distances: distanceItem, contacts: contactItem, manifolds: manifoldItem, impacts: impactItem }[query];
  Object.defineProperty(result, Symbol.iterator, {
    value: function* () {
      for (let slot = 0; slot < count; slot++) yield items(result as never, slot);
    },
  });
  return result as unknown as QueryResults[Q];
}

/**
 * Writes a chunk's records to the result from `slot` on. `bodies` and `pairs` place points, which records hold relative to A; of impacts at the time
 * of impact, to which A moves by its velocity, x, y, z of each body in `linear`.
 */
export function writeRecords(
  query: QueryName,
  result: QueryResult,
  slot: number,
  chunk: RecordChunk,
  bodies: PosedBodies,
  pairs: Uint32Array,
  linear?: Float32Array,
): void {
  const { pair, status } = result;
  const { recordCount } = chunk;
  const { words, info } = recordWords[query];
  const integers = new Uint32Array(chunk.records);
  for (let i = 0; i < recordCount; i++) {
    pair[slot + i] = pairOf(chunk, i);
    status[slot + i] = integers[i * words + info] & INFO_STATUS_MASK;
  }
  if (query === 'intersects') {
    const { hit } = result as Intersections;
    for (let i = 0; i < recordCount; i++) hit[slot + i] = integers[i * words + info] & INFO_HIT ? 1 : 0;
    return;
  }
  if (query === 'manifolds') {
    writeManifolds(result as Manifolds, slot, chunk, bodies.positions, pairs);
    return;
  }
  if (query === 'impacts') {
    writeImpacts(result as Impacts, slot, chunk, bodies.positions, pairs, linear);
    return;
  }
  writeGeometry(query, result as Distances, slot, chunk, bodies.positions, pairs);
  if (query === 'contacts') writeContacts(result as Contacts, slot, chunk);
}

/** What `Distance` and `Contact` records share. */
function writeGeometry(
  query: QueryName, result: Distances, slot: number, chunk: RecordChunk, positions: Float32Array | Float64Array, pairs: Uint32Array,
): void {
  const { pair, distance, normal, pointA, pointB } = result;
  const { words, info } = recordWords[query];
  const { normal: normalWord, distance: distanceWord, pointA: wordA, pointB: wordB } = fieldWords;
  const integers = new Uint32Array(chunk.records);
  const floats = new Float32Array(chunk.records);
  for (let i = 0; i < chunk.recordCount; i++) {
    const at = i * words;
    const to = 3 * (slot + i);
    distance[slot + i] = floats[at + distanceWord];
    normal[to] = floats[at + normalWord];
    normal[to + 1] = floats[at + normalWord + 1];
    normal[to + 2] = floats[at + normalWord + 2];
    const hasPoints = (integers[at + info] & INFO_HAS_POINTS) !== 0;
    const a = hasPoints ? 3 * pairs[2 * pair[slot + i]] : 0;
    const x = hasPoints ? positions[a] : 0;
    const y = hasPoints ? positions[a + 1] : 0;
    const z = hasPoints ? positions[a + 2] : 0;
    pointA[to] = x + floats[at + wordA];
    pointA[to + 1] = y + floats[at + wordA + 1];
    pointA[to + 2] = z + floats[at + wordA + 2];
    pointB[to] = x + floats[at + wordB];
    pointB[to + 1] = y + floats[at + wordB + 1];
    pointB[to + 2] = z + floats[at + wordB + 2];
  }
}

/** What only `Contact` records have. */
function writeContacts({ featureA, featureB, iterations, lower, upper }: Contacts, slot: number, chunk: RecordChunk): void {
  const { words, info } = recordWords.contacts;
  const integers = new Uint32Array(chunk.records);
  const floats = new Float32Array(chunk.records);
  for (let i = 0; i < chunk.recordCount; i++) {
    const at = i * words;
    featureA[slot + i] = integers[at + fieldWords.featureA];
    featureB[slot + i] = integers[at + fieldWords.featureB];
    iterations[slot + i] = integers[at + info] >>> INFO_ITERATIONS_SHIFT;
    if (!lower || !upper) continue;
    lower[slot + i] = floats[at + fieldWords.lower];
    upper[slot + i] = floats[at + fieldWords.upper];
  }
}

function writeManifolds(result: Manifolds, slot: number, chunk: RecordChunk, positions: Float32Array | Float64Array, pairs: Uint32Array): void {
  const { pair, normal, pointCount, position, distance, feature } = result;
  const { words, info } = recordWords.manifolds;
  const integers = new Uint32Array(chunk.records);
  const floats = new Float32Array(chunk.records);
  for (let i = 0; i < chunk.recordCount; i++) {
    const at = i * words;
    const to = slot + i;
    const bits = integers[at + info];
    const count = (bits >>> INFO_POINTS_SHIFT) & INFO_POINTS_MASK;
    for (let k = 0; k < 3; k++) normal[3 * to + k] = floats[at + manifoldWords.normal + k];
    pointCount[to] = count;
    const a = bits & INFO_HAS_POINTS ? 3 * pairs[2 * pair[to]] : -1;
    for (let point = 0; point < 4; point++) {
      const from = at + manifoldWords.points + 4 * point;
      const isMoved = a >= 0 && point < count;
      for (let k = 0; k < 3; k++) position[12 * to + 3 * point + k] = (isMoved ? positions[a + k] : 0) + floats[from + k];
      distance[4 * to + point] = floats[from + 3];
      feature[4 * to + point] = integers[at + manifoldWords.features + point];
    }
  }
}

function writeImpacts(result: Impacts, slot: number, chunk: RecordChunk, positions: Float32Array | Float64Array, pairs: Uint32Array, linear?: Float32Array): void {
  const { pair, time, unclampedTime, normal, point, iterations } = result;
  const { words, info } = recordWords.impacts;
  const integers = new Uint32Array(chunk.records);
  const floats = new Float32Array(chunk.records);
  for (let i = 0; i < chunk.recordCount; i++) {
    const at = i * words;
    const to = slot + i;
    const unclamped = floats[at + impactWords.unclampedTime];
    const bits = integers[at + info];
    unclampedTime[to] = unclamped;
    time[to] = Math.max(unclamped, 0);
    iterations[to] = bits >>> INFO_ITERATIONS_SHIFT;
    const a = linear && bits & INFO_HAS_POINTS ? 3 * pairs[2 * pair[to]] : -1;
    const moved = Number.isFinite(unclamped) ? unclamped : 0;
    for (let k = 0; k < 3; k++) {
      normal[3 * to + k] = floats[at + impactWords.normal + k];
      point[3 * to + k] = (a >= 0 ? positions[a + k] + linear![a + k] * moved : 0) + floats[at + impactWords.point + k];
    }
  }
}

/** Adds the statuses and hits of records of all pairs to the result's counts. */
export function countRecords(query: QueryName, result: QueryResult, chunk: RecordChunk): void {
  const { words, info } = recordWords[query];
  const integers = new Uint32Array(chunk.records);
  const out = result as unknown as Mutable;
  for (let i = 0; i < chunk.recordCount; i++) {
    const bits = integers[i * words + info];
    out.statusCounts[bits & INFO_STATUS_MASK]++;
    if (bits & INFO_HIT) out.hits++;
  }
}

/** Adds counts made elsewhere. */
export function addCounts(result: QueryResult, statusCounts: ArrayLike<number>, hits: number): void {
  const out = result as unknown as Mutable;
  for (let status = 0; status < 5; status++) out.statusCounts[status] += statusCounts[status];
  out.hits += hits;
}

function intersectionItem(result: Intersections, slot: number): IntersectionItem {
  return { pair: result.pair[slot], status: result.status[slot] as Status, hit: result.hit[slot] === 1 };
}

function distanceItem(result: Distances, slot: number): DistanceItem {
  return {
    pair: result.pair[slot],
    status: result.status[slot] as Status,
    distance: result.distance[slot],
    normal: vector(result.normal, slot),
    pointA: vector(result.pointA, slot),
    pointB: vector(result.pointB, slot),
  };
}

function contactItem(result: Contacts, slot: number): ContactItem {
  const item: ContactItem = {
    ...distanceItem(result, slot),
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

function manifoldItem(result: Manifolds, slot: number): ManifoldItem {
  const { pair, status, normal, pointCount, position, distance, feature } = result;
  return {
    pair: pair[slot],
    status: status[slot] as Status,
    normal: vector(normal, slot),
    points: Array.from({ length: pointCount[slot] }, (_, point) => ({
      position: vector(position, 4 * slot + point),
      distance: distance[4 * slot + point],
      feature: feature[4 * slot + point],
    })),
  };
}

function impactItem(result: Impacts, slot: number): ImpactItem {
  return {
    pair: result.pair[slot],
    status: result.status[slot] as Status,
    time: result.time[slot],
    unclampedTime: result.unclampedTime[slot],
    normal: vector(result.normal, slot),
    point: vector(result.point, slot),
    iterations: result.iterations[slot],
  };
}

function vector(array: ArrayLike<number>, slot: number): [number, number, number] {
  return [array[3 * slot], array[3 * slot + 1], array[3 * slot + 2]];
}
