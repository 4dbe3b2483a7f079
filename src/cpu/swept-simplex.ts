/**
 * Mirror of shaders/swept-simplex.wgsl: a tetrahedron of points of the swept difference around the origin, for velocity
 * EPA to expand.
 */
import {
  FLAT_ULPS,
  GJK_NEARBY,
  SWEPT_ENCLOSED,
  SWEPT_ENCLOSING,
  SWEPT_OUTSIDE,
  SWEPT_SIDING,
  SWEPT_SPREADING,
  SWEPT_UNDECIDED,
} from '../generated/constants.ts';
import { EPSILON, type Vec3, addScaled, copy, cross, dot, length, perpendicular, scale, set, vec3 } from './math.ts';
import type { Pair } from './pair.ts';
import { type Simplex, append, createSimplex, nearestOnSimplex } from './simplex.ts';
import { type Point, createPoint, differenceSupport } from './support.ts';
import { createTriangleFrame, triangleFrame } from './triangle.ts';

export interface SweptSimplex {
  /** One of the `SWEPT_` states. */
  state: number;
  simplex: Simplex;
  /**
   * `SWEPT_ENCLOSING`: the simplex's distance from the origin, and the unit vector from there to it. `SWEPT_SIDING`:
   * the triangle's normal.
   */
  distance: number;
  normal: Vec3;
  /**
   * `SWEPT_SPREADING`, `SWEPT_SIDING`: number of directions tried, the farthest point found, and its distance.
   * `SWEPT_SIDING`: the nearer side's distance, too.
   */
  step: number;
  chosen: Point;
  farthest: number;
  nearer: number;
}

export function createSweptSimplex(): SweptSimplex {
  return {
    state: SWEPT_ENCLOSING,
    simplex: createSimplex(),
    distance: 0,
    normal: vec3(),
    step: 0,
    chosen: createPoint(),
    farthest: 0,
    nearer: 0,
  };
}

/** Changes places with a search's simplex when it becomes that. */
let reduced = createSimplex();
const nearest = vec3();
const line = vec3();
const across = vec3();
const offset = vec3();
const frame = createTriangleFrame();

/** `direction` is the unit vector along which B moves. */
export function startSimplex(direction: Vec3, search: SweptSimplex): void {
  search.state = SWEPT_ENCLOSING;
  search.simplex.count = 0;
  search.distance = Infinity;
  scale(direction, -1, search.normal);
  search.step = 0;
  search.farthest = 0;
  search.nearer = Infinity;
}

/** Writes the point of the swept difference that is farthest along a unit vector. */
export function sweptSupport(
  pair: Pair,
  normal: Vec3,
  direction: Vec3,
  travel: number,
  targetDistance: number,
  to: Point,
): void {
  differenceSupport(pair, normal, to);
  addScaled(to.position, normal, targetDistance, to.position);
  if (dot(normal, direction) > 0) addScaled(to.position, direction, travel, to.position);
}

/** Writes the unit normal of the next support: the caller adds the point that is farthest against this normal. */
export function nextNormal(search: SweptSimplex, to: Vec3): void {
  if (search.state === SWEPT_SPREADING) scale(spreadDirection(search.simplex, search.step, to), -1, to);
  else if (search.state === SWEPT_SIDING && search.step === 0) scale(search.normal, -1, to);
  else copy(search.normal, to);
}

/** `height`: of the point, along `nextNormal`. `isLast`: this is the last step of GJK. */
export function addPoint(
  search: SweptSimplex,
  point: Point,
  height: number,
  touch: number,
  touchTolerance: number,
  isLast: boolean,
): void {
  if (search.state === SWEPT_ENCLOSING) enclose(search, point, height, touch, isLast);
  else if (search.state === SWEPT_SPREADING) spread(search, point);
  else side(search, point, height, touchTolerance);
}

/** A step of GJK. Origins nearer to the simplex than `touch` lie on it. */
function enclose(search: SweptSimplex, point: Point, height: number, touch: number, isLast: boolean): void {
  if (height > 0) {
    search.state = SWEPT_OUTSIDE;
    return;
  }
  const { simplex } = search;
  append(simplex, point);
  if (nearestOnSimplex(simplex, nearest, reduced)) {
    search.state = SWEPT_ENCLOSED;
    return;
  }
  search.simplex = reduced;
  reduced = simplex;
  const last = search.distance;
  const distance = length(nearest);
  search.distance = distance;
  if (distance <= touch || (distance >= last && distance <= GJK_NEARBY)) {
    // To rounding, the origin lies on the simplex. It may still be anywhere in the swept difference.
    search.state = SWEPT_SPREADING;
    if (search.simplex.count === 3) startSiding(search);
  } else if (distance >= last || isLast) {
    search.state = SWEPT_UNDECIDED;
  } else {
    scale(nearest, 1 / distance, search.normal);
  }
}

/** Adds the farthest of the points in several directions, until the simplex is a triangle. */
function spread(search: SweptSimplex, point: Point): void {
  const size = sizeBeside(search.simplex, point.position);
  if (size > search.farthest) {
    search.farthest = size;
    copyPoint(point, search.chosen);
  }
  search.step++;
  // Around a line, four directions are all that there are; the kernel looks in the first two again.
  if (search.step < (search.simplex.count === 2 ? 4 : 6)) return;
  search.step = 0;
  if (search.farthest <= FLAT_ULPS * EPSILON) {
    search.state = SWEPT_OUTSIDE;
    return;
  }
  search.farthest = 0;
  append(search.simplex, search.chosen);
  if (search.simplex.count === 3) startSiding(search);
}

function startSiding(search: SweptSimplex): void {
  const { hasInside, normal } = triangleFrame(search.simplex.positions, 0, 3, 6, frame);
  copy(normal, search.normal);
  search.state = hasInside ? SWEPT_SIDING : SWEPT_OUTSIDE;
}

/** Looks on both sides of the triangle. The farther point makes it a tetrahedron. */
function side(search: SweptSimplex, point: Point, height: number, touchTolerance: number): void {
  search.nearer = Math.min(search.nearer, -height);
  if (search.step === 0 || -height >= search.farthest) {
    search.farthest = -height;
    copyPoint(point, search.chosen);
  }
  search.step++;
  if (search.step < 2) return;
  search.state = search.nearer <= touchTolerance ? SWEPT_OUTSIDE : SWEPT_ENCLOSED;
  append(search.simplex, search.chosen);
}

/** Writes a direction to look in: from a point along three axes, from a segment perpendicular to it. */
function spreadDirection({ count, positions }: Simplex, step: number, to: Vec3): Vec3 {
  const axis = step >> 1;
  const sign = step & 1 ? -1 : 1;
  if (count < 2) return set(axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0, to);
  lineOf(positions, line);
  perpendicular(line, across);
  return scale(axis === 1 ? cross(line, across, to) : across, sign, to);
}

/** Distance of a point from a simplex of one point, or from the line through a simplex of two. */
function sizeBeside({ count, positions }: Simplex, { x, y, z }: Vec3): number {
  set(x - positions[0], y - positions[1], z - positions[2], offset);
  if (count === 2) {
    lineOf(positions, line);
    addScaled(offset, line, -dot(offset, line), offset);
  }
  return length(offset);
}

/** Writes the unit vector from the first of two points to the other. */
function lineOf(positions: Float64Array, to: Vec3): void {
  set(positions[3] - positions[0], positions[4] - positions[1], positions[5] - positions[2], to);
  scale(to, 1 / Math.max(length(to), 1e-300), to);
}

function copyPoint({ position, idA, idB }: Point, to: Point): void {
  copy(position, to.position);
  to.idA = idA;
  to.idB = idB;
}
