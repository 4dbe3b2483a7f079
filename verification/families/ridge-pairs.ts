/**
 * Pairs that touch along a line: a ridge of one body (an edge of a polytope, the side of a cylinder, cone or capsule, a
 * segment) runs along a ridge of the other. The expected points of each pair are the two ends of where both overlap.
 */

import type { ShapeDescription } from '../../src/api/shapes.ts';
import { emptyFamily, joinFamilies, putBody, type Family } from './family.ts';
import { below, createRandom, uniform, unitVector, type Random } from './random.ts';

type Vector = [number, number, number];

/** A ridge of a body in its frame: its ends, and the directions that it faces. */
interface Ridge {
  shape: ShapeDescription;
  from: Vector;
  to: Vector;
  /** From the first direction to the last in turn; the ridge is moved by `round` along the direction. */
  first: Vector;
  /** Angle from the first direction to the last, around the ridge. */
  angle: number;
  round: number;
}

const TURN = 2 * Math.PI;

/** Bodies with a ridge, by name. */
export const RIDGES: Readonly<Record<string, (random: Random) => Ridge>> = {
  cylinder: (random) => {
    const [halfHeight, radius] = [f(random, 0.4, 1.2), f(random, 0.2, 0.6)];
    return { ...axis(halfHeight), shape: { type: 'cylinder', halfHeight, radius }, round: radius };
  },
  capsule: (random) => {
    const [halfHeight, radius] = [f(random, 0.4, 1.2), f(random, 0.2, 0.6)];
    return { ...axis(halfHeight), shape: { type: 'capsule', halfHeight, radius }, round: radius };
  },
  cone: (random) => {
    const [halfHeight, radius] = [f(random, 0.4, 1.2), f(random, 0.2, 0.6)];
    const at = TURN * random();
    const [c, s, slope] = [Math.cos(at), Math.sin(at), Math.hypot(2 * halfHeight, radius)];
    return {
      shape: { type: 'cone', halfHeight, radius },
      from: [radius * c, -halfHeight, radius * s],
      to: [0, halfHeight, 0],
      first: [(c * 2 * halfHeight) / slope, radius / slope, (s * 2 * halfHeight) / slope],
      angle: 0,
      round: 0,
    };
  },
  box: (random) => boxRidge(random, 0),
  'rounded box': (random) => boxRidge(random, f(random, 0.05, 0.3)),
  hull: (random) => prismRidge(random, 0),
  'rounded hull': (random) => prismRidge(random, f(random, 0.05, 0.3)),
  triangle: (random) => {
    const [a, b, c] = [f(random, 0.4, 1), f(random, -0.5, 0.5), f(random, 0.5, 1)];
    const points = [0, -a, 0, 0, a, 0, -c, b, 0];
    return {
      shape: { type: 'triangle', points },
      from: [0, -a, 0],
      to: [0, a, 0],
      first: [0, 0, 1],
      angle: Math.PI,
      round: 0,
    };
  },
  segment: (random) => segmentRidge(random, 0),
  'rounded segment': (random) => segmentRidge(random, f(random, 0.05, 0.3)),
};

function f(random: Random, low: number, high: number): number {
  return Math.fround(uniform(random, low, high));
}

/** A ridge on the y axis that faces all around. */
function axis(halfHeight: number): Pick<Ridge, 'from' | 'to' | 'first' | 'angle'> {
  return { from: [0, -halfHeight, 0], to: [0, halfHeight, 0], first: [1, 0, 0], angle: TURN };
}

function segmentRidge(random: Random, radius: number): Ridge {
  const a = f(random, 0.4, 1.2);
  const shift = f(random, -0.3, 0.3);
  return {
    shape: { type: 'hull', points: [shift, -a, 0, shift, a, 0], radius },
    from: [shift, -a, 0],
    to: [shift, a, 0],
    first: [1, 0, 0],
    angle: TURN,
    round: radius,
  };
}

function boxRidge(random: Random, radius: number): Ridge {
  const halfExtents: Vector = [f(random, 0.2, 1), f(random, 0.4, 1), f(random, 0.2, 1)];
  const [x, y, z] = halfExtents;
  return {
    shape: { type: 'box', halfExtents, radius },
    from: [x, -y, z],
    to: [x, y, z],
    first: [1, 0, 0],
    angle: -Math.PI / 2,
    round: radius,
  };
}

/** An edge of a prism on a regular polygon. */
function prismRidge(random: Random, radius: number): Ridge {
  const corners = 3 + below(random, 6);
  const [size, y, turn] = [f(random, 0.4, 1), f(random, 0.4, 1), TURN * random()];
  const ring = Array.from({ length: corners }, (_, i) => turn - (TURN * i) / corners);
  const place = (angle: number, height: number): Vector => [
    Math.fround(size * Math.cos(angle)),
    height,
    Math.fround(size * Math.sin(angle)),
  ];
  const points = ring.flatMap((angle) => [...place(angle, -y), ...place(angle, y)]);
  const before = ring[0] + Math.PI / corners;
  return {
    shape: { type: 'hull', points, radius },
    from: place(ring[0], -y),
    to: place(ring[0], y),
    first: [Math.cos(before), 0, Math.sin(before)],
    angle: TURN / corners,
    round: radius,
  };
}

/**
 * Pairs of bodies that touch along a line on all of the range of directions, and stay so if they turn by up to 1e-4: at
 * least one of them is round all around.
 */
export const LINE_PAIRS: readonly (readonly [string, string])[] = ['cylinder', 'capsule', 'rounded segment'].flatMap(
  (first) => Object.keys(RIDGES).map((second) => [first, second] as const),
);

/** Distances of their lines. */
export const LINE_GAPS = [-0.01, 0.005] as const;

export interface RidgeFamily extends Family {
  /** The two expected points of each pair, in world space: 6 numbers per pair. */
  ends: Float64Array;
}

export interface RidgeOptions {
  /** Bodies turn by up to this many radians about their overlap's middle. */
  turn: number;
  /** Where in the range of a polytope's directions the contact lies: 0 and 1 are its two faces' normals. */
  share?: number;
  /** Signed distance of the two lines: between these. */
  gap: readonly [number, number];
}

/** `count` pairs of these bodies. Which is A is random. */
export function makeRidgeFamily(
  first: string,
  second: string,
  count: number,
  seed: number,
  { turn, share, gap }: RidgeOptions,
): RidgeFamily {
  const random = createRandom(seed);
  const family = emptyFamily(`${first} along ${second}`, [], count);
  const ends = new Float64Array(6 * count);
  for (let pair = 0; pair < count; pair++) {
    const ridges = [RIDGES[first](random), RIDGES[second](random)];
    const normal = unitVector(random, [0, 0, 0]) as Vector;
    const along = perpendicularTo(normal, random);
    const halves = ridges.map(({ from, to }) => 0.5 * Math.hypot(...minus(to, from)));
    const shift = uniform(random, -0.6, 0.6) * (halves[0] + halves[1]);
    const low = Math.max(-halves[0], shift - halves[1]);
    const high = Math.min(halves[0], shift + halves[1]);
    const distance = uniform(random, gap[0], gap[1]);
    const origin = [uniform(random, -2, 2), uniform(random, -2, 2), uniform(random, -2, 2)] as Vector;
    const middle = plus(origin, along, 0.5 * (low + high));
    const isSwapped = random() < 0.5;
    ridges.forEach((ridge, i) => {
      const sign = i === 0 ? 1 : -1;
      // The ridge's frame in the body, and in the world.
      const dir = unit(minus(ridge.to, ridge.from));
      const facing = turned(ridge.first, dir, ridge.angle * (share ?? random()));
      const flip = random() < 0.5 ? 1 : -1;
      const line = plus(scaled(plus(ridge.from, ridge.to, 1), 0.5), facing, ridge.round);
      const inBody = [dir, facing, cross(dir, facing)];
      const inWorld = [scaled(along, flip), scaled(normal, sign), cross(scaled(along, flip), scaled(normal, sign))];
      let matrix = [0, 1, 2].map((row) => [0, 1, 2].map((k) => sum(inWorld, inBody, row, k)));
      const place = plus(plus(origin, along, i === 0 ? 0 : shift), normal, i === 0 ? 0 : distance);
      let position = minus(place, apply(matrix, line));
      if (turn > 0) {
        const small = rotation(unitVector(random, [0, 0, 0]) as Vector, uniform(random, -turn, turn));
        position = plus(middle, apply(small, minus(position, middle)), 1);
        matrix = multiply(small, matrix);
      }
      const body = 2 * pair + (isSwapped ? 1 - i : i);
      family.shapes.push(ridge.shape);
      putBody(family, body, family.shapes.length - 1, { position, quaternion: quaternionOf(matrix) });
    });
    ends.set([...plus(origin, along, low), ...plus(origin, along, high)], 6 * pair);
  }
  return { ...family, ends };
}

/** Families as one, with the expected ends of all pairs. */
export function joinRidgeFamilies(families: readonly RidgeFamily[]): RidgeFamily {
  const joined = joinFamilies('contacts along lines', families);
  return { ...joined, ends: Float64Array.from(families.flatMap(({ ends }) => [...ends])) };
}

/** Pairs whose points are not the two expected ends to 0.02, on either side, as text. */
export function missedEnds(
  { name, ends }: RidgeFamily,
  found: Iterable<{ points: readonly { position: ArrayLike<number> }[] }>,
): string[] {
  return [...found].flatMap(({ points }, pair) => {
    const apart = (point: number, end: number): number =>
      Math.hypot(...[0, 1, 2].map((k) => points[point].position[k] - ends[6 * pair + 3 * end + k]));
    const isMet = (first: number): boolean => Math.max(apart(0, first), apart(1, 1 - first)) < 0.02;
    return points.length === 2 && (isMet(0) || isMet(1)) ? [] : [`${name}, pair ${pair}: ${points.length} points`];
  });
}

function plus(a: Vector, b: Vector, factor: number): Vector {
  return [a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]];
}

function minus(a: Vector, b: Vector): Vector {
  return plus(a, b, -1);
}

function scaled(a: Vector, factor: number): Vector {
  return [factor * a[0], factor * a[1], factor * a[2]];
}

function unit(a: Vector): Vector {
  return scaled(a, 1 / Math.hypot(...a));
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function perpendicularTo(a: Vector, random: Random): Vector {
  return unit(cross(a, unitVector(random, [0, 0, 0]) as Vector));
}

function turned(a: Vector, about: Vector, angle: number): Vector {
  return apply(rotation(about, angle), a);
}

function apply(m: number[][], a: Vector): Vector {
  return m.map((row) => row[0] * a[0] + row[1] * a[1] + row[2] * a[2]) as Vector;
}

function multiply(a: number[][], b: number[][]): number[][] {
  return a.map((row) => [0, 1, 2].map((k) => row[0] * b[0][k] + row[1] * b[1][k] + row[2] * b[2][k]));
}

function sum(a: Vector[], b: Vector[], row: number, column: number): number {
  return a[0][row] * b[0][column] + a[1][row] * b[1][column] + a[2][row] * b[2][column];
}

function rotation([x, y, z]: Vector, angle: number): number[][] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const t = 1 - c;
  return [
    [t * x * x + c, t * x * y - s * z, t * x * z + s * y],
    [t * x * y + s * z, t * y * y + c, t * y * z - s * x],
    [t * x * z - s * y, t * y * z + s * x, t * z * z + c],
  ];
}

/** Of a rotation matrix, by its greatest component. */
function quaternionOf(m: number[][]): number[] {
  const trace = m[0][0] + m[1][1] + m[2][2];
  const squares = [...[0, 1, 2].map((k) => 1 + 2 * m[k][k] - trace), 1 + trace];
  const most = squares.indexOf(Math.max(...squares));
  const root = Math.sqrt(squares[most]);
  const half = 0.5 / root;
  const spin = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]];
  if (most === 3) return [...spin.map((x) => x * half), 0.5 * root];
  const q = [0, 1, 2].map((k) => (k === most ? 0.5 * root : (m[k][most] + m[most][k]) * half));
  return [...q, spin[most] * half];
}
