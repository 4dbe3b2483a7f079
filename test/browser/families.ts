/** The families that the browsers answer: those of two kinds of shape, and one with every curved shape. */

import type { ShapeDescription } from '../../src/api/shapes.ts';
import { familyNames, makeFamily } from '../../verification/families/families.ts';
import {
  emptyFamily,
  putHalfspacePair,
  putRandomPair,
  shapeCores,
  type Family,
} from '../../verification/families/family.ts';
import {
  randomBox,
  randomCapsule,
  randomEllipsoid,
  randomHalfspace,
  randomHull,
  randomSphere,
  randomTriangle,
  randomUpright,
} from '../../verification/families/random-shapes.ts';
import { below, createRandom, type Random } from '../../verification/families/random.ts';

export const browserFamilyNames = [...familyNames, 'curved'] as const;
export type BrowserFamilyName = (typeof browserFamilyNames)[number];

const SHAPES_PER_TYPE = 16;

type Make = (random: Random, index: number) => ShapeDescription;

const curved: Make[] = [
  (random, index) => randomUpright('cylinder', random, index, 1),
  (random, index) => randomUpright('cone', random, index, 1),
  (random, index) => randomEllipsoid(random, index, 1),
];
const others: Make[] = [
  randomSphere,
  randomCapsule,
  randomBox,
  (random) => randomTriangle(random, 1),
  randomHull,
  (random) => randomHalfspace(random, 1),
];

export function browserFamily(name: BrowserFamilyName, count: number, seed: number): Family {
  return name === 'curved' ? curvedFamily(count, seed) : makeFamily(name, count, seed);
}

/** A cylinder, a cone or an ellipsoid against every type of shape; every other pair swapped. */
function curvedFamily(count: number, seed: number): Family {
  const random = createRandom(seed);
  const shapes = [...curved, ...others].flatMap((make) =>
    Array.from({ length: SHAPES_PER_TYPE }, (_, index) => make(random, index)),
  );
  const family = emptyFamily('curved', shapes, count);
  const cores = shapeCores(shapes);
  for (let i = 0; i < count; i++) {
    const [a, b] = [below(random, SHAPES_PER_TYPE * curved.length), below(random, shapes.length)];
    const swapped = i % 2 === 1;
    if (shapes[b].type === 'halfspace') putHalfspacePair(random, family, cores, i, [b, a], { swapped });
    else putRandomPair(random, family, cores, i, [a, b], { swapped });
  }
  return family;
}
