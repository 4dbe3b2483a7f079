/** Mirror of shaders/planar/impact-normal.wgsl: the normal of an impact in 2-D. */
import {
  MOTION_LEAST_CLOSING_ULPS,
  MOTION_LEAST_VECTOR,
  MOTION_OPPOSITE,
  MOTION_SHALLOW,
  MOTION_TOUCH_ULPS,
  PLANAR_IMPACT_NORMAL_BIAS_ULPS,
  PLANAR_NO_CLOSING,
  PLANAR_OWNER_A,
  PLANAR_OWNER_B,
  PLANAR_OWNER_NONE,
  PLANAR_OWN_CANDIDATES,
} from '../../generated/constants.ts';
import { EPSILON, type Vec2, copy, cross2, dot, rotate, rotateBack, scale, set, subtract, vec2 } from './math.ts';
import type { PlanarCore, PlanarPair } from './pair.ts';
import {
  corner,
  cornerAfter,
  cornerBefore,
  createCorner,
  createPoint,
  differenceSupport,
  edgeCount,
} from './support.ts';

/** The result of a search for cores that touch. */
export interface Touch {
  /** Unit vector from A to B that separates them, to what the search found. */
  normal: Vec2;
  /** Unit vector from A's point to B's, and their distance. */
  direction: Vec2;
  distance: number;
  /** Their points, in A's frame. */
  onA: Vec2;
  onB: Vec2;
  /** A corner on each that is next to its point. */
  a: number;
  b: number;
  /** The bodies were apart before. */
  wereApart: boolean;
}

export function createTouch(): Touch {
  return { normal: vec2(), direction: vec2(), distance: 0, onA: vec2(), onB: vec2(), a: 0, b: 0, wereApart: false };
}

export interface ImpactNormal {
  normal: Vec2;
  /** The rate at which B closes in along it, per length of its translation. */
  closing: number;
  /** Whether the bodies overlap along it by no more than the touch tolerance. */
  isPassing: boolean;
}

const best: ImpactNormal = { normal: vec2(), closing: 0, isPassing: false };
const local = vec2();
const candidate = vec2();
const directionInWorld = vec2();
const inWorld = vec2();
const edge = createCorner();
const lowest = createPoint();
const edgesA = { first: 0, count: 0 };
const edgesB = { first: 0, count: 0 };

/**
 * Chooses, of the normals that separate the cores by `targetDistance` to within `touchTolerance`, the one along which
 * B, moving along `direction`, closes in the slowest. `rest`: how far B moves from here. The next call overwrites the result.
 */
export function impactNormal(
  pair: PlanarPair,
  direction: Vec2,
  rest: number,
  targetDistance: number,
  touchTolerance: number,
  found: Touch,
): ImpactNormal {
  const { coreA, coreB, rotation, rotationA, translation } = pair;
  copy(found.normal, best.normal);
  best.closing = PLANAR_NO_CLOSING;
  best.isPassing = false;
  edgesNear(coreA, found.onA, found.a, 2 * touchTolerance, edgesA);
  edgesNear(
    coreB,
    rotateBack(rotation, subtract(found.onB, translation, local), local),
    found.b,
    2 * touchTolerance,
    edgesB,
  );
  const shallow = MOTION_SHALLOW * touchTolerance;
  rotate(rotationA, direction, directionInWorld);
  const firstOfB = PLANAR_OWN_CANDIDATES + edgesA.count;
  let number = edgesA.first;
  let bestOwner = PLANAR_OWNER_NONE;
  const last = firstOfB + edgesB.count;
  // A segment that a point crosses is apart from it along itself.
  const isFlat = targetDistance <= touchTolerance && edgeCount(coreA) <= 2 && edgeCount(coreB) <= 2;
  const hasPoint = edgeCount(coreA) === 0 || edgeCount(coreB) === 0;
  for (let i = 0; i <= last; i++) {
    let owner = PLANAR_OWNER_NONE;
    if (i === 0) {
      copy(found.normal, candidate);
    } else if (i === 1) {
      // The direction of a short vector is mostly rounding.
      if (found.distance < MOTION_LEAST_VECTOR) continue;
      copy(found.direction, candidate);
    } else if (i === last) {
      // A ray or ball that only touches a round body has no other candidate exactly across its way. Other bodies are held up by
      // what they slide over.
      if (isFlat || !hasPoint || best.closing <= 0) continue;
      owner = bestOwner;
      const side = cross2(direction, best.normal) > 0 ? 1 : -1;
      set(-side * direction.y, side * direction.x, candidate);
    } else if (i >= firstOfB) {
      owner = PLANAR_OWNER_B;
      number = i === firstOfB ? edgesB.first : cornerAfter(coreB, number);
      scale(rotate(rotation, corner(coreB, number, edge).normal, candidate), -1, candidate);
    } else {
      owner = PLANAR_OWNER_A;
      number = i === PLANAR_OWN_CANDIDATES ? edgesA.first : cornerAfter(coreA, number);
      copy(corner(coreA, number, edge).normal, candidate);
    }
    const closing = i === last ? 0 : -dot(candidate, direction);
    // Sides of both bodies that lie on each other to within the tolerance count as one. A body that slides along its
    // own side may sink into the other side, which may be one of many in a line. It would sink into each by too little
    // to notice, until it met one from the side.
    const isSame =
      owner === PLANAR_OWNER_B &&
      bestOwner === PLANAR_OWNER_A &&
      dot(candidate, best.normal) > 0 &&
      Math.abs(cross2(candidate, best.normal)) <= shallow;
    // Normals of edges are exact. Others have to be slower by more than their rounding.
    const bias =
      owner !== PLANAR_OWNER_NONE && bestOwner === PLANAR_OWNER_NONE ? PLANAR_IMPACT_NORMAL_BIAS_ULPS * EPSILON : 0;
    const isSlower = closing < best.closing + bias;
    if (!isSlower && !(isSame && best.isPassing)) continue;
    const depth = targetDistance - dot(candidate, differenceSupport(pair, -candidate.x, -candidate.y, lowest).position);
    if (depth > touchTolerance) continue;
    // Bodies that pass through something thinner than the tolerance are apart along the normal of its far side, too,
    // and yet they meet.
    if (
      found.wereApart &&
      closing < -MOTION_LEAST_CLOSING_ULPS * EPSILON &&
      dot(candidate, found.normal) < MOTION_OPPOSITE
    )
      continue;
    // Half the tolerance is left for the next body in a line, which has its own rounding. Bodies that close in by no
    // more than the rounding of velocities may use all of it.
    rotate(rotationA, candidate, inWorld);
    const share = Math.abs(inWorld.x * directionInWorld.x) + Math.abs(inWorld.y * directionInWorld.y);
    const allowed = closing <= (share * touchTolerance) / MOTION_TOUCH_ULPS ? touchTolerance : 0.5 * touchTolerance;
    const isPassing = closing <= 0 || (closing <= shallow && depth + closing * rest <= allowed);
    if (isSame && (isPassing === best.isPassing ? !isSlower : isPassing)) continue;
    copy(candidate, best.normal);
    best.closing = closing;
    best.isPassing = isPassing;
    bestOwner = owner;
  }
  if (best.closing === PLANAR_NO_CLOSING) {
    best.closing = -dot(best.normal, direction);
    best.isPassing = best.closing <= 0;
  }
  return best;
}

/**
 * Writes the edges of which a point of the core's boundary is at most `most` inside, as the first edge's number and a
 * count. They are searched in both directions from a corner next to the point, as their distances grow from there.
 */
function edgesNear(core: PlanarCore, point: Vec2, start: number, most: number, to: typeof edgesA): void {
  const all = edgeCount(core);
  to.first = start;
  to.count = 0;
  let next = start;
  for (let isBack = false; to.count < all;) {
    corner(core, next, edge);
    if (dot(edge.normal, subtract(edge.position, point, edge.position)) <= most) {
      to.count++;
      if (isBack) to.first = next;
      next = isBack ? cornerBefore(core, next) : cornerAfter(core, next);
    } else {
      if (isBack) return;
      isBack = true;
      next = cornerBefore(core, start);
    }
  }
}
