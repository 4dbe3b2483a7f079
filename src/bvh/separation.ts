/**
 * How far two nodes are apart at least, and along which axis.
 *
 * In the frame of either box, the other one is enclosed by an aligned box, and the distance of two aligned boxes is a lower
 * bound, with the line between their nearest points as the axis. The cross products of the boxes' axes give further bounds,
 * as in the separating axis test (Gottschalk, Lin, Manocha, "OBBTree", 1996). The greatest bound is returned.
 */
import type { PartTree } from './part-tree.ts';
import { slackOf, type Placement } from './placement.ts';
import type { Walk } from './walk.ts';

/** From B's box to A's: rotation, column-major, and then its absolute values. */
const turn = new Float64Array(18);
/** Centre of B's box from that of A's, along the axes of A's box, then of B's. */
const apart = new Float64Array(6);
/** Half extents of A's box, then of B's, in A's unit. */
const halves = new Float64Array(6);
/** Gaps along the three axes of a box. */
const gaps = new Float64Array(3);
const cutAxis = new Float64Array(3);

/**
 * A lower bound of the distance of two nodes in A's axes at full scale; 0 if they may touch. Writes the axis, a unit vector
 * from A to B in A's axes, if the bound is positive.
 */
export function separation(
  a: PartTree,
  nodeA: number,
  b: PartTree,
  nodeB: number,
  placement: Placement,
  axis: Float64Array,
): number {
  const slack = slackOf(a, b, placement);
  relate(a, nodeA, b, nodeB, placement);
  let bound = 0;
  let x = 0;
  let y = 0;
  let z = 0;
  // The axes of A's box.
  for (let i = 0; i < 3; i++) {
    const reach = turn[9 + i] * halves[3] + turn[12 + i] * halves[4] + turn[15 + i] * halves[5];
    gaps[i] = Math.max(Math.abs(apart[i]) - halves[i] - reach - slack, 0);
  }
  const fromA = Math.sqrt(gaps[0] * gaps[0] + gaps[1] * gaps[1] + gaps[2] * gaps[2]);
  if (fromA > bound) {
    bound = fromA;
    x = (gaps[0] * Math.sign(apart[0])) / fromA;
    y = (gaps[1] * Math.sign(apart[1])) / fromA;
    z = (gaps[2] * Math.sign(apart[2])) / fromA;
  }
  // The axes of B's box.
  for (let j = 0; j < 3; j++) {
    const column = 9 + 3 * j;
    const reach = turn[column] * halves[0] + turn[column + 1] * halves[1] + turn[column + 2] * halves[2];
    gaps[j] = Math.max(Math.abs(apart[3 + j]) - halves[3 + j] - reach - slack, 0);
  }
  const fromB = Math.sqrt(gaps[0] * gaps[0] + gaps[1] * gaps[1] + gaps[2] * gaps[2]);
  if (fromB > bound) {
    bound = fromB;
    const u = (gaps[0] * Math.sign(apart[3])) / fromB;
    const v = (gaps[1] * Math.sign(apart[4])) / fromB;
    const w = (gaps[2] * Math.sign(apart[5])) / fromB;
    x = turn[0] * u + turn[3] * v + turn[6] * w;
    y = turn[1] * u + turn[4] * v + turn[7] * w;
    z = turn[2] * u + turn[5] * v + turn[8] * w;
  }
  for (let i = 0; i < 3; i++) {
    const i1 = (i + 1) % 3;
    const i2 = (i + 2) % 3;
    for (let j = 0; j < 3; j++) {
      // The cross product of axis i of A's box with axis j of B's, along the axes of A's box.
      const u = -turn[3 * j + i2];
      const v = turn[3 * j + i1];
      const j1 = (j + 1) % 3;
      const j2 = (j + 2) % 3;
      const along = apart[i1] * u + apart[i2] * v;
      const reach = halves[i1] * turn[9 + 3 * j + i2] + halves[i2] * turn[9 + 3 * j + i1];
      const otherReach = halves[3 + j1] * turn[9 + 3 * j2 + i] + halves[3 + j2] * turn[9 + 3 * j1 + i];
      const gap = Math.abs(along) - reach - otherReach - slack;
      const length = Math.sqrt(u * u + v * v);
      if (!(gap > bound * length)) continue;
      bound = gap / length;
      const sign = Math.sign(along) / length;
      x = i === 0 ? 0 : (i === 1 ? v : u) * sign;
      y = i === 1 ? 0 : (i === 2 ? v : u) * sign;
      z = i === 2 ? 0 : (i === 0 ? v : u) * sign;
    }
  }
  if (bound === 0) return 0;
  if (a.axes) {
    const from = 9 * nodeA;
    const { axes } = a;
    axis[0] = axes[from] * x + axes[from + 3] * y + axes[from + 6] * z;
    axis[1] = axes[from + 1] * x + axes[from + 4] * y + axes[from + 7] * z;
    axis[2] = axes[from + 2] * x + axes[from + 5] * y + axes[from + 8] * z;
  } else {
    axis[0] = x;
    axis[1] = y;
    axis[2] = z;
  }
  return bound * placement.scaleA;
}

/** Writes `turn`, `apart` and `halves`. */
function relate(a: PartTree, nodeA: number, b: PartTree, nodeB: number, placement: Placement): void {
  const { rotation, translation, scaleA, scaleB } = placement;
  const scale = scaleB / scaleA;
  const fromA = 6 * nodeA;
  const fromB = 6 * nodeB;
  for (let k = 0; k < 3; k++) {
    halves[k] = a.boxes[fromA + 3 + k];
    halves[3 + k] = scale * b.boxes[fromB + 3 + k];
  }
  const [bx, by, bz] = [b.boxes[fromB], b.boxes[fromB + 1], b.boxes[fromB + 2]];
  for (let k = 0; k < 3; k++) {
    const rotated = rotation[k] * bx + rotation[3 + k] * by + rotation[6 + k] * bz;
    gaps[k] = scale * rotated + translation[k] / scaleA - a.boxes[fromA + k];
  }
  for (let j = 0; j < 3; j++) {
    // Axis j of B's box in A's frame, then along the axes of A's box.
    for (let k = 0; k < 3; k++) {
      const at = 9 * nodeB + 3 * j;
      turn[3 * j + k] = b.axes
        ? rotation[k] * b.axes[at] + rotation[3 + k] * b.axes[at + 1] + rotation[6 + k] * b.axes[at + 2]
        : rotation[3 * j + k];
    }
    if (a.axes) alongBox(a.axes, 9 * nodeA, turn, 3 * j);
  }
  if (a.axes) alongBox(a.axes, 9 * nodeA, gaps, 0);
  for (let k = 0; k < 3; k++) apart[k] = gaps[k];
  for (let j = 0; j < 3; j++) {
    apart[3 + j] = turn[3 * j] * apart[0] + turn[3 * j + 1] * apart[1] + turn[3 * j + 2] * apart[2];
  }
  for (let k = 0; k < 9; k++) turn[9 + k] = Math.abs(turn[k]);
}

/** Replaces a vector by its parts along the axes of a box. */
function alongBox(axes: Float64Array, at: number, vector: Float64Array, to: number): void {
  const x = vector[to];
  const y = vector[to + 1];
  const z = vector[to + 2];
  for (let k = 0; k < 3; k++, at += 3) vector[to + k] = axes[at] * x + axes[at + 1] * y + axes[at + 2] * z;
}

/** Keeps the lower bound of two nodes that were cut off, if it is the least so far. Returns the least. */
export function noteCut(
  a: PartTree,
  nodeA: number,
  b: PartTree,
  nodeB: number,
  placement: Placement,
  walk: Walk,
): number {
  const bound = separation(a, nodeA, b, nodeB, placement, cutAxis);
  if (bound < walk.bound) {
    walk.bound = bound;
    walk.axis.set(cutAxis);
  }
  return walk.bound;
}
