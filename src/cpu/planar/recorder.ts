/**
 * What `planar.trace` attaches to the searches in 2-D, as `src/cpu/recorder.ts` in 3-D: their loops check once per
 * iteration whether there is a recorder.
 */
import type { SharedRecorder } from '../trace/shared-recorder.ts';
import type { Vec2 } from './math.ts';
import type { PlanarPair } from './pair.ts';
import type { Simplex } from './simplex.ts';
import type { Point } from './support.ts';

/** A point of a manifold, on A's surface in A's frame. */
interface SurfacePoint {
  position: Vec2;
  distance: number;
}

/** Each method is called by one loop. It copies what it keeps. Vectors are in A's frame, lengths in the pair's unit. */
export interface Recorder extends SharedRecorder<PlanarPair, Vec2, Point, Simplex> {
  /** A search that moves the pair begins here. */
  start(pair: PlanarPair): void;
  /** Once per test. The recorder projects the cores on all axes. */
  sat(pair: PlanarPair): void;
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
  /** The left and right corners of the edge, its outward normal, and the support with its height over the edge. */
  crossing(
    pair: PlanarPair,
    corners: [Point, Point],
    outward: Vec2,
    support: Point,
    height: number,
    iteration: number,
  ): void;
  crossingEnd(pair: PlanarPair, result: { state: number; travelled: number; normal: Vec2 }): void;
  /** The ends of both edges are in the contact frame. `ends` is empty if the edges share no stretch. */
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
