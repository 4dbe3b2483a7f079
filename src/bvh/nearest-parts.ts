/** The nearest parts of two trees. */
import type { Rest, Work } from '../util/turns.ts';
import { SKEW, type PartTree } from './part-tree.ts';
import { slackOf, type Placement } from './placement.ts';
import { noteCut, separation } from './separation.ts';
import { isBeyond, makeTiePlane, type Heights, type TiePlane } from './tie-plane.ts';
import { BOXES_AT_ONCE, isWalkDue, PART_TEST, startWalk, type Walk } from './walk.ts';

export interface NearestOptions {
  /** Pairs that are farther apart are not looked at. */
  readonly limit: number;
  /** Of pairs whose distance is at most this above the least, the lowest is the witness. */
  readonly slack: number;
  /** With them, and a slack above their rounding, the time does not grow with the number of pairs that are equally near. */
  readonly heights?: Heights;
}

/** What `nearestParts` finds. */
export interface Nearest {
  /** The least distance, Infinity if it is more than the limit. */
  distance: number;
  /** The lowest pair of parts with that distance, or at most `slack` more: by the part of A, then by that of B. */
  partA: number;
  partB: number;
  /** Pairs that are farther apart do not matter any more. */
  most: number;
  /**
   * Pairs that can be the witness in the end: the lowest so far first, each of the others nearer than those before. Without
   * slack there is one.
   */
  readonly witnesses: Witness[];
}

interface Witness {
  readonly distance: number;
  readonly partA: number;
  readonly partB: number;
}

export function createNearest(): Nearest {
  return { distance: Infinity, partA: 0, partB: 0, most: Infinity, witnesses: [] };
}

/** The axes of all boxes of an aligned tree. */
const ALIGNED = Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

const rootAxis = new Float64Array(3);

/**
 * Finds the least distance of two parts, and the lowest pair that has it, by branch and bound: the nearer of two pairs of nodes
 * is searched first, and those farther away than the least distance so far are cut off.
 *
 * `distanceOf` returns the distance of two parts at full scale. If it is more than `most`, any number that is more than
 * `most` will do. At a distance of 0 or less the search ends.
 *
 * If nothing is within the limit, `walk.bound` is a lower bound of the distance of all pairs for which `distanceOf` was not
 * called, and `walk.axis` its axis, as after `findPartPairs`.
 */
export function nearestParts(
  a: PartTree,
  b: PartTree,
  placement: Placement,
  distanceOf: DistanceOf,
  options: NearestOptions,
  to: Nearest,
  walk: Walk,
): Rest {
  to.distance = Infinity;
  to.most = options.limit;
  to.witnesses.length = 0;
  startWalk(walk, a, b);
  walk.bounds[0] = separation(a, 0, b, 0, placement, rootAxis);
  walk.boxTests++;
  searchSome(a, b, placement, distanceOf, options.slack, undefined, to, walk);
  return walk.top > 0 ? searchMore(a, b, placement, distanceOf, options, to, walk) : undefined;
}

function* searchMore(
  a: PartTree,
  b: PartTree,
  placement: Placement,
  distanceOf: DistanceOf,
  { slack, heights }: NearestOptions,
  to: Nearest,
  walk: Walk,
): Work<void> {
  let plane: TiePlane | undefined;
  // Its heights take a fraction of the time of so many tests.
  const testsPerPlane = TESTS_BEFORE_PLANE + ((a.links.length + b.links.length) >> 2);
  let nextPlane = walk.partTests + testsPerPlane;
  while (walk.top > 0) {
    if (isWalkDue(walk)) yield;
    searchSome(a, b, placement, distanceOf, slack, plane, to, walk);
    if (!heights || walk.top === 0 || walk.partTests < nextPlane || to.distance === Infinity) continue;
    heights.setLine(to.partA, to.partB);
    plane = yield* makeTiePlane(a, b, heights, walk);
    nextPlane = walk.partTests + testsPerPlane;
  }
}

/** Tests of parts after which pairs that are equally near are looked for. */
const TESTS_BEFORE_PLANE = 2 ** 8;

type DistanceOf = (partA: number, partB: number, most: number) => number;

/** Goes on until the stack is empty, or until it has done the work of `BOXES_AT_ONCE` tests of boxes. */
function searchSome(
  a: PartTree,
  b: PartTree,
  placement: Placement,
  distanceOf: DistanceOf,
  slack: number,
  plane: TiePlane | undefined,
  to: Nearest,
  walk: Walk,
): void {
  const { stack, bounds } = walk;
  const linksA = a.links;
  const linksB = b.links;
  const axesA = a.axes ?? ALIGNED;
  const axesB = b.axes ?? ALIGNED;
  const strideA = a.axes ? 9 : 0;
  const strideB = b.axes ? 9 : 0;
  const { rotation, translation, scaleA, scaleB } = placement;
  const scale = scaleB / scaleA;
  const shiftX = translation[0] / scaleA;
  const shiftY = translation[1] / scaleA;
  const shiftZ = translation[2] / scaleA;
  const loss = slackOf(a, b, placement);
  const share = scaleA * (a.axes || b.axes ? 1 - SKEW : 1);
  const r00 = rotation[0];
  const r10 = rotation[1];
  const r20 = rotation[2];
  const r01 = rotation[3];
  const r11 = rotation[4];
  const r21 = rotation[5];
  const r02 = rotation[6];
  const r12 = rotation[7];
  const r22 = rotation[8];
  let boxTests = 0;
  let workDone = 0;
  let { most } = to;
  let { top } = walk;
  search: while (top > 0 && workDone < BOXES_AT_ONCE) {
    top--;
    let nodeA = stack[2 * top];
    let nodeB = stack[2 * top + 1];
    if (bounds[top] > most) {
      if (to.distance === Infinity && bounds[top] < walk.bound) noteCut(a, nodeA, b, nodeB, placement, walk);
      continue;
    }
    for (;;) {
      if (plane && isBeyond(plane, nodeA, nodeB, to.distance - slack, to.partA, to.partB)) break;
      const linkA = linksA[nodeA];
      const linkB = linksB[nodeB];
      if ((linkA & linkB) < 0) {
        workDone += PART_TEST;
        walk.partTests++;
        most = measure(-1 - linkA, -1 - linkB, distanceOf, most, slack, to);
        if (to.distance > 0) break;
        top = 0;
        break search;
      }
      boxTests += 2;
      workDone += 2;
      const atA = Math.imul(6, nodeA);
      const atB = Math.imul(6, nodeB);
      const cutsA =
        linkB < 0 ||
        (linkA >= 0 &&
          a.boxes[atA + 3] + a.boxes[atA + 4] + a.boxes[atA + 5] >=
            scale * (b.boxes[atB + 3] + b.boxes[atB + 4] + b.boxes[atB + 5]));
      // The fixed box in the frame of the tree whose box is cut, in A's unit: centre, axes and half extents.
      const fixedBoxes = cutsA ? b.boxes : a.boxes;
      const fixedAt = cutsA ? atB : atA;
      const fixedAxes = cutsA ? axesB : axesA;
      const fixedFrom = cutsA ? Math.imul(strideB, nodeB) : Math.imul(strideA, nodeA);
      const fixedScale = cutsA ? scale : 1;
      const gx = fixedScale * fixedBoxes[fixedAt + 3];
      const gy = fixedScale * fixedBoxes[fixedAt + 4];
      const gz = fixedScale * fixedBoxes[fixedAt + 5];
      const e0 = fixedAxes[fixedFrom];
      const e1 = fixedAxes[fixedFrom + 1];
      const e2 = fixedAxes[fixedFrom + 2];
      const e3 = fixedAxes[fixedFrom + 3];
      const e4 = fixedAxes[fixedFrom + 4];
      const e5 = fixedAxes[fixedFrom + 5];
      const e6 = fixedAxes[fixedFrom + 6];
      const e7 = fixedAxes[fixedFrom + 7];
      const e8 = fixedAxes[fixedFrom + 8];
      // The rotation from the fixed box's tree to the other, row by row.
      const q01 = cutsA ? r01 : r10;
      const q10 = cutsA ? r10 : r01;
      const q02 = cutsA ? r02 : r20;
      const q20 = cutsA ? r20 : r02;
      const q12 = cutsA ? r12 : r21;
      const q21 = cutsA ? r21 : r12;
      const px = fixedScale * fixedBoxes[fixedAt] - (cutsA ? 0 : shiftX);
      const py = fixedScale * fixedBoxes[fixedAt + 1] - (cutsA ? 0 : shiftY);
      const pz = fixedScale * fixedBoxes[fixedAt + 2] - (cutsA ? 0 : shiftZ);
      const cx = r00 * px + q01 * py + q02 * pz + (cutsA ? shiftX : 0);
      const cy = q10 * px + r11 * py + q12 * pz + (cutsA ? shiftY : 0);
      const cz = q20 * px + q21 * py + r22 * pz + (cutsA ? shiftZ : 0);
      const ux = r00 * e0 + q01 * e1 + q02 * e2;
      const uy = q10 * e0 + r11 * e1 + q12 * e2;
      const uz = q20 * e0 + q21 * e1 + r22 * e2;
      const vx = r00 * e3 + q01 * e4 + q02 * e5;
      const vy = q10 * e3 + r11 * e4 + q12 * e5;
      const vz = q20 * e3 + q21 * e4 + r22 * e5;
      const wx = r00 * e6 + q01 * e7 + q02 * e8;
      const wy = q10 * e6 + r11 * e7 + q12 * e8;
      const wz = q20 * e6 + q21 * e7 + r22 * e8;
      const boxes = cutsA ? a.boxes : b.boxes;
      const axes = cutsA ? axesA : axesB;
      const stride = cutsA ? strideA : strideB;
      const childScale = cutsA ? 1 : scale;
      const left = cutsA ? linkA : linkB;
      let leftBound = 0;
      let bound = 0;
      let leftSquare = 0;
      let square = 0;
      for (let child = left; child < left + 2; child++) {
        leftBound = bound;
        leftSquare = square;
        const at = Math.imul(6, child);
        const from = Math.imul(stride, child);
        const tx = cx - childScale * boxes[at];
        const ty = cy - childScale * boxes[at + 1];
        const tz = cz - childScale * boxes[at + 2];
        const hx = childScale * boxes[at + 3];
        const hy = childScale * boxes[at + 4];
        const hz = childScale * boxes[at + 5];
        square = tx * tx + ty * ty + tz * tz;
        let x = axes[from];
        let y = axes[from + 1];
        let z = axes[from + 2];
        const f00 = Math.abs(x * ux + y * uy + z * uz);
        const f01 = Math.abs(x * vx + y * vy + z * vz);
        const f02 = Math.abs(x * wx + y * wy + z * wz);
        let along = Math.abs(x * tx + y * ty + z * tz);
        let reach = along * hx;
        let gap = along - hx - (f00 * gx + f01 * gy + f02 * gz);
        let sum = gap > 0 ? gap * gap : 0;
        x = axes[from + 3];
        y = axes[from + 4];
        z = axes[from + 5];
        const f10 = Math.abs(x * ux + y * uy + z * uz);
        const f11 = Math.abs(x * vx + y * vy + z * vz);
        const f12 = Math.abs(x * wx + y * wy + z * wz);
        along = Math.abs(x * tx + y * ty + z * tz);
        reach += along * hy;
        gap = along - hy - (f10 * gx + f11 * gy + f12 * gz);
        if (gap > 0) sum += gap * gap;
        x = axes[from + 6];
        y = axes[from + 7];
        z = axes[from + 8];
        const f20 = Math.abs(x * ux + y * uy + z * uz);
        const f21 = Math.abs(x * vx + y * vy + z * vz);
        const f22 = Math.abs(x * wx + y * wy + z * wz);
        along = Math.abs(x * tx + y * ty + z * tz);
        reach += along * hz;
        gap = along - hz - (f20 * gx + f21 * gy + f22 * gz);
        if (gap > 0) sum += gap * gap;
        const fromChild = sum;
        along = Math.abs(ux * tx + uy * ty + uz * tz);
        reach += along * gx;
        gap = along - gx - (f00 * hx + f10 * hy + f20 * hz);
        sum = gap > 0 ? gap * gap : 0;
        along = Math.abs(vx * tx + vy * ty + vz * tz);
        reach += along * gy;
        gap = along - gy - (f01 * hx + f11 * hy + f21 * hz);
        if (gap > 0) sum += gap * gap;
        along = Math.abs(wx * tx + wy * ty + wz * tz);
        reach += along * gz;
        gap = along - gz - (f02 * hx + f12 * hy + f22 * hz);
        if (gap > 0) sum += gap * gap;
        if (fromChild > sum) sum = fromChild;
        // Along the line of the centres.
        const rest = square - reach;
        if (rest > 0 && rest * rest > sum * square) sum = (rest * rest) / square;
        bound = (Math.sqrt(sum) - loss) * share;
      }
      const isLeftNext = leftBound <= 0 && bound <= 0 ? leftSquare <= square : leftBound <= bound;
      const nextBound = isLeftNext ? leftBound : bound;
      const leftA = cutsA ? linkA : nodeA;
      const leftB = cutsA ? nodeB : linkB;
      const rightA = cutsA ? linkA + 1 : nodeA;
      const rightB = cutsA ? nodeB : linkB + 1;
      // Whether it has to be searched is seen when its turn comes.
      stack[2 * top] = isLeftNext ? rightA : leftA;
      stack[2 * top + 1] = isLeftNext ? rightB : leftB;
      bounds[top] = isLeftNext ? bound : leftBound;
      top++;
      nodeA = isLeftNext ? leftA : rightA;
      nodeB = isLeftNext ? leftB : rightB;
      if (nextBound <= most) continue;
      if (to.distance === Infinity && nextBound < walk.bound) noteCut(a, nodeA, b, nodeB, placement, walk);
      break;
    }
  }
  to.most = most;
  walk.top = top;
  walk.boxTests += boxTests;
}

/** Measures a pair of parts. Returns the greatest distance of pairs that matter from now on. */
function measure(
  partA: number,
  partB: number,
  distanceOf: DistanceOf,
  most: number,
  slack: number,
  to: Nearest,
): number {
  const distance = distanceOf(partA, partB, most);
  if (!(distance <= most)) return most;
  const { witnesses } = to;
  if (distance < to.distance) {
    to.distance = distance;
    most = Math.min(most, distance + slack);
    while (witnesses.length > 0 && witnesses[0].distance > most) witnesses.shift();
  }
  // Those before are lower, and farther apart.
  let at = 0;
  while (at < witnesses.length && comesBefore(witnesses[at], partA, partB)) at++;
  if (at === 0 || witnesses[at - 1].distance > distance) {
    let end = at;
    while (end < witnesses.length && witnesses[end].distance >= distance) end++;
    witnesses.splice(at, end - at, { distance, partA, partB });
  }
  to.partA = witnesses[0].partA;
  to.partB = witnesses[0].partB;
  return most;
}

function comesBefore(witness: Witness, partA: number, partB: number): boolean {
  return witness.partA < partA || (witness.partA === partA && witness.partB < partB);
}
