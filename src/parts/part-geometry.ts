/**
 * What searches over parts need of a dimension: trees of shapes, the reference's answers for two parts, and the surface that decides
 * about contacts. `geometry3.ts` is that of 3-D, `planar/geometry2.ts` that of 2-D. The searches themselves are the same: bodies in
 * 2-D lie in the plane z = 0 and turn about its normal.
 */
import type { Sweep } from '../bvh/find-swept-pairs.ts';
import type { PartTree } from '../bvh/part-tree.ts';
import type { Heights } from '../bvh/tie-plane.ts';
import type { Walk } from '../bvh/walk.ts';
import type { PairOptions } from '../cpu/asked-pairs.ts';
import { createPairPlaces, type PairPlaces } from '../cpu/parts/pair-places.ts';
import type { ImpactQuery } from '../cpu/parts/part-impacts.ts';
import type { Vec3 } from '../cpu/math.ts';
import type { PairResult } from '../cpu/queries/result.ts';
import type { AskedQuery } from '../request/backend.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { Rest, Work } from '../util/turns.ts';
import type { Candidates } from './candidates.ts';
import type { KnownAnswer } from './known-answer.ts';
import type { SurfaceRule } from './surface/surface-rule.ts';

/** The two bodies of a pair, and what is known of their dimension. Shapes are those of the dimension. */
export interface PartPlaces extends PairPlaces {
  readonly geometry: PartGeometry;
}

export function createPartPlaces(geometry: PartGeometry): PartPlaces {
  return { ...createPairPlaces(), geometry };
}

/** Distances of two parts of a pair in double precision, for the search of the nearest ones. */
export interface PartDistances {
  /** Begins with the bodies that are at the places now. The other functions are for their parts, until the next call. */
  begin(): void;
  /**
   * The distance of two parts; if it is more than `most`, a lower bound that is more. 0 if they overlap. If it is positive,
   * writes the direction from A to B along which they are so far apart, in world axes.
   */
  distance(partA: number, partB: number, most: number, direction: Vec3): number;
  /** Whether two parts touch or overlap. */
  meet(partA: number, partB: number): boolean;
  /** For two meshes, which then have it. */
  readonly heights?: Heights;
}

/** Upper bounds of the depth to which two parts overlap, one of which is of a surface. They take a fraction of the time of the depth. */
export interface DepthBounds {
  /** Begins with the bodies at the places, at least one of which may have a surface. */
  begin(): void;
  /** For two parts. Negative if they are apart; Infinity if no bound is known. */
  boundOf(partA: number, partB: number): number;
}

/** What a search for the parts over a half-space needs to know. */
export interface HalfspaceQuery extends Readonly<AskedQuery> {
  readonly listsParts: boolean;
  readonly places: PairPlaces;
  readonly walk: Walk;
}

/** A way of finding the first impact that is faster than by boxes that move. */
export interface FirstImpactPath {
  /** Whether the bodies at the places can be followed. If so, places the path. */
  place(): boolean;
  follow(known: KnownAnswer): Rest;
}

export interface PartGeometry {
  /** The tree of a bounded shape, which is built once. */
  prepareTree(shape: ShapeData): Work<PartTree>;
  /** What rays and impacts need besides, built once. */
  prepareMotion(shape: ShapeData): Work<void>;
  partCount(shape: ShapeData): number;
  /** Whether the tolerance of curved shapes applies. */
  isCurved(shape: ShapeData): boolean;
  /** Whether a search of all parts that meet is faster than one of the nearest, for two such bodies. */
  areMeshes(places: PairPlaces): boolean;
  /** The reference's answers for two parts. Points are relative to A's position. */
  contact(places: PairPlaces, partA: number, partB: number, options: PairOptions, to: PairResult): void;
  distance(places: PairPlaces, partA: number, partB: number, options: PairOptions, to: PairResult): void;
  /** `begin`: a time up to which the parts are known to be apart, if one of the bodies rotates. */
  impact(
    places: PairPlaces,
    parts: readonly [partA: number, partB: number],
    query: ImpactQuery,
    to: PairResult,
    begin?: number,
  ): void;
  createDistances(places: PairPlaces): PartDistances;
  createDepthBounds(places: PairPlaces): DepthBounds;
  createPath?(query: ImpactQuery, places: PairPlaces, sweep: Sweep, walk: Walk): FirstImpactPath;
  /** Which half-space of the pair is a body, if one is. */
  halfspaceOf(places: PairPlaces): 'a' | 'b' | undefined;
  searchHalfspace?(query: HalfspaceQuery, pair: number, candidates: Candidates, isHalfspaceA: boolean): Work<void>;
  readonly surface: SurfaceRule;
}
