/** Mirror of shaders/planar/sweep.wgsl: separating axis test of two polygons in one round. */
import { PLANAR_FACE_BIAS_ULPS } from '../../generated/constants.ts';
import { EPSILON, type Vec2, cross2, dot, rotate, rotateBack, set, subtract, vec2 } from './math.ts';
import { type PlanarCore, type PlanarPair, fromB } from './pair.ts';
import { type Corner, corner, cornerAfter, createCorner, edgeCount } from './support.ts';

export interface SatResult {
  separation: number;
  /** Unit vector from A to B, in A's frame. */
  normal: Vec2;
  /** The edge whose normal that is, and the other core's corner that is nearest to it. */
  edge: number;
  corner: number;
  isOfB: boolean;
}

export function createSatResult(): SatResult {
  return { separation: 0, normal: vec2(), edge: 0, corner: 0, isOfB: false };
}

export function takesSweep({ coreA, coreB }: PlanarPair): boolean {
  return coreA.shape.hasWideAngles && coreB.shape.hasWideAngles;
}

/** Brings a corner of B and the normal of the edge that starts there into A's frame. */
function inFrameOfA(pair: PlanarPair, found: Corner): void {
  fromB(pair, found.position, found.position);
  rotate(pair.rotation, found.normal, found.normal);
}

const tried = createCorner();

/** The edge of a core whose normal is the first from a unit vector on, counter-clockwise. */
function firstEdge(core: PlanarCore, direction: Vec2): number {
  const count = edgeCount(core);
  let first = 0;
  let most = -Infinity;
  let before = turnTo(direction, corner(core, count - 1, tried).normal);
  for (let i = 0; i < count; i++) {
    const turn = turnTo(direction, corner(core, i, tried).normal);
    if (before - turn > most) {
      most = before - turn;
      first = i;
    }
    before = turn;
  }
  return first;
}

/** In the order of the angle from one unit vector to another, counter-clockwise: from 0 to 4 for a whole turn. */
function turnTo(start: Vec2, end: Vec2): number {
  const along = dot(start, end);
  return cross2(start, end) >= 0 ? 1 - along : 3 + along;
}

const atA = createCorner();
const atB = createCorner();
const across = vec2();
const turned = vec2();

export function sweep(pair: PlanarPair, to: SatResult): SatResult {
  const { coreA, coreB, rotation } = pair;
  const bias = PLANAR_FACE_BIAS_ULPS * EPSILON;
  const countA = edgeCount(coreA);
  const countB = edgeCount(coreB);
  to.separation = -1e30;
  // The greatest separation so far, of A's edges with the advantage that they have over B's parallel ones.
  let most = -1e30;
  let numberA = 0;
  corner(coreA, 0, atA);
  let numberB = firstEdge(coreB, rotateBack(rotation, set(-atA.normal.x, -atA.normal.y, turned), turned));
  inFrameOfA(pair, corner(coreB, numberB, atB));
  let doneA = 0;
  let doneB = 0;
  for (let i = 0; i < countA + countB; i++) {
    // Whether A's edge, turned about, comes before B's.
    const isOfA = doneB === countB || (doneA < countA && cross2(atA.normal, atB.normal) <= 0);
    subtract(atB.position, atA.position, across);
    const separation = isOfA ? dot(atA.normal, across) : -dot(atB.normal, across);
    const value = separation + (isOfA ? bias : 0);
    if (value > most) {
      most = value;
      to.separation = separation;
      if (isOfA) set(atA.normal.x, atA.normal.y, to.normal);
      else set(-atB.normal.x, -atB.normal.y, to.normal);
      to.edge = isOfA ? numberA : numberB;
      to.corner = isOfA ? numberB : numberA;
      to.isOfB = !isOfA;
    }
    if (isOfA) {
      numberA = cornerAfter(coreA, numberA);
      corner(coreA, numberA, atA);
      doneA++;
    } else {
      numberB = cornerAfter(coreB, numberB);
      inFrameOfA(pair, corner(coreB, numberB, atB));
      doneB++;
    }
  }
  return to;
}
