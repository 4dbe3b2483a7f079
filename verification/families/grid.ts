/**
 * Seeded families of pairs of all types of shape. Sizes, points and positions are mostly multiples of a quarter,
 * rotations mostly quarter turns. Ties, exact touch, repeated points, flat and empty shapes are frequent.
 */

import type { ShapeDescription } from '../../src/api/shapes.ts';
import { emptyFamily, putBody, type Family } from './family.ts';
import { below, createRandom, uniform, unitVector, type Random } from './random.ts';

const SHAPES = 240;

const TURNS = [
  [0, 0, 0, 1],
  [0, 0, 1, 1],
  [0.5, 0.5, 0.5, 0.5],
  [1, 0, 0, 0],
  [0, 1, 0, 1],
];

export function makeGridFamily(count: number, seed: number): Family {
  const random = createRandom(seed);
  const family = emptyFamily(
    'grid',
    Array.from({ length: SHAPES }, () => gridShape(random)),
    count,
  );
  putBodies(random, family, 1.5, () => below(random, SHAPES));
  return family;
}

/**
 * The same with a cylinder, a cone, an ellipsoid or a half-space in each pair. Coaxial, concentric and identical shapes
 * are frequent.
 */
export function makeCurvedGridFamily(count: number, seed: number): Family {
  const random = createRandom(seed);
  const shapes = Array.from({ length: SHAPES }, (_, index) =>
    index % 2 === 0 ? gridShape(random) : curvedShape(random),
  );
  const family = emptyFamily('curved-grid', shapes, count);
  let partner = 0;
  putBodies(random, family, 1, (body) => {
    // The first body of one pair, the second of the next.
    const isCurved = body % 4 === 0 || body % 4 === 3;
    const avoided = body % 2 === 1 && shapes[partner].type === 'halfspace' ? 'halfspace' : '';
    do partner = isCurved ? 1 + 2 * below(random, SHAPES / 2) : below(random, SHAPES);
    while (shapes[partner].type === avoided);
    return partner;
  });
  return family;
}

function putBodies(random: Random, family: Family, reach: number, shapeOf: (body: number) => number): void {
  for (let body = 0; body < family.bodies.shapes.length; body++) {
    const quaternion = random() < 0.6 ? TURNS[below(random, TURNS.length)] : unitVector(random, [0, 0, 0, 0]);
    putBody(family, body, shapeOf(body), { position: point(random, reach), quaternion });
  }
}

function gridShape(random: Random): ShapeDescription {
  const radius = random() < 0.5 ? 0 : length(random);
  switch (below(random, 5)) {
    case 0:
      return { type: 'sphere', radius: length(random) };
    case 1:
      return { type: 'box', halfExtents: [length(random), length(random), length(random)], radius };
    case 2:
      return { type: 'capsule', halfHeight: length(random), radius: length(random) };
    case 3:
      return { type: 'triangle', points: points(random, 3), radius };
    default:
      return { type: 'hull', points: points(random, 1 + below(random, 12)), radius };
  }
}

function curvedShape(random: Random): ShapeDescription {
  switch (below(random, 7)) {
    case 0:
    case 1:
      return { type: 'cylinder', halfHeight: length(random), radius: length(random) };
    case 2:
    case 3:
      return { type: 'cone', halfHeight: length(random), radius: length(random) };
    case 4:
    case 5:
      return { type: 'ellipsoid', radii: [length(random), length(random), length(random)] };
    default:
      return {
        type: 'halfspace',
        normal: random() < 0.5 ? [0, 0, -2] : unitVector(random, [0, 0, 0]).map(Math.fround),
        offset: Math.fround(length(random) - 0.5),
      };
  }
}

/** A multiple of a quarter up to 1, or any number in between. */
function length(random: Random): number {
  return random() < 0.7 ? below(random, 5) / 4 : Math.fround(random());
}

function point(random: Random, reach: number): number[] {
  return [0, 1, 2].map(() =>
    random() < 0.7 ? (below(random, 8 * reach + 1) - 4 * reach) / 4 : Math.fround(uniform(random, -reach, reach)),
  );
}

function points(random: Random, count: number): number[] {
  return Array.from({ length: count }, () => point(random, 1)).flat();
}
