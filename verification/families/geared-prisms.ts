/**
 * Long prisms, one pair behind the other, that turn against each other at a small gap and close it at the end. They take
 * more steps than the kernels have, and fewer than the reference has.
 */

import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { MovingBodies } from '../../src/api/types.ts';
import { createRandom, uniform, type Random } from './random.ts';

const SIDES = 24;
const RADIUS = 0.1;

/** A prism along z. */
function prism(random: Random): ShapeDescription {
  const halfLength = uniform(random, 0.8, 1.2);
  const points = Array.from({ length: SIDES }).flatMap((_, i) => {
    const [x, y] = [Math.cos, Math.sin].map((of) => RADIUS * of((2 * Math.PI * i) / SIDES));
    return [x, y, -halfLength, x, y, halfLength];
  });
  return { type: 'hull', points };
}

export interface GearedPrisms {
  /** Shape of each body; bodies 2i and 2i + 1 are pair i. */
  shapes: ShapeDescription[];
  bodies: MovingBodies & {
    positions: Float32Array;
    quaternions: Float32Array;
    linearVelocities: Float32Array;
    angularVelocities: Float32Array;
  };
  pairs: Uint32Array;
  duration: number;
}

export function makeGearedPrisms(count: number, seed: number): GearedPrisms {
  const random = createRandom(seed);
  const bodies = {
    shapes: Uint32Array.from({ length: 2 * count }, (_, i) => i),
    positions: new Float32Array(6 * count),
    quaternions: Float32Array.from({ length: 8 * count }, (_, i) => (i % 4 === 3 ? 1 : 0)),
    linearVelocities: new Float32Array(6 * count),
    angularVelocities: new Float32Array(6 * count),
  };
  for (let pair = 0; pair < count; pair++) {
    const gap = uniform(random, 4e-4, 8e-4);
    bodies.positions[6 * pair + 3] = 2 * RADIUS + gap;
    for (const body of [2 * pair, 2 * pair + 1]) bodies.positions[3 * body + 2] = 2.5 * pair;
    // They meet late, or just miss each other.
    bodies.linearVelocities[6 * pair + 3] = -gap / uniform(random, 0.8, 1.1);
    // Both bodies of a pair share this velocity, so that neighbouring pairs may approach each other.
    const along = uniform(random, -0.6, 0.6);
    for (const body of [2 * pair, 2 * pair + 1]) bodies.linearVelocities[3 * body + 2] = along;
    bodies.angularVelocities[6 * pair + 2] = uniform(random, 28, 31.9);
    bodies.angularVelocities[6 * pair + 5] = -uniform(random, 28, 31.9);
  }
  const shapes = Array.from(bodies.shapes, () => prism(random));
  return { shapes, bodies, pairs: bodies.shapes.slice(), duration: 1 };
}
