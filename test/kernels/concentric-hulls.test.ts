/**
 * Hulls of up to thousands of vertices around nearly the same point, judged by the oracle and the reference: hardly any
 * depth is deeper than another.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { F32_ROUNDING } from '../../src/shapes/tolerances.ts';
import { Status, type Contacts, type Manifolds, type Tester } from '../../src/api/types.ts';
import { emptyFamily, putBody, type Family } from '../../verification/families/family.ts';
import { judgeContact, signedDistance } from '../../verification/oracle/index.ts';
import { frame } from '../helpers/batch.ts';
import { pairsOf, summary, useShapes } from '../../verification/families/test-pairs.ts';
import { below, createRandom, unitVector } from '../../verification/families/random.ts';

const OFFSETS = [0, 1e-6, 1e-4, 1e-3, 1e-2, 5e-2];
const SHAPES = 4;

/** Balls of so many corners, a fifth of them rounded, turned at random or not at all. */
function concentricHulls(vertices: number, count: number): Family {
  const random = createRandom(vertices);
  const shapes = Array.from({ length: SHAPES }, (_, i) => ({
    type: 'hull' as const,
    points: Float32Array.from(Array.from({ length: vertices }, () => unitVector(random, [0, 0, 0])).flat()),
    radius: i % 5 === 4 ? 0.25 : 0,
  }));
  const family = emptyFamily(`hulls of ${vertices}`, shapes, count);
  for (let pair = 0; pair < count; pair++) {
    const offset = OFFSETS[below(random, OFFSETS.length)];
    const turn = (): number[] => (below(random, 10) === 0 ? [0, 0, 0, 1] : unitVector(random, [0, 0, 0, 0]));
    putBody(family, 2 * pair, below(random, SHAPES), { position: [0, 0, 0], quaternion: turn() });
    putBody(family, 2 * pair + 1, below(random, SHAPES), {
      position: unitVector(random, [0, 0, 0]).map((x) => offset * x),
      quaternion: turn(),
    });
    family.pairs.set([2 * pair, 2 * pair + 1], 2 * pair);
  }
  return family;
}

let gpu: Tester;
let cpu: Tester;
beforeAll(async () => {
  gpu = await createTester({ backend: 'webgpu' });
  cpu = await createTester({ backend: 'cpu' });
});
afterAll(() => {
  gpu?.dispose();
  cpu?.dispose();
});

const SIZES = [
  [64, 400, 20],
  [128, 200, 10],
  [256, 200, 0],
  [500, 200, 0],
  [1000, 100, 0],
  [3000, 20, 0],
] as const;

describe.each(SIZES)('hulls of %i vertices', (vertices, count, judged) => {
  const family = concentricHulls(vertices, count);

  test(`${count} nearly concentric pairs all have the reference's answer`, async () => {
    for (const tester of [gpu, cpu]) useShapes(tester, family.shapes);
    const options = { bounds: true, margin: Infinity };
    const found = await gpu.contacts(family.bodies, family.pairs, options);
    const reference = await cpu.contacts(family.bodies, family.pairs, options);
    expect(reference.statusCounts).toEqual([0, count, 0, 0, 0]);
    expect(found.statusCounts).toEqual([0, count, 0, 0, 0]);
    for (let pair = 0; pair < count; pair++) {
      expect(Math.abs(found.distance[pair] - reference.distance[pair]), `pair ${pair}`).toBeLessThan(5e-6 * 2);
      expect(found.lower![pair]).toBeLessThanOrEqual(reference.distance[pair] + 1e-7);
      expect(found.upper![pair]).toBeGreaterThanOrEqual(reference.distance[pair] - 1e-7);
    }
    // The oracle's own hulls are by brute force.
    if (judged === 0) return;
    const faults = (items: Contacts, precision: 'kernels' | 'reference', rounding: number): string[] => {
      const contacts = [...items];
      return pairsOf(family, judged).flatMap(({ index, a, b, poseA, poseB }) => {
        const truth = signedDistance(a, poseA, b, poseB).distance;
        return judgeContact(a, poseA, b, poseB, contacts[index], precision, { rounding, truth }).map(
          (fault) => `pair ${index}: ${fault}`,
        );
      });
    };
    expect(summary(faults(found, 'kernels', 0))).toEqual([]);
    expect(summary(faults(reference, 'reference', F32_ROUNDING))).toEqual([]);
  });
});

test.each(['contacts', 'manifolds'] as const)(
  'a batch of %s that asks for nothing resolves 1,000 nearly concentric pairs of 64 vertices',
  async (query) => {
    const family = concentricHulls(64, 1000);
    useShapes(gpu, family.shapes);
    const batch = await gpu.createBatch({ query, maxBodies: 2000, maxPairs: 1000 });
    const found = await frame<Contacts | Manifolds>(batch, { bodies: family.bodies, pairs: family.pairs });
    const expected = await gpu[query](family.bodies, family.pairs);
    expect(found.statusCounts[Status.Overlapping]).toBe(1000);
    expect(found.status).toEqual(expected.status);
    expect(found.normal).toEqual(expected.normal);
    batch.dispose();
  },
);
