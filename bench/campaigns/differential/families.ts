/**
 * Seeded pairs of two types of shape as engines are made for: 10 cm to 10 m, plates and needles of 100:1 among them,
 * half of the rounded kinds plain; half the pairs overlapping and a quarter near touch. Narrowphase's own families go
 * much farther, but there every peer fails for reasons that are no news.
 */

import type { ShapeDescription } from '../../../src/api/shapes.ts';
import {
  emptyFamily,
  putHalfspacePair,
  putRandomPair,
  shapeCores,
  type Family,
} from '../../../verification/families/family.ts';
import {
  hull32Points,
  randomBox,
  randomCloud,
  randomHalfspace,
  randomTriangle,
  randomUpright,
} from '../../../verification/families/random-shapes.ts';
import { setInMotion, type MovingFamily } from '../../../verification/families/moving-family.ts';
import { below, createRandom, spread, uniform, type Random } from '../../../verification/families/random.ts';
import { exactHull } from '../../../verification/oracle/index.ts';
import type { Scope, ShapeType } from './peer.ts';

const SHAPES_PER_TYPE = 64;
const LARGEST = 10;
const SHAPES_PER_OCTAVE = 10;

/** `count` pairs of the two types that the name names; where they differ, every other pair has them swapped. */
export function makeDifferentialFamily(scope: Scope, name: string, count: number, seed: number): Family {
  const random = createRandom(seed);
  const types = [...new Set(name.split('/'))] as ShapeType[];
  const shapes = types.flatMap((type) =>
    Array.from({ length: SHAPES_PER_TYPE }, (_, index) => makeShape(scope, type, random, sizeOf(random, index), index)),
  );
  const family = emptyFamily(name, shapes, count);
  const cores = shapeCores(shapes);
  for (let i = 0; i < count; i++) {
    const a = below(random, SHAPES_PER_TYPE);
    const b = shapes.length - SHAPES_PER_TYPE + below(random, SHAPES_PER_TYPE);
    const swapped = i % 2 === 1 && types.length > 1;
    // Not farther out than it takes: the rounding of positions shows in the answers of peers.
    const room = 2 * Math.max(cores.extents[a], cores.extents[b]);
    if (types[1] === 'halfspace') putHalfspacePair(random, family, cores, i, [b, a], { swapped: !swapped, room });
    else putRandomPair(random, family, cores, i, [a, b], { swapped, room });
  }
  return family;
}

/**
 * The same in straight motion: a third of the pairs meets on the way, some overlap as it begins, some graze each other,
 * some pass.
 */
export function makeMovingDifferentialFamily(scope: Scope, name: string, count: number, seed: number): MovingFamily {
  return setInMotion(makeDifferentialFamily(scope, name, count, seed), seed + 1);
}

function sizeOf(random: Random, index: number): number {
  return (LARGEST * uniform(random, 0.5, 1)) / 2 ** Math.floor(index / SHAPES_PER_OCTAVE);
}

function makeShape(scope: Scope, type: ShapeType, random: Random, size: number, index: number): ShapeDescription {
  const shape = plainShape(scope, type, random, size, index);
  if (!scope.rounded.includes(type) || random() < 0.5) return shape;
  return { ...shape, radius: Math.fround(size * spread(random, 0.4, 6)) } as ShapeDescription;
}

function plainShape(scope: Scope, type: ShapeType, random: Random, size: number, index: number): ShapeDescription {
  switch (type) {
    case 'sphere':
      return { type, radius: Math.fround(size * uniform(random, 0.5, 1)) };
    case 'capsule':
      return {
        type,
        halfHeight: Math.fround(size * uniform(random, 0.1, 0.8)),
        radius: Math.fround(size * spread(random, 0.5, 2)),
      };
    case 'box':
      return randomBox(random, index, size);
    case 'cylinder':
    case 'cone':
      return randomUpright(type, random, hasThickness(index) ? index : 0, size);
    case 'triangle':
      return randomTriangle(random, size);
    case 'hull':
      return {
        type,
        points: index % 2 === 0 ? hull32Points(random, size) : vertices(randomCloud(random, size).points),
      };
    case 'halfspace':
      return { ...randomHalfspace(random, size), ...(!scope.hasOffset && { offset: 0 }) };
    default:
      throw new Error(`no peer has a shape like the ${type}`);
  }
}

/** `randomUpright` makes one in 32 without height or radius, which no peer takes. */
function hasThickness(index: number): boolean {
  return index % 32 !== 23;
}

/** Without the points inside, which hull builders of peers are to have no part in. */
function vertices(points: ArrayLike<number>): Float32Array {
  return Float32Array.from(exactHull(points).vertices);
}
