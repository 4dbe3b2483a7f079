/**
 * Public types of the steps that `trace` records. Vectors and points are in the frame of body A: its position is the
 * origin, and its rotation gives the axes. Lengths are in the caller's unit. The Minkowski difference is B - A, of the cores:
 * shapes without their rounding radius. Step `pair` has both radii.
 */
import type { Vec3 } from '../../api/vectors.ts';

/** A point of the Minkowski difference: `point` is `onB - onA`. */
export interface TraceSupport<Vector = Vec3> {
  point: Vector;
  onA: Vector;
  onB: Vector;
}

/** Corners of a triangle of the polytope: indices into its vertices. */
export type TraceFace = [number, number, number];

/** State of conservative advancement: what it does with the bodies at this time. */
export type AdvanceState = 'approaching' | 'leaving' | 'touching' | 'bisecting' | 'meeting';

/** The first step: how the pair is placed as the first search begins. */
export interface PairStep {
  type: 'pair';
  /** Position of B. */
  translation: Vec3;
  /** 3×3 matrix from B's frame to A's, 9 numbers by columns. */
  rotation: number[];
  /** 3×3 matrix from A's frame to the world, 9 numbers by columns. */
  rotationA: number[];
  /** Rounding radii, which a core of any search is without. For a half-space its offset. */
  radiusA: number;
  radiusB: number;
}

/** An answer in one step, of two cores. */
export interface ClosedFormStep<Vector = Vec3> {
  type: 'closed-form';
  /** Unit vector from A to B. */
  normal: Vector;
  /** Bounds of the cores' signed distance. */
  lower: number;
  upper: number;
  onA: Vector;
  onB: Vector;
}

/** One step of the projected Newton search for the nearest points of two cores. */
export interface NewtonStep {
  type: 'newton';
  /** Counted from 1. */
  iteration: number;
  onA: Vec3;
  onB: Vec3;
  /** Length of the vector between them. */
  distance: number;
}

/** One support of GJK. The simplex and the bounds are those before the support was taken. */
export interface GjkStep<Vector = Vec3> {
  type: 'gjk';
  /** Supports so far, this one included. */
  iteration: number;
  /** Unit vector: the support is the point of the difference that is lowest along it. */
  direction: Vector;
  support: TraceSupport<Vector>;
  /** Height of the support along the direction: a lower bound of the distance. */
  height: number;
  /** 0 to 4 points, with the weights of the point nearest to the origin. */
  simplex: (TraceSupport<Vector> & { weight: number })[];
  /** Bounds of the cores' distance. */
  lower: number;
  upper: number;
}

/** How a search by GJK ended. */
export interface GjkEndStep<Vector = Vec3> {
  type: 'gjk-end';
  /**
   * - `converged`: the bounds meet.
   * - `far`: the distance is above what matters.
   * - `near`: the distance is low enough for the query.
   * - `touching`: the simplex touches the origin.
   * - `enclosed`: the simplex encloses the origin.
   * - `stalled`: no support improves the bounds any more.
   */
  outcome: 'converged' | 'far' | 'near' | 'touching' | 'enclosed' | 'stalled';
  /** Unit vector from A to B that gave `lower`. */
  normal: Vector;
  lower: number;
  upper: number;
  simplex: (TraceSupport<Vector> & { weight: number })[];
}

/** One axis of the separating-axis test of two boxes. */
export interface SatStep {
  type: 'sat';
  /** 0 to 2: face normals of A; 3 to 5: of B; 6 + 3 i + j: edge i of A times edge j of B. */
  axis: number;
  /** Unit vector; zero for an edge axis of parallel edges, which is skipped. */
  direction: Vec3;
  /** Projection of B's centre. A's is 0. */
  centre: number;
  /** Half the length of either box's projection. */
  radiusA: number;
  radiusB: number;
  /** |centre| - radiusA - radiusB: negative where the projections overlap. */
  separation: number;
}

/** One support of MPR. */
export interface MprStep<Vector = Vec3> {
  type: 'mpr';
  iteration: number;
  /** What the support is for: a direction to begin with, one of the portal's corners, or a better portal. */
  phase: 'probe' | 'first' | 'second' | 'third' | 'refine';
  /** Unit vector: the support is the highest point along it. */
  direction: Vector;
  support: TraceSupport<Vector>;
  /** A point inside the difference. */
  inside: Vector;
  /** Unit vector from there through the origin. */
  ray: Vector;
  /** The portal's corners so far: 0 to 3. */
  portal: TraceSupport<Vector>[];
}

/** How a search by MPR ended. */
export interface MprEndStep<Vector = Vec3> {
  type: 'mpr-end';
  outcome: 'overlapping' | 'far' | 'open';
  /** Unit vector from A to B, and the bound of the cores' signed distance along it. Not set by a mere overlap test. */
  normal: Vector;
  lower: number;
}

/** The polytope that EPA begins with. For velocity EPA its points are of the swept difference. */
export interface EpaStartStep {
  type: 'epa-start';
  vertices: TraceSupport[];
  faces: TraceFace[];
}

/** A face that EPA expands, and the support beyond it. */
export interface EpaStep extends TraceExpansion {
  type: 'epa';
  iteration: number;
  /** The face by its vertices. */
  face: TraceFace;
  /** Inward unit normal of the face, from A to B, and the height of its plane along it: an upper bound. */
  normal: Vec3;
  faceHeight: number;
  /** The lowest point of the difference along the normal, and its height: a lower bound. */
  support: TraceSupport;
  height: number;
  /** Bounds of the cores' signed distance before this step. */
  lower: number;
  upper: number;
}

/** How a face was expanded. Both lists are empty if it was not. */
export interface TraceExpansion {
  /** The faces that see the support. The polytope loses them. */
  removed: TraceFace[];
  /** Edges of the horizon, counter-clockwise from outside. With the support each makes a new face. */
  horizon: [number, number][];
  /** Number of the support among the vertices; -1 if no face was expanded. */
  apex: number;
}

/** How EPA ended. */
export interface EpaEndStep<Vector = Vec3> {
  type: 'epa-end';
  outcome: 'converged' | 'stalled';
  /** Unit vector from A to B that gave `lower`. */
  normal: Vector;
  lower: number;
  upper: number;
}

/** The bound after a round of refining the depth of curved shapes over directions. */
export interface RefineStep {
  type: 'refine';
  normal: Vec3;
  lower: number;
  upper: number;
}

/** The search over the Gauss maps of two polytopes begins. */
export interface ArcsStartStep {
  type: 'arcs-start';
  /** Number of arcs, all of one body, and number of faces of both. */
  arcsOf: 'a' | 'b';
  arcs: number;
  faces: number;
  /** Height of a known direction, to be beaten. */
  lower: number;
}

/** A face whose direction is better than all before. */
export interface ArcsFaceStep {
  type: 'arcs-face';
  body: 'a' | 'b';
  /** Index of the direction in the body's Gauss map: its faces, then for flat shapes their sides. */
  face: number;
  /** Unit vector from A to B. */
  normal: Vec3;
  /** Least height of the difference along it: the signed distance if there is no better direction. */
  height: number;
  /** Vertex of the other body that is lowest there. */
  vertex: number;
}

/** A candidate on an arc between the directions of two faces: where two vertices of the other body are equally low. */
export interface ArcStep {
  type: 'arc';
  body: 'a' | 'b';
  /** Index of the arc, and the two directions in the body's Gauss map that it joins. */
  arc: number;
  ends: [number, number];
  /** Place on the arc's chord, from 0 to 1. */
  at: number;
  /** Unit vector from A to B. */
  normal: Vec3;
  /** Height of the two vertices, of the other body, along it: no more can be the answer there. */
  height: number;
  vertices: [number, number];
}

/** What the search over the Gauss maps found. */
export interface ArcsEndStep {
  type: 'arcs-end';
  normal: Vec3;
  lower: number;
  upper: number;
}

/** One support of a cast: B at `travelled` along its way. */
export interface CastStep<Vector = Vec3> {
  type: 'cast';
  iteration: number;
  /** Distance that B has travelled. */
  travelled: number;
  /** Unit vector: the support is lowest along it. */
  direction: Vector;
  support: TraceSupport<Vector>;
  /** The bodies are at least this far apart along the direction, beyond the distance at which they meet. */
  separation: number;
}

/** How a cast ended. */
export interface CastEndStep<Vector = Vec3> {
  type: 'cast-end';
  outcome: 'met' | 'missed' | 'inside' | 'stalled';
  travelled: number;
  /** Unit vector from A to B; zero if B has not moved. */
  normal: Vector;
}

/** A support of velocity EPA while it looks for a simplex around the origin, in the swept difference. */
export interface SweptStep {
  type: 'swept';
  /** Unit vector: the support is lowest along it. */
  direction: Vec3;
  /** Point of the difference swept along the motion and enlarged by the distance at which bodies meet. */
  support: Vec3;
  simplex: Vec3[];
}

/** A face that velocity EPA expands: that through which the ray from the origin leaves. */
export interface CrossingStep extends TraceExpansion {
  type: 'crossing';
  iteration: number;
  face: TraceFace;
  /** Inward unit normal. */
  normal: Vec3;
  /** Point of the swept difference beyond the face. */
  support: Vec3;
  /** Bounds so far: the ray leaves at most `exit` from the origin, `gap` is what they are apart along the normal. */
  exit: number;
  gap: number;
}

/** Bodies at one time of conservative advancement. */
export interface AdvanceStep<Vector = Vec3> {
  type: 'advance';
  /** Seconds. */
  time: number;
  /** Lower bound of the gap beyond the distance at which they meet. */
  separation: number;
  /** Unit vector from A to B, in world axes. */
  normal: Vector;
  state: AdvanceState;
}

/** One axis of the separating-axis test over time, of two boxes that translate. */
export interface SweptSatStep {
  type: 'swept-sat';
  /** As in `SatStep`. */
  axis: number;
  direction: Vec3;
  /** The projections overlap while B has travelled between these distances. */
  enter: number;
  leave: number;
  /** Rate at which B moves along the axis, per length of translation. */
  rate: number;
}

/** The faces that are clipped against each other for a manifold, and the corners of their common region. */
export interface ManifoldStep {
  type: 'manifold';
  /**
   * Corners in the contact frame: coordinates u, v across the normal and h along it, from the contact's point on A. Empty
   * for a half-space.
   */
  faceA: Vec3[];
  faceB: Vec3[];
  /** u, v, h on A's surface, the distance from there to B's, and whether the point is one of the manifold's. */
  corners: { position: Vec3; distance: number; isChosen: boolean }[];
}

/** The searches' steps, in 3-D. */
export type SearchStep =
  | PairStep
  | ClosedFormStep
  | NewtonStep
  | GjkStep
  | GjkEndStep
  | SatStep
  | MprStep
  | MprEndStep
  | EpaStartStep
  | EpaStep
  | EpaEndStep
  | RefineStep
  | ArcsStartStep
  | ArcsFaceStep
  | ArcStep
  | ArcsEndStep
  | CastStep
  | CastEndStep
  | SweptStep
  | CrossingStep
  | AdvanceStep
  | SweptSatStep
  | ManifoldStep;
