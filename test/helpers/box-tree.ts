/** Trees of boxes on a device. */
import { NO_NODE, TREE_HALFSPACES, TREE_LEAVES, TREE_ORIGIN, TREE_WORDS } from '../../src/generated/constants.ts';
import { layouts } from '../../src/generated/layouts.ts';
import { bindSort, SORT_VARIANTS } from '../../src/gpu/broad-phase/sort.ts';
import { bindTree, treeBytes, treeVariants } from '../../src/gpu/broad-phase/tree.ts';
import { toleranceOfTable } from '../../src/gpu/broad-phase/tolerance.ts';
import { encodePass } from '../../src/gpu/encode-query.ts';
import type { Dispatch } from '../../src/gpu/kernels.ts';
import { encodeCopies, readCopies, type Region } from '../../src/gpu/read-back.ts';
import { createSession } from '../../src/gpu/session.ts';
import { usesFixedPoint } from '../../src/records/bodies.ts';
import { packBodies } from '../../verification/records/packed-bodies.ts';
import { dimensionOf, tableOf, type PlanarScene, type Scene } from './broad-phase.ts';
import { openDefaultDevice, withoutErrors } from './gpu.ts';

export interface TreeOnDevice {
  leaves: number;
  halfspaces: number;
  origin: number;
  /** Six numbers per node: inner nodes, then from `capacity` on leaves. */
  boxes: Float32Array;
  links: Uint32Array;
  ropes: Uint32Array;
  capacity: number;
}

export interface TreeBuilder {
  build(scene: Scene | PlanarScene): Promise<TreeOnDevice>;
  /** Key and body of each entry, by their keys. */
  sort(entries: Uint32Array): Promise<Uint32Array>;
  dispose(): void;
}

/** Parameters that the sort does not read. */
const UNREAD = { shapeCount: 0, pairCapacity: 0, margin: 0, tolerance: 0, motion: 0, duration: 0, cellSize: 1 };

export async function openTreeBuilder(): Promise<TreeBuilder> {
  const device = await openDefaultDevice('box-tree.device');
  const session = createSession(device, true, () => {});
  const { kernels, pool } = session;
  const context = { device, kernels, pool, uniform: pool.uniform };

  async function run(dispatches: readonly Dispatch[], cleared: readonly GPUBuffer[], regions: Region[]) {
    const encoder = device.createCommandEncoder();
    for (const buffer of cleared) encoder.clearBuffer(buffer);
    encodePass(encoder, dispatches, {});
    const staging = encodeCopies(pool, encoder, regions);
    device.queue.submit([encoder.finish()]);
    return readCopies(staging, regions);
  }

  return {
    async build(scene) {
      const dimension = dimensionOf(scene);
      const { shapes: table } = tableOf(scene);
      const { bodies } = scene;
      const bodyCount = bodies.shapes.length;
      const form = {
        isPlanar: dimension.dimension === 2,
        hasFixedPoint: usesFixedPoint(bodies),
      };
      await kernels.prepare(treeVariants(form));
      const packed = packBodies(bodies, dimension);
      const shapes = dimension.packShapes(table);
      return withoutErrors(device, async () => {
        const input = {
          shapeRecords: pool.upload('shapes', shapes.shapes),
          geometry: pool.upload('geometry', shapes.geometry),
          poses: pool.upload('poses', packed.poses),
          bodyShapes: pool.upload('bodies', packed.bodyShapes),
        };
        const sizes = {
          ...UNREAD,
          bodyCount,
          bodyCapacity: bodyCount,
          shapeCount: table.length,
          tolerance: toleranceOfTable(table, dimension),
          cellSize: packed.cellSize,
        };
        const bound = bindTree(context, form, sizes, input);
        const size = treeBytes(bodyCount);
        const [words, nodes] = await run(bound.dispatches, bound.cleared, [
          { buffer: bound.tree, offset: 0, size: 4 * TREE_WORDS },
          { buffer: bound.nodes, offset: 0, size },
        ]);
        const tree = new Uint32Array(words);
        return {
          leaves: tree[TREE_LEAVES],
          halfspaces: tree[TREE_HALFSPACES],
          origin: tree[TREE_ORIGIN],
          ...columnsOf(nodes, 2 * bodyCount),
          capacity: bodyCount,
        };
      });
    },

    async sort(entries) {
      await kernels.prepare(SORT_VARIANTS);
      const bodyCount = entries.length / 2;
      return withoutErrors(device, async () => {
        const buffer = pool.upload('entries', entries);
        const others = pool.get('others', entries.byteLength);
        const dispatches = bindSort(context, { ...UNREAD, bodyCount, bodyCapacity: bodyCount }, buffer, others);
        const [sorted] = await run(dispatches, [], [{ buffer, offset: 0, size: entries.byteLength }]);
        return new Uint32Array(sorted);
      });
    },

    dispose: () => session.destroy(),
  };
}

function columnsOf(nodes: ArrayBuffer, count: number): Pick<TreeOnDevice, 'boxes' | 'links' | 'ropes'> {
  const { size, fields } = layouts.TreeNode;
  const floats = new Float32Array(nodes);
  const words = new Uint32Array(nodes);
  const at = (node: number, field: keyof typeof fields): number => (size * node + fields[field].offset) / 4;
  const boxes = new Float32Array(6 * count);
  const links = new Uint32Array(count);
  const ropes = new Uint32Array(count);
  for (let node = 0; node < count; node++) {
    boxes.set(floats.subarray(at(node, 'low'), at(node, 'low') + 3), 6 * node);
    boxes.set(floats.subarray(at(node, 'high'), at(node, 'high') + 3), 6 * node + 3);
    links[node] = words[at(node, 'link')];
    ropes[node] = words[at(node, 'rope')];
  }
  return { boxes, links, ropes };
}

/** What is wrong with a tree, in words; at most a few. It is walked along its links and ropes. */
export function treeFaults({ leaves, boxes, links, ropes, capacity }: TreeOnDevice): string[] {
  const faults: string[] = [];
  const met = new Uint8Array(capacity);
  /** The nodes above the present one, and where a search that leaves each of them out goes on. */
  const above: { node: number; rope: number }[] = [];
  let node = leaves === 0 ? NO_NODE : leaves === 1 ? capacity : 0;
  let nextLeaf = capacity;
  for (let steps = 0; node !== NO_NODE; steps++) {
    if (steps > 2 * leaves || faults.length > 5) return [...faults, `node ${node}: the walk goes on`];
    while (above.length > 0 && above.at(-1)!.rope === node) above.pop();
    const parent = above.at(-1);
    if (parent && !encloses(boxes, parent.node, node)) faults.push(`node ${parent.node} does not enclose ${node}`);
    if (node < capacity) {
      above.push({ node, rope: ropes[node] });
      node = links[node];
      continue;
    }
    if (node !== nextLeaf++) faults.push(`leaf ${node - capacity} comes instead of ${nextLeaf - 1 - capacity}`);
    if (met[links[node]]++) faults.push(`body ${links[node]} comes twice`);
    node = ropes[node];
  }
  const count = met.reduce((sum, n) => sum + n, 0);
  if (count !== leaves) faults.push(`${count} of ${leaves} bodies are found`);
  return faults;
}

function encloses(boxes: Float32Array, outer: number, inner: number): boolean {
  return [0, 1, 2].every(
    (k) => boxes[6 * outer + k] <= boxes[6 * inner + k] && boxes[6 * outer + 3 + k] >= boxes[6 * inner + 3 + k],
  );
}

/** The sum of all inner nodes' edges, but for nodes that have any of these bodies. */
export function totalSize(
  { leaves, boxes, links, ropes, capacity }: TreeOnDevice,
  without: readonly number[] = [],
): number {
  let total = 0;
  for (let node = 0; node < leaves - 1; node++) {
    let has = false;
    for (let at = links[node]; at !== ropes[node] && !has;) {
      if (at >= capacity) has = without.includes(links[at]);
      at = at >= capacity ? ropes[at] : links[at];
    }
    if (!has) for (let k = 0; k < 3; k++) total += boxes[6 * node + 3 + k] - boxes[6 * node + k];
  }
  return total;
}
