/**
 * What `planar.trace` attaches to the searches in 2-D, as `src/cpu/recorder.ts` in 3-D: their loops check once per
 * iteration whether there is a recorder.
 */
import type { AdvanceState } from '../trace/steps.ts';
import type { Vec2 } from './math.ts';
import type { PlanarPair } from './pair.ts';
import type { Simplex } from './simplex.ts';
import type { Point } from './support.ts';

/** What searches have in common of their results, by the fields that are recorded. */
interface Found {
  normal: Vec2;
  lower: number;
  upper: number;
}

/** A point of a manifold, on A's surface in A's frame. */
interface SurfacePoint {
  position: Vec2;
  distance: number;
}

/** Each method is called by one loop. It copies what it keeps. Vectors are in A's frame, lengths in the pair's unit. */
export interface Recorder {
  /** Where a search begins that moves the pair. */
  start(pair: PlanarPair): void;
  closedForm(pair: PlanarPair, found: { distance: number } & Pick<Found, 'normal'> & Record<'onA' | 'onB', Vec2>): void;
  /** Once per test. The recorder projects the cores on all axes. */
  sat(pair: PlanarPair): void;
  /** The support that is lowest along the normal, before the simplex takes it. */
  gjk(
    pair: PlanarPair,
    normal: Vec2,
    support: Point,
    height: number,
    result: Omit<Found, 'normal'> & { iterations: number; simplex: Simplex },
  ): void;
  gjkEnd(result: Found & { state: number; simplex: Simplex }): void;
  mpr(
    pair: PlanarPair,
    phase: number,
    direction: Vec2,
    support: Point,
    right: Point,
    left: Point,
    ray: Vec2,
    inside: Vec2,
    iteration: number,
  ): void;
  mprEnd(pair: PlanarPair, result: Omit<Found, 'upper'> & { state: number }): void;
  epaStart(pair: PlanarPair, triangle: readonly { point: Point }[]): void;
  /** The edge that begins at a corner and ends at `next`, with its outward normal and how far it is from the origin. */
  epa(
    corner: number,
    edge: { next: number; normal: Vec2; level: number },
    support: Point,
    height: number,
    iteration: number,
  ): void;
  /** The edge of the last step is split at its support, which becomes this corner. */
  epaSplit(corner: number): void;
  epaEnd(isFound: boolean): void;
  cast(
    pair: PlanarPair,
    normal: Vec2,
    support: Point,
    separation: number,
    result: { iterations: number; travelled: number },
  ): void;
  castEnd(pair: PlanarPair, result: { state: number; travelled: number; normal: Vec2 }): void;
  /** `height`: of the support over the edge. */
  crossing(
    pair: PlanarPair,
    left: Point,
    right: Point,
    outward: Vec2,
    support: Point,
    height: number,
    iteration: number,
  ): void;
  crossingEnd(pair: PlanarPair, result: { state: number; travelled: number; normal: Vec2 }): void;
  /** The normal is in world axes. */
  advance(pair: PlanarPair, time: number, separation: number, normal: Vec2, state: AdvanceState): void;
  /** The ends of both edges are in the contact frame. `ends`: of the stretch that the edges share, if they do. */
  manifold(
    pair: PlanarPair,
    edgeA: readonly Vec2[],
    edgeB: readonly Vec2[],
    ends: readonly SurfacePoint[],
    chosen: readonly SurfacePoint[],
    toContactFrame: (point: Vec2) => Vec2,
  ): void;
}

/** Undefined: nothing is recorded. */
export let recorder: Recorder | undefined;

export function setRecorder(next: Recorder | undefined): void {
  recorder = next;
}
