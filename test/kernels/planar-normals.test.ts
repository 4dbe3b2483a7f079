/**
 * Normals of `distances` in 2-D: the distance along the normal is that of the pair. A distance hardly tells a corner
 * from the edge beside it, but their normals differ.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TOLERANCE } from '../../src/shapes/tolerances.ts';
import { createTester } from '../../src/node.ts';
import { Status, type PlanarTester } from '../../src/api/types.ts';
import {
  makePlanarTypeFamily,
  planarPairsOf,
  planarTypePairNames,
} from '../../verification/families/planar-families.ts';
import { planarSeparation } from '../../verification/oracle/planar.ts';

const SEED = 20_261_125;
const PAIRS = 10_000;
/** Rectangles have a closed form. */
const MOST_PAIRS = 60_000;

describe.each(['webgpu', 'cpu'] as const)('%s', (backend) => {
  let tester: PlanarTester;

  beforeAll(async () => {
    tester = await createTester({ dimension: 2, backend });
  });
  afterAll(() => tester?.dispose());

  test.each(planarTypePairNames)('%s', async (name) => {
    const count = name === 'rectangle/rectangle' ? MOST_PAIRS : PAIRS;
    const family = makePlanarTypeFamily(name, count, SEED);
    const ids = family.shapes.map((shape) => tester.addShape(shape));
    const bodies = { ...family.bodies, shapes: family.bodies.shapes.map((shape) => ids[shape]) };
    const { status, distance, normal } = await tester.distances(bodies, family.pairs);
    for (const id of ids) tester.removeShape(id);
    const wrong: string[] = [];
    let apart = 0;
    for (const { index, a, poseA, b, poseB, size } of planarPairsOf(family)) {
      if (status[index] !== Status.Separated) continue;
      apart++;
      const along = planarSeparation(a, poseA, b, poseB, [normal[2 * index], normal[2 * index + 1]]);
      const miss = Math.abs(along - distance[index]);
      if (!(miss <= TOLERANCE.kernels * size)) wrong.push(`pair ${index}: ${miss / size} of the size`);
    }
    expect(wrong, `seed ${SEED}`).toEqual([]);
    expect(apart).toBeGreaterThan(0.4 * count);
  });
});
