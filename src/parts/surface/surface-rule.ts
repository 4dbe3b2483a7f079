/**
 * What the passes over contacts with a surface need of a dimension: a mesh in 3-D; a chain, or the parts of a compound that touch each
 * other, in 2-D. Vectors are in the frame and unit of the surface's body.
 */
import type { PairPlaces } from '../../cpu/parts/pair-places.ts';
import type { Vec3 } from '../../cpu/math.ts';
import type { PairResult } from '../../cpu/queries/result.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import type { Work } from '../../util/turns.ts';
import type { ContactRecord } from './contact-records.ts';

/** A contact of a part of the surface and another part, by a kernel or the reference. */
export interface GivenContact {
  /** Unit normal from the surface to the part. */
  readonly normal: Vec3;
  /** Negative for a gap. */
  depth: number;
  /** On the surface. */
  readonly point: Vec3;
}

export interface PassOptions {
  /** In the surface's unit. */
  margin: number;
  /** The error of the given normals, in radians. */
  angle: number;
  /** Whether contacts push to the front of each part. */
  isFront: boolean;
  /** Whether only a contact that is accepted as it is counts: otherwise nothing is proposed. */
  isGivenOnly: boolean;
}

/** Where the corners of a surface's parts are. */
export interface SurfaceCorners {
  /** The distance up to which corners count as one. */
  readonly weld: number;
  readonly mesh: {
    /** x, y, z per vertex. */
    readonly positions: ArrayLike<number>;
    /** The vertices of each part: three, or those from `starts[part]` up to `starts[part + 1]`. */
    readonly indices: ArrayLike<number>;
    readonly starts?: ArrayLike<number>;
  };
}

/** Two parts of a pair, and with which margin their manifold is cut; without, there is none. */
export interface PartsOfContact {
  partA: number;
  partB: number;
  margin: number | undefined;
}

export interface SurfaceRule {
  /** Whether a shape may have a surface. */
  isSurface(shape: ShapeData): boolean;
  /** Prepares a shape whose tree is built. Throws `INVALID_INPUT`, which names `field`, if its sides contradict each other. */
  prepare(shape: ShapeData, field: string): Work<void>;
  /** Whether the surface of one of the bodies decides about their contacts. */
  hasSurface(places: PairPlaces): boolean;
  /** Whether a pair that `hasSurface` has it as its body A. */
  isFirst(places: PairPlaces): boolean;
  /** Of a pair that `hasSurface`. */
  isFront(places: PairPlaces): boolean;
  cornersOf(places: PairPlaces): SurfaceCorners;
  /** The first pass over a contact of two parts. */
  propose(
    places: PairPlaces,
    parts: readonly [partA: number, partB: number],
    given: GivenContact,
    options: PassOptions,
    to: ContactRecord,
  ): void;
  /** Writes the features of a contact, and the points of its manifold, from its normal, distance and points relative to A's position. */
  finishContact(places: PairPlaces, parts: PartsOfContact, to: PairResult): void;
  /** Whether the surface accepts a normal at a point of one of its parts; a part without a normal has any. */
  acceptsImpact(places: PairPlaces, part: number, normal: Vec3, point: Vec3, angle: number): boolean;
  /** Makes an accepted normal of an impact exact. Returns whether it has changed. */
  makeExact?(places: PairPlaces, part: number, normal: Vec3, angle: number): boolean;
  /**
   * Writes the normal of the surface's part, and returns how far the other part reaches behind its plane and, for parts with two sides,
   * above it.
   */
  depthsOfFace(
    places: PairPlaces,
    parts: readonly [partA: number, partB: number],
    normal: Vec3,
  ): { below: number; above: number };
}
