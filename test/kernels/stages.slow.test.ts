/** Which stage answers which pairs: by axes, by GJK alone, by EPA, and on which features. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { Status, type Algorithm, type Contacts, type Tester } from '../../src/api/types.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';
import { TOLERANCE } from '../../src/shapes/tolerances.ts';
import { pairName, type Family } from '../../verification/families/family.ts';
import { anyFamily, pairsOf, summary, useShapes, type FamilyPair } from '../../verification/families/test-pairs.ts';
import { hasFeature } from '../../verification/judges/features.ts';
import { kernelFamilies } from '../helpers/kernel-families.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_250_103;

let gpu: Tester;
beforeAll(async () => {
  gpu = await createTester({ backend: 'webgpu' });
});
afterAll(() => gpu?.dispose());

function count(length: number, condition: (index: number) => boolean): number {
  let number = 0;
  for (let i = 0; i < length; i++) if (condition(i)) number++;
  return number;
}

/** Whether the normal lies along an axis of either body's frame. */
function isFaceAxis({ poseA, poseB }: FamilyPair, n: ArrayLike<number>): boolean {
  return [poseA, poseB].some(({ quaternion }) => {
    const [x, y, z, w] = Array.from(quaternion, (component) => component / Math.hypot(...Array.from(quaternion)));
    const axes = [
      [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
      [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
      [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
    ];
    return axes.some(
      (axis) =>
        Math.hypot(n[1] * axis[2] - n[2] * axis[1], n[2] * axis[0] - n[0] * axis[2], n[0] * axis[1] - n[1] * axis[0]) <
        1e-5,
    );
  });
}

async function contactsOf(family: Family, algorithm: Algorithm): Promise<{ found: Contacts; pairs: FamilyPair[] }> {
  useShapes(gpu, family.shapes);
  return {
    found: await gpu.contacts(family.bodies, family.pairs, { margin: Infinity, algorithm }),
    pairs: pairsOf(family),
  };
}

test('SAT answers overlapping boxes by face axes and by edge axes, GJK the others', async () => {
  const { found, pairs } = await contactsOf(anyFamily('box-box', 4000, SEED), 'sat');
  // Beyond doubt: at touch, SAT and GJK may each see a gap where the other does not.
  const overlapping = pairs.filter(({ index, size }) => found.distance[index] < -TOLERANCE.kernels * size);
  const faces = overlapping.filter((pair) =>
    isFaceAxis(pair, found.normal.subarray(3 * pair.index, 3 * pair.index + 3)),
  );
  expect(overlapping.every(({ index }) => found.iterations[index] === 1)).toBe(true);
  expect(faces.length).toBeGreaterThan(500);
  expect(overlapping.length - faces.length).toBeGreaterThan(50);
  expect(
    count(pairs.length, (index) => found.status[index] === Status.Separated && found.iterations[index] > 1),
  ).toBeGreaterThan(1000);
});

test('GJK alone answers rounded shapes whose cores are apart, EPA those whose cores overlap', async () => {
  for (const name of ['capsule-hull', 'rounded-box-hull'] as const) {
    const { found, pairs } = await contactsOf(anyFamily(name, 4000, SEED), 'gjk');
    const depth = ({ index, a, b }: FamilyPair) => found.distance[index] + a.radius + b.radius;
    expect(
      pairs.filter((pair) => found.distance[pair.index] < 0 && depth(pair) > 0.01 * pair.size).length,
    ).toBeGreaterThan(200);
    expect(pairs.filter((pair) => depth(pair) < -0.01 * pair.size).length).toBeGreaterThan(200);
  }
});

test('EPA takes from one to dozens of iterations', async () => {
  const { found } = await contactsOf(anyFamily('hull32-hull32', 4000, SEED), 'gjk');
  const iterations = Array.from(found.iterations).filter((_, index) => found.status[index] === Status.Overlapping);
  expect(Math.min(...iterations)).toBeLessThan(8);
  expect(Math.max(...iterations)).toBeGreaterThan(24);
});

test.each(['aligned-boxes', 'prisms', 'flat'] as const)('%s rest on vertices, edges and faces', async (name) => {
  const { found, pairs } = await contactsOf(anyFamily(name, 4000, SEED), 'gjk');
  for (const features of [found.featureA, found.featureB]) {
    for (const kind of [1, 2, 3])
      expect(
        count(pairs.length, (index) => features[index] >>> 30 === kind),
        `kind ${kind}`,
      ).toBeGreaterThan(100);
  }
});

test.each(kernelFamilies(() => atNight(100, 1000), SEED))(
  'contacts of $name have features that the shapes have',
  async (family) => {
    const { found, pairs } = await contactsOf(family, 'gjk');
    const shapes = family.shapes.map((shape) => makeShapeData(shape));
    const faults = pairs.flatMap(({ index, shapeA, shapeB }) =>
      [
        [found.featureA[index], shapeA],
        [found.featureB[index], shapeB],
      ].flatMap(([feature, shape]) => {
        const isThere = hasFeature(shapes[shape], feature);
        const name = `feature ${feature & 0x3fff_ffff} of kind ${feature >>> 30}`;
        return isThere ? [] : [`seed ${SEED}, ${pairName(family, index)}: ${family.shapes[shape].type} has no ${name}`];
      }),
    );
    expect(summary(faults)).toEqual([]);
  },
);
