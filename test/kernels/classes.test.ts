/** Pairs of many kinds in one list are sorted by class, and no pair's answer depends on what else is in the list. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CORE_BOX } from '../../src/generated/constants.ts';
import { createTester } from '../../src/node.ts';
import { TOLERANCE } from '../../src/shapes/tolerances.ts';
import type { Contacts, Tester } from '../../src/api/types.ts';
import { putRandomPair, emptyFamily, shapeCores } from '../../verification/families/family.ts';
import { hullOf } from '../../verification/families/hulls.ts';
import { below, createRandom } from '../../verification/families/random.ts';
import { differences } from '../helpers/batch.ts';
import { pairsOf, useShapes } from '../../verification/families/test-pairs.ts';
import { bodies, family, kindOf, pairs, PAIRS, random, shapes } from '../helpers/many-kinds.ts';

describe('small hulls', () => {
  test('have the same answers beside a large one, which is a kernel with another support mapping', async () => {
    const some = emptyFamily(
      'small',
      Array.from({ length: 8 }, (_, i) => hullOf(createRandom(i), 8 + (i % 5))),
      2000,
    );
    const sizes = shapeCores(some.shapes);
    for (let i = 0; i < 2000; i++) putRandomPair(random, some, sizes, i, [below(random, 8), below(random, 8)]);
    const tester = await createTester({ backend: 'webgpu' });
    useShapes(tester, [...some.shapes, hullOf(random, 32)]);
    const others = {
      ...some.bodies,
      shapes: Uint32Array.from([...some.bodies.shapes, 8]),
      positions: Float32Array.from([...some.bodies.positions, 0, 0, 0]),
      quaternions: Float32Array.from([...some.bodies.quaternions, 0, 0, 0, 1]),
    };
    for (const query of ['contacts', 'distances'] as const) {
      const alone = await tester[query](some.bodies, some.pairs, { margin: Infinity });
      const beside = await tester[query](others, some.pairs, { margin: Infinity });
      expect(beside.status).toEqual(alone.status);
      const off = Array.from(
        alone.distance,
        (distance, pair) => Math.abs(distance - beside.distance[pair]) / sizes.extents[some.bodies.shapes[2 * pair]],
      );
      expect(Math.max(...off)).toBeLessThan(5e-6);
    }
    tester.dispose();
  });
});

describe('answers', () => {
  let gpu: Tester;
  let mixed: Contacts;

  beforeAll(async () => {
    gpu = await createTester({ backend: 'webgpu' });
    useShapes(gpu, shapes);
    mixed = await gpu.contacts(bodies, pairs, { margin: 0.125 });
  });
  afterAll(() => gpu?.dispose());

  test('every pair is answered once, in its slot', () => {
    expect(mixed.count).toBe(PAIRS);
    expect(mixed.pair.every((pair, slot) => pair === slot)).toBe(true);
    expect(mixed.statusCounts.reduce((sum, n) => sum + n)).toBe(PAIRS);
    expect(Math.min(mixed.statusCounts[0], mixed.statusCounts[1])).toBeGreaterThan(PAIRS / 4);
    expect(mixed.statusCounts.slice(2)).toEqual([0, 0, 0]);
  });

  test('they are those of the double-precision reference', async () => {
    const cpu = await createTester({ backend: 'cpu' });
    useShapes(cpu, shapes);
    const reference = await cpu.contacts(bodies, pairs, { margin: 0.125 });
    const k = TOLERANCE.kernels + TOLERANCE.reference;
    // Beyond the margin a pair may leave early.
    const near = pairsOf(family).filter(({ index, size }) => !(reference.distance[index] > 0.125 - k * size));
    const wrong = near.filter(({ index, size }) => {
      const isOff = !(Math.abs(mixed.distance[index] - reference.distance[index]) <= k * size);
      return (
        isOff || (mixed.status[index] !== reference.status[index] && !(Math.abs(reference.distance[index]) <= k * size))
      );
    });
    expect(wrong.map(({ index }) => index)).toEqual([]);
    expect(near.length).toBeGreaterThan(PAIRS / 2);
    cpu.dispose();
  });

  test('they do not depend on the order of the pairs', async () => {
    const order = Uint32Array.from({ length: PAIRS }, (_, i) => (i * 4001) % PAIRS);
    const shuffled = Uint32Array.from({ length: 2 * PAIRS }, (_, i) => pairs[2 * order[i >> 1] + (i & 1)]);
    const found = await gpu.contacts(bodies, shuffled, { margin: 0.125 });
    const rows = (of: Contacts, at: (slot: number) => number) =>
      Array.from(order, (_, slot) => [
        of.status[at(slot)],
        of.distance[at(slot)],
        ...of.normal.subarray(3 * at(slot), 3 * at(slot) + 3),
        of.featureA[at(slot)],
        of.iterations[at(slot)],
      ]);
    expect(rows(found, (slot) => slot)).toEqual(rows(mixed, (slot) => order[slot]));
  });

  test('the hits are the same pairs, ascending', async () => {
    const hits = await gpu.contacts(bodies, pairs, { margin: 0.125, results: 'hits' });
    const wanted = Array.from(mixed.pair).filter((pair) => mixed.distance[pair] <= 0.125);
    expect(Array.from(hits.pair)).toEqual(wanted);
    expect(Array.from(hits.distance)).toEqual(wanted.map((pair) => mixed.distance[pair]));
  });

  test('boxes among other shapes have the answers of boxes alone', async () => {
    const wanted = Array.from({ length: PAIRS }, (_, i) => i).filter(
      (i) => kindOf(pairs[2 * i]) === CORE_BOX && kindOf(pairs[2 * i + 1]) === CORE_BOX,
    );
    expect(wanted.length).toBeGreaterThan(200);
    const boxes = Uint32Array.from(wanted.flatMap((i) => [pairs[2 * i], pairs[2 * i + 1]]));
    const alone = await gpu.contacts(bodies, boxes, { margin: 0.125 });
    for (const [slot, pair] of wanted.entries()) {
      expect([alone.status[slot], alone.distance[slot]]).toEqual([mixed.status[pair], mixed.distance[pair]]);
    }
  });

  test('a repeated run gives the same bits', async () => {
    expect(differences(await gpu.contacts(bodies, pairs, { margin: 0.125 }), mixed)).toEqual([]);
  });
});
