/** How the search of portal refinement ends without the stages after it, and in how many supports. */
import { describe, expect, test } from 'vitest';
import { mpr, createMprResult } from '../../src/cpu/mpr.ts';
import { createPair, makePair } from '../../src/cpu/pair.ts';
import { contact, createShape, type CpuPose } from '../../src/cpu.ts';
import {
  MPR_FAR,
  MPR_MAX_ITERATIONS,
  MPR_NORMAL,
  MPR_OPEN,
  MPR_OVERLAP,
  MPR_OVERLAPPING,
  MPR_RAY,
} from '../../src/generated/constants.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';
import type { MprDepth } from '../../src/api/types.ts';
import { signedDistance } from '../../verification/oracle/index.ts';
import { anyFamily, pairsOf, type AnyFamilyName } from '../../verification/families/test-pairs.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';

const SEED = 20_261_205;
const PAIRS = 800;
const ENDINGS = ['ray', 'normal'] as const satisfies MprDepth[];
const HERE: CpuPose = { position: [0, 0, 0], quaternion: [0, 0, 0, 1] };

/** How the search ends over a family, without the stages after it. */
function statesOf(
  name: AnyFamilyName,
  ending: number,
): { states: number[]; iterations: number; overlapping: number; left: number } {
  const family = anyFamily(name, PAIRS, SEED);
  const shapes = family.shapes.map((shape) => makeShapeData(shape, 'shape'));
  const pair = createPair();
  const found = createMprResult();
  const states = [0, 0, 0];
  let iterations = 0;
  let overlapping = 0;
  let left = 0;
  for (const { a, b, poseA, poseB, shapeA, shapeB, size } of pairsOf(family)) {
    const [x, y, z] = [0, 1, 2].map((k) => poseB.position[k] - poseA.position[k]);
    makePair(shapes[shapeA], { scale: 1, ...poseA }, shapes[shapeB], { scale: 1, ...poseB }, { x, y, z }, pair);
    mpr(pair, 0, ending, found);
    states[found.state]++;
    iterations = Math.max(iterations, found.iterations);
    const core = signedDistance({ ...a, radius: 0 }, poseA, { ...b, radius: 0 }, poseB).distance;
    if (core > 1e-6 * size) expect(found.state).not.toBe(MPR_OVERLAPPING);
    if (core < -1e-6 * size) {
      expect(found.state).not.toBe(MPR_FAR);
      overlapping++;
      if (found.state === MPR_OPEN) left++;
    }
  }
  return { states, iterations, overlapping, left };
}

describe('what is left to GJK', () => {
  const names = [
    'box-box',
    'hull32-hull32',
    'capsule-hull',
    'rounded-box-hull',
    'needles',
    'identical',
    'sizes',
  ] as const;

  test.each(names)('hardly any overlapping cores of %s', (name) => {
    for (const ending of [MPR_OVERLAP, MPR_RAY, MPR_NORMAL]) {
      const { states, iterations, overlapping, left } = statesOf(name, ending);
      expect(overlapping).toBeGreaterThan(PAIRS / 8);
      expect(left).toBeLessThanOrEqual(0.01 * overlapping);
      expect(states[MPR_FAR] + states[MPR_OVERLAPPING] + states[MPR_OPEN]).toBe(PAIRS);
      expect(iterations).toBeLessThan(MPR_MAX_ITERATIONS);
    }
  });
});

test('a hull of 4,096 vertices, nearly a ball, is done by tolerance, not by vertices, in a few dozen supports', () => {
  const random = createRandom(SEED);
  const ball = createShape({
    type: 'hull',
    points: Array.from({ length: 4096 }, () => unitVector(random, [0, 0, 0])).flat(),
  });
  for (let i = 0; i < 100; i++) {
    const [x, y, z] = unitVector(random, [0, 0, 0]).map((component) => component * uniform(random, 0.01, 1.9));
    const turned = { position: [x, y, z], quaternion: unitVector(random, [0, 0, 0, 0]) };
    for (const mprDepth of ENDINGS) {
      const found = contact(ball, HERE, ball, turned, { algorithm: 'mpr', mprDepth });
      expect(found.iterations).toBeLessThan(mprDepth === 'ray' ? 40 : MPR_MAX_ITERATIONS);
      // The vertices are up to 0.1 apart, so that faces are up to 0.003 below the sphere.
      expect(Math.abs(found.distance + 2 - Math.hypot(x, y, z))).toBeLessThan(0.01);
    }
  }
});
