/**
 * The judge of `verify` over pairs with a half-space, which has no support but along its normal: what is right passes,
 * normals and points that are off are found.
 */

import { afterAll, describe, expect, test } from 'vitest';
import { openCpu } from '../../verification/engines/cpu.ts';
import { compare } from '../../cli/verify/compare.ts';
import type { FaultKind } from '../../verification/judges/faults.ts';
import { termsOf } from '../../verification/judges/contact.ts';
import { hasPassed } from '../../verification/statistics/verdict-statistics.ts';
import { worstItems } from '../../verification/statistics/worst.ts';
import { parseScene } from '../../cli/scene/scene.ts';
import { move, push, tampered, tangent, vectorAt, type Change } from '../helpers/tampering.ts';

const PLANE = 0;

/** A plane, and on it one body of each bounded shape, some a little above it and some a little below. */
const scene = parseScene(
  JSON.stringify({
    version: 1,
    shapes: [
      { type: 'halfspace', normal: [0.1, 0.9, -0.2], offset: 1.5 },
      { type: 'sphere', radius: 0.5 },
      { type: 'box', halfExtents: [0.5, 0.4, 0.3], radius: 0.1 },
      { type: 'capsule', halfHeight: 0.5, radius: 0.25 },
      { type: 'hull', points: [-0.5, -0.5, -0.5, 1, 0, 0, 0, 1, 0, 0, 0, 1] },
      { type: 'cylinder', radius: 0.5, halfHeight: 0.4 },
      { type: 'cone', radius: 0.5, halfHeight: 0.4 },
      { type: 'ellipsoid', radii: [0.5, 0.4, 0.3] },
    ],
    bodies: [
      { shape: PLANE, position: [0.3, -1.1, 0.2], quaternion: [0.1, 0.05, -0.1, 0.98] },
      ...[1, 2, 3, 4, 5, 6, 7].map((shape) => ({
        shape,
        position: [shape / 2 - 2, 0.75 + shape / 10, shape / 3 - 1],
        quaternion: [0.5, 0.2, -0.3, 0.7],
        scale: 0.8,
      })),
    ],
    pairs: 'all',
  }),
);
const bodies = [1, 2, 3, 4, 5, 6, 7];
/** The plane first, then the plane last. */
const pairs = Uint32Array.from([
  ...bodies.flatMap((body) => [PLANE, body]),
  ...bodies.flatMap((body) => [body, PLANE]),
]);
const all = Array.from({ length: pairs.length / 2 }, (_, pair) => pair);

const terms = termsOf('webgpu', 'contacts', Infinity);
const honest = await openCpu();
await honest.load(scene.shapes, scene.bodies);
afterAll(() => honest.close());

async function faultsOf(pair: number, change: Change): Promise<FaultKind[]> {
  const { statistics } = await compare(tampered(honest, pair, change), scene, pairs, terms, pairs.length);
  expect(statistics.faulty).toBe(1);
  return worstItems(statistics.worst).find((item) => item.pair === pair)!.faults;
}

/** Both points along the contact plane. */
const slide: Change = (answer, slot) => {
  for (const point of [answer.pointA!, answer.pointB!])
    move(
      point,
      slot,
      tangent(answer, slot).map((x) => 2 * x),
    );
};

const { statistics: untouched } = await compare(honest, scene, pairs, terms, pairs.length);

function toleranceOf(pair: number): number {
  return terms.tolerance * worstItems(untouched.worst).find((item) => item.pair === pair)!.size;
}

test('right answers pass, overlapping and apart, by both tolerances', async () => {
  for (const backend of ['webgpu', 'cpu'] as const) {
    for (const margin of [0, Infinity]) {
      const { statistics } = await compare(honest, scene, pairs, termsOf(backend, 'contacts', margin), pairs.length);
      expect(statistics.faulty).toBe(0);
      expect(hasPassed(statistics)).toBe(true);
    }
  }
  const distances = worstItems(untouched.worst).map(({ reference }) => reference.distance!);
  expect(Math.min(...distances)).toBeLessThan(-0.1);
  expect(Math.max(...distances)).toBeGreaterThan(0.1);
  expect(worstItems(untouched.worst)).toHaveLength(all.length);
});

describe.each(all)('pair %i', (pair) => {
  test('a normal turned by a thousandth', async () => {
    expect(
      await faultsOf(pair, (answer, slot) =>
        move(
          answer.normal!,
          slot,
          tangent(answer, slot).map((x) => 1e-3 * x),
        ),
      ),
    ).toContain('supports');
  });

  test('a normal the other way', async () => {
    expect(
      await faultsOf(pair, ({ normal }, slot) =>
        move(
          normal!,
          slot,
          vectorAt(normal!, slot).map((x) => -2 * x),
        ),
      ),
    ).toContain('supports');
  });

  test('points off the surfaces, along the normal and against it', async () => {
    const k = pair % 7 > 3 ? 30 : 3;
    for (const sign of [-k, k])
      expect(await faultsOf(pair, (answer, slot) => push(answer, slot, sign * toleranceOf(pair)))).toEqual(['surface']);
  });

  test('points along the plane, out of the shape', async () => {
    expect(await faultsOf(pair, slide)).toEqual(['surface']);
  });
});
