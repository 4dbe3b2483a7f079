/** Packed nodes of trees, as kernels read them: what a box contains, it contains packed. */
import { expect, test } from 'vitest';
import { buildMeshTree } from '../../src/bvh/build-tree.ts';
import type { PartTree } from '../../src/bvh/part-tree.ts';
import { HALF_UNIT } from '../../src/generated/constants.ts';
import { rotationMatrix } from '../../src/cpu/math.ts';
import { NODE_WORDS, packNodes, unitOf } from '../../src/gpu/part-pairs/pack-tree.ts';
import { finish } from '../../src/util/turns.ts';
import { createRandom } from '../../verification/families/random.ts';
import { MESH_FAMILIES } from '../helpers/meshes.ts';

const SEED = 5;
const familiesAndKinds = Object.entries(MESH_FAMILIES).flatMap(([name, family]) =>
  (['aligned', 'obb'] as const).map((kind) => [name, kind, family] as const),
);

interface Box {
  centre: number[];
  link: number;
  half: number[];
  /** Columns. */
  axes: Float64Array;
}

const snorm = (bits: number): number => Math.max(((bits << 16) >> 16) / 32767, -1);

function halfFloat(bits: number): number {
  const exponent = (bits >> 10) & 31;
  expect(exponent, 'the exponent of a number that is not subnormal').toBeGreaterThan(0);
  expect(exponent).toBeLessThan(31);
  expect(bits >> 15, 'the sign').toBe(0);
  return (1 + (bits & 1023) / 1024) * 2 ** (exponent - 15);
}

/** The nodes as the kernels unpack them, in the tree's unit. */
function unpacked(tree: PartTree): Box[] {
  const count = tree.links.length;
  const words = new Uint32Array(NODE_WORDS * count);
  const floats = new Float32Array(words.buffer);
  // In two parts.
  const middle = Math.floor(count / 2);
  packNodes(tree, unitOf(tree), 0, middle, floats, words);
  packNodes(
    tree,
    unitOf(tree),
    middle,
    count,
    floats.subarray(NODE_WORDS * middle),
    words.subarray(NODE_WORDS * middle),
  );
  return Array.from({ length: count }, (_, node) => {
    const at = NODE_WORDS * node;
    const [x, y, z, w] = [words[at + 4], words[at + 5]].flatMap((word) => [snorm(word & 0xffff), snorm(word >>> 16)]);
    return {
      centre: [...floats.subarray(at, at + 3)],
      link: words[at + 3] | 0,
      axes: rotationMatrix([x, y, z, w], new Float64Array(9)),
      half: [words[at + 6] & 0xffff, words[at + 6] >>> 16, words[at + 7] & 0xffff].map(
        (bits) => HALF_UNIT * halfFloat(bits),
      ),
    };
  });
}

test.each(familiesAndKinds)(
  'each box contains the corners of the box that it is packed from: %s, %s',
  (_, kind, family) => {
    const tree = finish(buildMeshTree(family(300, createRandom(SEED)), kind));
    const unit = unitOf(tree);
    expect(Math.log2(unit) % 1).toBe(0);
    expect(tree.extent / unit).toBeGreaterThanOrEqual(tree.extent > 0 ? 1 : 0);
    expect(tree.extent / unit).toBeLessThan(2);
    for (const [node, { centre, link, half, axes }] of unpacked(tree).entries()) {
      const at = 6 * node;
      expect(link).toBe(tree.links[node]);
      expect(centre.map((x) => x * unit)).toEqual([...tree.boxes.subarray(at, at + 3)]);
      const given = [...tree.boxes.subarray(at + 3, at + 6)].map((x) => x / unit);
      for (let i = 0; i < 3; i++) {
        // How far the box reaches along the axis of the packed one.
        const reach = given.reduce((sum, x, j) => {
          const along = [0, 1, 2].map((k) => (tree.axes ? tree.axes[9 * node + 3 * j + k] : Number(j === k)));
          return sum + x * Math.abs(along.reduce((product, y, k) => product + y * axes[3 * i + k], 0));
        }, 0);
        expect(half[i], `node ${node}, axis ${i}, seed ${SEED}`).toBeGreaterThanOrEqual(reach);
      }
      // Axes are off by about 2^-15, f16 rounds by 2^-10, and the least half extent is 2^-28.
      const size = given.reduce((sum, x) => sum + x, 0);
      const packedSize = half.reduce((sum, x) => sum + x, 0);
      expect(packedSize).toBeLessThan(1.0015 * size + 2e-8);
    }
  },
);

test('the axes of a frame stay what they are', () => {
  const tree = finish(buildMeshTree(MESH_FAMILIES['a flat grid'](8, createRandom(SEED)), 'aligned'));
  for (const { axes } of unpacked(tree)) expect([...axes]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
});

test('left-handed axes are those of a rotation', () => {
  const axes = Float32Array.of(0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, -1);
  const boxes = Float32Array.of(1, 2, 3, 0.5, 0.25, 0.125);
  const [box] = unpacked({ boxes, axes, links: Int32Array.of(-1), depth: 1, extent: 5 });
  for (let k = 0; k < 9; k++) expect(Math.abs(box.axes[k])).toBeCloseTo(Math.abs(axes[k]), 4);
  expect(box.half[0] * 4).toBeCloseTo(0.5, 2);
  expect(box.half[1] * 4).toBeCloseTo(0.25, 2);
  expect(box.half[2] * 4).toBeCloseTo(0.125, 2);
});
