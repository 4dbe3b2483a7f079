/** Mirror of shaders/planar/sat.wgsl: separating axis test of two cores in 2-D. */
import { PLANAR_FACE_BIAS_ULPS, PLANAR_RECTANGLE, PLANAR_TIE_ULPS } from '../../generated/constants.ts';
import {
  EPSILON,
  type Vec2,
  addScaled,
  copy,
  dot,
  leftOf,
  rotate,
  rotateBack,
  scale,
  set,
  subtract,
  vec2,
} from './math.ts';
import { type PlanarPair, fromB } from './pair.ts';
import { recorder } from './recorder.ts';
import { corner, cornerA, cornerAfter, cornerB, cornerBefore, createCorner, edgeCount, support } from './support.ts';
import { type SatResult, createSatResult, sweep, takesSweep } from './sweep.ts';

const edge = createCorner();
const nearest = vec2();
const along = vec2();
const direction = vec2();
const tried = createSatResult();

export function sat(pair: PlanarPair, to: SatResult): SatResult {
  if (recorder) recorder.sat(pair);
  if (takesSweep(pair)) return sweep(pair, to);
  to.separation = -1e30;
  set(1, 0, to.normal);
  for (let i = 0; i < edgeCount(pair.coreA); i++) {
    if (satOfEdge(pair, i, false, tried).separation > to.separation) copyResult(tried, to);
  }
  // Among parallel edges, A's wins.
  let least = to.separation + PLANAR_FACE_BIAS_ULPS * EPSILON;
  for (let i = 0; i < edgeCount(pair.coreB); i++) {
    if (satOfEdge(pair, i, true, tried).separation <= least) continue;
    copyResult(tried, to);
    least = tried.separation;
  }
  return to;
}

/** Along the normal of one edge. */
export function satOfEdge(pair: PlanarPair, number: number, isOfB: boolean, to: SatResult): SatResult {
  const { coreA, coreB, rotation } = pair;
  corner(isOfB ? coreB : coreA, number, edge);
  to.edge = number;
  to.isOfB = isOfB;
  if (isOfB) {
    scale(rotate(rotation, edge.normal, to.normal), -1, to.normal);
    to.corner = support(coreA, to.normal);
    fromB(pair, edge.position, edge.position);
    to.separation = dot(to.normal, subtract(edge.position, cornerA(pair, to.corner, nearest), nearest));
  } else {
    copy(edge.normal, to.normal);
    to.corner = support(coreB, rotateBack(rotation, scale(edge.normal, -1, direction), direction));
    to.separation = dot(to.normal, subtract(cornerB(pair, to.corner, nearest), edge.position, nearest));
  }
  return to;
}

function copyResult(from: SatResult, to: SatResult): void {
  to.separation = from.separation;
  copy(from.normal, to.normal);
  to.edge = from.edge;
  to.corner = from.corner;
  to.isOfB = from.isOfB;
}

const scratch = createSatResult();

/** The separation alone. */
export function satSeparation(pair: PlanarPair): number {
  const { coreA, coreB, rotation, translation } = pair;
  if (coreA.kind !== PLANAR_RECTANGLE || coreB.kind !== PLANAR_RECTANGLE) return sat(pair, scratch).separation;
  if (recorder) recorder.sat(pair);
  const ax = coreA.data[0];
  const ay = coreA.data[1];
  const bx = coreB.data[0];
  const by = coreB.data[1];
  const cosine = Math.abs(rotation.x);
  const sine = Math.abs(rotation.y);
  rotateBack(rotation, translation, direction);
  return Math.max(
    Math.abs(translation.x) - ax - (cosine * bx + sine * by),
    Math.abs(translation.y) - ay - (sine * bx + cosine * by),
    Math.abs(direction.x) - bx - (cosine * ax + sine * ay),
    Math.abs(direction.y) - by - (sine * ax + cosine * ay),
  );
}

const neighbour = vec2();
const end = createCorner();

/**
 * Points of both cores that are the separation apart, if it returns 0: the nearest corner, or what is level with it, is
 * over the edge. Otherwise how far beside it is: positive beyond its end, negative before its start.
 */
export function satWitness(pair: PlanarPair, best: SatResult, onA: Vec2, onB: Vec2): number {
  const own = best.isOfB ? pair.coreB : pair.coreA;
  const other = best.isOfB ? pair.coreA : pair.coreB;
  corner(own, best.edge, edge);
  leftOf(edge.normal, along);
  const edgeLength = dot(
    along,
    subtract(corner(own, cornerAfter(own, best.edge), end).position, edge.position, neighbour),
  );
  over(pair, best, corner(other, best.corner, end).position, nearest);
  subtract(nearest, edge.position, nearest);
  const height = dot(edge.normal, nearest);
  let low = dot(along, nearest);
  let high = low;
  for (let side = 0; side < 2; side++) {
    const number = side === 1 ? cornerBefore(other, best.corner) : cornerAfter(other, best.corner);
    over(pair, best, corner(other, number, end).position, neighbour);
    subtract(neighbour, edge.position, neighbour);
    if (dot(edge.normal, neighbour) > height + PLANAR_TIE_ULPS * EPSILON) continue;
    const at = dot(along, neighbour);
    low = Math.min(low, at);
    high = Math.max(high, at);
  }
  const middle = Math.min(Math.max(0.5 * (Math.max(low, 0) + Math.min(high, edgeLength)), 0), edgeLength);
  addScaled(edge.position, along, middle, nearest);
  addScaled(nearest, edge.normal, height, neighbour);
  if (best.isOfB) {
    fromB(pair, neighbour, onA);
    fromB(pair, nearest, onB);
  } else {
    copy(nearest, onA);
    copy(neighbour, onB);
  }
  const miss = low > edgeLength ? low - edgeLength : Math.min(high, 0);
  return Math.abs(miss) <= PLANAR_TIE_ULPS * EPSILON ? 0 : miss;
}

const next = createSatResult();

/** Witness points of cores that overlap. Sets `best` to the edge that the nearest corner is over. */
export function satDepth(pair: PlanarPair, best: SatResult, onA: Vec2, onB: Vec2): void {
  const own = best.isOfB ? pair.coreB : pair.coreA;
  const least = best.separation - PLANAR_TIE_ULPS * EPSILON;
  const miss = satWitness(pair, best, onA, onB);
  for (let i = 0, rest = miss; i < edgeCount(own) && rest * miss > 0; i++) {
    satOfEdge(pair, miss > 0 ? cornerAfter(own, best.edge) : cornerBefore(own, best.edge), best.isOfB, next);
    if (next.separation < least) return;
    copyResult(next, best);
    rest = satWitness(pair, best, onA, onB);
  }
}

/** A point of the other core in the frame of the one whose edge is meant. */
function over(pair: PlanarPair, best: SatResult, point: Vec2, to: Vec2): Vec2 {
  if (best.isOfB) return rotateBack(pair.rotation, subtract(point, pair.translation, to), to);
  return fromB(pair, point, to);
}
