/**
 * Pairs of parts of two moving bodies that can meet on the way.
 *
 * Seen from A's first pose, B's position moves along a line. A rotation by an angle moves a point at distance r from the body's
 * position by at most 2 r times the sine of half the angle, and boxes are enlarged by that. Along each of the 6 axes of two
 * boxes, their projections overlap during an interval of time. The boxes can meet only at times that all intervals have in
 * common.
 */
import { createNodePair, relateNodes } from './node-pair.ts';
import { SKEW, type PartTree } from './part-tree.ts';
import { slackOf, type Placement } from './placement.ts';
import type { Work } from '../util/turns.ts';
import { isWalkDue, startWalk, type Walk } from './walk.ts';

/** Motion of two bodies from their placement on. */
export interface Sweep {
  /** Velocity of B's position relative to A's, in A's axes. */
  readonly velocity: Float64Array;
  readonly duration: number;
  /** Angles by which the bodies turn about their positions during that time, in radians. */
  readonly angleA: number;
  readonly angleB: number;
  /** Parts that come within this distance of each other meet. */
  readonly margin: number;
}

/** Bound of the rounding error of a time, as a share of it. */
const TIME_ROUNDING = 2 ** -50;

/** A speed along an axis that counts as 0, so that its inverse is finite. */
const LEAST_SPEED = 2 ** -900;

const pair = createNodePair();
const { axesA, axesB, halvesA, halvesB, between, products } = pair;

/**
 * Calls `visit` for each pair of parts whose boxes can meet during the motion, with the earliest time at which they can. Of two
 * pairs of nodes, the one that can meet earlier is searched first. If `visit` returns a number, pairs that cannot meet by that
 * time are skipped from then on.
 */
export function* findSweptPairs(
  a: PartTree,
  b: PartTree,
  placement: Placement,
  sweep: Sweep,
  visit: (partA: number, partB: number, earliest: number) => number | void,
  walk: Walk,
): Work<void> {
  const linksA = a.links;
  const linksB = b.links;
  startWalk(walk, a, b);
  const { stack, bounds } = walk;
  bounds[0] = meetingTime(a, 0, b, 0, placement, sweep);
  walk.boxTests++;
  // Less than the time of boxes that never meet.
  let most = Math.min(sweep.duration, Number.MAX_VALUE);
  let top = 1;
  while (top > 0) {
    if (isWalkDue(walk)) yield;
    top--;
    let nodeA = stack[2 * top];
    let nodeB = stack[2 * top + 1];
    let earliest = bounds[top];
    while (earliest <= most) {
      const linkA = linksA[nodeA];
      const linkB = linksB[nodeB];
      if ((linkA & linkB) < 0) {
        walk.partTests++;
        most = Math.min(most, visit(-1 - linkA, -1 - linkB, earliest) ?? most);
        break;
      }
      const cutsA =
        linkB < 0 || (linkA >= 0 && sizeOf(a, nodeA) * placement.scaleA >= sizeOf(b, nodeB) * placement.scaleB);
      const leftA = cutsA ? linkA : nodeA;
      const leftB = cutsA ? nodeB : linkB;
      const rightA = cutsA ? linkA + 1 : nodeA;
      const rightB = cutsA ? nodeB : linkB + 1;
      const left = meetingTime(a, leftA, b, leftB, placement, sweep);
      const right = meetingTime(a, rightA, b, rightB, placement, sweep);
      walk.boxTests += 2;
      const isLeftNext = left <= right;
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

/** The earliest time at which the boxes of two nodes can meet, or a little earlier; Infinity if they cannot. */
function meetingTime(
  a: PartTree,
  nodeA: number,
  b: PartTree,
  nodeB: number,
  placement: Placement,
  sweep: Sweep,
): number {
  relateNodes(a, nodeA, b, nodeB, placement, pair);
  const { scaleA, scaleB } = placement;
  const turned =
    turnOf(sweep.angleA) * reachOf(a, nodeA) + (turnOf(sweep.angleB) * reachOf(b, nodeB) * scaleB) / scaleA;
  const allowance = sweep.margin / scaleA + slackOf(a, b, placement) + turned;
  let enter = 0;
  let leave = sweep.duration;
  for (let i = 0; i < 6; i++) {
    const axes = i < 3 ? axesA : axesB;
    const k = i % 3;
    let reach = allowance;
    if (i < 3) {
      reach += halvesA[k];
      for (let j = 0; j < 3; j++) reach += Math.abs(products[3 * j + k]) * halvesB[j];
    } else {
      reach += halvesB[k];
      for (let j = 0; j < 3; j++) reach += Math.abs(products[3 * k + j]) * halvesA[j];
    }
    const x = axes[3 * k];
    const y = axes[3 * k + 1];
    const z = axes[3 * k + 2];
    const along = x * between[0] + y * between[1] + z * between[2];
    const speed = (x * sweep.velocity[0] + y * sweep.velocity[1] + z * sweep.velocity[2]) / scaleA;
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

/** How far a point at distance 1 from the axis of a turn can get. */
function turnOf(angle: number): number {
  return 2 * Math.sin(Math.min(angle, Math.PI) / 2);
}

/** The distance of a box's farthest point from the shape's origin, or a little more. */
function reachOf({ boxes }: PartTree, node: number): number {
  const at = 6 * node;
  const centre = Math.sqrt(boxes[at] ** 2 + boxes[at + 1] ** 2 + boxes[at + 2] ** 2);
  return (centre + Math.sqrt(boxes[at + 3] ** 2 + boxes[at + 4] ** 2 + boxes[at + 5] ** 2)) * (1 + SKEW);
}
