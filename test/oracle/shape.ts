/**
 * Shapes and poses as the oracle sees them. Every shape is a polytope (a point, a segment, a polygon or a solid) plus a
 * ball. Numbers are taken as given, in double precision: a subject that rounds its input to f32 is judged right only on
 * input that is f32 already.
 */

import type { ShapeDescription } from '../../src/shapes/descriptions.ts';
import { exactHull, type Polytope } from './exact-hull.ts';

/** A shape prepared once: the hull of its core, found by brute force, and the ball's radius. */
export interface OracleShape extends Polytope {
  /** Unit vectors along the edges, 3 an edge; 0 for a point's. */
  directions: Float64Array;
  /**
   * Two unit vectors an edge, 6 numbers: perpendicular to it, into either adjacent facet. A direction supports the shape
   * along the whole edge when it is perpendicular to the edge and points into neither. A flat shape has the same
   * one twice, a segment or a point 0.
   */
  wings: Float64Array;
  radius: number;
  /** Greatest distance of the shape from its body's origin, radius included. */
  boundingRadius: number;
}

export interface OraclePose {
  position: ArrayLike<number>;
  /** x, y, z, w; normalised here. */
  quaternion: ArrayLike<number>;
  /** Uniform factor of core and radius; default 1. */
  scale?: number;
}

export type Vector = [number, number, number];

export function oracleShape(description: ShapeDescription): OracleShape {
  const core = exactHull(corePoints(description));
  const radius = description.radius ?? 0;
  let reach = 0;
  for (let i = 0; i < core.vertices.length; i += 3)
    reach = Math.max(reach, Math.hypot(core.vertices[i], core.vertices[i + 1], core.vertices[i + 2]));
  const directions = edgeDirections(core);
  return { ...core, directions, wings: edgeWings(core, directions), radius, boundingRadius: reach + radius };
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
      // A loop runs counter-clockwise, so that its inside is at normal × direction of travel.
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

/** Points whose hull is the core of a shape. */
export function corePoints(description: ShapeDescription): ArrayLike<number> {
  switch (description.type) {
    case 'sphere':
      return [0, 0, 0];
    case 'capsule':
      return [0, -description.halfHeight, 0, 0, description.halfHeight, 0];
    case 'box': {
      const h = description.halfExtents;
      return [0, 1, 2, 3, 4, 5, 6, 7].flatMap((corner) => [0, 1, 2].map((axis) => (corner & (1 << axis) ? h[axis] : -h[axis])));
    }
    case 'triangle':
    case 'hull':
      return description.points;
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
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
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

/** Greatest n·(x - position) over the shape; n is a unit vector in world axes. */
export function supportFromCentre(shape: OracleShape, pose: OraclePose, n: ArrayLike<number>): number {
  const local = rotateBack(rotationMatrix(pose.quaternion), n);
  let greatest = -Infinity;
  for (let i = 0; i < shape.vertices.length; i += 3)
    greatest = Math.max(greatest, local[0] * shape.vertices[i] + local[1] * shape.vertices[i + 1] + local[2] * shape.vertices[i + 2]);
  return (pose.scale ?? 1) * (greatest + shape.radius);
}

/** Greatest n·x over the shape in world space; n is a unit vector. */
export function supportValue(shape: OracleShape, pose: OraclePose, n: ArrayLike<number>): number {
  const p = pose.position;
  return n[0] * p[0] + n[1] * p[1] + n[2] * p[2] + supportFromCentre(shape, pose, n);
}

/**
 * Room between two shapes along the unit vector n: least n·x over B minus greatest over A, formed from B - A. No n
 * has more room than the signed distance; the contact normal has exactly that much.
 */
export function separation(a: OracleShape, poseA: OraclePose, b: OracleShape, poseB: OraclePose, n: ArrayLike<number>): number {
  const p = poseA.position;
  const q = poseB.position;
  const offset = n[0] * (q[0] - p[0]) + n[1] * (q[1] - p[1]) + n[2] * (q[2] - p[2]);
  return offset - supportFromCentre(a, poseA, n) - supportFromCentre(b, poseB, [-n[0], -n[1], -n[2]]);
}

/** s of the numerical contract: the sum of both shapes' bounding radii. */
export function pairSize(a: OracleShape, poseA: OraclePose, b: OracleShape, poseB: OraclePose): number {
  return a.boundingRadius * (poseA.scale ?? 1) + b.boundingRadius * (poseB.scale ?? 1);
}
