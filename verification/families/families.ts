/**
 * Seeded families of pairs for tests and benchmarks. `makeFamily` gives random pairs of two kinds of shape, half of
 * them overlapping. `makeShapePairFamily` does the same for each two types of shape, in very different sizes.
 * `makeStructuredFamily` gives degenerate pairs. The same seed gives the same family in every JavaScript engine.
 */

import type { ShapeDescription } from '../../src/api/shapes.ts';
import { emptyFamily, putRandomPair, shapeCores, type Family } from './family.ts';
import { randomBox, randomCapsule, randomHull, randomRoundedBox, randomSphere } from './random-shapes.ts';
import { below, createRandom, type Random } from './random.ts';

export { poseOf, type Family } from './family.ts';
export { makeShapePairFamily, shapePairNames } from './families-of-types.ts';
export { hull32Points } from './random-shapes.ts';
export { makeStructuredFamily, structuredFamilyNames, type StructuredFamilyName } from './structured-families.ts';

export const familyNames = ['box-box', 'hull32-hull32', 'capsule-hull', 'sphere-box', 'rounded-box-hull'] as const;
export type FamilyName = (typeof familyNames)[number];

const SHAPES_PER_KIND = 64;

const makers: Record<FamilyName, ((random: Random, index: number) => ShapeDescription)[]> = {
  'box-box': [randomBox],
  'hull32-hull32': [randomHull],
  'capsule-hull': [randomCapsule, randomHull],
  'sphere-box': [randomSphere, randomBox],
  'rounded-box-hull': [randomRoundedBox, randomHull],
};

/** `count` pairs. If the kinds differ, every other pair has them swapped. */
export function makeFamily(name: FamilyName, count: number, seed: number): Family {
  const random = createRandom(seed);
  const kinds = makers[name];
  const shapes = kinds.flatMap((make) => Array.from({ length: SHAPES_PER_KIND }, (_, index) => make(random, index)));
  const family = emptyFamily(name, shapes, count);
  const cores = shapeCores(shapes);
  for (let i = 0; i < count; i++) {
    const a = below(random, SHAPES_PER_KIND);
    const b = shapes.length - SHAPES_PER_KIND + below(random, SHAPES_PER_KIND);
    putRandomPair(random, family, cores, i, [a, b], { swapped: i % 2 === 1 && kinds.length > 1 });
  }
  return family;
}
