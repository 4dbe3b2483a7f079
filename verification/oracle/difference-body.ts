/**
 * The difference body D = A - B of two cores in A's frame, given by its support function h. D contains the origin if
 * the cores overlap. h(n) is minus the separation of the cores along the unit vector n, so the signed distance is the
 * greatest -h(n).
 *
 * Each core is the hull of points and ellipsoids (flat ones are discs), here called pieces, and so is -B. A piece has
 * the support c·n + |U n|, where c is its centre and the rows of U are its half axes. Its first and second derivatives
 * have closed forms.
 */

import {
  rotate,
  rotateBack,
  rotationMatrix,
  type CorePieces,
  type OracleCurved,
  type OraclePolytope,
  type OraclePose,
  type Vector,
} from './shape.ts';

/** Pieces of A or of -B. */
export interface Side {
  /** x, y, z each; numbered from 0. */
  points: Float64Array;
  /** Centre and three half axes, 12 numbers each; numbered after the points. */
  rounds: Float64Array;
  count: number;
}

/** Lengths are shares of `unit`, so that all points are within about 2 of the origin. */
export interface DifferenceBody {
  a: Side;
  b: Side;
  unit: number;
  rotationA: number[];
  /** Directions to try, 3 numbers each: perpendicular to facets and discs, and along the offset. */
  normals: Float64Array;
}

type Curvable = OracleCurved | OraclePolytope;

export function differenceBody(
  shapeA: Curvable,
  poseA: OraclePose,
  shapeB: Curvable,
  poseB: OraclePose,
): DifferenceBody {
  const rotationA = rotationMatrix(poseA.quaternion);
  const rotationB = rotationMatrix(poseB.quaternion);
  const offset = rotateBack(
    rotationA,
    [0, 1, 2].map((k) => poseB.position[k] - poseA.position[k]),
  );
  const scaleA = poseA.scale ?? 1;
  const scaleB = poseB.scale ?? 1;
  const unit = Math.max(shapeA.boundingRadius * scaleA + shapeB.boundingRadius * scaleB, Math.hypot(...offset));
  const turnB = (v: ArrayLike<number>): Vector => rotateBack(rotationA, rotate(rotationB, v));
  const a = makeSide(piecesOf(shapeA), unturned, scaleA / unit, [0, 0, 0]);
  const b = makeSide(piecesOf(shapeB), turnB, -scaleB / unit, [
    -offset[0] / unit,
    -offset[1] / unit,
    -offset[2] / unit,
  ]);
  const length = Math.hypot(...offset);
  const normals = [
    ...normalsOf(shapeA).flat(),
    ...normalsOf(shapeB).flatMap((normal) => turnB(normal).map((x) => -x)),
    ...(length > 0 ? [1, -1].flatMap((sign) => offset.map((x) => (sign * x) / length)) : []),
  ];
  return { a, b, unit, rotationA, normals: Float64Array.from(normals) };
}

function unturned(v: ArrayLike<number>): Vector {
  return [v[0], v[1], v[2]];
}

function piecesOf(shape: Curvable): CorePieces {
  return shape.kind === 'curved' ? shape : { points: shape.vertices, rounds: [] };
}

function makeSide(
  { points, rounds }: CorePieces,
  turn: (v: ArrayLike<number>) => Vector,
  scale: number,
  offset: Vector,
): Side {
  const placed = (v: ArrayLike<number>): number[] => turn(v).map((x, k) => scale * x + offset[k]);
  const turnedPoints: number[] = [];
  for (let i = 0; i < points.length; i += 3) turnedPoints.push(...placed([points[i], points[i + 1], points[i + 2]]));
  const turnedRounds = rounds.flatMap(({ centre, radii }) => [
    ...placed(centre),
    ...[0, 1, 2].flatMap((axis) => turn([0, 1, 2].map((k) => (k === axis ? radii[axis] : 0))).map((x) => scale * x)),
  ]);
  return {
    points: Float64Array.from(turnedPoints),
    rounds: Float64Array.from(turnedRounds),
    count: points.length / 3 + rounds.length,
  };
}

/** Normals of facets and, in both directions, of discs, in the shape's frame. */
function normalsOf(shape: Curvable): Vector[] {
  if (shape.kind === 'polytope') return shape.facets.map(({ normal }) => normal);
  return shape.rounds.flatMap(({ radii }) => {
    const flat = radii.indexOf(0);
    const axis = [0, 1, 2].map((k) => (k === flat ? 1 : 0)) as Vector;
    return flat < 0 ? [] : [axis, axis.map((x) => -x) as Vector];
  });
}

/** A direction n, h(n) and the point of D that is farthest along n. */
export interface Support {
  value: number;
  x: number;
  y: number;
  z: number;
}

export function createSupport(): Support {
  return { value: 0, x: 0, y: 0, z: 0 };
}

/** The direction need not be a unit vector. */
export function supportOf({ a, b }: DifferenceBody, x: number, y: number, z: number, to: Support): Support {
  to.value = to.x = to.y = to.z = 0;
  addExtreme(a, x, y, z, to);
  addExtreme(b, x, y, z, to);
  return to;
}

/** The farthest point of A or of -B. */
export function extremeOf(side: Side, x: number, y: number, z: number, to: Support): Support {
  to.value = to.x = to.y = to.z = 0;
  addExtreme(side, x, y, z, to);
  return to;
}

function addExtreme({ points, rounds }: Side, x: number, y: number, z: number, to: Support): void {
  let greatest = -Infinity;
  let best = -1;
  for (let i = 0; i < points.length; i += 3) {
    const value = x * points[i] + y * points[i + 1] + z * points[i + 2];
    if (value > greatest) {
      greatest = value;
      best = i;
    }
  }
  let px = best < 0 ? 0 : points[best];
  let py = best < 0 ? 0 : points[best + 1];
  let pz = best < 0 ? 0 : points[best + 2];
  for (let i = 0; i < rounds.length; i += 12) {
    const u = x * rounds[i + 3] + y * rounds[i + 4] + z * rounds[i + 5];
    const v = x * rounds[i + 6] + y * rounds[i + 7] + z * rounds[i + 8];
    const w = x * rounds[i + 9] + y * rounds[i + 10] + z * rounds[i + 11];
    const reach = Math.sqrt(u * u + v * v + w * w);
    const value = x * rounds[i] + y * rounds[i + 1] + z * rounds[i + 2] + reach;
    if (!(value > greatest)) continue;
    greatest = value;
    const inverse = reach > 0 ? 1 / reach : 0;
    px = rounds[i] + inverse * (u * rounds[i + 3] + v * rounds[i + 6] + w * rounds[i + 9]);
    py = rounds[i + 1] + inverse * (u * rounds[i + 4] + v * rounds[i + 7] + w * rounds[i + 10]);
    pz = rounds[i + 2] + inverse * (u * rounds[i + 5] + v * rounds[i + 8] + w * rounds[i + 11]);
  }
  to.value += greatest;
  to.x += px;
  to.y += py;
  to.z += pz;
}

/** The `most` pieces that extend farthest along a direction, the farthest first. */
export function farthestPieces({ points, rounds, count }: Side, [x, y, z]: Vector, most: number): number[] {
  const values = Array.from({ length: count }, (_, piece) => {
    if (3 * piece < points.length) return x * points[3 * piece] + y * points[3 * piece + 1] + z * points[3 * piece + 2];
    const i = 12 * (piece - points.length / 3);
    const u = x * rounds[i + 3] + y * rounds[i + 4] + z * rounds[i + 5];
    const v = x * rounds[i + 6] + y * rounds[i + 7] + z * rounds[i + 8];
    const w = x * rounds[i + 9] + y * rounds[i + 10] + z * rounds[i + 11];
    return x * rounds[i] + y * rounds[i + 1] + z * rounds[i + 2] + Math.sqrt(u * u + v * v + w * w);
  });
  return values
    .map((_, piece) => piece)
    .sort((p, q) => values[q] - values[p])
    .slice(0, most);
}

/** Support of a piece, its gradient x, y, z and its second derivatives xx, yy, zz, xy, xz, yz. */
export type Derivatives = Float64Array;

export function derivativesOf(
  { points, rounds }: Side,
  piece: number,
  [x, y, z]: Vector,
  to: Derivatives,
): Derivatives {
  to.fill(0);
  if (3 * piece < points.length) {
    for (let k = 0; k < 3; k++) to[1 + k] = points[3 * piece + k];
  } else {
    const i = 12 * (piece - points.length / 3);
    let squared = 0;
    for (let axis = i + 3; axis < i + 12; axis += 3)
      squared += (x * rounds[axis] + y * rounds[axis + 1] + z * rounds[axis + 2]) ** 2;
    const reach = Math.sqrt(squared);
    if (reach > 0) {
      for (let axis = i + 3; axis < i + 12; axis += 3) {
        const [u, v, w] = [rounds[axis], rounds[axis + 1], rounds[axis + 2]];
        const along = (x * u + y * v + z * w) / reach;
        to[1] += along * u;
        to[2] += along * v;
        to[3] += along * w;
        addOuter(to, u, v, w, 1 / reach);
      }
      addOuter(to, to[1], to[2], to[3], -1 / reach);
    }
    for (let k = 0; k < 3; k++) to[1 + k] += rounds[i + k];
  }
  // h has degree 1, so the gradient gives the value.
  to[0] = x * to[1] + y * to[2] + z * to[3];
  return to;
}

function addOuter(to: Derivatives, u: number, v: number, w: number, factor: number): void {
  to[4] += factor * u * u;
  to[5] += factor * v * v;
  to[6] += factor * w * w;
  to[7] += factor * u * v;
  to[8] += factor * u * w;
  to[9] += factor * v * w;
}
