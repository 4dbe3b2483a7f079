/**
 * The judge of `verify` over compounds and meshes, whose answers are those of two parts: what is right passes, apart and
 * overlapping, and what is off is found.
 */

import { afterAll, describe, expect, test } from 'vitest';
import { openCpu } from '../../verification/engines/cpu.ts';
import { compare } from '../../cli/verify/compare.ts';
import type { FaultKind } from '../../verification/judges/faults.ts';
import { termsOf } from '../../verification/judges/contact.ts';
import { createStatistics, hasPassed } from '../../verification/statistics/verdict-statistics.ts';
import { worstItems } from '../../verification/statistics/worst.ts';
import { scenePairs } from '../../cli/scene/pairs.ts';
import { parseScene } from '../../cli/scene/scene.ts';
import { CUBE } from '../helpers/gltf.ts';
import { move, push, tampered, type Change } from '../helpers/tampering.ts';

/** Bars and cubes, half of them in reach of each other, above a plane. */
const scene = parseScene(
  JSON.stringify({
    version: 1,
    shapes: [
      { type: 'mesh', ...CUBE },
      {
        type: 'compound',
        parts: [
          { shape: { type: 'box', halfExtents: [2, 0.5, 0.5] } },
          { shape: { type: 'sphere', radius: 0.5 }, position: [2, 1, 0], scale: 1.5 },
          { shape: { type: 'hull', points: CUBE.positions }, position: [-2, 0.25, 0], scale: 0.75 },
        ],
      },
      { type: 'cylinder', radius: 0.5, halfHeight: 1 },
      { type: 'halfspace', normal: [0, 1, 0], offset: -4 },
    ],
    bodies: [
      ...Array.from({ length: 18 }, (_, i) => ({
        shape: [0, 1, 2, 1][i % 4],
        name: `body ${i}`,
        position: [1.3 * (i % 5) - 3, 1.3 * Math.floor(i / 6) - 2, 1.7 * (i % 3) - 2],
        quaternion: i % 2 === 1 ? [0, 0, 0, 1] : [0.1 * i, 0.3, -0.2, 0.9],
      })),
      { shape: 3, position: [0, 0, 0] },
    ],
    pairs: 'all',
  }),
);
const pairs = scenePairs(scene, 0);
const honest = await openCpu();
await honest.load(scene.shapes, scene.bodies);
afterAll(() => honest.close());

test.each(['contacts', 'distances', 'intersects'] as const)('right answers pass: %s', async (query) => {
  for (const margin of [0, 0.3, Infinity]) {
    const { statistics } = await compare(honest, scene, pairs, termsOf('webgpu', query, margin), 1);
    expect(statistics.faults, `margin ${margin}`).toEqual(createStatistics(0, 0).faults);
    expect(hasPassed(statistics)).toBe(true);
    expect(statistics.pairs).toBe(pairs.length / 2);
  }
});

const typesOf = (pair: number): string[] =>
  [0, 1].map((side) => scene.shapes[scene.bodies.shapes[pairs[2 * pair + side]]].type);

/** Some pairs that overlap, or are apart. */
async function pairsThat(overlap: boolean, isMeant: (types: string[]) => boolean): Promise<number[]> {
  const { answer } = await honest.ask({ query: 'contacts', pairs, margin: Infinity, results: 'all' });
  const found = Array.from(answer.pair).filter(
    (pair) => isMeant(typesOf(pair)) && answer.distance![pair] < -0.01 === overlap,
  );
  expect(found.length).toBeGreaterThan(3);
  return found.slice(0, 8);
}

const hasMesh = (types: string[]): boolean => types.includes('mesh');
/** Depths of contacts with meshes are those along their normals, which are judged less closely. */
const isClear = (overlap: boolean) => (types: string[]) =>
  types.includes('compound') ? !overlap || !hasMesh(types) : !overlap && hasMesh(types);

/** The faults that are found when the answer for the pair is changed. */
async function faultsOf(pair: number, change: Change): Promise<FaultKind[]> {
  const alone = pairs.subarray(2 * pair, 2 * pair + 2);
  const terms = termsOf('webgpu', 'contacts', Infinity);
  const { statistics } = await compare(tampered(honest, 0, change), scene, alone, terms, 1);
  return worstItems(statistics.worst)[0].faults;
}

describe.each([true, false])('answers that are off are found, overlapping: %s', (overlap) => {
  test.each<[string, Change, FaultKind]>([
    ['the distance', (answer, slot) => (answer.distance![slot] += 0.001), 'distance'],
    ['the normal', (answer, slot) => [0, 1, 2].forEach((k) => (answer.normal![3 * slot + k] *= -1)), 'supports'],
    ['a point', (answer, slot) => move(answer.pointA!, slot, [0, 0.01, 0]), 'points'],
  ])('%s', async (_, change, fault) => {
    for (const pair of await pairsThat(overlap, isClear(overlap)))
      expect(await faultsOf(pair, change), `pair ${pair}`).toContain(fault);
  });

  test('both points, moved off the surfaces along the normal', async () => {
    for (const pair of await pairsThat(overlap, isClear(overlap)))
      expect(await faultsOf(pair, (answer, slot) => push(answer, slot, 0.01))).toContain('surface');
  });
});

test('contacts whose points do not fit their normal and depth are found on meshes too', async () => {
  for (const pair of await pairsThat(true, hasMesh)) {
    expect(await faultsOf(pair, (answer, slot) => (answer.distance![slot] -= 0.001))).toEqual(['points']);
    expect(await faultsOf(pair, (answer, slot) => (answer.normal![3 * slot] += 0.5))).toEqual(['unit']);
    expect(await faultsOf(pair, (answer, slot) => (answer.distance![slot] *= -1))).toContain('status');
  }
});
