/** The kernels that build trees of boxes: the sort of their keys, and the trees of all scenes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { broadPhaseScene, SCENE_NAMES } from '../../verification/families/broad-phase-scenes.ts';
import { below, createRandom, uniform } from '../../verification/families/random.ts';
import { oracleBodies } from '../helpers/box-oracle.ts';
import { openTreeBuilder, totalSize, treeFaults, type TreeBuilder } from '../helpers/box-tree.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_127;

let builder: TreeBuilder;
beforeAll(async () => {
  builder = await openTreeBuilder();
});
afterAll(() => builder?.dispose());

function entriesOf(count: number, key: (i: number) => number): Uint32Array {
  return Uint32Array.from({ length: 2 * count }, (_, at) => (at % 2 === 0 ? key(at / 2) : (at - 1) / 2));
}

function inOrder(entries: Uint32Array): Uint32Array {
  const bodies = Uint32Array.from({ length: entries.length / 2 }, (_, i) => i);
  const ordered = [...bodies].sort((a, b) => entries[2 * a] - entries[2 * b] || a - b);
  return Uint32Array.from(ordered.flatMap((body) => [entries[2 * body], body]));
}

describe('the sort', () => {
  const random = createRandom(SEED);
  const COUNT = 10_000;
  const KEYS: Record<string, (i: number) => number> = {
    'random keys': () => below(random, 2 ** 32),
    'equal keys': () => 0x1234_5678,
    'keys that differ in the lowest digit': (i) => 0xabcd_ef00 + (i % 7),
    'keys that differ in the highest digit': (i) => ((i % 13) << 28) >>> 0,
    'many keys in a small cluster': (i) => (i % 10 === 0 ? below(random, 2 ** 32) : 0x4000_0000 + below(random, 5)),
    'sorted keys': (i) => i * 400_000,
    'reversed keys': (i) => 2 ** 32 - 1 - i * 400_000,
  };

  test.each(Object.keys(KEYS))('orders %s, equal ones by body', async (name) => {
    const entries = entriesOf(COUNT, KEYS[name]);
    expect(await builder.sort(entries), `seed ${SEED}`).toEqual(inOrder(entries));
  });

  test.each([1, 2, 7, 8, 9, 255, 256, 257, 2047, 2048, 2049, 4095, 4096, 4097])('orders %d keys', async (count) => {
    const entries = entriesOf(count, () => below(random, 3 * count));
    expect(await builder.sort(entries), `seed ${SEED}`).toEqual(inOrder(entries));
  });

  // More counts of digits than a block of the scan takes.
  test('orders 530,000 keys', async () => {
    const entries = entriesOf(530_000, () => below(random, 2 ** 20));
    const sorted = await builder.sort(entries);
    let wrong = 0;
    for (let i = 2; i < sorted.length; i += 2) {
      const isBefore = sorted[i - 2] < sorted[i] || (sorted[i - 2] === sorted[i] && sorted[i - 1] < sorted[i + 1]);
      if (!isBefore || entries[2 * sorted[i + 1]] !== sorted[i]) wrong++;
    }
    expect(wrong).toBe(0);
  });
});

describe.each(SCENE_NAMES)('%s', (name) => {
  test('each body is in one leaf, and nodes enclose their children', async () => {
    const count = atNight(1000, 3000);
    const { shapes, bodies } = broadPhaseScene(name, count, SEED);
    const tree = await builder.build({ shapes, bodies });
    const oracle = oracleBodies(shapes, bodies);
    expect(tree.halfspaces).toBe(oracle.filter(({ plane }) => plane).length);
    expect(tree.leaves).toBe(count - tree.halfspaces);
    expect(treeFaults(tree), `seed ${SEED}`).toEqual([]);
    // Half-spaces come behind the leaves, in ascending order.
    const behind = tree.links.subarray(count + tree.leaves, count + tree.leaves + tree.halfspaces);
    expect([...behind]).toEqual(oracle.flatMap(({ plane }, body) => (plane ? [body] : [])));
    const again = await builder.build({ shapes, bodies });
    for (const array of ['boxes', 'links', 'ropes'] as const)
      expect(Buffer.from(again[array].buffer).equals(Buffer.from(tree[array].buffer))).toBe(true);
  });
});

test('leaves enclose their bodies', async () => {
  for (const name of ['similar', 'mixed', 'clusters'] as const) {
    const { shapes, bodies } = broadPhaseScene(name, 1000, SEED);
    const { boxes, links, leaves, capacity, origin } = await builder.build({ shapes, bodies });
    const oracle = oracleBodies(shapes, bodies);
    const centre = bodies.positions.subarray(3 * origin, 3 * origin + 3);
    for (let leaf = capacity; leaf < capacity + leaves; leaf++) {
      const { low, high, reach } = oracle[links[leaf]];
      for (let k = 0; k < 3; k++) {
        const [least, greatest] = [boxes[6 * leaf + k], boxes[6 * leaf + 3 + k]];
        const slack = 1e-4 * reach + 1e-5 * Math.max(Math.abs(least), Math.abs(greatest));
        expect(least).toBeLessThanOrEqual(low[k] - centre[k]);
        expect(least).toBeGreaterThan(low[k] - centre[k] - slack);
        expect(greatest).toBeGreaterThanOrEqual(high[k] - centre[k]);
        expect(greatest).toBeLessThan(high[k] - centre[k] + slack);
      }
    }
  }
});

test.each([1, 2, 3, 7, 8, 9, 63, 64, 65, 255, 256, 257, 511, 512, 513, 2047, 2048, 2049, 4096, 4097])(
  '%d bodies make a tree',
  async (count) => {
    const { shapes, bodies } = broadPhaseScene('similar', count, SEED + count);
    const tree = await builder.build({ shapes, bodies });
    expect(tree.leaves).toBe(count);
    expect(treeFaults(tree)).toEqual([]);
  },
);

describe('a few bodies far away', () => {
  test.each([0, 1234, 2999])(
    'leave the tree of the others as it is, if body %d is the first of them',
    async (first) => {
      const { shapes, bodies } = broadPhaseScene('similar', 3000, SEED);
      const before = totalSize(await builder.build({ shapes, bodies }));
      const positions = bodies.positions.slice();
      const strays = [first, (first + 500) % 3000, (first + 1500) % 3000];
      strays.forEach((body, i) => (positions[3 * body + i] = [5e29, -3e20, 1e12][i]));
      const tree = await builder.build({ shapes, bodies: { ...bodies, positions } });
      expect(treeFaults(tree)).toEqual([]);
      expect(strays).not.toContain(tree.origin);
      expect(totalSize(tree, strays)).toBeLessThan(1.1 * before);
    },
  );
});

describe('in the plane and at 64-bit positions', () => {
  test('trees are whole', async () => {
    const count = 3000;
    const random = createRandom(SEED);
    const numbers = (length: number, low: number, high: number): Float32Array =>
      Float32Array.from({ length }, () => uniform(random, low, high));
    const bodies = {
      shapes: new Uint32Array(count),
      positions: numbers(2 * count, 0, 30),
      angles: numbers(count, -3, 3),
    };
    const tree = await builder.build({ shapes: [{ type: 'rectangle', halfExtents: [0.5, 0.2] }], bodies });
    expect(tree.leaves).toBe(count);
    expect(treeFaults(tree)).toEqual([]);
  });

  test('far out the tree is that of the same positions near the origin', async () => {
    const { shapes, bodies } = broadPhaseScene('similar', 2000, SEED);
    const near = Float64Array.from(bodies.positions, (x) => Math.round(x * 2 ** 20) / 2 ** 20);
    const far = near.map((x, i) => x + 1e7 * (1 + (i % 3)));
    const [expected, tree] = [
      await builder.build({ shapes, bodies: { ...bodies, positions: near } }),
      await builder.build({ shapes, bodies: { ...bodies, positions: far } }),
    ];
    expect(treeFaults(tree)).toEqual([]);
    // The medians by which the origin is chosen are rounded, so it may be another body.
    expect(totalSize(tree)).toBeLessThan(1.02 * totalSize(expected));
  });
});
