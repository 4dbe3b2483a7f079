/** Mirror of shaders/planar/facing.wgsl: the normal along which bodies meet in motion in the plane. */
import { MOTION_LEAST_CLOSING_ULPS, MOTION_LEAST_VECTOR, PLANAR_FACING_BIAS_ULPS, PLANAR_NO_CLOSING, PLANAR_OWN_CANDIDATES } from '../../generated/constants.ts';
import { EPSILON, type Vec2, copy, dot, rotate, rotateBack, scale, subtract, vec2 } from './math.ts';
import type { PlanarCore, PlanarPair } from './pair.ts';
import { corner, cornerAfter, cornerBefore, createCorner, createPoint, differenceSupport, edgeCount } from './support.ts';

/** What a search knows of cores that touch. */
export interface Touch {
  /** Unit vector from A to B that separates them, as far as the search saw. */
  normal: Vec2;
  /** Unit vector from one's point to the other's, and how far that is. */
  direction: Vec2;
  distance: number;
  /** Their points, in A's frame. */
  onA: Vec2;
  onB: Vec2;
  /** A corner on each that is next to its point. */
  a: number;
  b: number;
}

export function createTouch(): Touch {
  return { normal: vec2(), direction: vec2(), distance: 0, onA: vec2(), onB: vec2(), a: 0, b: 0 };
}

export interface Facing {
  normal: Vec2;
  /** How fast B closes in on A along it, as a share of its way, and how far within `reach` the cores are. */
  closing: number;
  depth: number;
}

const best: Facing = { normal: vec2(), closing: 0, depth: 0 };
const local = vec2();
const candidate = vec2();
const edge = createCorner();
const lowest = createPoint();
const edgesA = { first: 0, count: 0 };
const edgesB = { first: 0, count: 0 };

/**
 * Takes, of the normals that separate the cores by `reach` to within `slack`, the one that B, which moves along `along`, closes in on A along the slowest. `isAhead`:
 * they come from where they are apart. Written over by the next call.
 */
export function facing(pair: PlanarPair, along: Vec2, reach: number, slack: number, found: Touch, isAhead: boolean): Facing {
  const { coreA, coreB, rotation, translation } = pair;
  copy(found.normal, best.normal);
  best.closing = PLANAR_NO_CLOSING;
  best.depth = 0;
  edgesNear(coreA, found.onA, found.a, 2 * slack, edgesA);
  edgesNear(coreB, rotateBack(rotation, subtract(found.onB, translation, local), local), found.b, 2 * slack, edgesB);
  const firstOfB = PLANAR_OWN_CANDIDATES + edgesA.count;
  let number = edgesA.first;
  let isEdge = false;
  for (let i = 0; i < firstOfB + edgesB.count; i++) {
    if (i === 0) {
      copy(found.normal, candidate);
    } else if (i === 1) {
      // Short vectors have no direction to speak of.
      if (found.distance < MOTION_LEAST_VECTOR) continue;
      copy(found.direction, candidate);
    } else if (i >= firstOfB) {
      number = i === firstOfB ? edgesB.first : cornerAfter(coreB, number);
      scale(rotate(rotation, corner(coreB, number, edge).normal, candidate), -1, candidate);
    } else {
      number = i === PLANAR_OWN_CANDIDATES ? edgesA.first : cornerAfter(coreA, number);
      copy(corner(coreA, number, edge).normal, candidate);
    }
    const closing = -dot(candidate, along);
    // Normals of edges are exact, others have their rounding: they have to be slower by more than that.
    const bias = i >= PLANAR_OWN_CANDIDATES && !isEdge ? PLANAR_FACING_BIAS_ULPS * EPSILON : 0;
    if (closing >= best.closing + bias) continue;
    const depth = reach - dot(candidate, differenceSupport(pair, -candidate.x, -candidate.y, lowest).position);
    if (depth > slack) continue;
    // Cores without an inside that come through each other are apart along either side's normal, and yet they meet.
    const isBackward = isAhead && closing < -MOTION_LEAST_CLOSING_ULPS * EPSILON;
    if (isBackward && reach + dot(candidate, differenceSupport(pair, candidate.x, candidate.y, lowest).position) <= slack) continue;
    copy(candidate, best.normal);
    best.closing = closing;
    best.depth = depth;
    isEdge = i >= PLANAR_OWN_CANDIDATES;
  }
  if (best.closing === PLANAR_NO_CLOSING) best.closing = -dot(best.normal, along);
  return best;
}

/** Whether bodies that touch at `path` of a way up to `end` come no deeper than `slack` along their normal. */
export function isPassing({ closing, depth }: Facing, path: number, end: number, slack: number): boolean {
  return closing <= 0 || (closing <= MOTION_LEAST_CLOSING_ULPS * EPSILON && depth + closing * Math.max(end - path, 0) <= slack);
}

/**
 * Edges that a point of the core's boundary is no farther inside of than `most`, from a corner next to it either way, as the first's number and how many: farther
 * on they are ever farther off.
 */
function edgesNear(core: PlanarCore, point: Vec2, start: number, most: number, to: typeof edgesA): void {
  const all = edgeCount(core);
  to.first = start;
  to.count = 0;
  let next = start;
  for (let isBack = false; to.count < all; ) {
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
