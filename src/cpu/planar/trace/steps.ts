/**
 * Public types of the steps that `planar.trace` records: those of 3-D with vectors of two numbers, and those that differ in
 * 2-D. Vectors and points are in the frame of body A: its position is the origin, and its angle gives the axes. Lengths are
 * in the caller's unit. The Minkowski difference is B - A, of the cores: shapes without their rounding radius. Step `pair`
 * has both radii. A bound that isn't known yet is infinite.
 */
import type { Vec2 } from '../../../api/vectors.ts';
import type {
  AdvanceStep,
  CastEndStep,
  CastStep,
  ClosedFormStep,
  EpaEndStep,
  GjkEndStep,
  GjkStep,
  MprEndStep,
  MprStep,
  TraceSupport,
} from '../../trace/steps.ts';

/** A point of the Minkowski difference in 2-D. */
export type PlanarTraceSupport = TraceSupport<Vec2>;

/** Ends of an edge of the polygon: indices into its vertices. */
export type TraceEdge = [number, number];

/**
 * The first step: how the pair is placed as the first search begins. For `impacts` of bodies that are far apart, that is
 * where their bounding circles meet. Distances that B has travelled are counted from there.
 */
export interface PlanarPairStep {
  type: 'pair';
  /** Position of B. */
  translation: Vec2;
  /** The x axis of B: cosine and sine of its angle in A's frame. */
  rotation: Vec2;
  /** The x axis of A in the world: cosine and sine of its angle. */
  rotationA: Vec2;
  /** Rounding radii, which a core of any search is without. */
  radiusA: number;
  radiusB: number;
}

/** One axis of the separating-axis test of two polygons: the normal of an edge. */
export interface PlanarSatStep {
  type: 'sat';
  body: 'a' | 'b';
  /** The core's edge that starts at this corner. */
  edge: number;
  /** Unit vector: out of A, or into B. */
  direction: Vec2;
  /** Projections of both cores. */
  lowA: number;
  highA: number;
  lowB: number;
  highB: number;
  /** lowB - highA: negative where the projections overlap. */
  separation: number;
}

/** The triangle that EPA begins with. */
export interface PlanarEpaStartStep {
  type: 'epa-start';
  vertices: PlanarTraceSupport[];
  /** Counter-clockwise. */
  edges: TraceEdge[];
}

/** The edge nearest to the origin, and the support beyond it. */
export interface PlanarEpaStep {
  type: 'epa';
  iteration: number;
  /** The edge by its vertices. */
  edge: TraceEdge;
  /** Inward unit normal of the edge, from A to B, and the height of its line along it: an upper bound. */
  normal: Vec2;
  edgeHeight: number;
  /** The lowest point of the difference along the normal, and its height: a lower bound. */
  support: PlanarTraceSupport;
  height: number;
  /** Number of the support among the vertices. It splits the edge in two; -1 if the edge was not split. */
  apex: number;
}

/** An edge that velocity EPA expands: the line of the motion through the origin leaves the difference between its ends. */
export interface PlanarCrossingStep {
  type: 'crossing';
  /** Supports so far. */
  iteration: number;
  /** Ends of the edge, on both sides of the line as seen along the motion. */
  left: PlanarTraceSupport;
  right: PlanarTraceSupport;
  /** Inward unit normal. */
  normal: Vec2;
  /** Point of the difference beyond the edge, and how far beyond it is. */
  support: PlanarTraceSupport;
  height: number;
}

/** How velocity EPA ended. */
export interface PlanarCrossingEndStep {
  type: 'crossing-end';
  outcome: 'met' | 'missed' | 'stalled';
  /** Distance that B has travelled when the bodies meet; negative if they met before. */
  travelled: number;
  /** Unit vector from A to B. */
  normal: Vec2;
}

/** The two edges that are clipped against each other for a manifold, and the ends of the stretch that they share. */
export interface PlanarManifoldStep {
  type: 'manifold';
  /**
   * Ends in the contact frame: coordinate u along the edges and h along the normal, from the contact's point on A. A corner
   * is an edge without length.
   */
  edgeA: Vec2[];
  edgeB: Vec2[];
  /** u, h on A's surface, the distance from there to B's, and whether the point is one of the manifold's. */
  corners: { position: Vec2; distance: number; isChosen: boolean }[];
}

/** The searches' steps, in 2-D. */
export type PlanarSearchStep =
  | PlanarPairStep
  | ClosedFormStep<Vec2>
  | GjkStep<Vec2>
  | GjkEndStep<Vec2>
  | PlanarSatStep
  | MprStep<Vec2>
  | MprEndStep<Vec2>
  | PlanarEpaStartStep
  | PlanarEpaStep
  | EpaEndStep<Vec2>
  | CastStep<Vec2>
  | CastEndStep<Vec2>
  | PlanarCrossingStep
  | PlanarCrossingEndStep
  | AdvanceStep<Vec2>
  | PlanarManifoldStep;
