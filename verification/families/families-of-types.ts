/**
 * A seeded family for each two types of shape (except two half-spaces), from one table of types. Shapes of 1 cm to 110
 * m, plain and rounded, with and without a scale, so that bounding radii span nearly 1e-3 to 1e3.
 */

import type { ConvexDescription, ShapeDescription } from '../../src/api/shapes.ts';
import { emptyFamily, putHalfspacePair, putRandomPair, shapeCores, type Family } from './family.ts';
import {
  randomBox,
  randomCloud,
  randomEllipsoid,
  randomHalfspace,
  randomTriangle,
  randomUpright,
} from './random-shapes.ts';
import { below, createRandom, spread, uniform, type Random } from './random.ts';

/**
 * Makes a shape that contains its origin and extends `size` or a little less from it. A half-space's plane is at most
 * that far from the origin.
 */
type Make = (random: Random, size: number, index: number) => ShapeDescription;

/** Every type of shape. To add a type, add one line here. */
const shapeTypes: Record<ConvexDescription['type'], Make> = {
  sphere: (random, size) => ({ type: 'sphere', radius: Math.fround(size * uniform(random, 0.5, 1)) }),
  box: plainOrRounded((random, size, index) => randomBox(random, index, size)),
  capsule: (random, size) => ({
    type: 'capsule',
    halfHeight: Math.fround(size * uniform(random, 0.1, 0.8)),
    radius: Math.fround(size * spread(random, 0.5, 2)),
  }),
  triangle: plainOrRounded(randomTriangle),
  hull: plainOrRounded(randomCloud),
  cylinder: (random, size, index) => randomUpright('cylinder', random, index, size),
  cone: (random, size, index) => randomUpright('cone', random, index, size),
  ellipsoid: (random, size, index) => randomEllipsoid(random, index, size),
  halfspace: randomHalfspace,
};

function plainOrRounded(make: Make): Make {
  return (random, size, index) => {
    const shape = make(random, size, index);
    return random() < 0.5 ? shape : { ...shape, radius: Math.fround(size * spread(random, 0.4, 6)) };
  };
}

const types = Object.keys(shapeTypes) as ConvexDescription['type'][];

/**
 * `sphere/sphere`, `sphere/box` and so on: each two types once, except two half-spaces, which have no signed distance.
 */
export const shapePairNames: readonly string[] = types
  .flatMap((a, i) => types.slice(i).map((b) => `${a}/${b}`))
  .filter((name) => name !== 'halfspace/halfspace');

const SHAPES_PER_TYPE = 64;
/** Size of the largest shapes. Each octave below has equally many. */
const LARGEST = 110;
const SHAPES_PER_OCTAVE = 5;

/** `count` pairs of the two types in the name. If they differ, every other pair has them swapped. */
export function makeShapePairFamily(name: string, count: number, seed: number): Family {
  const random = createRandom(seed);
  const kinds = [...new Set(name.split('/'))] as ConvexDescription['type'][];
  const shapes = kinds.flatMap((type) =>
    Array.from({ length: SHAPES_PER_TYPE }, (_, index) => shapeTypes[type](random, sizeOf(random, index), index)),
  );
  const family = emptyFamily(name, shapes, count);
  family.bodies.scales = new Float32Array(2 * count);
  const cores = shapeCores(shapes);
  for (let i = 0; i < count; i++) {
    const a = below(random, SHAPES_PER_TYPE);
    const b = shapes.length - SHAPES_PER_TYPE + partnerOf(random, a);
    const swapped = i % 2 === 1 && kinds.length > 1;
    const scales = random() < 0.5 ? ([1, 1] as const) : ([randomScale(random), randomScale(random)] as const);
    if (kinds[1] === 'halfspace') {
      const room = 8 * cores.extents[a] * scales[0];
      putHalfspacePair(random, family, cores, i, [b, a], { swapped: !swapped, scales: [scales[1], scales[0]], room });
      continue;
    }
    const room = 8 * Math.max(cores.extents[a] * scales[0], cores.extents[b] * scales[1]);
    putRandomPair(random, family, cores, i, [a, b], { swapped, scales, room });
  }
  return family;
}

function sizeOf(random: Random, index: number): number {
  return (LARGEST * uniform(random, 0.5, 1)) / 2 ** Math.floor(index / SHAPES_PER_OCTAVE);
}

/**
 * In three of four pairs the sizes are within a few octaves of each other. In the others one body is usually tiny
 * compared with the other.
 */
function partnerOf(random: Random, a: number): number {
  if (random() < 0.25) return below(random, SHAPES_PER_TYPE);
  const near = a + below(random, 17) - 8;
  return Math.min(Math.max(near, 0), SHAPES_PER_TYPE - 1);
}

/** A scale from 1/2 to 4. */
function randomScale(random: Random): number {
  return Math.fround(spread(random, 4, 3));
}
