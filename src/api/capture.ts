/**
 * Public types for captures: one pair of a query as JSON, to be looked at or answered again. See
 * https://github.com/narrowphase/narrowphase/blob/main/docs/queries.md.
 */
import type { ImpactAlgorithm } from './motion.ts';
import type { Algorithm, ContactOptions, WarmStart } from './options.ts';
import type { QueryName, QueryResults } from './queries.ts';
import type { PlanarShapeDescription } from './planar-shapes.ts';
import type { ShapeDescription } from './shapes.ts';
import type { AdapterDescription } from './tester-options.ts';
import type { Vec2, Vec3 } from './vectors.ts';

/** A number. JSON has no infinity, so the strings stand for it. */
export type CaptureNumber = number | 'Infinity' | '-Infinity';

/**
 * Options of `capture`: a query, and options of that query. `fields`, `target`, `results`, `bodies` and `warmStart` are
 * accepted and have no effect: a capture has all fields of the pair's answer.
 */
export interface CaptureOptions<Query extends QueryName = QueryName> extends Omit<
  ContactOptions<unknown, WarmStart | undefined>,
  'algorithm' | 'results' | 'fields' | 'target'
> {
  query: Query;
  algorithm?: Algorithm | ImpactAlgorithm;
  /** Seconds of motion; only for `impacts`, and required there. */
  duration?: number;
  /** Only for `impacts`. */
  stopAtPenetration?: boolean;
  results?: 'all' | 'hits' | 'earliest';
  fields?: readonly string[] | undefined;
  target?: unknown;
}

/** Options of the query that decide its answer, as they were given. Missing options had their defaults. */
export interface CapturedOptions {
  mprDepth?: 'ray' | 'normal';
  /** World units. */
  margin?: CaptureNumber;
  bounds?: boolean;
  parts?: 'all';
  escalate?: boolean;
  /** Seconds; for `impacts` always there. */
  duration?: CaptureNumber;
  stopAtPenetration?: boolean;
}

/** Velocities of a body, where the bodies had them. */
interface CapturedVelocities<Vector, Angular> {
  /** World-space velocity in units per second. */
  linearVelocity?: Vector;
  /** World-space angular velocity in radians per second. */
  angularVelocity?: Angular;
}

/** A body of a 3-D tester by position and rotation. */
export interface CapturedPose extends CapturedVelocities<Vec3, Vec3> {
  /** World-space position x, y, z. */
  position: Vec3;
  /** Rotation x, y, z, w, of the length that was given. */
  quaternion: [number, number, number, number];
  /** Uniform scale factor, where the bodies had `scales`. */
  scale?: number;
}

/** A body of a 3-D tester by matrix. */
export interface CapturedMatrix extends CapturedVelocities<Vec3, Vec3> {
  /** Column-major 4×4 matrix from the body's frame to the world: 16 numbers. */
  matrix: number[];
}

/** A body of a 2-D tester. */
export interface CapturedPlanarPose extends CapturedVelocities<Vec2, number> {
  /** World-space position x, y. */
  position: Vec2;
  /** Rotation in radians, counter-clockwise. */
  angle: number;
  /** Uniform scale factor, where the bodies had `scales`. */
  scale?: number;
}

/** A slot of the query's result with its numbers as JSON has them. */
export type CapturedItem<Item> = {
  [Name in keyof Item]: Item[Name] extends number | undefined ? CaptureNumber : Item[Name];
};

type ItemOf<Query extends QueryName, Vector> = QueryResults<Vector>[Query] extends Iterable<infer Item> ? Item : never;

/** The fields of captures of both dimensions. */
interface CaptureCommon<Shape, Pose, Vector, Query extends QueryName> {
  /** Version of the format. */
  version: 1;
  query: Query;
  /** The query's option, or `'auto'`. */
  algorithm: Algorithm | ImpactAlgorithm;
  /** Shapes of A and B. Lengths are rounded to f32, as the tester has them. */
  shapes: [Shape, Shape];
  /** Places of A and B. Both have the same fields. */
  poses: [Pose, Pose];
  /** Whether positions, or matrices, were a `Float64Array`. */
  float64Positions: boolean;
  options: CapturedOptions;
  /**
   * The pair's slot of the result; `pair` is the pair's index in the list that was given. An array of slots with
   * `parts: 'all'`, and for `manifolds` of compounds and meshes: one per pair of parts that hits, with
   * `partA` and `partB`. Other answers for compounds and meshes name no parts; `decidingParts` of `narrowphase/cpu` finds
   * them.
   */
  result: CapturedItem<ItemOf<Query, Vector>> | CapturedItem<ItemOf<Query, Vector>>[];
  /** Where the query ran. */
  backend: 'webgpu' | 'cpu';
  adapter: AdapterDescription;
}

/** One pair of a query of a 3-D tester. */
export interface SpaceCapture<Query extends QueryName = QueryName> extends CaptureCommon<
  ShapeDescription,
  CapturedPose | CapturedMatrix,
  Vec3,
  Query
> {
  dimension: 3;
}

/** One pair of a query of a 2-D tester. */
export interface PlanarCapture<Query extends QueryName = QueryName> extends CaptureCommon<
  PlanarShapeDescription,
  CapturedPlanarPose,
  Vec2,
  Query
> {
  dimension: 2;
}

/**
 * One pair of a query, from `tester.capture`: plain data that `JSON.stringify` and `JSON.parse` keep as it is.
 * `parseCapture` of `narrowphase/cpu` checks a capture that was read from a file.
 */
export type Capture = SpaceCapture | PlanarCapture;
