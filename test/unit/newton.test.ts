/** The projected Newton search: how much of the work it does, and that it claims nothing that GJK does not find. */

import { describe, expect, test } from 'vitest';
import {
  CORE_BOX,
  GJK_CONVERGED,
  NEWTON_CONVERGED,
  NEWTON_MAX_ITERATIONS,
  NEWTON_NEAR,
  NEWTON_OPEN,
} from '../../src/generated/constants.ts';
import { NO_GUESS, createGjkResult, gjk } from '../../src/cpu/gjk.ts';
import { createPair, makePair } from '../../src/cpu/pair.ts';
import { createNewtonResult, newton } from '../../src/cpu/newton.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';
import { anyFamily, pairsOf, type AnyFamilyName } from '../../verification/families/test-pairs.ts';

const SEED = 20_261_122;
const PAIRS = 4000;
/** How much two searches that each stop within their exit may differ, in the pair's unit. */
const DIFFERENCE = 1e-13;

/** Runs both searches over the pairs of a family that have no hulls. */
function search(name: AnyFamilyName, near: number) {
  const family = anyFamily(name, PAIRS, SEED);
  const shapes = family.shapes.map((shape) => makeShapeData(shape, 'shape'));
  const pair = createPair();
  const found = createNewtonResult();
  const expected = createGjkResult();
  const states = [0, 0, 0];
  const faults: string[] = [];
  for (const { index, poseA, poseB, shapeA, shapeB } of pairsOf(family)) {
    if (Math.max(shapes[shapeA].kind, shapes[shapeB].kind) > CORE_BOX) continue;
    const [x, y, z] = [0, 1, 2].map((k) => poseB.position[k] - poseA.position[k]);
    makePair(shapes[shapeA], { scale: 1, ...poseA }, shapes[shapeB], { scale: 1, ...poseB }, { x, y, z }, pair);
    newton(pair, near, found);
    gjk(pair, Infinity, -1, NO_GUESS, expected);
    states[found.state]++;
    const isApart = expected.state === GJK_CONVERGED;
    const distance = isApart ? expected.lower : 0;
    if (found.iterations > NEWTON_MAX_ITERATIONS) faults.push(`pair ${index}: ${found.iterations} iterations`);
    if (found.state === NEWTON_CONVERGED && !(Math.abs(found.lower - distance) <= DIFFERENCE))
      faults.push(`pair ${index}: ${found.lower}, GJK ${distance}`);
    if (found.state === NEWTON_NEAR && !(distance <= near + DIFFERENCE))
      faults.push(`pair ${index}: within ${near}, GJK ${distance}`);
    const { onA, onB, normal, lower } = found;
    const leap = Math.hypot(
      onB.x - onA.x - lower * normal.x,
      onB.y - onA.y - lower * normal.y,
      onB.z - onA.z - lower * normal.z,
    );
    if (found.state === NEWTON_CONVERGED && !(leap <= DIFFERENCE))
      faults.push(`pair ${index}: points ${leap} off the normal`);
  }
  return { states, faults, count: states.reduce((sum, n) => sum + n) };
}

describe.each(['box-box', 'sphere-box', 'aligned-boxes', 'flat', 'needles', 'sizes', 'grid'] as const)('%s', (name) => {
  test.each([0, 0.05])('what it finds is what GJK finds, near %s', (near) => {
    const { states, faults, count } = search(name, near);
    expect(faults.slice(0, 5)).toEqual([]);
    expect(count).toBeGreaterThan(300);
    expect(states[NEWTON_CONVERGED] + states[NEWTON_NEAR]).toBeGreaterThan(0.5 * count);
    expect(near > 0 || states[NEWTON_CONVERGED] > 0.1 * count).toBe(true);
    expect(states[NEWTON_NEAR]).toBeGreaterThan(0.02 * count);
  });
});

test('hardly a pair of spheres and boxes, and few of boxes, are left to GJK', () => {
  for (const [name, most] of [
    ['sphere-box', 0.001],
    ['box-box', 0.1],
  ] as const) {
    const { states, count } = search(name, 0);
    console.log(`${name}: ${((100 * states[NEWTON_OPEN]) / count).toFixed(2)} % of ${count} pairs are left to GJK`);
    expect(states[NEWTON_OPEN]).toBeLessThan(most * count);
  }
});
