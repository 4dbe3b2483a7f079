/** Results of the reference as the kernels' records. */
import { INFO_HAS_POINTS, INFO_HIT, INFO_ITERATIONS_SHIFT, INFO_POINTS_SHIFT } from '../generated/constants.ts';
import type { Records } from '../records/layout.ts';
import type { QueryName } from '../api/queries.ts';
import type { Vec3 } from './math.ts';
import type { PairResult } from './queries/result.ts';

/** More than rounding to f32 can change a number by: bounds stay bounds. */
const ROUNDING = 2 ** -23;

/** Writes a result as the record number `slot` of `query`. */
export function writeRecord(
  query: QueryName,
  layout: Records,
  from: PairResult,
  floats: Float32Array,
  integers: Uint32Array,
  slot: number,
): void {
  const { axes, sizes, fields, impact } = layout;
  const { words, info } = sizes[query];
  const at = slot * words;
  integers[at + info] =
    from.status |
    (from.hit ? INFO_HIT : 0) |
    (from.hasPoints ? INFO_HAS_POINTS : 0) |
    (from.iterations << INFO_ITERATIONS_SHIFT);
  if (query === 'intersects') return;
  if (query === 'manifolds') return writeManifold(layout, from, floats, integers, at);
  if (query === 'impacts') {
    writeVector(axes, from.normal, floats, at + impact.normal);
    writeVector(axes, from.pointA, floats, at + impact.point);
    floats[at + impact.unclampedTime] = from.unclampedTime;
    return;
  }
  const { normal, distance: distanceWord, pointA, pointB, lower, upper, featureA, featureB } = fields;
  writeVector(axes, from.normal, floats, at + normal);
  floats[at + distanceWord] = from.distance;
  writeVector(axes, from.pointA, floats, at + pointA);
  writeVector(axes, from.pointB, floats, at + pointB);
  if (query === 'contacts' || layout.distancesHaveLower)
    floats[at + lower] = from.lower - Math.abs(from.lower) * ROUNDING;
  if (query === 'distances') return;
  floats[at + upper] = from.upper + Math.abs(from.upper) * ROUNDING;
  integers[at + featureA] = from.featureA;
  integers[at + featureB] = from.featureB;
}

function writeManifold(
  { axes, sizes, manifold: { normal, contactDistance, positions, distances, features } }: Records,
  from: PairResult,
  floats: Float32Array,
  integers: Uint32Array,
  at: number,
): void {
  integers[at + sizes.manifolds.info] |= from.pointCount << INFO_POINTS_SHIFT;
  writeVector(axes, from.normal, floats, at + normal);
  floats[at + contactDistance] = from.distance;
  for (let i = 0; i < positions.length; i++) {
    for (let k = 0; k < axes; k++) floats[at + positions[i] + k] = from.positions[3 * i + k];
    floats[at + distances[i]] = from.distances[i];
    integers[at + features[i]] = from.features[i];
  }
}

function writeVector(axes: number, v: Vec3, floats: Float32Array, word: number): void {
  floats[word] = v.x;
  floats[word + 1] = v.y;
  if (axes === 3) floats[word + 2] = v.z;
}
