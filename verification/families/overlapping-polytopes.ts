/**
 * Overlapping polytopes whose least depth is nearly the same in several directions, or whose edges and faces are nearly
 * parallel: what goes wrong in searches over faces and pairs of edges.
 */
import type { ShapeDescription } from '../../src/api/shapes.ts';
import {
  IDENTITY,
  anyFrame,
  f32,
  multiply,
  pick,
  putPair,
  randomRotation,
  rotated,
  tilt,
  type Maker,
} from './arrangements.ts';
import { emptyFamily, shapeCores, type Family } from './family.ts';
import { hull32Points } from './random-shapes.ts';
import { below, createRandom, uniform, unitVector, type Random } from './random.ts';

export const polytopeFamilyNames = [
  'nearly-aligned-boxes',
  'grids-in-one-pose',
  'near-duplicates',
  'prisms-by-15-degrees',
  'equal-hulls',
  'thin-plates',
  'sizes-100-to-1',
] as const;
export type PolytopeFamilyName = (typeof polytopeFamilyNames)[number];

export function makePolytopeFamily(name: PolytopeFamilyName, count: number, seed: number): Family {
  const random = createRandom(seed);
  const { shapes, put } = makers[name](random);
  const family = emptyFamily(name, shapes, count);
  const cores = shapeCores(shapes);
  for (let index = 0; index < count; index++) put({ random, family, cores, index });
  return family;
}

const makers: Record<PolytopeFamilyName, (random: Random) => Maker> = {
  // As hulls: two boxes are answered by SAT.
  'nearly-aligned-boxes': (random) => {
    const shapes = Array.from({ length: 6 }, () => boxHull(f32([0, 1, 2].map(() => uniform(random, 0.3, 1)))));
    return { shapes, put: placedWithin(shapes.length, 0.8, () => tilt(random)) };
  },
  // Points of a turned grid are coplanar but for rounding to f32.
  'grids-in-one-pose': (random) => {
    const shapes = [2, 3, 4].flatMap((count) =>
      [IDENTITY, randomRotation(random)].map((turn): ShapeDescription => ({ type: 'hull', points: grid(count, turn) })),
    );
    return { shapes, put: placedWithin(shapes.length, 0.7, () => pick(random, [IDENTITY, tilt(random)])) };
  },
  'near-duplicates': (random) => {
    const shapes = [1e-7, 1e-6, 1e-5].flatMap((by) =>
      [8, 24].map((count): ShapeDescription => {
        const points = cloud(random, count);
        return { type: 'hull', points: f32([...points, ...points.map((x) => x + by * uniform(random, -1, 1))]) };
      }),
    );
    return { shapes, put: placedWithin(shapes.length, 0.6, () => randomRotation(random)) };
  },
  'prisms-by-15-degrees': (random) => {
    const shapes = [3, 4, 6, 8, 12, 24].map((sides): ShapeDescription => ({ type: 'hull', points: prism(sides, 0.5) }));
    const turn = () => {
      const half = (below(random, 24) * Math.PI) / 24;
      const upright = [0, Math.sin(half), 0, Math.cos(half)];
      return random() < 0.3 ? multiply(tilt(random), upright) : upright;
    };
    return { shapes, put: placedWithin(shapes.length, 0.8, turn) };
  },
  'equal-hulls': (random) => {
    const shapes = Array.from({ length: 6 }, (): ShapeDescription => ({
      type: 'hull',
      points: hull32Points(random, 1),
    }));
    const far = () => pick(random, [0, 0, 1e-7, 1e-5, 1e-3]);
    return {
      shapes,
      put: (slot) => {
        const shape = below(random, shapes.length);
        const position = unitVector(random, [0, 0, 0]).map((x) => far() * x);
        putPair(slot, shape, shape, { position, quaternion: pick(random, [IDENTITY, tilt(random)]) }, anyFrame(random));
      },
    };
  },
  'thin-plates': (random) => {
    const shapes = [1e-3, 1e-4, 1e-5].flatMap((height): ShapeDescription[] => [
      boxHull(f32([1, height, 0.7])),
      { type: 'hull', points: prism(7, height) },
    ]);
    shapes.push({ type: 'hull', points: f32(cloud(random, 20)) });
    return {
      shapes,
      put: placedWithin(shapes.length, 0.5, () => pick(random, [IDENTITY, tilt(random), randomRotation(random)])),
    };
  },
  'sizes-100-to-1': (random) => {
    const shapes = [1, 0.01].flatMap((size) =>
      [8, 20].map((count): ShapeDescription => ({
        type: 'hull',
        points: f32(cloud(random, count).map((x) => size * x)),
      })),
    );
    return { shapes, put: placedWithin(shapes.length, 0.7, () => randomRotation(random)) };
  },
};

/** Two of the shapes, at most so far apart. */
function placedWithin(shapeCount: number, most: number, turn: () => number[]): Maker['put'] {
  return (slot) => {
    const { random } = slot;
    const far = most * random();
    const position = unitVector(random, [0, 0, 0]).map((x) => far * x);
    const [a, b] = [below(random, shapeCount), below(random, shapeCount)];
    putPair(slot, a, b, { position, quaternion: turn() }, anyFrame(random));
  };
}

function cloud(random: Random, count: number): number[] {
  return Array.from({ length: count }, () => unitVector(random, [0, 0, 0])).flat();
}

function boxHull([x, y, z]: number[]): ShapeDescription {
  const points = [-x, x].flatMap((u) => [-y, y].flatMap((v) => [-z, z].flatMap((w) => [u, v, w])));
  return { type: 'hull', points };
}

function prism(sides: number, height: number): number[] {
  const angles = Array.from({ length: sides }, (_, i) => (2 * Math.PI * i) / sides);
  return f32(angles.flatMap((a) => [-height, height].flatMap((y) => [Math.cos(a), y, Math.sin(a)])));
}

/** The points of a grid of `count` steps along each axis, turned. */
function grid(count: number, turn: number[]): number[] {
  const steps = Array.from({ length: count + 1 }, (_, i) => i / count - 0.5);
  return f32(steps.flatMap((x) => steps.flatMap((y) => steps.flatMap((z) => rotated(turn, [x, y, z])))));
}
