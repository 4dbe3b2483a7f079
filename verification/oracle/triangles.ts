/**
 * Truth about two triangles by brute force in exact arithmetic: coordinates become integers, and points and squared
 * distances fractions of integers. Segments and points are triangles too. It shares no predicate and no formula with
 * the code that it judges.
 *
 * - Intersection: the corners of either triangle that are in the other, the points where an edge passes through the
 *   other triangle, and those where two edges of one plane cross. The common set is their convex hull.
 * - Distance: corners, feet of corners on edges and planes, and common perpendiculars of edges, wherever the foot is on
 *   the edge or in the triangle.
 */

type Exact = readonly [bigint, bigint, bigint];
type ExactTriangle = readonly [Exact, Exact, Exact];
/** A point with fractions as coordinates. The denominator is positive. */
interface Fractions {
  numerators: Exact;
  denominator: bigint;
}

export interface TriangleOverlap {
  isHit: boolean;
  /** Whether all six corners lie in one plane. */
  isCoplanar: boolean;
  /** 0: no point or one; 1: a segment; 2: an area. */
  dimension: number;
  /** Extreme points of the common set, rounded once, and others: x, y, z each. */
  points: number[][];
}

/** What two triangles of 9 numbers each have in common. */
export function triangleOverlap(a: ArrayLike<number>, b: ArrayLike<number>): TriangleOverlap {
  const { triangles, unit } = toIntegers(a, b);
  const [ta, tb] = triangles;
  const isCoplanar = areCoplanar([...ta, ...tb]);
  const points = [
    ...ta.map(whole).filter((point) => holds(tb, point)),
    ...tb.map(whole).filter((point) => holds(ta, point)),
    ...passages(ta, tb),
    ...passages(tb, ta),
    ...crossings(ta, tb),
  ];
  return {
    isHit: points.length > 0,
    isCoplanar,
    dimension: dimensionOf(points),
    points: points.map(({ numerators, denominator }) => numerators.map((n) => toNumber(n, denominator, unit))),
  };
}

/** What is nearest: of several, the simplest. */
export type NearestFeatures = 'common point' | 'corners' | 'corner and edge' | 'edges' | 'corner and face';

export interface TriangleGap {
  /** Rounded once. */
  distance: number;
  features: NearestFeatures;
}

/** The distance of two triangles of 9 numbers each. */
export function triangleGap(a: ArrayLike<number>, b: ArrayLike<number>): TriangleGap {
  if (triangleOverlap(a, b).isHit) return { distance: 0, features: 'common point' };
  const { triangles, unit } = toIntegers(a, b);
  const [ta, tb] = triangles;
  let least: { numerator: bigint; denominator: bigint; features: NearestFeatures } = {
    numerator: 1n,
    denominator: 0n,
    features: 'corners',
  };
  const offer = (numerator: bigint, denominator: bigint, features: NearestFeatures): void => {
    if (numerator * least.denominator < least.numerator * denominator) least = { numerator, denominator, features };
  };
  for (const p of ta) for (const q of tb) offer(dot(subtract(p, q), subtract(p, q)), 1n, 'corners');
  for (const [t, other] of [[ta, tb] as const, [tb, ta] as const]) {
    const normal = normalOf(t);
    const nn = dot(normal, normal);
    for (const corner of other) {
      for (const [start, end] of edgesOf(t)) {
        const e = subtract(end, start);
        const d = subtract(corner, start);
        const along = dot(d, e);
        const ee = dot(e, e);
        if (along >= 0n && along <= ee && ee > 0n) offer(dot(d, d) * ee - along * along, ee, 'corner and edge');
      }
      if (nn === 0n) continue;
      const height = dot(subtract(corner, t[0]), normal);
      const foot = corner.map((x, k) => x * nn - normal[k] * height) as unknown as Exact;
      if (holds(t, { numerators: foot, denominator: nn })) offer(height * height, nn, 'corner and face');
    }
  }
  for (const [startA, endA] of edgesOf(ta)) {
    for (const [startB, endB] of edgesOf(tb)) {
      const u = subtract(endA, startA);
      const v = subtract(endB, startB);
      const r = subtract(startB, startA);
      const n = cross(u, v);
      const nn = dot(n, n);
      const s = dot(cross(r, v), n);
      const t = dot(cross(r, u), n);
      if (nn > 0n && s >= 0n && s <= nn && t >= 0n && t <= nn) offer(dot(r, n) ** 2n, nn, 'edges');
    }
  }
  return { distance: squareRoot(least.numerator, least.denominator) * unit, features: least.features };
}

/** All coordinates as multiples of one power of two, the unit. */
function toIntegers(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
): { triangles: [ExactTriangle, ExactTriangle]; unit: number } {
  const parts = [...Array.from(a), ...Array.from(b)].map(mantissaOf);
  const least = Math.min(...parts.filter(({ mantissa }) => mantissa !== 0n).map(({ exponent }) => exponent));
  const lowest = Number.isFinite(least) ? least : 0;
  const integers = parts.map(({ mantissa, exponent }) =>
    mantissa === 0n ? 0n : mantissa << BigInt(exponent - lowest),
  );
  const corner = (i: number): Exact => [integers[i], integers[i + 1], integers[i + 2]];
  return {
    triangles: [
      [corner(0), corner(3), corner(6)],
      [corner(9), corner(12), corner(15)],
    ],
    unit: 2 ** lowest,
  };
}

const double = new Float64Array(1);
const bits = new BigUint64Array(double.buffer);

/** x as mantissa · 2^exponent with an odd mantissa. */
function mantissaOf(x: number): { mantissa: bigint; exponent: number } {
  if (!Number.isFinite(x)) throw new Error(`a coordinate is ${x}, expected a finite number`);
  if (x === 0) return { mantissa: 0n, exponent: 0 };
  double[0] = Math.abs(x);
  const biased = Number(bits[0] >> 52n);
  let mantissa = (bits[0] & 0xfffffffffffffn) + (biased > 0 ? 1n << 52n : 0n);
  let exponent = Math.max(biased, 1) - 1075;
  while ((mantissa & 1n) === 0n) {
    mantissa >>= 1n;
    exponent++;
  }
  return { mantissa: x < 0 ? -mantissa : mantissa, exponent };
}

function subtract(p: Exact, q: Exact): Exact {
  return [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
}

function dot(u: Exact, v: Exact): bigint {
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

function cross(u: Exact, v: Exact): Exact {
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}

function isZero(v: Exact): boolean {
  return v[0] === 0n && v[1] === 0n && v[2] === 0n;
}

function normalOf([p, q, r]: ExactTriangle): Exact {
  return cross(subtract(q, p), subtract(r, p));
}

function edgesOf([p, q, r]: ExactTriangle): (readonly [Exact, Exact])[] {
  return [
    [p, q],
    [q, r],
    [r, p],
  ];
}

function whole(point: Exact): Fractions {
  return { numerators: point, denominator: 1n };
}

/** The vector from an integer point to one of fractions, times the latter's denominator. */
function towards(from: Exact, { numerators, denominator }: Fractions): Exact {
  return [
    numerators[0] - from[0] * denominator,
    numerators[1] - from[1] * denominator,
    numerators[2] - from[2] * denominator,
  ];
}

/** Whether a closed triangle holds a point. */
function holds(t: ExactTriangle, point: Fractions): boolean {
  const normal = normalOf(t);
  if (isZero(normal)) return edgesOf(t).some(([start, end]) => isOnSegment(start, end, point));
  if (dot(normal, towards(t[0], point)) !== 0n) return false;
  return edgesOf(t).every(([start, end]) => dot(normal, cross(subtract(end, start), towards(start, point))) >= 0n);
}

function isOnSegment(start: Exact, end: Exact, point: Fractions): boolean {
  const e = subtract(end, start);
  const d = towards(start, point);
  const along = dot(e, d);
  return isZero(cross(e, d)) && along >= 0n && along <= dot(e, e) * point.denominator && (!isZero(e) || isZero(d));
}

/** The points where edges of `t` pass from one side of another triangle to the other, inside it. */
function passages(t: ExactTriangle, other: ExactTriangle): Fractions[] {
  const normal = normalOf(other);
  return edgesOf(t).flatMap(([start, end]) => {
    const from = dot(normal, subtract(start, other[0]));
    const to = dot(normal, subtract(end, other[0]));
    if (from === 0n || to === 0n || from > 0n === to > 0n) return [];
    const point = between(start, end, from < 0n ? -from : from, to < 0n ? -to : to);
    return holds(other, point) ? [point] : [];
  });
}

/** The points where edges of one plane, but not of one line, cross or touch. */
function crossings(ta: ExactTriangle, tb: ExactTriangle): Fractions[] {
  return edgesOf(ta).flatMap(([startA, endA]) =>
    edgesOf(tb).flatMap(([startB, endB]) => {
      const u = subtract(endA, startA);
      const v = subtract(endB, startB);
      const r = subtract(startB, startA);
      const n = cross(u, v);
      const nn = dot(n, n);
      if (nn === 0n || dot(n, r) !== 0n) return [];
      const s = dot(cross(r, v), n);
      const t = dot(cross(r, u), n);
      if (s < 0n || s > nn || t < 0n || t > nn) return [];
      return [between(startA, endA, s, nn - s)];
    }),
  );
}

/** The point between two whose distances from them are as `from` to `to`. */
function between(start: Exact, end: Exact, from: bigint, to: bigint): Fractions {
  const numerators = [0, 1, 2].map((k) => start[k] * to + end[k] * from) as unknown as Exact;
  return { numerators, denominator: from + to };
}

function areCoplanar(points: readonly Exact[]): boolean {
  return dimensionOf(points.map(whole)) <= 2;
}

/** Of the hull of points: 0 to 3. */
function dimensionOf(points: readonly Fractions[]): number {
  if (points.length === 0) return 0;
  // As seen from the first, all over one denominator each: only directions count.
  const [{ numerators, denominator }] = points;
  const directions = points
    .map((point) => [0, 1, 2].map((k) => point.numerators[k] * denominator - numerators[k] * point.denominator))
    .map((v) => v as unknown as Exact);
  const u = directions.find((v) => !isZero(v));
  if (!u) return 0;
  const n = directions.map((v) => cross(u, v)).find((w) => !isZero(w));
  if (!n) return 1;
  return directions.some((v) => dot(n, v) !== 0n) ? 3 : 2;
}

/** numerator / denominator · unit, rounded to about an ulp. */
function toNumber(numerator: bigint, denominator: bigint, unit: number): number {
  const size = numerator < 0n ? -numerator : numerator;
  const shift = Math.max(0, 64 - bitLength(size) + bitLength(denominator));
  const quotient = Number((size << BigInt(shift)) / denominator);
  return (numerator < 0n ? -quotient : quotient) * 2 ** -shift * unit;
}

/** The square root of a fraction, rounded to about an ulp. */
function squareRoot(numerator: bigint, denominator: bigint): number {
  const shift = Math.max(0, 128 - bitLength(numerator) + bitLength(denominator)) & ~1;
  const square = (numerator << BigInt(shift)) / denominator;
  let root = 1n << BigInt((bitLength(square) + 1) >> 1);
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) break;
    root = next;
  }
  return Number(root) * 2 ** (-shift / 2);
}

function bitLength(x: bigint): number {
  return x.toString(16).length * 4;
}
