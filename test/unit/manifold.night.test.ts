/** Manifolds of the CPU reference: what every pair of shapes is promised. */

import { describe, expect, test } from 'vitest';
import * as cpu from '../../src/cpu.ts';
import { TOLERANCE } from '../../src/shapes/tolerances.ts';
import { makeShapePairFamily, shapePairNames } from '../../verification/families/families-of-types.ts';
import { anyFamily, pairsOf, summary } from '../../verification/families/test-pairs.ts';
import { manifoldFaults } from '../helpers/manifolds.ts';
import type { Family } from '../../verification/families/family.ts';

const SEED = 20_261_121;
const PAIRS = 48;

/** Faults of all pairs, and how many manifolds have each number of points. */
function judge(family: Family, margin: (size: number) => number): { faults: string[]; counts: number[] } {
  const shapes = family.shapes.map((description) => cpu.createShape(description));
  const counts = [0, 0, 0, 0, 0];
  const faults = pairsOf(family).flatMap((pair) => {
    const args = [
      shapes[pair.shapeA],
      pair.poseA,
      shapes[pair.shapeB],
      pair.poseB,
      { margin: margin(pair.size) },
    ] as const;
    const contact = cpu.contact(...args);
    const found = cpu.manifold(...args);
    counts[found.points.length]++;
    return manifoldFaults(pair, found, contact, margin(pair.size), TOLERANCE.reference, false);
  });
  return { faults, counts };
}

describe.each(shapePairNames)('%s', (name) => {
  test.each([0, 0.01, 0.3])(
    'hits have points on both surfaces, the deepest among them, at a margin of %d of the size',
    (share) => {
      const { faults, counts } = judge(makeShapePairFamily(name, PAIRS, SEED), (size) => share * size);
      expect(summary(faults), `seed ${SEED}`).toEqual([]);
      expect(counts[0]).toBeGreaterThan(0);
      expect(PAIRS - counts[0]).toBeGreaterThan(PAIRS / 4);
    },
  );
});

test('so do shapes full of ties', () => {
  const { faults, counts } = judge(anyFamily('grid', 1500, SEED), () => 0.25);
  expect(summary(faults), `seed ${SEED}`).toEqual([]);
  expect(Math.min(...counts)).toBeGreaterThan(20);
});
