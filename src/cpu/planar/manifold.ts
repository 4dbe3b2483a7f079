/** Mirror of shaders/planar/manifold.wgsl: one or two points that a contact in 2-D is held by. */
import {
  FEATURE_VERTEX,
  MANIFOLD_DEPTH_ULPS,
  MANIFOLD_EDGE_COSINE,
  MANIFOLD_INSIDE_ULPS,
  MANIFOLD_LEAST_COSINE,
  MANIFOLD_SAME_ULPS,
  MANIFOLD_TIE_ULPS,
  PLANAR_NAME_SHARE,
  PLANAR_POINT,
} from '../../generated/constants.ts';
import {
  EPSILON,
  type Vec2,
  addScaled,
  copy,
  distance as distanceOf,
  dot,
  leftOf,
  rotateBack,
  scale,
  set,
  subtract,
  vec2,
} from './math.ts';
import { type PlanarCore, type PlanarPair, fromB } from './pair.ts';
import type { Answer } from './queries/signed-distance.ts';
import { recorder } from './recorder.ts';
import { corner, cornerAfter, cornerBefore, createCorner, pointNumber } from './support.ts';

export interface ManifoldPoint {
  /** On A's surface, in A's frame. */
  position: Vec2;
  distance: number;
  feature: number;
}

export interface ManifoldPoints {
  count: number;
  first: ManifoldPoint;
  second: ManifoldPoint;
}

export function createManifoldPoints(): ManifoldPoints {
  return { count: 0, first: createManifoldPoint(), second: createManifoldPoint() };
}

function createManifoldPoint(): ManifoldPoint {
  return { position: vec2(), distance: 0, feature: 0 };
}

/**
 * What a shape touches with: an edge, or a corner, which is an edge without length. In the body's frame, on the rounded
 * surface.
 */
interface ContactEdge {
  start: Vec2;
  end: Vec2;
  startNumber: number;
  endNumber: number;
}

function createContactEdge(): ContactEdge {
  return { start: vec2(), end: vec2(), startNumber: 0, endNumber: 0 };
}

/** In ulps of f32, unlike the other tolerances: testers give points in f32, where nearer points would be the same. */
const SAME = MANIFOLD_SAME_ULPS * 2 ** -23;

const tip = createCorner();
const previous = createCorner();
const after = createCorner();

/** `direction` is towards the other shape, `nearest` the corner farthest along it. */
function contactEdge(core: PlanarCore, radius: number, direction: Vec2, nearest: number, to: ContactEdge): void {
  corner(core, nearest, tip);
  const number = pointNumber(core, nearest);
  const before = cornerBefore(core, nearest);
  corner(core, before, previous);
  const isBefore = dot(previous.normal, direction) > dot(tip.normal, direction);
  const normal = isBefore ? previous.normal : tip.normal;
  const least = radius > 0 ? MANIFOLD_EDGE_COSINE : MANIFOLD_LEAST_COSINE;
  to.startNumber = to.endNumber = number;
  if (core.kind === PLANAR_POINT || dot(normal, direction) < least) {
    addScaled(tip.position, direction, radius, to.start);
    copy(to.start, to.end);
  } else if (isBefore) {
    addScaled(previous.position, normal, radius, to.start);
    addScaled(tip.position, normal, radius, to.end);
    to.startNumber = pointNumber(core, before);
  } else {
    const next = cornerAfter(core, nearest);
    addScaled(tip.position, normal, radius, to.start);
    addScaled(corner(core, next, after).position, normal, radius, to.end);
    to.endNumber = pointNumber(core, next);
  }
}

const a = createContactEdge();
const b = createContactEdge();
const tangent = vec2();
const backward = vec2();
const a0 = vec2();
const a1 = vec2();
const b0 = vec2();
const b1 = vec2();
/** The stretch along the tangent that the edges share, and how near its ends a corner gives its name. */
const stretch = { low: 0, high: 0, band: 0 };
const atLow = createManifoldPoint();
const atHigh = createManifoldPoint();

/** `onA` is the point of the contact on A's surface, in A's frame. */
export function manifold(
  pair: PlanarPair,
  contact: Answer,
  onA: Vec2,
  margin: number,
  to: ManifoldPoints,
): ManifoldPoints {
  const { normal } = contact;
  contactEdge(pair.coreA, pair.radiusA, normal, contact.cornerA, a);
  contactEdge(
    pair.coreB,
    pair.radiusB,
    rotateBack(pair.rotation, scale(normal, -1, backward), backward),
    contact.cornerB,
    b,
  );
  leftOf(normal, tangent);
  seenFrom(onA, normal, a.start, a0);
  seenFrom(onA, normal, a.end, a1);
  seenFrom(onA, normal, fromB(pair, b.end, b0), b0);
  seenFrom(onA, normal, fromB(pair, b.start, b1), b1);
  stretch.low = Math.max(a0.x, b0.x);
  stretch.high = Math.min(a1.x, b1.x);
  stretch.band = PLANAR_NAME_SHARE * Math.min(distanceOf(a.end, a.start), distanceOf(b.end, b.start));
  to.count = 1;
  copy(onA, to.first.position);
  to.first.distance = contact.lower;
  to.first.feature = nameOfOne(pair);
  const isClipped = stretch.high - stretch.low > SAME;
  if (isClipped) clip(stretch, contact, onA, margin, to);
  if (recorder) {
    const chosen = [to.first, to.second].slice(0, to.count);
    recorder.manifold(pair, [a0, a1], [b0, b1], isClipped ? [atLow, atHigh] : [], chosen, (point) =>
      seenFrom(onA, normal, point, vec2()),
    );
  }
  return to;
}

/** The points over both ends of the stretch that the edges share, or the contact's own and one of these. */
function clip(
  { low, high, band }: typeof stretch,
  { normal, lower: distance }: Answer,
  onA: Vec2,
  margin: number,
  to: ManifoldPoints,
): void {
  place(onA, normal, low, nameOf(a.startNumber, Math.abs(low - a0.x) <= band, b.endNumber), atLow);
  place(onA, normal, high, nameOf(a.endNumber, Math.abs(a1.x - high) <= band, b.startNumber), atHigh);
  const isHighFirst = atHigh.distance < atLow.distance - MANIFOLD_TIE_ULPS * EPSILON;
  const deeper = isHighFirst ? atHigh : atLow;
  const other = isHighFirst ? atLow : atHigh;
  const farthest = margin + MANIFOLD_INSIDE_ULPS * EPSILON;
  if (deeper.distance > distance + MANIFOLD_DEPTH_ULPS * EPSILON) {
    const isLowNear = Math.abs(low) < Math.abs(high);
    const far = isLowNear ? atHigh : atLow;
    to.first.feature = isLowNear ? atLow.feature : atHigh.feature;
    if (far.distance <= farthest) addSecond(far, to);
    return;
  }
  copyPoint(deeper, to.first);
  if (other.distance <= farthest) addSecond(other, to);
}

function addSecond(point: ManifoldPoint, to: ManifoldPoints): void {
  copyPoint(point, to.second);
  to.count = 2;
}

function copyPoint(from: ManifoldPoint, to: ManifoldPoint): void {
  copy(from.position, to.position);
  to.distance = from.distance;
  to.feature = from.feature;
}

/** The point over x of the stretch. */
function place(onA: Vec2, normal: Vec2, x: number, name: number, to: ManifoldPoint): void {
  const height = heightAt(a0, a1, x);
  addScaled(addScaled(onA, tangent, x, to.position), normal, height, to.position);
  to.distance = heightAt(b0, b1, x) - height;
  to.feature = name;
}

const seen = vec2();

function seenFrom(origin: Vec2, normal: Vec2, point: Vec2, to: Vec2): Vec2 {
  subtract(point, origin, seen);
  return set(dot(tangent, seen), dot(normal, seen), to);
}

function heightAt(start: Vec2, end: Vec2, x: number): number {
  const share = Math.min(Math.max((x - start.x) / Math.max(end.x - start.x, 1e-300), 0), 1);
  return start.y + (end.y - start.y) * share;
}

function nameOf(numberOfA: number, isOfA: boolean, numberOfB: number): number {
  return (FEATURE_VERTEX | (isOfA ? numberOfA : numberOfB | (1 << 29))) >>> 0;
}

/**
 * The name of a single point: that of the corner there, or of A's corner if both have one there. A round shape has one
 * name wherever it rolls.
 */
function nameOfOne({ coreA, coreB }: PlanarPair): number {
  const isAtStart = a0.x >= b0.x - SAME;
  const isOfA = coreA.kind === PLANAR_POINT || (coreB.kind !== PLANAR_POINT && (isAtStart || a1.x <= b1.x + SAME));
  return nameOf(isAtStart ? a.startNumber : a.endNumber, isOfA, b.startNumber);
}
