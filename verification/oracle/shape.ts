/**
 * Shapes and poses in the oracle's form. Every bounded shape is a core plus a ball. A core is a polytope (a point, a
 * segment, a polygon or a solid), or the hull of points and of ellipsoids, flat ones included. Numbers are used as
 * given, in double precision. If the code under test rounds its input to f32, it is judged correctly only on input that
 * is f32 already.
 */

import type { ConvexDescription, HalfspaceDescription, ShapeDescription } from '../../src/api/shapes.ts';
import {
  CORE_BOX,
  CORE_CONE,
  CORE_CYLINDER,
  CORE_ELLIPSOID,
  CORE_HALFSPACE,
  CORE_HULL,
  CORE_POINT,
  CORE_SEGMENT,
  CORE_TRIANGLE,
} from '../../src/generated/constants.ts';
import { exactHull, type Polytope } from './exact-hull.ts';

export type Vector = [number, number, number];

/**
 * An ellipsoid with axes along x, y, z, or a disc if one of its half axes is 0. Two or three are never 0: that would be
 * a segment or a point.
 */
export interface Round {
  centre: Vector;
  radii: Vector;
}

/** Points and ellipsoids whose hull is the core of a bounded shape. */
export interface CorePieces {
  /** x, y, z each. */
  points: ArrayLike<number>;
  rounds: readonly Round[];
}

interface Common {
  /** The description's kind, as one of the `CORE_` kinds. It determines the tolerances. */
  core: number;
  radius: number;
  /** Greatest distance of the shape from its body's origin, radius included. */
  boundingRadius: number;
}

/** A shape prepared once: the hull of its core, found by brute force, and the ball's radius. */
export interface OraclePolytope extends Polytope, Common {
  kind: 'polytope';
  /** Unit vectors along the edges, 3 numbers per edge; 0 for a point's. */
  directions: Float64Array;
  /**
   * Two unit vectors per edge, 6 numbers: perpendicular to it, into either adjacent facet. A direction has the whole
   * edge as its support if it is perpendicular to the edge and points into neither. A flat shape has the same vector
   * twice; a segment or a point has 0.
   */
  wings: Float64Array;
}

/** Cylinders, cones and ellipsoids, except those that are balls, segments or points. */
export interface OracleCurved extends CorePieces, Common {
  kind: 'curved';
}

/** The bounding radius is 0: a half-space adds nothing to s. */
export interface OracleHalfspace extends Common {
  kind: 'halfspace';
  /** Outward unit vector. */
  normal: Vector;
  offset: number;
}

export type OracleShape = OraclePolytope | OracleCurved | OracleHalfspace;

/** A bounded shape's description. */
export type BoundedDescription = Exclude<ConvexDescription, HalfspaceDescription>;

export interface OraclePose {
  position: ArrayLike<number>;
  /** x, y, z, w; normalised here. */
  quaternion: ArrayLike<number>;
  /** Uniform factor of core and radius; default 1. */
  scale?: number;
}

/** The oracle of a convex shape. Those of compounds and meshes are put together from their parts. */
export function oracleShape(description: ShapeDescription): OracleShape {
  if (description.type === 'compound' || description.type === 'mesh')
    throw new Error(`a ${description.type} is not convex`);
  if (description.type === 'halfspace') {
    const [x, y, z] = Array.from(description.normal);
    const longest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
    const length = longest * Math.hypot(x / longest, y / longest, z / longest);
    const normal: Vector = [x / length, y / length, z / length];
    return {
      kind: 'halfspace',
      core: CORE_HALFSPACE,
      normal,
      offset: description.offset,
      radius: 0,
      boundingRadius: 0,
    };
  }
  const { points, rounds } = corePieces(description);
  if (rounds.length > 0) return { kind: 'curved', points, rounds, ...measures(description) };
  return oraclePolytope(description);
}

/** A shape whose core is a polytope. */
export function oraclePolytope(description: BoundedDescription): OraclePolytope {
  const core = exactHull(corePieces(description).points);
  const directions = edgeDirections(core);
  return { kind: 'polytope', ...core, directions, wings: edgeWings(core, directions), ...measures(description) };
}

function measures(description: BoundedDescription): Common {
  const radius = roundingRadius(description);
  const isPoint = description.type === 'ellipsoid' && isBall(description);
  return {
    core: isPoint ? CORE_POINT : CORES[description.type],
    radius,
    boundingRadius: coreReach(description) + radius,
  };
}

const CORES: Record<BoundedDescription['type'], number> = {
  sphere: CORE_POINT,
  capsule: CORE_SEGMENT,
  box: CORE_BOX,
  triangle: CORE_TRIANGLE,
  hull: CORE_HULL,
  cylinder: CORE_CYLINDER,
  cone: CORE_CONE,
  ellipsoid: CORE_ELLIPSOID,
};

/**
 * Greatest distance of a core from its body's origin. Every ellipsoid or disc of a description has its farthest point
 * along one of its axes.
 */
export function coreReach(description: BoundedDescription): number {
  const { points, rounds } = corePieces(description);
  let reach = 0;
  for (let i = 0; i < points.length; i += 3)
    reach = Math.max(reach, Math.hypot(points[i], points[i + 1], points[i + 2]));
  // The centre of a disc is on its axis, that of a solid ellipsoid is the origin.
  for (const { centre, radii } of rounds) reach = Math.max(reach, Math.hypot(...centre, Math.max(...radii)));
  return reach;
}

function edgeDirections({ vertices, edges }: Polytope): Float64Array {
  const directions = new Float64Array((3 * edges.length) / 2);
  for (let e = 0; 2 * e < edges.length; e++) {
    const along = [0, 1, 2].map((k) => vertices[3 * edges[2 * e + 1] + k] - vertices[3 * edges[2 * e] + k]);
    const length = Math.hypot(along[0], along[1], along[2]);
    if (length > 0) directions.set([along[0] / length, along[1] / length, along[2] / length], 3 * e);
  }
  return directions;
}

function edgeWings({ edges, facets }: Polytope, directions: Float64Array): Float64Array {
  const wings = new Float64Array(2 * directions.length);
  const numbers = new Map<string, number>();
  for (let e = 0; 2 * e < edges.length; e++) numbers.set(`${edges[2 * e]},${edges[2 * e + 1]}`, e);
  for (const { normal: n, loop } of facets)
    loop.forEach((from, i) => {
      // A loop runs counter-clockwise, so that its inside is at normal × direction of the edge.
      const to = loop[(i + 1) % loop.length];
      const forward = numbers.get(`${from},${to}`);
      const e = forward ?? numbers.get(`${to},${from}`)!;
      const [x, y, z] = directions.subarray(3 * e);
      const sign = forward === undefined ? -1 : 1;
      const wing = [sign * (n[1] * z - n[2] * y), sign * (n[2] * x - n[0] * z), sign * (n[0] * y - n[1] * x)];
      wings.set(wing, 6 * e + (forward === undefined ? 3 : 0));
    });
  return wings;
}

/** Points and ellipsoids whose hull is the core of a shape. */
export function corePieces(description: BoundedDescription): CorePieces {
  switch (description.type) {
    case 'sphere':
      return { points: [0, 0, 0], rounds: [] };
    case 'capsule':
      return { points: [0, -description.halfHeight, 0, 0, description.halfHeight, 0], rounds: [] };
    case 'box': {
      const h = description.halfExtents;
      const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((corner) =>
        [0, 1, 2].map((axis) => (corner & (1 << axis) ? h[axis] : -h[axis])),
      );
      return { points: corners, rounds: [] };
    }
    case 'triangle':
    case 'hull':
      return { points: description.points, rounds: [] };
    case 'cylinder': {
      const { halfHeight: h, radius } = description;
      return radius === 0
        ? { points: [0, -h, 0, 0, h, 0], rounds: [] }
        : { points: [], rounds: h === 0 ? [disc(0, radius)] : [disc(-h, radius), disc(h, radius)] };
    }
    case 'cone': {
      const { halfHeight: h, radius } = description;
      return radius === 0
        ? { points: [0, -h, 0, 0, h, 0], rounds: [] }
        : { points: h === 0 ? [] : [0, h, 0], rounds: [disc(-h, radius)] };
    }
    case 'ellipsoid': {
      const radii = Array.from(description.radii) as Vector;
      if (isBall(description)) return { points: [0, 0, 0], rounds: [] };
      if (radii.filter((x) => x > 0).length > 1) return { points: [], rounds: [{ centre: [0, 0, 0], radii }] };
      return { points: [...radii.map((x) => -x), ...radii], rounds: [] };
    }
  }
}

function disc(height: number, radius: number): Round {
  return { centre: [0, height, 0], radii: [radius, 0, radius] };
}

function isBall({ radii }: { radii: ArrayLike<number> }): boolean {
  return radii[0] === radii[1] && radii[1] === radii[2];
}

/** Radius of the ball that is added to the core. */
export function roundingRadius(description: BoundedDescription): number {
  switch (description.type) {
    case 'cylinder':
    case 'cone':
      return 0;
    case 'ellipsoid':
      return isBall(description) ? description.radii[0] : 0;
    default:
      return description.radius ?? 0;
  }
}

/** Row-major rotation matrix of a quaternion of any length. */
export function rotationMatrix(quaternion: ArrayLike<number>): number[] {
  const length = Math.hypot(quaternion[0], quaternion[1], quaternion[2], quaternion[3]);
  const x = quaternion[0] / length;
  const y = quaternion[1] / length;
  const z = quaternion[2] / length;
  const w = quaternion[3] / length;
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  ];
}

export function rotate(matrix: number[], v: ArrayLike<number>): Vector {
  return [
    matrix[0] * v[0] + matrix[1] * v[1] + matrix[2] * v[2],
    matrix[3] * v[0] + matrix[4] * v[1] + matrix[5] * v[2],
    matrix[6] * v[0] + matrix[7] * v[1] + matrix[8] * v[2],
  ];
}

export function rotateBack(matrix: number[], v: ArrayLike<number>): Vector {
  return [
    matrix[0] * v[0] + matrix[3] * v[1] + matrix[6] * v[2],
    matrix[1] * v[0] + matrix[4] * v[1] + matrix[7] * v[2],
    matrix[2] * v[0] + matrix[5] * v[1] + matrix[8] * v[2],
  ];
}

/**
 * Greatest n·(x - position) over the shape; n is a unit vector in world axes. A half-space has one only for its own
 * normal. For other directions, including rounded versions of the normal, it is infinite.
 */
export function supportFromCentre(shape: OracleShape, pose: OraclePose, n: ArrayLike<number>): number {
  const local = rotateBack(rotationMatrix(pose.quaternion), n);
  const scale = pose.scale ?? 1;
  if (shape.kind === 'halfspace') {
    const isNormal = Math.hypot(...shape.normal.map((x, k) => x - local[k])) < SAME_DIRECTION;
    return isNormal ? scale * shape.offset : Infinity;
  }
  const pieces = shape.kind === 'curved' ? shape : { points: shape.vertices, rounds: [] };
  return scale * (coreSupport(pieces, local) + shape.radius);
}

/** Rotating a vector into another frame and back leaves it within this. */
const SAME_DIRECTION = 4e-15;

/** Greatest n·x over a core in its own frame. */
export function coreSupport({ points, rounds }: CorePieces, n: ArrayLike<number>): number {
  let greatest = -Infinity;
  for (let i = 0; i < points.length; i += 3)
    greatest = Math.max(greatest, n[0] * points[i] + n[1] * points[i + 1] + n[2] * points[i + 2]);
  for (const { centre: c, radii: r } of rounds) {
    const reach = Math.hypot(r[0] * n[0], r[1] * n[1], r[2] * n[2]);
    greatest = Math.max(greatest, c[0] * n[0] + c[1] * n[1] + c[2] * n[2] + reach);
  }
  return greatest;
}

/** Greatest n·x over the shape in world space; n is a unit vector. */
export function supportValue(shape: OracleShape, pose: OraclePose, n: ArrayLike<number>): number {
  const p = pose.position;
  return n[0] * p[0] + n[1] * p[1] + n[2] * p[2] + supportFromCentre(shape, pose, n);
}

/**
 * Separation of two shapes along the unit vector n: least n·x over B minus greatest over A, formed from B - A. It never
 * exceeds the signed distance, and equals it along the contact normal.
 */
export function separation(
  a: OracleShape,
  poseA: OraclePose,
  b: OracleShape,
  poseB: OraclePose,
  n: ArrayLike<number>,
): number {
  const p = poseA.position;
  const q = poseB.position;
  const offset = n[0] * (q[0] - p[0]) + n[1] * (q[1] - p[1]) + n[2] * (q[2] - p[2]);
  return offset - supportFromCentre(a, poseA, n) - supportFromCentre(b, poseB, [-n[0], -n[1], -n[2]]);
}

/** s of the documented tolerances: the sum of both shapes' bounding radii. */
export function pairSize(a: OracleShape, poseA: OraclePose, b: OracleShape, poseB: OraclePose): number {
  return a.boundingRadius * (poseA.scale ?? 1) + b.boundingRadius * (poseB.scale ?? 1);
}
