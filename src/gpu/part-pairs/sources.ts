/**
 * Trees and triangles of shapes on a device. They are uploaded when a search first needs them, one behind the other, and
 * stay until there is no room for those of another search.
 */
import type { Triangles } from '../../bvh/build-tree.ts';
import type { PartTree } from '../../bvh/part-tree.ts';
import { partLayouts } from '../../generated/part-layouts.ts';
import type { PartSource } from '../../request/part-pairs.ts';
import { allocate } from '../../util/arrays.ts';
import { createPace, type Work } from '../../util/turns.ts';
import { writeBuffer, type BufferPool } from '../buffers.ts';
import { NODE_WORDS, packNodes, unitOf } from './pack-tree.ts';

/** Bytes per triangle: three corners. */
const TRIANGLE_BYTES = 36;

/** Nodes or triangles that are packed and uploaded at a time. */
const AT_ONCE = 2 ** 14;

/** Where the nodes or the triangles of shapes are in one buffer. */
interface Shelf<Key extends object> {
  /** Those that the buffer holds. */
  buffer?: GPUBuffer;
  firsts: WeakMap<Key, number>;
  /** The end of those. */
  end: number;
}

/** What is where on a device. */
export interface Shelves {
  nodes: Shelf<PartTree>;
  triangles: Shelf<Triangles>;
}

export function createShelves(): Shelves {
  return { nodes: emptyShelf(), triangles: emptyShelf() };
}

function emptyShelf<Key extends object>(): Shelf<Key> {
  return { firsts: new WeakMap(), end: 0 };
}

/** Whether the device has buffers for all of these shapes together. */
export function haveRoom(sources: readonly PartSource[], mostBytes: number): boolean {
  const { nodes, triangles } = keysOf(sources);
  return (
    sumOf(nodes, nodeCount) * partLayouts.PartNode.size <= mostBytes &&
    sumOf(triangles, triangleCount) * TRIANGLE_BYTES <= mostBytes
  );
}

/** Uploads what of these shapes is not on the device. Afterwards `shelves` has the places of all of them. */
export function* uploadSources(
  device: GPUDevice,
  pool: BufferPool,
  shelves: Shelves,
  sources: readonly PartSource[],
): Work<void> {
  const keys = keysOf(sources);
  const mostBytes = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize);
  const room = { pool, queue: device.queue, mostBytes };
  yield* fill(room, 'partPairs.nodes', shelves.nodes, keys.nodes, partLayouts.PartNode.size, nodeCount, makeNodePacker);
  yield* fill(
    room,
    'partPairs.triangles',
    shelves.triangles,
    keys.triangles,
    TRIANGLE_BYTES,
    triangleCount,
    makeTrianglePacker(sources),
  );
}

function keysOf(sources: readonly PartSource[]): { nodes: Set<PartTree>; triangles: Set<Triangles> } {
  return {
    nodes: new Set(sources.map(({ tree }) => tree)),
    triangles: new Set(sources.flatMap(({ mesh }) => (mesh ? [mesh] : []))),
  };
}

const nodeCount = ({ links }: PartTree): number => links.length;
const triangleCount = ({ indices }: Triangles): number => indices.length / 3;

function sumOf<Key>(keys: Iterable<Key>, countOf: (key: Key) => number): number {
  let sum = 0;
  for (const key of keys) sum += countOf(key);
  return sum;
}

/** Packs the entries of `key` from `first` up to `end`. */
type Packer<Key> = (key: Key) => (first: number, end: number) => ArrayBufferView;

function* fill<Key extends object>(
  { pool, queue, mostBytes }: { pool: BufferPool; queue: GPUQueue; mostBytes: number },
  name: string,
  shelf: Shelf<Key>,
  keys: Set<Key>,
  stride: number,
  countOf: (key: Key) => number,
  makePacker: Packer<Key>,
): Work<void> {
  // A pool that was cleared has another buffer.
  if (pool.get(name, 0) !== shelf.buffer) forget(shelf);
  const missing = (): Key[] => [...keys].filter((key) => !shelf.firsts.has(key));
  if (stride * (shelf.end + sumOf(missing(), countOf)) > (shelf.buffer?.size ?? 0)) {
    forget(shelf);
    const bytes = stride * sumOf(keys, countOf);
    shelf.buffer = pool.get(name, Math.max(bytes, Math.min(2 * bytes, mostBytes)));
  }
  const isDue = createPace();
  for (const key of missing()) {
    const pack = makePacker(key);
    const count = countOf(key);
    for (let first = 0; first < count; first += AT_ONCE) {
      const end = Math.min(first + AT_ONCE, count);
      writeBuffer(queue, shelf.buffer!, stride * (shelf.end + first), pack(first, end));
      if (isDue(64 * (end - first))) yield;
    }
    shelf.firsts.set(key, shelf.end);
    shelf.end += count;
  }
}

function forget<Key extends object>(shelf: Shelf<Key>): void {
  shelf.buffer = undefined;
  shelf.firsts = new WeakMap();
  shelf.end = 0;
}

function makeNodePacker(tree: PartTree): (first: number, end: number) => ArrayBufferView {
  const unit = unitOf(tree);
  const words = allocate('nodes of a tree', Uint32Array, NODE_WORDS * Math.min(AT_ONCE, nodeCount(tree)));
  const floats = new Float32Array(words.buffer);
  return (first, end) => {
    packNodes(tree, unit, first, end, floats, words);
    return words.subarray(0, NODE_WORDS * (end - first));
  };
}

/** Triangles are in the units of their trees. */
function makeTrianglePacker(sources: readonly PartSource[]): Packer<Triangles> {
  const trees = new Map(sources.map(({ mesh, tree }) => [mesh, tree]));
  return (mesh) => {
    const unit = unitOf(trees.get(mesh)!);
    const { positions, indices } = mesh;
    const corners = allocate('triangles', Float32Array, 9 * Math.min(AT_ONCE, triangleCount(mesh)));
    return (first, end) => {
      for (let i = 3 * first; i < 3 * end; i++) {
        const from = 3 * indices[i];
        const to = 3 * (i - 3 * first);
        corners[to] = positions[from] / unit;
        corners[to + 1] = positions[from + 1] / unit;
        corners[to + 2] = positions[from + 2] / unit;
      }
      return corners.subarray(0, 9 * (end - first));
    };
  };
}
