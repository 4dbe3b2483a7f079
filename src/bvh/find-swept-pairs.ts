/**
 * Pairs of parts of two moving bodies that can meet on the way.
 *
 * Bodies that do not turn: along each of the 6 axes of two boxes, their projections overlap during an interval of time. The
 * boxes can meet only at times that all intervals have in common.
 *
 * Bodies that turn are advanced conservatively (Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996), pair of
 * nodes by pair of nodes: the gap g of two boxes along an axis m, which keeps its direction from now on, closes by at most
 *
 *     c t + b t² / 2    with    c = -m · v + max_A x · (m × w_A) - min_B y · (m × w_B),    b = |m × w_A| |w_A| |x| + ...
 *
 * in the time t. v is the velocity of B's position, x and y are points of the boxes, seen from their bodies' positions, and w
 * are the angular velocities: c bounds the speed of the points along m now, and b how that changes. The boxes stay apart until
 * that is g. Then they are placed and tested again. A child starts at the time that its parent has reached.
 */
import type { Work } from '../util/turns.ts';
import { createNodePair, relateNodes } from './node-pair.ts';
import { SKEW, type PartTree } from './part-tree.ts';
import { slackOf, type Placement } from './placement.ts';
import { isWalkDue, startWalk, type Walk } from './walk.ts';

/** Where two moving bodies are at a time, and how they move then. */
export interface Moment {
  time: number;
  placement: Placement;
  /** Velocity of B's position relative to A's, in A's axes. */
  readonly velocity: Float64Array;
  /** Angular velocities about the positions, in A's axes. */
  readonly spinA: Float64Array;
  readonly spinB: Float64Array;
}

/** Motion of two bodies. */
export interface Sweep {
  readonly duration: number;
  readonly isTurning: boolean;
  /** Parts that come within this distance of each other meet. */
  readonly margin: number;
  /** Where the bodies are at `moment.time`; at first it is 0. */
  readonly moment: Moment;
  /** Moves the bodies of `moment` to another time. */
  moveTo(time: number): void;
  /**
   * The distance of two parts at the moment, or a lower bound if it is more than `most`. If it is positive, writes the unit
   * vector from A to B along which they are so far apart, in A's axes. Without it, boxes alone decide.
   */
  gapOf?(partA: number, partB: number, most: number, axis: Float64Array): number;
}

/** Bound of the rounding error of a time, as a share of it. */
const TIME_ROUNDING = 2 ** -50;

/** The same for the time that a gap takes to close. */
const WAIT_ROUNDING = 2 ** -40;

/** A speed along an axis that counts as 0, so that its inverse is finite. */
const LEAST_SPEED = 2 ** -900;

/** Advances of a pair of nodes before their children's turn, and of a pair of leaves. */
const NODE_STEPS = 3;
const LEAF_STEPS = 64;

/** Steps of `createPace` per visit, which may compute an impact. */
const VISIT_STEPS = 2 ** 11;

const pair = createNodePair();
const { axesA, axesB, halvesA, halvesB, between, products } = pair;

/**
 * Calls `visit` for each pair of parts that can meet during the motion, with a time before which they cannot. Of two pairs of
 * nodes, the one that can meet earlier is searched first. If `visit` returns a number, pairs that cannot meet by that time are
 * skipped from then on.
 */
export function* findSweptPairs(
  a: PartTree,
  b: PartTree,
  sweep: Sweep,
  visit: (partA: number, partB: number, earliest: number) => number | void,
  walk: Walk,
): Work<void> {
  const linksA = a.links;
  const linksB = b.links;
  startWalk(walk, a, b);
  const { stack, bounds } = walk;
  const { scaleA, scaleB } = sweep.moment.placement;
  // Less than the time of boxes that never meet.
  let most = Math.min(sweep.duration, Number.MAX_VALUE);
  const search = { a, b, sweep, walk };
  bounds[0] = meetingTime(search, 0, 0, 0, most);
  let top = 1;
  while (top > 0) {
    top--;
    let nodeA = stack[2 * top];
    let nodeB = stack[2 * top + 1];
    let earliest = bounds[top];
    while (earliest <= most) {
      if (isWalkDue(walk)) yield;
      const linkA = linksA[nodeA];
      const linkB = linksB[nodeB];
      if ((linkA & linkB) < 0) {
        if (sweep.isTurning) earliest = meetingTimeOfParts(search, nodeA, nodeB, earliest, most);
        if (earliest > most) break;
        walk.partTests++;
        most = Math.min(most, visit(-1 - linkA, -1 - linkB, earliest) ?? most);
        if (walk.isDue(VISIT_STEPS)) yield;
        break;
      }
      const cutsA = linkB < 0 || (linkA >= 0 && sizeOf(a, nodeA) * scaleA >= sizeOf(b, nodeB) * scaleB);
      const leftA = cutsA ? linkA : nodeA;
      const leftB = cutsA ? nodeB : linkB;
      const rightA = cutsA ? linkA + 1 : nodeA;
      const rightB = cutsA ? nodeB : linkB + 1;
      const left = meetingTime(search, leftA, leftB, earliest, most);
      const squareLeft = centreDistance;
      const right = meetingTime(search, rightA, rightB, earliest, most);
      const isLeftNext = left < right || (left === right && squareLeft <= centreDistance);
      const later = isLeftNext ? right : left;
      if (later <= most) {
        stack[2 * top] = isLeftNext ? rightA : leftA;
        stack[2 * top + 1] = isLeftNext ? rightB : leftB;
        bounds[top++] = later;
      }
      nodeA = isLeftNext ? leftA : rightA;
      nodeB = isLeftNext ? leftB : rightB;
      earliest = isLeftNext ? left : right;
    }
  }
}

function sizeOf({ boxes }: PartTree, node: number): number {
  return boxes[6 * node + 3] + boxes[6 * node + 4] + boxes[6 * node + 5];
}

/** The squared distance of the centres of the boxes that were tested last, or 0 if nothing turns: there, times decide. */
let centreDistance = 0;

/** The trees of both shapes, and how they are searched. */
interface SweptSearch {
  readonly a: PartTree;
  readonly b: PartTree;
  readonly sweep: Sweep;
  readonly walk: Walk;
}

/**
 * The earliest time from `begin` on at which the boxes of two nodes can meet, or an earlier one; Infinity if they cannot by the
 * time `most`.
 */
function meetingTime(search: SweptSearch, nodeA: number, nodeB: number, begin: number, most: number): number {
  const { a, b, sweep, walk } = search;
  const { moment } = sweep;
  centreDistance = 0;
  if (!sweep.isTurning) {
    walk.boxTests++;
    relateNodes(a, nodeA, b, nodeB, moment.placement, pair);
    return straightMeetingTime(a, b, sweep);
  }
  const steps = a.links[nodeA] < 0 && b.links[nodeB] < 0 ? 1 : NODE_STEPS;
  let time = begin;
  for (let step = 0; step < steps; step++) {
    if (moment.time !== time) sweep.moveTo(time);
    walk.boxTests++;
    relateNodes(a, nodeA, b, nodeB, moment.placement, pair);
    centreDistance = between[0] * between[0] + between[1] * between[1] + between[2] * between[2];
    const wait = boxesWait(search, nodeA, nodeB);
    if (wait === 0) return time;
    time += wait;
    if (time > most) return Infinity;
  }
  return time;
}

/** The same for two parts, by their distance: a time before which they cannot meet. */
function meetingTimeOfParts(search: SweptSearch, nodeA: number, nodeB: number, begin: number, most: number): number {
  const { a, b, sweep, walk } = search;
  const { moment, margin, gapOf } = sweep;
  if (!gapOf) return begin;
  const partA = -1 - a.links[nodeA];
  const partB = -1 - b.links[nodeB];
  let time = begin;
  for (let step = 0; step < LEAF_STEPS; step++) {
    if (moment.time !== time) sweep.moveTo(time);
    walk.partTests++;
    const { placement } = moment;
    const gap = gapOf.call(sweep, partA, partB, Infinity, partAxis) - margin;
    if (!(gap > 0)) return time;
    relateNodes(a, nodeA, b, nodeB, placement, pair);
    const wait = waitAlong(search, nodeA, nodeB, partAxis, gap / placement.scaleA);
    time += wait;
    if (time > most) return Infinity;
    // The time is too short to change anything.
    if (!(time > moment.time)) return time;
  }
  return time;
}

const partAxis = new Float64Array(3);
const boxAxis = new Float64Array(3);

/** How far apart the two boxes that are in `pair` are at least along an axis of one of them, less `allowance`. */
function gapAlong(axis: number, along: number, allowance: number): number {
  let reach = allowance;
  if (axis < 3) {
    reach += halvesA[axis];
    for (let j = 0; j < 3; j++) reach += Math.abs(products[3 * j + axis]) * halvesB[j];
  } else {
    reach += halvesB[axis - 3];
    for (let i = 0; i < 3; i++) reach += Math.abs(products[3 * (axis - 3) + i]) * halvesA[i];
  }
  return Math.abs(along) - reach;
}

/** The earliest time at which the boxes in `pair` can meet, or a little earlier, if the bodies do not turn. */
function straightMeetingTime(a: PartTree, b: PartTree, { margin, duration, moment }: Sweep): number {
  const { placement, velocity } = moment;
  const { scaleA } = placement;
  const allowance = margin / scaleA + slackOf(a, b, placement);
  let enter = 0;
  let leave = duration;
  for (let axis = 0; axis < 6; axis++) {
    const axes = axis < 3 ? axesA : axesB;
    const k = 3 * (axis % 3);
    const along = axes[k] * between[0] + axes[k + 1] * between[1] + axes[k + 2] * between[2];
    const reach = Math.abs(along) - gapAlong(axis, along, allowance);
    const speed = (axes[k] * velocity[0] + axes[k + 1] * velocity[1] + axes[k + 2] * velocity[2]) / scaleA;
    if (Math.abs(speed) < LEAST_SPEED) {
      if (Math.abs(along) > reach) return Infinity;
      continue;
    }
    const middle = -along / speed;
    const around = reach / Math.abs(speed);
    enter = Math.max(enter, middle - around);
    leave = Math.min(leave, middle + around);
  }
  const earliest = enter * (1 - TIME_ROUNDING);
  return earliest <= leave * (1 + TIME_ROUNDING) ? earliest : Infinity;
}

/** For how long the boxes in `pair`, which are those of two nodes, stay apart at least; 0 if they may touch now. */
function boxesWait(search: SweptSearch, nodeA: number, nodeB: number): number {
  const { a, b, sweep } = search;
  const { margin } = sweep;
  const { placement } = sweep.moment;
  const allowance = margin / placement.scaleA + slackOf(a, b, placement);
  let longest = 0;
  for (let axis = 0; axis < 6; axis++) {
    const axes = axis < 3 ? axesA : axesB;
    const k = 3 * (axis % 3);
    const along = axes[k] * between[0] + axes[k + 1] * between[1] + axes[k + 2] * between[2];
    const gap = gapAlong(axis, along, allowance);
    if (!(gap > 0)) continue;
    const sign = along < 0 ? -1 : 1;
    for (let i = 0; i < 3; i++) boxAxis[i] = sign * axes[k + i];
    const wait = waitAlong(search, nodeA, nodeB, boxAxis, gap);
    if (wait > longest) longest = wait;
  }
  return longest;
}

/**
 * For how long points of the boxes in `pair` stay apart along an axis m in A's axes, from A to B, at least, if they are `gap`
 * apart now, in A's unit.
 */
function waitAlong(
  { a, b, sweep }: SweptSearch,
  nodeA: number,
  nodeB: number,
  axis: Float64Array,
  gap: number,
): number {
  const { placement, velocity, spinA, spinB } = sweep.moment;
  const x = axis[0];
  const y = axis[1];
  const z = axis[2];
  const { translation, scaleA, scaleB } = placement;
  let speed = -(x * velocity[0] + y * velocity[1] + z * velocity[2]) / scaleA;
  let bend = 0;
  const atA = 6 * nodeA;
  const centreX = a.boxes[atA];
  const centreY = a.boxes[atA + 1];
  const centreZ = a.boxes[atA + 2];
  // m × w, along which a point's place counts for its speed along m.
  let u = y * spinA[2] - z * spinA[1];
  let v = z * spinA[0] - x * spinA[2];
  let w = x * spinA[1] - y * spinA[0];
  let across = Math.sqrt(u * u + v * v + w * w);
  if (across > 0) {
    speed += u * centreX + v * centreY + w * centreZ + reachOfAxes(axesA, halvesA, u, v, w);
    bend += across * lengthOf(spinA) * reachOf(a, nodeA);
  }
  u = y * spinB[2] - z * spinB[1];
  v = z * spinB[0] - x * spinB[2];
  w = x * spinB[1] - y * spinB[0];
  across = Math.sqrt(u * u + v * v + w * w);
  if (across > 0) {
    const alongB =
      u * (between[0] + centreX - translation[0] / scaleA) +
      v * (between[1] + centreY - translation[1] / scaleA) +
      w * (between[2] + centreZ - translation[2] / scaleA);
    speed += reachOfAxes(axesB, halvesB, u, v, w) - alongB;
    bend += across * lengthOf(spinB) * reachOf(b, nodeB) * (scaleB / scaleA);
  }
  const divisor = speed + Math.sqrt(speed * speed + 2 * bend * gap);
  return divisor > LEAST_SPEED ? ((2 * gap) / divisor) * (1 - WAIT_ROUNDING) : Infinity;
}

function reachOfAxes(axes: Float64Array, halves: Float64Array, x: number, y: number, z: number): number {
  let reach = 0;
  for (let k = 0; k < 3; k++)
    reach += halves[k] * Math.abs(axes[3 * k] * x + axes[3 * k + 1] * y + axes[3 * k + 2] * z);
  return reach;
}

function lengthOf(vector: Float64Array): number {
  return Math.sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
}

/** The distance of a box's farthest point from the shape's origin, or a little more. */
function reachOf({ boxes }: PartTree, node: number): number {
  const at = 6 * node;
  const centre = Math.sqrt(boxes[at] ** 2 + boxes[at + 1] ** 2 + boxes[at + 2] ** 2);
  return (centre + Math.sqrt(boxes[at + 3] ** 2 + boxes[at + 4] ** 2 + boxes[at + 5] ** 2)) * (1 + SKEW);
}
