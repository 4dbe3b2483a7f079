/** Where records have their fields, in 32-bit words, in 3-D and 2-D. */
import { layouts } from '../generated/layouts.ts';
import type { RecordLayout } from './record.ts';
import type { QueryName } from '../api/queries.ts';

/** Points per slot in results of `manifolds`: as many as a record in 3-D has. */
export const MANIFOLD_POINTS = 4;

/** Words in a record of a query, and which of them is `info`. */
export interface RecordSize {
  words: number;
  info: number;
}

/** Offsets of fields in words. For a vector, the offset of its first coordinate. */
export interface Records {
  /** Coordinates per vector. */
  axes: 2 | 3;
  sizes: Readonly<Record<QueryName, RecordSize>>;
  /** Fields of contact records. Fields that distance records also have are at the same offsets there. */
  fields: Readonly<
    Record<'normal' | 'distance' | 'pointA' | 'pointB' | 'lower' | 'upper' | 'featureA' | 'featureB', number>
  >;
  /** Whether distance records have `lower`. */
  distancesHaveLower: boolean;
  /** Fields of manifold records. The arrays hold one offset per point. */
  manifold: Readonly<{
    normal: number;
    contactDistance: number;
    positions: readonly number[];
    distances: readonly number[];
    features: readonly number[];
  }>;
  impact: Readonly<Record<'normal' | 'unclampedTime' | 'point', number>>;
}

function wordsOf<Layout extends RecordLayout>({ fields }: Layout): { [Field in keyof Layout['fields']]: number } {
  return Object.fromEntries(Object.entries(fields).map(([name, { offset }]) => [name, offset / 4])) as {
    [Field in keyof Layout['fields']]: number;
  };
}

function sizeOf({ size, fields }: { size: number; fields: { info: { offset: number } } }): RecordSize {
  return { words: size / 4, info: fields.info.offset / 4 };
}

const INFO_ALONE: RecordSize = { words: 1, info: 0 };
const { normal, contactDistance, point0, point1, point2, point3, features } = wordsOf(layouts.Manifold);
const points = [point0, point1, point2, point3];

export const spaceRecords: Records = {
  axes: 3,
  sizes: {
    intersects: INFO_ALONE,
    distances: sizeOf(layouts.Distance),
    contacts: sizeOf(layouts.Contact),
    manifolds: sizeOf(layouts.Manifold),
    impacts: sizeOf(layouts.Impact),
  },
  fields: wordsOf(layouts.Contact),
  distancesHaveLower: true,
  manifold: {
    normal,
    contactDistance,
    positions: points,
    distances: points.map((word) => word + 3),
    features: points.map((_, i) => features + i),
  },
  impact: wordsOf(layouts.Impact),
};

const planarManifold = wordsOf(layouts.PlanarManifold);

export const planarRecords: Records = {
  axes: 2,
  sizes: {
    intersects: INFO_ALONE,
    distances: sizeOf(layouts.PlanarDistance),
    contacts: sizeOf(layouts.PlanarContact),
    manifolds: sizeOf(layouts.PlanarManifold),
    impacts: sizeOf(layouts.PlanarImpact),
  },
  fields: wordsOf(layouts.PlanarContact),
  distancesHaveLower: false,
  manifold: {
    normal: planarManifold.normal,
    contactDistance: planarManifold.contactDistance,
    positions: [planarManifold.position0, planarManifold.position1],
    distances: [planarManifold.distance0, planarManifold.distance1],
    features: [planarManifold.feature0, planarManifold.feature1],
  },
  impact: wordsOf(layouts.PlanarImpact),
};
