/**
 * What the passes over contacts with a surface need of a dimension: `spatial-rule.ts` is that of meshes and of compounds in 3-D,
 * `planar/planar-rule.ts` that of chains and compounds in 2-D.
 */
import type { Vec3 } from '../../cpu/math.ts';
import type { PairPlaces } from '../../cpu/parts/pair-places.ts';
import type { PairResult } from '../../cpu/queries/result.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import type { Work } from '../../util/turns.ts';
import type { ContactRecord } from './contact-records.ts';

/** The error of the reference's normals, in radians. */
export const REFERENCE_ANGLE = 2e-6;

/** A contact of two parts in world axes: from A to B, points relative to A's position. As records have it, in f32. */
export interface PartContact {
  readonly normal: Vec3;
  distance: number;
  /** On A. */
  readonly point: Vec3;
}

/** What a first pass is asked for. `margin`: in the world's unit. */
export interface Asked {
  margin: number;
  /** Whether only a contact that is accepted as it is counts: otherwise nothing is proposed. */
  isGivenOnly?: boolean;
}

/** A contact of a part of the surface and another part, in the frame and unit of the surface's body. */
export interface GivenContact {
  /** Unit normal from the surface to the part. */
  readonly normal: Vec3;
  /** Negative for a gap. */
  depth: number;
  /** On the surface. */
  readonly point: Vec3;
}

/** `Asked` in the surface's unit. */
export interface PassOptions {
  margin: number;
  isGivenOnly: boolean;
}

/** Where the corners of a surface's parts are. */
export interface SurfaceCorners {
  /** The distance up to which corners count as one. */
  readonly weld: number;
  readonly outline: {
    /** x, y, z per vertex. */
    readonly positions: ArrayLike<number>;
    /** The vertices of each part: three, or those from `starts[part]` up to `starts[part + 1]`. */
    readonly indices: ArrayLike<number>;
    readonly starts?: ArrayLike<number>;
    /** Parts that are judged as convex shapes, which no plane clears. */
    readonly solids?: { readonly isPlain: ArrayLike<number> };
  };
}

/** The contacts of one part: numbers of records, and their values. */
export interface PartContacts {
  readonly surface: SurfaceCorners;
  readonly values: Float64Array;
  readonly records: ArrayLike<number>;
}

/** Two parts of a pair, and with which margin their manifold is cut; without, there is none. */
export interface PartsOfContact {
  partA: number;
  partB: number;
  margin: number | undefined;
}

/** The normal of an impact, from A to B, and the point on A's surface, relative to A's position. */
export interface ImpactContact {
  readonly normal: Vec3;
  readonly point: Vec3;
}

/** What becomes of the normal of an impact. */
export interface SurfaceNormal {
  /** Whether the normal is accepted as it is. */
  isAccepted: boolean;
  /**
   * Which face's it is, or becomes: 1 and -1 are the sides of a triangle or segment, from 2 on are faces of solids. 0 if it is another
   * one, or if it is not accepted and stays, as the part is a solid without open faces.
   */
  side: number;
  /** If it is not accepted: how far the other part reaches behind that face. */
  below: number;
  /** Whether the surface has one side, and more of the part is behind it. */
  isBehind: boolean;
}

export function createSurfaceNormal(): SurfaceNormal {
  return { isAccepted: true, side: 1, below: 0, isBehind: false };
}

export interface SurfaceRule {
  /** Whether a shape that was prepared has a surface. */
  isSurface(shape: ShapeData): boolean;
  /** Prepares a shape whose tree is built. Throws `INVALID_INPUT`, which names `field`, if its sides contradict each other. */
  prepare(shape: ShapeData, field: string): Work<void>;
  /** Whether the surface of one of the bodies decides about their contacts. */
  hasSurface(places: PairPlaces): boolean;
  /** Whether a pair that `hasSurface` has the one that decides as its body A. */
  isFirst(places: PairPlaces): boolean;
  /** Of a pair that `hasSurface`: whether contacts push to the front of each part. */
  isFront(places: PairPlaces): boolean;
  cornersOf(places: PairPlaces): SurfaceCorners;
  /** The first pass over a contact of two parts. */
  propose(
    places: PairPlaces,
    parts: readonly [partA: number, partB: number],
    contact: PartContact,
    asked: Asked,
    to: ContactRecord,
  ): void;
  /**
   * Judges the contacts of the convex part `other`. Returns the number of its answer, or -1 - that if the answer stays as the kernel has
   * it (deepest-record.ts).
   */
  judge(places: PairPlaces, contacts: Omit<PartContacts, 'surface'>, other: number): Work<number>;
  /** Writes the features of a contact, and the points of its manifold, from its normal, distance and points relative to A's position. */
  finishContact(places: PairPlaces, parts: PartsOfContact, to: PairResult): void;
  /** Replaces a normal that the surface does not accept by that of a face. */
  correctNormal(
    places: PairPlaces,
    parts: readonly [partA: number, partB: number],
    asked: Asked,
    given: ImpactContact,
    to: SurfaceNormal,
  ): void;
}
