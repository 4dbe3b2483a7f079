/**
 * Trees of meshes whose vertices have moved. The triangles stay in the nodes in which they were, and only the boxes are new: the
 * tree is refitted. When boxes have become much larger, the triangles are cut anew.
 *
 * Boxes of refitted trees lie along the mesh's axes, whatever those of the tree were before. So a refit takes a tenth of the
 * time of an OBB-tree, and one tree serves pairs and rays. Searches of pairs of meshes take longer in it.
 *
 * How large boxes are is measured by the surface-area heuristic: Goldsmith, Salmon, "Automatic creation of object hierarchies for
 * ray tracing" (1987).
 */
import type { Work } from '../util/turns.ts';
import { encloseAligned } from './aligned-boxes.ts';
import { boundTriangles, type Triangles } from './build-tree.ts';
import { cutParts } from './cut-parts.ts';
import type { PartTree, Topology } from './part-tree.ts';

/**
 * Triangles are cut anew if the cost of their nodes is more than this times what it was when they were cut. With less, meshes
 * that bend are cut more often; with more, searches in their trees take longer.
 */
const MOST_GROWTH = 2;

interface MeshNodes extends Topology {
  /** The vertices for which the nodes were cut. Undefined once the cost is known. */
  positions: Float64Array | undefined;
  /** The cost of the nodes when they were cut. Undefined until the mesh has moved. */
  cost: number | undefined;
}

/** The nodes of meshes, by indices: a mesh whose vertices have moved has the indices of the mesh before. */
const known = new WeakMap<Uint32Array, MeshNodes>();

const refitted = new WeakMap<Triangles, PartTree>();

/**
 * The tree of a mesh that has moved since its nodes were cut; undefined if they are to be cut for it, or were. `boxes` are
 * those of its triangles.
 */
export function* refitTree(mesh: Triangles, boxes: Float64Array): Work<PartTree | undefined> {
  const made = refitted.get(mesh);
  if (made) return made;
  const { positions, indices } = mesh;
  const nodes = known.get(indices);
  if (!nodes || nodes.positions === positions) return undefined;
  if (nodes.positions) {
    const before = { positions: nodes.positions, indices };
    nodes.cost = costOf(yield* encloseAligned(nodes, yield* boundTriangles(before)));
    nodes.positions = undefined;
  }
  const tree = yield* encloseAligned(nodes, boxes);
  if (costOf(tree) > MOST_GROWTH * nodes.cost!) {
    known.delete(indices);
    return undefined;
  }
  refitted.set(mesh, tree);
  return tree;
}

/** The nodes of a mesh that has no refitted tree. `boxes` are those of its triangles. */
export function* cutMesh({ positions, indices }: Triangles, boxes: Float64Array): Work<Topology> {
  const nodes = known.get(indices);
  if (nodes?.positions === positions) return nodes;
  const cut: MeshNodes = { ...(yield* cutParts(boxes)), positions, cost: undefined };
  known.set(indices, cut);
  return cut;
}

/**
 * The expected number of nodes above others whose boxes are met by a random ray that meets the root's: the sum of their
 * surfaces over that of the root. 1 if the root's box has no surface.
 */
function costOf({ boxes, links }: PartTree): number {
  let sum = 0;
  for (let node = 0; node < links.length; node++) if (links[node] >= 0) sum += surfaceOf(boxes, node);
  const whole = surfaceOf(boxes, 0);
  return whole > 0 ? sum / whole : 1;
}

/** An eighth of the surface of a node's box. */
function surfaceOf(boxes: Float32Array, node: number): number {
  const x = boxes[6 * node + 3];
  const y = boxes[6 * node + 4];
  const z = boxes[6 * node + 5];
  return x * y + y * z + z * x;
}
