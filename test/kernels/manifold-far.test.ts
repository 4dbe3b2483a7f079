/**
 * Manifolds of shapes that are small beside the gap between them, where corners that count as equally deep differ by
 * less than depths are rounded by.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as cpu from '../../src/cpu.ts';
import { createTester } from '../../src/node.ts';
import { TOLERANCE } from '../../src/shapes/tolerances.ts';
import type { Tester } from '../../src/api/types.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { emptyFamily, putBody, type Family } from '../../verification/families/family.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { pairsOf, summary, useShapes } from '../../verification/families/test-pairs.ts';
import { manifoldFaults } from '../helpers/manifolds.ts';

const SEED = 20_261_126;
const GAPS = [10, 300, 1000, 3000, 10_000, 30_000];
/** Pairs of each gap. */
const PAIRS = 12;
const UPRIGHT = [0, 0, 0, 1];

let tester: Tester;

beforeAll(async () => {
  tester = await createTester({ backend: 'webgpu' });
});

afterAll(() => tester?.dispose());

/** A regular prism of radius 1 and half height 0.5. */
function prism(sides: number): ShapeDescription {
  const points = Array.from({ length: sides }, (_, i) => (2 * Math.PI * i) / sides).flatMap((angle) =>
    [-0.5, 0.5].flatMap((y) => [Math.cos(angle), y, Math.sin(angle)]),
  );
  return { type: 'hull', points };
}

/** One shape over the other, turned about the line between them: at each gap a few pairs, in both orders. */
function stacked(lower: ShapeDescription, upper: ShapeDescription, top: number): Family {
  const random = createRandom(SEED);
  const family = emptyFamily('stacked', [lower, upper], GAPS.length * PAIRS);
  GAPS.forEach((gap, i) => {
    for (let k = 0; k < PAIRS; k++) {
      const pair = PAIRS * i + k;
      const turn = k === 0 ? 0 : uniform(random, 0, Math.PI);
      const [under, over] = k % 2 === 0 ? [2 * pair, 2 * pair + 1] : [2 * pair + 1, 2 * pair];
      putBody(family, under, 0, { position: [0, 0, 0], quaternion: UPRIGHT });
      putBody(family, over, 1, {
        position: [0.1, top + gap + 0.5, -0.2],
        quaternion: [0, Math.sin(turn / 2), 0, Math.cos(turn / 2)],
      });
    }
  });
  return family;
}

const ground: ShapeDescription = { type: 'halfspace', normal: [0, 1, 0], offset: 0 };
const plate: ShapeDescription = { type: 'box', halfExtents: [1, 0.5, 1] };
const block: ShapeDescription = { type: 'box', halfExtents: [0.75, 0.5, 0.75] };

/**
 * How many points there have to be, and up to which gap: f32 knows the direction between two bounded shapes only so well
 * that farther apart their faces may not lie over each other along it.
 */
const cases: [string, Family, least: number, gap?: number][] = [
  ['a box on a half-space', stacked(ground, block, 0), 4],
  ...[5, 8, 9, 12, 40].map((sides): [string, Family, number] => [
    `a prism of ${sides} sides on a half-space`,
    stacked(ground, prism(sides), 0),
    4,
  ]),
  ...[5, 12, 40].map((sides): [string, Family, number, number] => [
    `a prism of ${sides} sides on a box`,
    stacked(plate, prism(sides), 0.5),
    3,
    3000,
  ]),
  ['a prism on a prism', stacked(prism(12), prism(9), 0.5), 3, 3000],
  ['a box on a box', stacked(plate, block, 0.5), 4, 3000],
];

describe.each(cases)('%s', (_, family, least, farthest = Infinity) => {
  test('has points as the reference has, however far apart', async () => {
    const { shapes, bodies, pairs } = family;
    useShapes(tester, shapes);
    const contacts = [...(await tester.contacts(bodies, pairs, { margin: Infinity }))];
    const manifolds = [...(await tester.manifolds(bodies, pairs, { margin: Infinity }))];
    const known = shapes.map((description) => cpu.createShape(description));
    const faults = pairsOf(family).flatMap((pair) => {
      const { distance, normal } = contacts[pair.index];
      const found = manifolds[pair.index];
      const gap = GAPS[Math.floor(pair.index / PAIRS)];
      const reference = cpu.manifold(known[pair.shapeA], pair.poseA, known[pair.shapeB], pair.poseB, {
        margin: Infinity,
      });
      const own = [found, reference].flatMap(({ points }, i) => [
        ...(points.length >= (i === 0 && gap > farthest ? 1 : least)
          ? []
          : [`pair ${pair.index}: ${points.length} points by ${['kernels', 'f64'][i]}`]),
        ...points
          .filter((point) => !(Math.abs(point.distance - gap) <= TOLERANCE.kernels * gap))
          .map((point) => `pair ${pair.index}: distance ${point.distance} at a gap of ${gap}`),
      ]);
      return [
        ...own,
        ...manifoldFaults(pair, found, { hit: true, distance, normal }, Infinity, TOLERANCE.kernels, true),
      ];
    });
    expect(summary(faults), `seed ${SEED}`).toEqual([]);
  });
});
