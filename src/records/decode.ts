/** Decodes records into the arrays that callers get. */
import {
  INFO_HAS_POINTS,
  INFO_HIT,
  INFO_ITERATIONS_SHIFT,
  INFO_POINTS_MASK,
  INFO_POINTS_SHIFT,
  INFO_STATUS_MASK,
} from '../generated/constants.ts';
import type { QueryName, QueryResult } from '../api/queries.ts';
import type { Contacts, Distances, Impacts, Intersections, Manifolds } from '../api/types.ts';
import type { AnyBodies } from './bodies.ts';
import { pairOf, type RecordChunk } from './chunk.ts';
import { MANIFOLD_POINTS, type RecordSize, type Records } from './layout.ts';

/**
 * Writes a chunk's records to the result, from `slot` on. Points are relative to A in records: A's position, from the
 * bodies and `pairs`, is added to them. For impacts that is A's position at the time of impact, which depends on its
 * velocity: `linear` has a vector per body.
 */
export function decodeRecords(
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
    decodeManifolds(layout, result as Manifolds, slot, chunk, positions, pairs);
    return;
  }
  if (query === 'impacts') {
    decodeImpacts(layout, result as Impacts, slot, chunk, positions, pairs, linear);
    return;
  }
  decodeGeometry(query, layout, result as Distances, slot, chunk, positions, pairs);
  if (query === 'contacts') decodeContacts(layout, result as Contacts, slot, chunk);
}

/** The fields that records of distances and contacts share. */
function decodeGeometry(
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

/** The fields that only records of contacts have. */
function decodeContacts(
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

function decodeManifolds(
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

function decodeImpacts(
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
