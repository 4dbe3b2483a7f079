/**
 * What `trace` attaches to the searches. Their loops check once per iteration whether there is a recorder. The same code
 * gives traced and untraced answers.
 */
import type { GaussMap } from '../shapes/gauss-map.ts';
import type { SharedRecorder } from './trace/shared-recorder.ts';
import type { ContactFace } from './contact-face/face.ts';
import type { Vec3 } from './math.ts';
import type { Pair } from './pair.ts';
import type { Simplex } from './simplex.ts';
import type { Point } from './support.ts';

/** What searches have in common of their results, by the fields that are recorded. */
interface Bounds {
  iterations: number;
  lower: number;
  upper: number;
}

interface Found {
  normal: Vec3;
  lower: number;
  upper: number;
}

/** Each method is called by one loop. It copies what it keeps. Vectors are in A's frame, lengths in the pair's unit. */
export interface Recorder extends SharedRecorder<Pair, Vec3, Point, Simplex> {
  newton(pair: Pair, iteration: number, onB: ArrayLike<number>, apart: ArrayLike<number>): void;
  /** Once per test, which is too short for more. The recorder projects the boxes on the axes up to the first beyond `far`. */
  sat(pair: Pair, far: number): void;
  /** `polytope` has the faces to begin with. */
  epaStart(pair: Pair): void;
  epa(face: number, support: Point, height: number, result: Bounds): void;
  /** The faces that are replaced; the vertices of the horizon, and for each the half-edge beyond that ends there. */
  horizon(
    visible: ArrayLike<number>,
    count: number,
    from: ArrayLike<number>,
    edges: number,
    beyond: ArrayLike<number>,
    apex: number,
  ): void;
  epaEnd(result: Found & { state: number }): void;
  refine(result: Found): void;
  arcsStart(pair: Pair, mapA: GaussMap, mapB: GaussMap, arcsOfB: boolean, lower: number): void;
  arcsFace(isOfB: boolean, face: number, height: number, vertex: number): void;
  arc(isOfB: boolean, arc: number, at: number, height: number, left: number, right: number): void;
  arcsEnd(result: Found): void;
  swept(pair: Pair, normal: Vec3, support: Point, search: { simplex: Simplex }): void;
  crossing(pair: Pair, face: number, normal: Vec3, support: Point, exit: number, gap: number): void;
  sweptAxis(pair: Pair, axis: number, normal: Vec3, enter: number, leave: number, rate: number): void;
  manifold(faceA: ContactFace, faceB: ContactFace, chosen: ArrayLike<number>, count: number): void;
}

/** Undefined: nothing is recorded. */
export let recorder: Recorder | undefined;

export function setRecorder(next: Recorder | undefined): void {
  recorder = next;
}
