/** The nodes of the trees of shapes, as the kernels read them that search pairs of parts (shaders/part-pairs/boxes.wgsl). */
import type { PartTree } from '../../bvh/part-tree.ts';
import { CORE_PARTS, IS_LEAF } from '../../generated/constants.ts';
import { layouts } from '../../generated/layouts.ts';
import { allocate } from '../../util/arrays.ts';

/** What kernels over pairs of parts read of shapes. */
export interface PackedParts {
  shapes: ArrayBuffer;
  geometry: ArrayBuffer;
  partNodes: ArrayBuffer;
}

/** Words of 32 bits, as integers and as numbers. */
export interface Words {
  integers: Uint32Array;
  floats: Float32Array;
}

export function wordsOf(buffer: ArrayBuffer): Words {
  return { integers: new Uint32Array(buffer), floats: new Float32Array(buffer) };
}

/** A shape of either dimension. */
interface NodeShape {
  kind: number;
  parts?: unknown;
}

export interface NodeSource<Shape extends NodeShape> {
  /** The six numbers of a half-space; undefined for other shapes. */
  halfspaceOf(shape: Shape): readonly number[] | undefined;
  /** The tree of a bounded shape, which was built if the shape has parts. */
  treeOf(shape: Shape): PartTree;
  /** Of a part of a shape that has parts. */
  kindOf(shape: Shape, part: number): number;
}

const NODE_WORDS = layouts.PartNode.size / 4;

/** Node i is the root of shape i; then come the other nodes. */
export function packNodes<Shape extends NodeShape>(
  shapes: readonly (Shape | undefined)[],
  { halfspaceOf, treeOf, kindOf }: NodeSource<Shape>,
): ArrayBuffer {
  const trees = shapes.map((shape) => (shape && !halfspaceOf(shape) ? treeOf(shape) : undefined));
  const others = trees.reduce((sum, tree) => sum + (tree ? tree.links.length - 1 : 0), 0);
  const nodes = wordsOf(
    allocate('nodes of trees', Uint32Array, NODE_WORDS * Math.max(1, shapes.length + others)).buffer as ArrayBuffer,
  );
  let next = shapes.length;
  shapes.forEach((shape, id) => {
    if (!shape) return;
    const tree = trees[id];
    if (!tree) {
      writeNode(nodes, id, halfspaceOf(shape)!, 0, IS_LEAF, shape.kind);
      return;
    }
    const { boxes, links } = tree;
    for (let node = 0; node < links.length; node++) {
      const link = links[node];
      const part = -1 - link;
      const isLeaf = link < 0;
      // The root has another place than the nodes after it.
      const place = node === 0 ? id : next + node - 1;
      const kind = !shape.parts ? shape.kind : isLeaf ? kindOf(shape, part) : CORE_PARTS;
      writeNode(nodes, place, boxes, 6 * node, isLeaf ? (IS_LEAF | part) >>> 0 : next + link - 1, kind);
    }
    next += links.length - 1;
  });
  return nodes.integers.buffer as ArrayBuffer;
}

function writeNode(
  { integers, floats }: Words,
  node: number,
  box: ArrayLike<number>,
  from: number,
  link: number,
  kind: number,
): void {
  const { fields } = layouts.PartNode;
  const at = NODE_WORDS * node;
  for (let k = 0; k < 3; k++) {
    floats[at + fields.centre.offset / 4 + k] = box[from + k];
    floats[at + fields.half.offset / 4 + k] = box[from + 3 + k];
  }
  integers[at + fields.link.offset / 4] = link;
  integers[at + fields.kind.offset / 4] = kind;
}
