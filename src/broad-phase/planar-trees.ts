/** The trees over the parts of 2-D bodies: boxes of no height, at z = 0. */
import { buildPartTree } from '../bvh/build-tree.ts';
import { treeOfOnePart, type PartTree } from '../bvh/part-tree.ts';
import { planarPart } from '../shapes/planar-part-shapes.ts';
import { planarPartCount } from '../shapes/planar-parts.ts';
import { coreCorners, type PlanarShapeData } from '../shapes/planar-shape-data.ts';
import { allocate } from '../util/arrays.ts';
import { createPace, type Work } from '../util/turns.ts';

/** Of a convex shape, the tree has one node. */
export function* makePlanarTree(shape: PlanarShapeData): Work<PartTree> {
  const { parts } = shape;
  if (!parts) return treeOfPlanarShape(shape);
  const isDue = createPace();
  const count = planarPartCount(parts);
  const boxes = allocate('boxes of the parts', Float64Array, 6 * count);
  for (let part = 0; part < count; part++) {
    if (isDue(8)) yield;
    boundPart(shape, part, boxes);
  }
  return yield* buildPartTree(boxes);
}

/** The tree of a convex shape. */
export function treeOfPlanarShape(shape: PlanarShapeData): PartTree {
  const boxes = new Float64Array(6);
  boundPart(shape, 0, boxes);
  return treeOfOnePart(boxes);
}

/** Writes the box of a part: min x, y, 0, max x, y, 0. */
function boundPart(shape: PlanarShapeData, part: number, boxes: Float64Array): void {
  const { parts } = shape;
  const at = 6 * part;
  const isChain = parts?.type === 'chain';
  const convex = isChain ? undefined : planarPart(shape, part);
  const corners = isChain ? parts.points : coreCorners(convex!);
  const first = isChain ? 2 * part : 0;
  const count = isChain ? 2 : corners.length / 2;
  const radius = convex?.radius ?? 0;
  for (let k = 0; k < 2; k++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < count; i++) {
      const value = corners[(first + 2 * i + k) % corners.length];
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    boxes[at + k] = low - radius;
    boxes[at + 3 + k] = high + radius;
  }
}
