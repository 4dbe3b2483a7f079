/** Mirror of shaders/planar/closed-form.wgsl: pairs that are decided in one step. */
import {
  PLANAR_FACE_BIAS_ULPS,
  PLANAR_POINT,
  PLANAR_RECTANGLE,
  PLANAR_SEGMENT,
  PLANAR_TIE_ULPS,
  PLANAR_TOUCH_ULPS,
} from '../../generated/constants.ts';
import {
  EPSILON,
  type Vec2,
  addScaled,
  copy,
  directionOf,
  distance as distanceOf,
  dot,
  length,
  leftOf,
  rotate,
  rotateBack,
  scale,
  set,
  subtract,
  vec2,
} from './math.ts';
import { type PlanarCore, type PlanarPair, fromB } from './pair.ts';
import { recorder } from './recorder.ts';
import { sat, satOfEdge, satWitness } from './sat.ts';
import {
  corner,
  cornerA,
  cornerAfter,
  cornerB,
  createCorner,
  createPoint,
  differenceSupport,
  edgeCount,
} from './support.ts';
import { type SatResult, createSatResult } from './sweep.ts';

export interface ClosedForm {
  /** The signed distance of the cores. */
  distance: number;
  /** Unit vector from A to B, in A's frame. */
  normal: Vec2;
  /** The points that are so far apart, in A's frame. */
  onA: Vec2;
  onB: Vec2;
}

export function createClosedForm(): ClosedForm {
  return { distance: 0, normal: vec2(), onA: vec2(), onB: vec2() };
}

export function hasClosedForm(kindA: number, kindB: number): boolean {
  return Math.min(kindA, kindB) === PLANAR_POINT || Math.max(kindA, kindB) === PLANAR_SEGMENT;
}

const point = vec2();

export function areSegments({ coreA, coreB }: PlanarPair): boolean {
  return coreA.kind === PLANAR_SEGMENT && coreB.kind === PLANAR_SEGMENT;
}

/** What the closed form of two segments starts from. Other closed forms don't need it. */
export function satOfSegments(pair: PlanarPair, to: SatResult): SatResult {
  return areSegments(pair) ? sat(pair, to) : to;
}

/** `crossing` is SAT's result for two segments. */
export function closedForm(pair: PlanarPair, crossing: SatResult, to: ClosedForm): ClosedForm {
  closedFormOfKinds(pair, crossing, to);
  if (recorder) recorder.closedForm(pair, { ...to, lower: to.distance, upper: to.distance });
  return to;
}

function closedFormOfKinds(pair: PlanarPair, crossing: SatResult, to: ClosedForm): ClosedForm {
  const { coreA, coreB, rotation, translation } = pair;
  if (coreA.kind === PLANAR_POINT) {
    set(coreA.data[0], coreA.data[1], to.onA);
    nearestOnCore(coreB, rotateBack(rotation, subtract(to.onA, translation, point), point), best);
    to.distance = best.distance;
    scale(rotate(rotation, best.normal, to.normal), -1, to.normal);
    fromB(pair, best.point, to.onB);
    return to;
  }
  if (coreB.kind === PLANAR_POINT) {
    fromB(pair, set(coreB.data[0], coreB.data[1], to.onB), to.onB);
    nearestOnCore(coreA, to.onB, best);
    to.distance = best.distance;
    copy(best.normal, to.normal);
    copy(best.point, to.onA);
    return to;
  }
  return closedSegments(pair, crossing, to);
}

/** The point of a core's boundary that is nearest to another point. */
interface CorePoint {
  /** Signed: negative inside. */
  distance: number;
  /** Unit vector out of the core. */
  normal: Vec2;
  point: Vec2;
}

function createCorePoint(): CorePoint {
  return { distance: 0, normal: vec2(), point: vec2() };
}

const best = createCorePoint();
const over = createCorePoint();
const nearest = createCorePoint();
const from = vec2();

function nearestOnCore(core: PlanarCore, p: Vec2, to: CorePoint): void {
  if (core.kind === PLANAR_POINT) {
    set(core.data[0], core.data[1], to.point);
    away(subtract(p, to.point, from), 1, 0, to);
  } else if (core.kind === PLANAR_RECTANGLE) nearestOnRectangle(core.data, p, to);
  else nearestOnEdges(core, p, to);
}

/** Distance and normal along a vector, or along (x, y) where it is zero. */
function away(vector: Vec2, x: number, y: number, to: CorePoint): void {
  directionOf(vector, set(x, y, to.normal));
  to.distance = dot(to.normal, vector);
}

function nearestOnRectangle(halfExtents: Float64Array, p: Vec2, to: CorePoint): void {
  const hx = halfExtents[0];
  const hy = halfExtents[1];
  const outsideX = Math.abs(p.x) - hx;
  const outsideY = Math.abs(p.y) - hy;
  const signX = p.x < 0 ? -1 : 1;
  const signY = p.y < 0 ? -1 : 1;
  if (Math.min(outsideX, outsideY) > 0) {
    set(hx * signX, hy * signY, to.point);
    away(subtract(p, to.point, from), 1, 0, to);
  } else if (outsideX >= outsideY) {
    to.distance = outsideX;
    set(signX, 0, to.normal);
    set(hx * signX, p.y, to.point);
  } else {
    to.distance = outsideY;
    set(0, signY, to.normal);
    set(p.x, hy * signY, to.point);
  }
}

const ofA = vec2();
const ofB = vec2();
const clamped = vec2();

/** Two rectangles that are apart: a corner of one is nearest, to the point of the other that it is clamped to. */
export function nearestRectangles(pair: PlanarPair, to: ClosedForm): ClosedForm {
  const { coreA, coreB, rotation, translation } = pair;
  let least = Infinity;
  for (let i = 0; i < 4; i++) {
    cornerB(pair, i, ofB);
    subtract(ofB, clampTo(coreA.data, ofB, clamped), from);
    if (dot(from, from) < least) {
      least = dot(from, from);
      copy(from, to.normal);
      copy(clamped, to.onA);
      copy(ofB, to.onB);
    }
    cornerA(pair, i, ofA);
    rotateBack(rotation, subtract(ofA, translation, ofB), ofB);
    subtract(ofB, clampTo(coreB.data, ofB, clamped), from);
    if (dot(from, from) < least) {
      least = dot(from, from);
      scale(rotate(rotation, from, to.normal), -1, to.normal);
      copy(ofA, to.onA);
      fromB(pair, clamped, to.onB);
    }
  }
  directionOf(copy(to.normal, from), set(1, 0, to.normal));
  to.distance = dot(to.normal, subtract(to.onB, to.onA, from));
  return to;
}

/** How far two rectangles are apart along a normal from A to B: a lower bound of their distance. */
export function rectangleSeparation({ coreA, coreB, rotation, translation }: PlanarPair, normal: Vec2): number {
  const inB = rotateBack(rotation, normal, along);
  return (
    dot(normal, translation) -
    (Math.abs(normal.x) * coreA.data[0] + Math.abs(normal.y) * coreA.data[1]) -
    (Math.abs(inB.x) * coreB.data[0] + Math.abs(inB.y) * coreB.data[1])
  );
}

/** The point of a rectangle around the origin nearest to p. */
function clampTo(halfExtents: Float64Array, { x, y }: Vec2, to: Vec2): Vec2 {
  const hx = halfExtents[0];
  const hy = halfExtents[1];
  return set(Math.min(Math.max(x, -hx), hx), Math.min(Math.max(y, -hy), hy), to);
}

const start = createCorner();
const end = createCorner();
const along = vec2();
const span = vec2();

function nearestOnEdges(core: PlanarCore, p: Vec2, to: CorePoint): void {
  const touch = PLANAR_TOUCH_ULPS * EPSILON;
  const slack = PLANAR_TIE_ULPS * EPSILON;
  to.distance = -1e30;
  over.distance = -1e30;
  nearest.distance = 1e30;
  const count = edgeCount(core);
  corner(core, 0, start);
  for (let i = 0; i < count; i++) {
    corner(core, cornerAfter(core, i), end);
    subtract(p, start.position, from);
    const level = dot(start.normal, from);
    if (level > to.distance) setPoint(level, start.normal, p, to);
    leftOf(start.normal, along);
    const footAlong = dot(along, from);
    if (
      footAlong > -slack &&
      footAlong < dot(along, subtract(end.position, start.position, span)) + slack &&
      level > over.distance
    )
      setPoint(level, start.normal, p, over);
    const gap = length(from);
    if (gap < nearest.distance) {
      directionOf(from, copy(start.normal, nearest.normal));
      nearest.distance = gap;
      copy(start.position, nearest.point);
    }
    copy(end.position, start.position);
    copy(end.normal, start.normal);
  }
  if (to.distance < -touch) return;
  if (over.distance >= -touch) copyCorePoint(over, to);
  else if (nearest.distance > touch) copyCorePoint(nearest, to);
}

function setPoint(level: number, normal: Vec2, p: Vec2, to: CorePoint): void {
  to.distance = level;
  copy(normal, to.normal);
  addScaled(p, normal, -level, to.point);
}

function copyCorePoint({ distance, normal, point: at }: CorePoint, to: CorePoint): void {
  to.distance = distance;
  copy(normal, to.normal);
  copy(at, to.point);
}

const edge = createSatResult();
const lowest = createPoint();
const atA = vec2();
const atB = vec2();

function closedSegments(pair: PlanarPair, crossing: SatResult, to: ClosedForm): ClosedForm {
  const touch = PLANAR_TOUCH_ULPS * EPSILON;
  if (crossing.separation < -touch) {
    satWitness(pair, crossing, to.onA, to.onB);
    to.distance = crossing.separation;
    copy(crossing.normal, to.normal);
    return to;
  }
  to.distance = -1e30;
  for (let i = 0; i < 4; i++) {
    satOfEdge(pair, i & 1, i >= 2, edge);
    if (edge.separation <= to.distance + PLANAR_FACE_BIAS_ULPS * EPSILON || satWitness(pair, edge, atA, atB) !== 0)
      continue;
    to.distance = edge.separation;
    copy(edge.normal, to.normal);
    copy(atA, to.onA);
    copy(atB, to.onB);
  }
  if (to.distance >= -touch) return to;
  let least = 1e30;
  for (let i = 0; i < 4; i++) {
    cornerA(pair, i & 1, atA);
    cornerB(pair, i >> 1, atB);
    const gap = distanceOf(atA, atB);
    if (gap >= least) continue;
    least = gap;
    copy(atA, to.onA);
    copy(atB, to.onB);
  }
  copy(crossing.normal, to.normal);
  to.distance = crossing.separation;
  if (least <= touch) return to;
  directionOf(subtract(to.onB, to.onA, from), to.normal);
  if (
    crossing.separation > touch ||
    dot(to.normal, differenceSupport(pair, -to.normal.x, -to.normal.y, lowest).position) > crossing.separation
  ) {
    to.distance = least;
    return to;
  }
  copy(crossing.normal, to.normal);
  satWitness(pair, crossing, to.onA, to.onB);
  return to;
}
