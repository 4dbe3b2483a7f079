/** The boxes of two nodes relative to each other. */
import type { PartTree } from './part-tree.ts';
import type { Placement } from './placement.ts';

export interface NodePair {
  /** The axes of both boxes in A's axes, 9 numbers each. */
  readonly axesA: Float64Array;
  readonly axesB: Float64Array;
  /** Half extents in A's unit. */
  readonly halvesA: Float64Array;
  readonly halvesB: Float64Array;
  /** The centre of B's box from that of A's, in A's axes and unit. */
  readonly between: Float64Array;
  /** The products of axis i of A with axis j of B, at 3 j + i. */
  readonly products: Float64Array;
}

export function createNodePair(): NodePair {
  return {
    axesA: new Float64Array(9),
    axesB: new Float64Array(9),
    halvesA: new Float64Array(3),
    halvesB: new Float64Array(3),
    between: new Float64Array(3),
    products: new Float64Array(9),
  };
}

/** Writes where two nodes are. */
export function relateNodes(
  a: PartTree,
  nodeA: number,
  b: PartTree,
  nodeB: number,
  placement: Placement,
  { axesA, axesB, halvesA, halvesB, between, products }: NodePair,
): void {
  const { rotation, translation, scaleA, scaleB } = placement;
  const scale = scaleB / scaleA;
  const x = scale * b.boxes[6 * nodeB];
  const y = scale * b.boxes[6 * nodeB + 1];
  const z = scale * b.boxes[6 * nodeB + 2];
  for (let k = 0; k < 3; k++) {
    halvesA[k] = a.boxes[6 * nodeA + 3 + k];
    halvesB[k] = scale * b.boxes[6 * nodeB + 3 + k];
    const turned = rotation[k] * x + rotation[3 + k] * y + rotation[6 + k] * z;
    between[k] = turned + translation[k] / scaleA - a.boxes[6 * nodeA + k];
  }
  for (let j = 0; j < 3; j++) {
    const from = 9 * nodeB + 3 * j;
    for (let k = 0; k < 3; k++) {
      axesA[3 * j + k] = a.axes ? a.axes[9 * nodeA + 3 * j + k] : Number(j === k);
      axesB[3 * j + k] = b.axes
        ? rotation[k] * b.axes[from] + rotation[3 + k] * b.axes[from + 1] + rotation[6 + k] * b.axes[from + 2]
        : rotation[3 * j + k];
    }
  }
  for (let j = 0; j < 9; j += 3) {
    for (let i = 0; i < 3; i++) {
      products[j + i] = axesA[3 * i] * axesB[j] + axesA[3 * i + 1] * axesB[j + 1] + axesA[3 * i + 2] * axesB[j + 2];
    }
  }
}
