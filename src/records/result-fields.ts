/**
 * The arrays of results: for every query and field, the type of its elements, how many there are per slot, and where
 * they come from in a record. The order of fields is their order in results.
 */
import {
  INFO_HIT,
  INFO_ITERATIONS_SHIFT,
  INFO_POINTS_MASK,
  INFO_POINTS_SHIFT,
  INFO_STATUS_MASK,
} from '../generated/constants.ts';
import type { FieldOf } from '../api/fields.ts';
import type { QueryName, QueryResults } from '../api/queries.ts';
import type { RayHits, TrianglePairs } from '../api/types.ts';
import { MANIFOLD_POINTS, planarRecords, spaceRecords, type Records } from './layout.ts';

/** The elements of an array. */
export interface FieldShape {
  /** Type of the elements. `'point'` is f64 if positions are, otherwise f32. */
  type: 'u8' | 'u16' | 'u32' | 'f32' | 'point';
  /** Elements per slot. */
  width: number;
  /**
   * What items have. Default: a number, or a vector if `width` is not 1.
   *
   * - `'flag'`: a boolean.
   * - `'points'`: as many points as the number says.
   * - `'ofPoint'`: a number or a vector of each of these points.
   * - `'list'`: all elements of the slot.
   */
  item?: 'flag' | 'points' | 'ofPoint' | 'list';
}

/** Where the elements of a slot come from. */
export type FieldSource =
  /** The index of the pair. */
  | { from: 'pair' }
  /** The index of the pair's body A (0) or B (1). */
  | { from: 'bodies'; member: 0 | 1 }
  /** The part of the pair's body A (0) or B (1). */
  | { from: 'parts'; member: 0 | 1 }
  /** `(info >>> shift) & mask` of the record's word `info`. */
  | { from: 'info'; shift: number; mask: number }
  /** Words of the record, in groups: one number, or one vector of consecutive words. */
  | { from: 'words'; groups: Groups }
  /** A word of the record, 0 if it is negative. */
  | { from: 'clamped'; word: number }
  /**
   * As `'words'`: points relative to A, to which A's position is added. `isCounted`: not to points beyond the record's
   * number of points.
   */
  | { from: 'points'; groups: Groups; isCounted?: true };

/** The first word of each group. A group without a word is 0. */
type Groups = readonly (number | undefined)[];

/** An array of a result of a query over pairs. */
export type ResultField = FieldShape & FieldSource;

type FieldsOfQueries = { readonly [Q in QueryName]: Readonly<Record<FieldOf<QueryResults[Q]>, ResultField>> };

const PAIR: ResultField = { type: 'u32', width: 1, from: 'pair' };
const STATUS: ResultField = { type: 'u8', width: 1, from: 'info', shift: 0, mask: INFO_STATUS_MASK };
const BODY_A: ResultField = { type: 'u32', width: 1, from: 'bodies', member: 0 };
const BODY_B: ResultField = { type: 'u32', width: 1, from: 'bodies', member: 1 };
const PART_A: ResultField = { type: 'u32', width: 1, from: 'parts', member: 0 };
const PART_B: ResultField = { type: 'u32', width: 1, from: 'parts', member: 1 };
const HIT = { type: 'u8', width: 1, item: 'flag', from: 'info', shift: Math.log2(INFO_HIT), mask: 1 } as const;
const ITERATIONS: ResultField = { type: 'u16', width: 1, from: 'info', shift: INFO_ITERATIONS_SHIFT, mask: 0xffff };
const POINT_COUNT = { type: 'u8', width: 1, item: 'points', from: 'info' } as const;

function number(word: number): ResultField {
  return { type: 'f32', width: 1, from: 'words', groups: [word] };
}

function feature(word: number): ResultField {
  return { type: 'u32', width: 1, from: 'words', groups: [word] };
}

/** One group for each point of a manifold, whether records have that point or not. */
function ofPoints(words: readonly number[]): Groups {
  return Array.from({ length: MANIFOLD_POINTS }, (_, point) => words[point]);
}

function makeFields({ axes, fields, manifold, impact }: Records): FieldsOfQueries {
  const vector = (word: number): ResultField => ({ type: 'f32', width: axes, from: 'words', groups: [word] });
  const point = (word: number): ResultField => ({ type: 'point', width: axes, from: 'points', groups: [word] });
  const common = { pair: PAIR, status: STATUS, a: BODY_A, b: BODY_B, partA: PART_A, partB: PART_B };
  const distances = {
    ...common,
    distance: number(fields.distance),
    normal: vector(fields.normal),
    pointA: point(fields.pointA),
    pointB: point(fields.pointB),
  };
  return {
    intersects: { ...common, hit: HIT },
    distances,
    contacts: {
      ...distances,
      featureA: feature(fields.featureA),
      featureB: feature(fields.featureB),
      iterations: ITERATIONS,
      lower: number(fields.lower),
      upper: number(fields.upper),
    },
    manifolds: {
      ...common,
      normal: vector(manifold.normal),
      contactDistance: number(manifold.contactDistance),
      pointCount: { ...POINT_COUNT, shift: INFO_POINTS_SHIFT, mask: INFO_POINTS_MASK },
      position: {
        type: 'point',
        width: axes * MANIFOLD_POINTS,
        item: 'ofPoint',
        from: 'points',
        groups: ofPoints(manifold.positions),
        isCounted: true,
      },
      distance: {
        type: 'f32',
        width: MANIFOLD_POINTS,
        item: 'ofPoint',
        from: 'words',
        groups: ofPoints(manifold.distances),
      },
      feature: {
        type: 'u32',
        width: MANIFOLD_POINTS,
        item: 'ofPoint',
        from: 'words',
        groups: ofPoints(manifold.features),
      },
    },
    impacts: {
      ...common,
      time: { type: 'f32', width: 1, from: 'clamped', word: impact.unclampedTime },
      unclampedTime: number(impact.unclampedTime),
      normal: vector(impact.normal),
      point: point(impact.point),
      iterations: ITERATIONS,
    },
  };
}

const FIELDS = { 2: makeFields(planarRecords), 3: makeFields(spaceRecords) };

/** The arrays of a query's results, with vectors of `axes` numbers. */
export function fieldsOf(query: QueryName, axes: 2 | 3): Readonly<Record<string, ResultField>> {
  return FIELDS[axes][query];
}

/** Whether the array of this name holds numbers of parts. */
export function namesPart(name: string): boolean {
  return name === 'partA' || name === 'partB';
}

/** The arrays of the results of `trianglePairs`. */
export const TRIANGLE_PAIR_FIELDS: Readonly<Record<FieldOf<TrianglePairs>, FieldShape>> = {
  pair: { type: 'u32', width: 1 },
  status: { type: 'u8', width: 1 },
  triangleA: { type: 'u32', width: 1 },
  triangleB: { type: 'u32', width: 1 },
  segment: { type: 'point', width: 6, item: 'list' },
};

/** The arrays of the results of `rayCasts`. They come from several records. */
export function rayFieldsOf(axes: 2 | 3): Readonly<Record<FieldOf<RayHits>, FieldShape>> {
  return {
    ray: { type: 'u32', width: 1 },
    status: { type: 'u8', width: 1 },
    time: { type: 'f32', width: 1 },
    body: { type: 'u32', width: 1 },
    normal: { type: 'f32', width: axes },
    point: { type: 'point', width: axes },
  };
}
