/** A seeded scene of compounds, chains and convex bodies in 2-D, and pairs of them. */
import type { PlanarConvexDescription, PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import { below, createRandom, uniform, type Random } from './random.ts';

export interface PlanarPartsScene {
  shapes: PlanarShapeDescription[];
  bodies: {
    shapes: Uint32Array;
    positions: Float32Array;
    angles: Float32Array;
    scales: Float32Array;
    linearVelocities: Float32Array;
    angularVelocities: Float32Array;
  };
  pairs: Uint32Array;
}

const numbers = (random: Random, count: number, size: number): number[] =>
  Array.from({ length: count }, () => Math.fround(uniform(random, -size, size)));

const CONVEX: ((random: Random) => PlanarConvexDescription)[] = [
  (random) => ({ type: 'circle', radius: Math.fround(uniform(random, 0.05, 0.3)) }),
  (random) => ({
    type: 'rectangle',
    halfExtents: numbers(random, 2, 0.4).map(Math.abs),
    radius: below(random, 2) / 10,
  }),
  (random) => ({ type: 'capsule', halfHeight: Math.fround(uniform(random, 0.1, 0.4)), radius: 0.125 }),
  (random) => ({ type: 'polygon', points: numbers(random, 16, 0.4), convexify: true }),
  (random) => ({ type: 'segment', points: numbers(random, 4, 0.5) }),
];

function compound(random: Random, first: number): PlanarShapeDescription {
  const parts = Array.from({ length: 1 + below(random, 5) }, (_, i) => ({
    shape: CONVEX[(first + i) % CONVEX.length](random),
    position: numbers(random, 2, 1),
    angle: Math.fround(uniform(random, -4, 4)),
    scale: Math.fround(uniform(random, 0.5, 1.5)),
  }));
  return { type: 'compound', parts };
}

/** A walk of a few points, or of many. */
function chain(random: Random, number: number): PlanarShapeDescription {
  const count = 3 + below(random, number % 2 === 0 ? 8 : 60);
  return { type: 'chain', points: numbers(random, 2 * count, 1), loop: number < 2 };
}

export function makePlanarPartsScene(seed: number, bodyCount: number, pairCount: number): PlanarPartsScene {
  const random = createRandom(seed);
  const shapes: PlanarShapeDescription[] = [
    ...CONVEX.map((make) => make(random)),
    ...Array.from({ length: 6 }, (_, i) => compound(random, i)),
    ...Array.from({ length: 4 }, (_, i) => chain(random, i)),
  ];
  const bodies = {
    shapes: Uint32Array.from({ length: bodyCount }, () => below(random, shapes.length)),
    positions: Float32Array.from(numbers(random, 2 * bodyCount, 1.6)),
    angles: Float32Array.from(numbers(random, bodyCount, 10)),
    scales: Float32Array.from({ length: bodyCount }, () => uniform(random, 0.5, 1.5)),
    linearVelocities: Float32Array.from(numbers(random, 2 * bodyCount, 2)),
    angularVelocities: Float32Array.from(numbers(random, bodyCount, 1)),
  };
  const pairs = new Uint32Array(2 * pairCount);
  for (let i = 0; i < pairCount; i++) {
    do {
      pairs[2 * i] = below(random, bodyCount);
      pairs[2 * i + 1] = below(random, bodyCount);
    } while (pairs[2 * i] === pairs[2 * i + 1]);
  }
  return { shapes, bodies, pairs };
}
