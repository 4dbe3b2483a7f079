/**
 * Bodies that are within rounding of touching as the motion begins and slide along each other, closing in slowly, or
 * parting, and boxes that land all but flat: of those that meet the point is on both, whenever they are said to.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contact, createShape } from '../../src/cpu.ts';
import { createTester } from '../../src/node.ts';
import type { Tester } from '../../src/api/types.ts';
import { multiply } from '../../verification/families/arrangements.ts';
import { poseOf } from '../../verification/families/family.ts';
import { turnOf, type MovingFamily } from '../../verification/families/moving-family.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { judgeQuery, movingFamily } from '../helpers/impacts.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_330;
const PAIRS = atNight(300, 600);
/** How far apart, and how much of the way they close in by, as shares of size and way. */
const GAPS = [0, 2e-7, 5e-7, 1e-6, 3e-6];
const CLOSING = [0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, -1e-5, -1e-3, -0.1];

let gpu: Tester;

beforeAll(async () => {
  gpu = await createTester({ backend: 'webgpu' });
});

afterAll(() => gpu?.dispose());

/** Pairs of a family, moved to touch, with velocities along the surfaces but for a share. */
function slidingFamily(name: string): MovingFamily {
  const family = movingFamily(name, PAIRS, SEED);
  const random = createRandom(SEED);
  const shapes = family.shapes.map((shape) => createShape(shape));
  const { bodies, duration } = family;
  for (let pair = 0; pair < PAIRS; pair++) {
    const [a, b] = [2 * pair, 2 * pair + 1];
    const { distance, normal } = contact(
      shapes[bodies.shapes[a]],
      poseOf(family, a),
      shapes[bodies.shapes[b]],
      poseOf(family, b),
      { margin: Infinity },
    );
    const size = [a, b].reduce(
      (sum, body) => sum + Math.min(shapes[bodies.shapes[body]].boundingRadius, 10) * (bodies.scales?.[body] ?? 1),
      0,
    );
    const closing = CLOSING[pair % CLOSING.length];
    const aside = unitVector(random, [0, 0, 0]);
    const along = aside.reduce((sum, x, k) => sum + x * normal[k], 0);
    for (let k = 0; k < 3; k++) {
      bodies.positions[3 * b + k] += (GAPS[pair % GAPS.length] * size - distance) * normal[k];
      bodies.linearVelocities[3 * b + k] =
        bodies.linearVelocities[3 * a + k] + ((aside[k] - (along + closing) * normal[k]) * size) / duration;
    }
  }
  return family;
}

const FAMILIES = ['box-box', 'cylinder/ellipsoid', 'box/halfspace'];

describe.each(
  atNight(FAMILIES, [...FAMILIES, 'box/hull', 'rounded-box-hull', 'capsule-hull', 'sphere/hull', 'triangle/cone']),
)('%s', (name) => {
  test.each(atNight<('auto' | 'cast' | 'velocity-epa')[]>(['auto'], ['auto', 'cast', 'velocity-epa']))(
    'by %s',
    async (algorithm) => {
      const family = slidingFamily(name);
      const { met, overlapped, missed, open } = await judgeQuery(
        gpu,
        family,
        family.pairs,
        algorithm,
        `${name}, seed ${SEED}`,
      );
      // One in three parts or slides by.
      expect(met + overlapped).toBeGreaterThan(0.3 * PAIRS);
      expect(missed).toBeGreaterThan(0.1 * PAIRS);
      expect(open).toBeLessThanOrEqual(PAIRS / 200);
    },
  );
});

/** Boxes over each other's faces, turned any way about the vertical and tilted by 1e-3 to 1e-7, which come down. */
function landingFamily(count: number): MovingFamily {
  const family = movingFamily('box-box', count, SEED);
  const random = createRandom(SEED);
  const shapes = family.shapes.map((shape) => createShape(shape));
  const { bodies, duration } = family;
  for (let pair = 0; pair < count; pair++) {
    const [a, b] = [2 * pair, 2 * pair + 1];
    const [sizeA, sizeB] = [a, b].map((body) =>
      shapes[bodies.shapes[body]].halfExtents.map((x) => x * (bodies.scales?.[body] ?? 1)),
    );
    const tilt = 10 ** uniform(random, -7, -3);
    const turn = turnOf([0, 0, uniform(random, 0, 6)], 1);
    bodies.quaternions.set([0, 0, 0, 1], 4 * a);
    bodies.quaternions.set(
      multiply(
        turnOf(
          unitVector(random, [0, 0, 0]).map((x) => tilt * x),
          1,
        ),
        turn,
      ),
      4 * b,
    );
    const reach = sizeA[2] + sizeB[2];
    const aside = [0, 1].map((k) => uniform(random, -1, 1) * (sizeA[k] + Math.min(sizeB[0], sizeB[1])));
    for (let k = 0; k < 3; k++) {
      const way = k === 2 ? -2 * reach : uniform(random, -1, 1) * reach;
      bodies.positions[3 * a + k] = 0;
      // Half the way down, until they touch where the motion has taken them aside.
      bodies.positions[3 * b + k] = (k === 2 ? reach : aside[k]) - 0.5 * way;
      bodies.linearVelocities[3 * a + k] = 0;
      bodies.linearVelocities[3 * b + k] = way / duration;
    }
  }
  return family;
}

test.each(['auto', 'cast', 'velocity-epa'] as const)('boxes that land all but flat, by %s', async (algorithm) => {
  const count = atNight(1_500, 6_000);
  const family = landingFamily(count);
  const { met, open } = await judgeQuery(gpu, family, family.pairs, algorithm, `seed ${SEED}`);
  expect(met).toBeGreaterThan((5 / 6) * count);
  expect(open).toBe(0);
});
