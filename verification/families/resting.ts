/**
 * Shapes that rest on each other face to face, vibrations as in a simulation, and the largest area of four corners of
 * such a contact, by brute force.
 */

import type { ShapeDescription } from '../../src/api/shapes.ts';
import { below, createRandom, uniform, unitVector, type Random } from './random.ts';

/**
 * A resting body. In its own frame its faces are horizontal. `top` and `bottom` are their corners as x and z,
 * counter-clockwise seen along y.
 */
interface Block {
  shape: ShapeDescription;
  halfHeight: number;
  footprint: number[][];
  /** Radius of the footprint. */
  radius: number;
}

export interface Arrangement {
  name: string;
  below: Block;
  above: Block;
  /** The upper body in the lower one's frame: x, z, and the rotation about the vertical. */
  x: number;
  z: number;
  yaw: number;
  /** Depth of their overlap. */
  depth: number;
  margin: number;
  /** The lower body's pose in the world. */
  position: number[];
  quaternion: number[];
}

export interface Pose {
  position: number[];
  quaternion: number[];
}

function boxBlock(x: number, y: number, z: number): Block {
  return {
    shape: { type: 'box', halfExtents: [x, y, z] },
    halfHeight: y,
    footprint: [
      [x, z],
      [x, -z],
      [-x, -z],
      [-x, z],
    ],
    radius: Math.hypot(x, z),
  };
}

/** A regular prism, or one with corners at random around its circle. */
function prismBlock(corners: number, radius: number, halfHeight: number, random?: Random): Block {
  const angles = Array.from(
    { length: corners },
    (_, i) => (2 * Math.PI * (i + (random ? 0.8 * random() : 0))) / corners,
  );
  const footprint = angles.map((angle) => [
    Math.fround(radius * Math.cos(angle)),
    Math.fround(-radius * Math.sin(angle)),
  ]);
  const points = [halfHeight, -halfHeight].flatMap((y) => footprint.flatMap(([x, z]) => [x, y, z]));
  return { shape: { type: 'hull', points }, halfHeight, footprint, radius };
}

/** A cylinder, with the eight points of its rim that manifolds use. */
function cylinderBlock(radius: number, halfHeight: number): Block {
  const footprint = Array.from({ length: 8 }, (_, i) => [
    radius * Math.cos((i * Math.PI) / 4),
    -radius * Math.sin((i * Math.PI) / 4),
  ]);
  return { shape: { type: 'cylinder', halfHeight, radius }, halfHeight, footprint, radius };
}

function blockOf(random: Random): [string, Block] {
  const size = (): number => uniform(random, 0.3, 1);
  const kind = below(random, 4);
  if (kind === 0) return ['box', boxBlock(size(), size(), size())];
  if (kind === 1) return ['cylinder', cylinderBlock(size(), size())];
  const corners = 3 + below(random, below(random, 2) === 0 ? 10 : 62);
  return kind === 2
    ? [`${corners}-gon`, prismBlock(corners, size(), size())]
    : [`uneven ${corners}-gon`, prismBlock(corners, size(), size(), random)];
}

/** A rotation as callers choose it: a multiple of 15 degrees, or any. */
function yawOf(random: Random): number {
  return below(random, 3) === 0 ? (below(random, 24) * Math.PI) / 12 : uniform(random, 0, 2 * Math.PI);
}

/** A block on a floor, on another block, or on one of the same shape, in its middle or off centre. */
function makeArrangement(random: Random): Arrangement {
  const [nameAbove, above] = blockOf(random);
  const on = below(random, 3);
  const [nameBelow, under] =
    on === 0 ? (['floor', boxBlock(5, 1, 5)] as const) : on === 1 ? blockOf(random) : ([nameAbove, above] as const);
  const reach = below(random, 2) === 0 ? 0 : 0.6 * Math.min(under.radius, above.radius);
  const size = Math.min(under.radius, above.radius);
  return {
    name: `${nameAbove} on ${nameBelow}`,
    below: under,
    above,
    x: uniform(random, -reach, reach),
    z: uniform(random, -reach, reach),
    yaw: yawOf(random),
    depth: 1e-3 * size,
    margin: 0.02 * size,
    position: [uniform(random, -3, 3), uniform(random, -3, 3), uniform(random, -3, 3)],
    quaternion: below(random, 2) === 0 ? [0, 0, 0, 1] : unitVector(random, [0, 0, 0, 0]),
  };
}

export function makeArrangements(count: number, seed: number): Arrangement[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => makeArrangement(random));
}

/**
 * Poses of both bodies. The upper one is tilted about a horizontal axis, then moved and rotated by up to `tremble` of
 * its size along and about each axis.
 */
export function posesOf(
  arrangement: Arrangement,
  random: Random,
  tremble: number,
  tilt: readonly [x: number, z: number] = [0, 0],
): [Pose, Pose] {
  const { below: under, above, x, z, yaw, depth, position, quaternion } = arrangement;
  const little = (): number => uniform(random, -tremble, tremble);
  const size = Math.min(above.radius, under.radius);
  const turn = multiply(
    [tilt[0] / 2 + little() / 2, little() / 2, tilt[1] / 2 + little() / 2, 1],
    [0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2)],
  );
  const offset = [
    x + size * little(),
    under.halfHeight + above.halfHeight - depth + size * little(),
    z + size * little(),
  ];
  const moved = rotate(quaternion, offset);
  return [
    { position, quaternion },
    { position: position.map((value, k) => value + moved[k]), quaternion: multiply(quaternion, turn) },
  ];
}

/** A pose rounded to f32, as bodies have it. */
export function rounded({ position, quaternion }: Pose): Pose {
  return { position: position.map(Math.fround), quaternion: quaternion.map(Math.fround) };
}

/** Sum of the bounding radii. */
export function reachOf({ below: under, above }: Arrangement): number {
  return [under, above].reduce((sum, { radius, halfHeight }) => sum + Math.hypot(radius, halfHeight), 0);
}

/** Corners of the region where the faces overlap as seen along the normal: two coordinates and the distance. */
export function cornersOf(
  arrangement: Arrangement,
  [poseA, poseB]: [Pose, Pose],
  normal: ArrayLike<number>,
): number[][] {
  const n = Array.from(normal);
  const u = unit(cross(n, Math.abs(n[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]));
  const v = cross(n, u);
  const seen = ({ footprint }: Block, height: number, { position, quaternion }: Pose): number[][] =>
    footprint.map(([x, z]) => {
      const at = rotate(quaternion, [x, height, z]).map((value, k) => value + position[k] - poseA.position[k]);
      return [dot(at, u), dot(at, v), dot(at, n)];
    });
  const onA = seen(arrangement.below, arrangement.below.halfHeight, poseA);
  const onB = seen(arrangement.above, -arrangement.above.halfHeight, poseB);
  const [heightA, heightB] = [planeThrough(onA), planeThrough(onB)];
  return clip(turned(onB), turned(onA)).map(([p, q]) => [p, q, heightB(p, q) - heightA(p, q)]);
}

/** The ring in counter-clockwise order. */
function turned(ring: number[][]): number[][] {
  return areaOf(ring) < 0 ? [...ring].reverse() : ring;
}

function planeThrough(ring: number[][]): (u: number, v: number) => number {
  const [a, b, c] = [ring[0], ring[Math.floor(ring.length / 3)], ring[Math.floor((2 * ring.length) / 3)]];
  const n = cross(
    b.map((x, k) => x - a[k]),
    c.map((x, k) => x - a[k]),
  );
  return (u, v) => a[2] - (n[0] * (u - a[0]) + n[1] * (v - a[1])) / n[2];
}

/** The part of a polygon left of each side of another, both counter-clockwise: Sutherland and Hodgman. */
function clip(polygon: number[][], against: number[][]): number[][] {
  return against.reduce((rest, [ax, ay], i) => {
    const [bx, by] = against[(i + 1) % against.length];
    const left = ([x, y]: number[]): number => (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    return rest.flatMap((p, k) => {
      const q = rest[(k + 1) % rest.length];
      const [from, to] = [left(p), left(q)];
      const crossing = [p[0] + ((q[0] - p[0]) * from) / (from - to), p[1] + ((q[1] - p[1]) * from) / (from - to)];
      if (from >= 0) return to >= 0 ? [p] : [p, crossing];
      return to >= 0 ? [crossing] : [];
    });
  }, polygon);
}

function areaOf(ring: number[][]): number {
  return ring.reduce(
    (sum, [x, y], i) => sum + (x * ring[(i + 1) % ring.length][1] - y * ring[(i + 1) % ring.length][0]) / 2,
    0,
  );
}

/**
 * Largest area of four of a ring's corners, of which at least one must be within `level` of the deepest corner's depth.
 * Corners beyond the margin are left out.
 */
export function widestArea(corners: number[][], margin: number, level: number): number {
  const ring = corners.filter(([, , distance]) => distance <= margin);
  const deepest = Math.min(...ring.map(([, , distance]) => distance));
  let most = 0;
  for (const [i, from] of ring.entries()) {
    if (from[2] >= deepest + level) continue;
    for (const [k, to] of ring.entries()) {
      if (i === k) continue;
      let left = 0;
      let right = 0;
      for (const [u, v] of ring) {
        const area = ((to[0] - from[0]) * (v - from[1]) - (to[1] - from[1]) * (u - from[0])) / 2;
        left = Math.max(left, area);
        right = Math.max(right, -area);
      }
      most = Math.max(most, left + right);
    }
  }
  return most;
}

/** Area of up to four 3-D points, seen along the normal. */
export function areaOfPoints(points: readonly ArrayLike<number>[], normal: ArrayLike<number>): number {
  const area = (i: number, j: number, k: number): number => {
    const [a, b, c] = [i, j, k].map((at) => Array.from(points[at]));
    return (
      Math.abs(
        dot(
          cross(
            b.map((x, m) => x - a[m]),
            c.map((x, m) => x - a[m]),
          ),
          Array.from(normal),
        ),
      ) / 2
    );
  };
  if (points.length < 3) return 0;
  if (points.length === 3) return area(0, 1, 2);
  // The four triangles cover the points' hull twice.
  return (area(0, 1, 2) + area(0, 1, 3) + area(0, 2, 3) + area(1, 2, 3)) / 2;
}

function multiply([ax, ay, az, aw]: number[], [bx, by, bz, bw]: number[]): number[] {
  return [
    aw * bx + bw * ax + ay * bz - az * by,
    aw * by + bw * ay + az * bx - ax * bz,
    aw * bz + bw * az + ax * by - ay * bx,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

function rotate(quaternion: number[], v: number[]): number[] {
  const square = dot(quaternion, quaternion);
  const [x, y, z, w] = quaternion;
  const t = cross([x, y, z], v).map((value) => (2 * value) / square);
  const s = cross([x, y, z], t);
  return v.map((value, k) => value + w * t[k] + s[k]);
}

function cross([ax, ay, az]: number[], [bx, by, bz]: number[]): number[] {
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
}

function dot(a: number[], b: number[]): number {
  return a.reduce((sum, x, k) => sum + x * b[k], 0);
}

function unit(v: number[]): number[] {
  const size = Math.hypot(...v);
  return v.map((x) => x / size);
}
