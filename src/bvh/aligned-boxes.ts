/** The boxes of an aligned tree. */
import { allocate } from '../util/arrays.ts';
import { createPace, type Work } from '../util/turns.ts';
import { enlargeBox } from './bins.ts';
import { extentOf, writeAlignedBox, type PartTree, type Topology } from './part-tree.ts';

/** Nodes between two yields. */
const AT_ONCE = 2 ** 10;

/**
 * The tree of parts with these boxes, 6 numbers per part: min x, y, z, max x, y, z. From the leaves to the root, each node
 * gets the box around its parts. Children come after their parents.
 */
export function* encloseAligned({ links, depth }: Topology, boxes: Float64Array): Work<PartTree> {
  const isDue = createPace();
  const { length } = links;
  const ranges = allocate('boxes of the tree', Float64Array, 6 * length);
  const nodeBoxes = allocate('boxes of the tree', Float32Array, 6 * length);
  for (let end = length; end > 0; end -= AT_ONCE) {
    encloseSome(links, boxes, Math.max(end - AT_ONCE, 0), end, ranges, nodeBoxes);
    if (isDue(32 * AT_ONCE)) yield;
  }
  return { boxes: nodeBoxes, axes: undefined, links, depth, extent: extentOf(nodeBoxes) };
}

/** The boxes of the nodes from `first` up to `end`. `ranges` holds them as min x, y, z, max x, y, z. */
function encloseSome(
  links: Int32Array,
  boxes: Float64Array,
  first: number,
  end: number,
  ranges: Float64Array,
  to: Float32Array,
): void {
  for (let node = end - 1; node >= first; node--) {
    const at = 6 * node;
    const link = links[node];
    const from = 6 * (link < 0 ? -1 - link : link);
    const source = link < 0 ? boxes : ranges;
    for (let k = 0; k < 6; k++) ranges[at + k] = source[from + k];
    if (link >= 0) enlargeBox(ranges, at, ranges, from + 6);
    writeAlignedBox(ranges, at, node, to);
  }
}
