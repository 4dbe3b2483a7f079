/**
 * How far two nodes are apart at least, and along which axis.
 *
 * In the frame of either box, the other one is enclosed by an aligned box, and the distance of two aligned boxes is a lower
 * bound, with the line between their nearest points as the axis. The cross products of the boxes' axes give further bounds,
 * as in the separating axis test (Gottschalk, Lin, Manocha, "OBBTree", 1996), and so does the line through both centres,
 * which is best for boxes that are far apart. The greatest bound is returned.
 */
import { createNodePair, relateNodes } from './node-pair.ts';
import { SKEW, type PartTree } from './part-tree.ts';
import { slackOf, type Placement } from './placement.ts';
import type { Walk } from './walk.ts';

/** The two boxes. */
const pair = createNodePair();
const { axesA, axesB, halvesA, halvesB, between, products } = pair;
/** Gaps along the three axes of a box, and with signs. */
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
  relateNodes(a, nodeA, b, nodeB, placement, pair);
  // Half of it covers the rounding, so that boxes which a traversal has found to be apart are so here.
  const slack = slackOf(a, b, placement) / 2;
  let bound = faceBound(boxA, boxB, slack, 0, axis);
  bound = faceBound(boxB, boxA, slack, bound, axis);
  const skew = a.axes || b.axes ? SKEW : 0;
  const sizes = halvesA[0] + halvesA[1] + halvesA[2] + halvesB[0] + halvesB[1] + halvesB[2];
  bound = crossBound(slack + skew * sizes, bound, axis);
  bound = centreBound(slack, bound, axis);
  if (bound === 0) return 0;
  const length = Math.sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  for (let k = 0; k < 3; k++) axis[k] /= length;
  return bound * placement.scaleA * (1 - skew);
}

/** The same by the axes of the boxes alone, which takes a third of the time. Writes no axis. */
export function faceSeparation(a: PartTree, nodeA: number, b: PartTree, nodeB: number, placement: Placement): number {
  relateNodes(a, nodeA, b, nodeB, placement, pair);
  const slack = slackOf(a, b, placement) / 2;
  const bound = faceBound(boxA, boxB, slack, 0, cutAxis);
  const skew = a.axes || b.axes ? SKEW : 0;
  return faceBound(boxB, boxA, slack, bound, cutAxis) * placement.scaleA * (1 - skew);
}

/** One of the two boxes in `pair`: its axes, half sizes along them, and the stride of `products` for them. */
interface Box {
  readonly axes: Float64Array;
  readonly halves: Float64Array;
  readonly stride: number;
}

const boxA: Box = { axes: axesA, halves: halvesA, stride: 1 };
const boxB: Box = { axes: axesB, halves: halvesB, stride: 3 };

/** The greater of a bound and that of the axes of one box. If it is the latter, writes the axis. */
function faceBound(
  { axes, halves, stride: own }: Box,
  { halves: otherHalves, stride: other }: Box,
  slack: number,
  bound: number,
  axis: Float64Array,
): number {
  let square = 0;
  for (let i = 0; i < 3; i++) {
    const along = axes[3 * i] * between[0] + axes[3 * i + 1] * between[1] + axes[3 * i + 2] * between[2];
    let reach = halves[i];
    for (let j = 0; j < 3; j++) reach += Math.abs(products[own * i + other * j]) * otherHalves[j];
    const gap = Math.max(Math.abs(along) - reach - slack, 0);
    gaps[i] = along < 0 ? -gap : gap;
    square += gap * gap;
  }
  const length = Math.sqrt(square);
  if (length <= bound) return bound;
  for (let k = 0; k < 3; k++) axis[k] = gaps[0] * axes[k] + gaps[1] * axes[3 + k] + gaps[2] * axes[6 + k];
  return length;
}

/** The greater of a bound and that of the cross products. If it is the latter, writes the axis. */
function crossBound(slack: number, bound: number, axis: Float64Array): number {
  for (let i = 0; i < 3; i++) {
    const i1 = (i + 1) % 3;
    const i2 = (i + 2) % 3;
    const t1 = axesA[3 * i1] * between[0] + axesA[3 * i1 + 1] * between[1] + axesA[3 * i1 + 2] * between[2];
    const t2 = axesA[3 * i2] * between[0] + axesA[3 * i2 + 1] * between[1] + axesA[3 * i2 + 2] * between[2];
    for (let j = 0; j < 3; j++) {
      const j1 = (j + 1) % 3;
      const j2 = (j + 2) % 3;
      const m1 = products[3 * j + i1];
      const m2 = products[3 * j + i2];
      const along = m1 * t2 - m2 * t1;
      const reach = halvesA[i1] * Math.abs(m2) + halvesA[i2] * Math.abs(m1);
      const n1 = products[3 * j1 + i];
      const n2 = products[3 * j2 + i];
      const gap = Math.abs(along) - reach - (halvesB[j1] * Math.abs(n2) + halvesB[j2] * Math.abs(n1)) - slack;
      const length = Math.sqrt(m1 * m1 + m2 * m2);
      if (!(gap > bound * length)) continue;
      bound = gap / length;
      const sign = along < 0 ? -1 : 1;
      for (let k = 0; k < 3; k++) axis[k] = sign * (m1 * axesA[3 * i2 + k] - m2 * axesA[3 * i1 + k]);
    }
  }
  return bound;
}

/** The greater of a bound and that of the line through both centres. If it is the latter, writes the axis. */
function centreBound(slack: number, bound: number, axis: Float64Array): number {
  const [x, y, z] = between;
  let reach = 0;
  for (let i = 0; i < 3; i++) {
    reach += halvesA[i] * Math.abs(axesA[3 * i] * x + axesA[3 * i + 1] * y + axesA[3 * i + 2] * z);
    reach += halvesB[i] * Math.abs(axesB[3 * i] * x + axesB[3 * i + 1] * y + axesB[3 * i + 2] * z);
  }
  const square = x * x + y * y + z * z;
  const length = Math.sqrt(square);
  const gap = (square - reach) / length - slack;
  if (!(gap > bound)) return bound;
  axis.set(between);
  return gap;
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
