/** The pairs that the algorithms are compared on. */

import { CORE_BOX } from '../../../src/generated/constants.ts';
import type { ShapeDescription } from '../../../src/api/shapes.ts';
import { emptyFamily, putRandomPair, shapeCores, type Family } from '../../../verification/families/family.ts';
import { randomBox, randomCapsule, randomSphere } from '../../../verification/families/random-shapes.ts';
import { makeStructuredFamily } from '../../../verification/families/structured-families.ts';
import { below, createRandom, spread, uniform, type Random } from '../../../verification/families/random.ts';
import { hullOf } from '../../../verification/families/hulls.ts';

const SHAPES = 64;

type Make = (random: Random, index: number) => ShapeDescription;

/** A rod or a plate: one or two half edges `longest`, the others 0.02 to 0.1 of it. */
function elongatedBox(random: Random, index: number): ShapeDescription {
  const longest = spread(random, 1, 4);
  const thin = (): number => longest * uniform(random, 0.02, 0.1);
  const halfExtents = [longest, index % 2 === 0 ? thin() : longest * uniform(random, 0.5, 1), thin()];
  const turn = below(random, 3);
  return { type: 'box', halfExtents: [0, 1, 2].map((k) => Math.fround(halfExtents[(k + turn) % 3])) };
}

const hull =
  (count: number): Make =>
  (random) =>
    hullOf(random, count);

const MAKERS = {
  boxes: [randomBox],
  'elongated boxes': [elongatedBox],
  'hulls of 8': [hull(8)],
  'hulls of 32': [hull(32)],
  capsules: [randomCapsule],
  mixed: [randomBox, hull(8), randomCapsule, hull(32), elongatedBox, randomSphere],
} satisfies Record<string, Make[]>;

export type ComparedName = keyof typeof MAKERS | 'needles';
export const COMPARED: readonly ComparedName[] = [...(Object.keys(MAKERS) as (keyof typeof MAKERS)[]), 'needles'];

/** Whether bodies of the family are set in motion. Needles of thousands to one pass each other in one step. */
export function moves(name: ComparedName): boolean {
  return name !== 'needles';
}

/**
 * Half of the pairs overlap, a quarter of all are within 1e-3 of the size from touch: verification/families/family.ts says how they are
 * placed.
 */
export function comparedFamily(name: ComparedName, pairs: number, seed: number): Family {
  if (name === 'needles') return makeStructuredFamily(name, pairs, seed);
  const random = createRandom(seed);
  const makers: Make[] = MAKERS[name];
  const family = emptyFamily(
    name,
    Array.from({ length: SHAPES }, (_, index) => makers[index % makers.length](random, index)),
    pairs,
  );
  const cores = shapeCores(family.shapes);
  for (let i = 0; i < pairs; i++)
    putRandomPair(random, family, cores, i, [below(random, SHAPES), below(random, SHAPES)]);
  return family;
}

/** Whether all shapes are boxes, which SAT is for. */
export function areBoxes(shapes: readonly { kind: number }[]): boolean {
  return shapes.every(({ kind }) => kind === CORE_BOX);
}

/** Whether all shapes are solids without rounding, which a Voronoi-region walk is for. */
export function areSolids(family: Family): boolean {
  return family.shapes.every(({ type }) => type === 'box' || type === 'hull');
}
