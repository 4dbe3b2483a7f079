/** Mirror of shaders/planar/simplex.wgsl: the point of a simplex in 2-D nearest to the origin. */
import { INSIDE_SLACK_ULPS, PLANAR_FLAT_ULPS } from '../../generated/constants.ts';
import { EPSILON, type Vec2, copy, cross2, dot, leftOf, length, scale, subtract, vec2 } from './math.ts';
import { type Point, copyPoint, createPoint } from './support.ts';

export interface Simplex {
  a: Point;
  b: Point;
  c: Point;
  /** The weight of a in the nearest point; b has the rest. */
  weight: number;
  count: number;
}

export function createSimplex(): Simplex {
  return { a: createPoint(), b: createPoint(), c: createPoint(), weight: 1, count: 0 };
}

export function copySimplex(from: Simplex, to: Simplex): void {
  copyPoint(from.a, to.a);
  copyPoint(from.b, to.b);
  copyPoint(from.c, to.c);
  to.weight = from.weight;
  to.count = from.count;
}

export interface SimplexStep {
  /** Length of the nearest point's vector, and its direction, which of an edge is the edge's normal. */
  distance: number;
  direction: Vec2;
  encloses: boolean;
}

export function createSimplexStep(): SimplexStep {
  return { distance: 0, direction: vec2(), encloses: false };
}

interface EdgePoint {
  distance: number;
  direction: Vec2;
  /** The weight of the older corner: 0 or 1 if a corner is nearest. */
  weight: number;
  along: Vec2;
}

function createEdgePoint(): EdgePoint {
  return { distance: 0, direction: vec2(), weight: 0, along: vec2() };
}

const across = vec2();

function nearestOnEdge(newest: Vec2, older: Vec2, to: EdgePoint): EdgePoint {
  const { along, direction } = to;
  const size = length(subtract(older, newest, along));
  scale(along, 1 / Math.max(size, 1e-300), along);
  const foot = -dot(newest, along);
  const slack = INSIDE_SLACK_ULPS * EPSILON;
  if (size > 0 && foot > -slack && foot < size + slack) {
    const level = dot(newest, leftOf(along, across));
    to.weight = Math.min(Math.max(foot / size, EPSILON), 1 - EPSILON);
    to.distance = Math.abs(level);
    scale(across, level < 0 ? -1 : 1, direction);
    return to;
  }
  const isOlder = foot > 0.5 * size;
  copy(isOlder ? older : newest, direction);
  to.distance = length(direction);
  scale(direction, 1 / Math.max(to.distance, 1e-300), direction);
  to.weight = isOlder ? 1 : 0;
  return to;
}

const rise = vec2();

function isBelow({ along }: EdgePoint, newest: Vec2, third: Vec2): boolean {
  const level = -cross2(along, newest);
  const height = cross2(along, subtract(third, newest, rise));
  return Math.abs(height) > PLANAR_FLAT_ULPS * EPSILON && level * height > 0;
}

const toA = createEdgePoint();
const toB = createEdgePoint();

/** Makes the simplex the smallest that holds the nearest point, unless it encloses the origin. */
export function nearestOnSimplex(s: Simplex, to: SimplexStep): SimplexStep {
  const { a, b, c } = s;
  to.encloses = false;
  if (s.count === 2) return stepTo(s, a, b, nearestOnEdge(b.position, a.position, toA), to);
  nearestOnEdge(c.position, a.position, toA);
  nearestOnEdge(c.position, b.position, toB);
  if (isBelow(toA, c.position, b.position) && isBelow(toB, c.position, a.position)) {
    to.encloses = true;
    to.distance = 0;
    return to;
  }
  return toB.distance < toA.distance ? stepTo(s, b, c, toB, to) : stepTo(s, a, c, toA, to);
}

function stepTo(
  s: Simplex,
  older: Point,
  newest: Point,
  { distance, direction, weight }: EdgePoint,
  to: SimplexStep,
): SimplexStep {
  to.distance = distance;
  copy(direction, to.direction);
  copyPoint(weight === 0 ? newest : older, s.a);
  copyPoint(newest, s.b);
  const isCorner = weight === 0 || weight === 1;
  s.weight = isCorner ? 1 : weight;
  s.count = isCorner ? 1 : 2;
  return to;
}

/** Makes a point the newest. */
export function append(s: Simplex, point: Point): void {
  copyPoint(point, s.count === 1 ? s.b : s.c);
  s.count++;
}
