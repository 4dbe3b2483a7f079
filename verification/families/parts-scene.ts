/** A seeded scene of compounds, meshes and convex bodies, and pairs of them; about one pair in four overlaps. */
import type { ConvexDescription, ShapeDescription } from '../../src/api/shapes.ts';
import { below, createRandom, uniform, type Random } from './random.ts';

export interface PartsScene {
  shapes: ShapeDescription[];
  bodies: {
    shapes: Uint32Array;
    positions: Float32Array;
    quaternions: Float32Array;
    scales: Float32Array;
    linearVelocities: Float32Array;
    angularVelocities: Float32Array;
  };
  pairs: Uint32Array;
}

const numbers = (random: Random, count: number, size: number): number[] =>
  Array.from({ length: count }, () => Math.fround(uniform(random, -size, size)));

const CONVEX: ((random: Random) => ConvexDescription)[] = [
  (random) => ({ type: 'sphere', radius: Math.fround(uniform(random, 0.1, 0.4)) }),
  (random) => ({ type: 'box', halfExtents: numbers(random, 3, 0.5).map(Math.abs), radius: below(random, 2) / 10 }),
  (random) => ({ type: 'capsule', halfHeight: Math.fround(uniform(random, 0.1, 0.5)), radius: 0.125 }),
  (random) => ({ type: 'hull', points: numbers(random, 30, 0.5) }),
  (random) => ({ type: 'triangle', points: numbers(random, 9, 0.5) }),
  (random) => ({ type: 'cylinder', halfHeight: Math.fround(uniform(random, 0.1, 0.5)), radius: 0.25 }),
  (random) => ({ type: 'cone', halfHeight: Math.fround(uniform(random, 0.1, 0.5)), radius: 0.25 }),
  (random) => ({ type: 'ellipsoid', radii: numbers(random, 3, 0.5).map(Math.abs) }),
];

function compound(random: Random, first: number): ShapeDescription {
  const parts = Array.from({ length: 1 + below(random, 5) }, (_, i) => ({
    shape: CONVEX[(first + i) % CONVEX.length](random),
    position: numbers(random, 3, 1),
    quaternion: [...numbers(random, 3, 1), 0.5],
    scale: Math.fround(uniform(random, 0.5, 1.5)),
  }));
  return { type: 'compound', parts };
}

/** A soup of triangles with common vertices, some of them degenerate. */
function mesh(random: Random): ShapeDescription {
  return {
    type: 'mesh',
    positions: numbers(random, 36, 1),
    indices: Array.from({ length: 48 }, () => below(random, 12)),
  };
}

export function makePartsScene(seed: number, bodyCount: number, pairCount: number): PartsScene {
  const random = createRandom(seed);
  const shapes: ShapeDescription[] = [
    ...CONVEX.map((make) => make(random)),
    ...Array.from({ length: 8 }, (_, i) => compound(random, i)),
    ...Array.from({ length: 4 }, () => mesh(random)),
    { type: 'halfspace', normal: [0.1, 1, -0.2], offset: -1.5 },
  ];
  const halfspace = shapes.length - 1;
  const bodies = {
    shapes: Uint32Array.from({ length: bodyCount }, () => below(random, shapes.length)),
    positions: Float32Array.from(numbers(random, 3 * bodyCount, 1.6)),
    quaternions: Float32Array.from(numbers(random, 4 * bodyCount, 1)),
    scales: Float32Array.from({ length: bodyCount }, () => uniform(random, 0.5, 1.5)),
    linearVelocities: Float32Array.from(numbers(random, 3 * bodyCount, 2)),
    angularVelocities: Float32Array.from(numbers(random, 3 * bodyCount, 1)),
  };
  const isPair = (a: number, b: number): boolean =>
    a !== b && !(bodies.shapes[a] === halfspace && bodies.shapes[b] === halfspace);
  const pairs = new Uint32Array(2 * pairCount);
  for (let i = 0; i < pairCount; i++) {
    do {
      pairs[2 * i] = below(random, bodyCount);
      pairs[2 * i + 1] = below(random, bodyCount);
    } while (!isPair(pairs[2 * i], pairs[2 * i + 1]));
  }
  return { shapes, bodies, pairs };
}
