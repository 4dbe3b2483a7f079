/** Seeded pairs to capture: every kind of shape, query and algorithm, in 3-D and in 2-D, by pose and by matrix. */
import type { CaptureOptions } from '../../src/api/capture.ts';
import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import type { QueryName } from '../../src/api/queries.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { Capture, PlanarTester, Tester } from '../../src/api/types.ts';
import {
  randomBox,
  randomCapsule,
  randomCloud,
  randomEllipsoid,
  randomHalfspace,
  randomHull,
  randomRoundedBox,
  randomSphere,
  randomTriangle,
  randomUpright,
} from '../../verification/families/random-shapes.ts';
import { below, createRandom, uniform, unitVector, type Random } from '../../verification/families/random.ts';

/** What a tester of either dimension is asked. */
export interface RandomPair {
  dimension: 2 | 3;
  shapes: (ShapeDescription | PlanarShapeDescription)[];
  /** Bodies 0 to 3. Shape i is that of body i; the pair is of bodies 2 and 1. */
  bodies: Record<string, Uint32Array | Float32Array | Float64Array>;
  pairs: Uint32Array;
  index: number;
  options: CaptureOptions;
}

const QUERIES: readonly QueryName[] = ['intersects', 'distances', 'contacts', 'manifolds', 'impacts'];

const SPACE: readonly ((random: Random, index: number) => ShapeDescription)[] = [
  randomSphere,
  randomBox,
  randomRoundedBox,
  randomCapsule,
  randomHull,
  (random, index) => randomUpright('cylinder', random, index, 1),
  (random, index) => randomUpright('cone', random, index, 1),
  (random, index) => randomEllipsoid(random, index, 1),
  (random) => randomTriangle(random, 1),
  (random) => randomCloud(random, 1),
  (random) => randomHalfspace(random, 0.5),
  (random, index) => ({
    type: 'compound',
    parts: [
      { shape: randomBox(random, index, 0.5), position: [0.4, 0, 0], quaternion: unitVector(random, [0, 0, 0, 0]) },
      { shape: randomSphere(random), position: [-0.4, 0.1, 0], scale: 0.5 },
    ],
  }),
  () => ({
    type: 'mesh',
    positions: [-1, 0, -1, 1, 0.1, -1, 1, 0, 1, -1, 0.2, 1],
    indices: [0, 2, 1, 0, 3, 2],
  }),
];

const PLANAR: readonly ((random: Random) => PlanarShapeDescription)[] = [
  (random) => ({ type: 'circle', radius: uniform(random, 0.2, 1) }),
  (random) => ({ type: 'capsule', halfHeight: uniform(random, 0, 1), radius: uniform(random, 0.1, 0.5) }),
  (random) => ({ type: 'segment', points: [-1, uniform(random, -1, 1), 1, uniform(random, -1, 1)] }),
  (random) => ({ type: 'rectangle', halfExtents: [uniform(random, 0.2, 1), uniform(random, 0.2, 1)] }),
  (random) => ({ type: 'rectangle', halfExtents: [uniform(random, 0.2, 1), 0.3], radius: 0.1 }),
  (random) => ({
    type: 'polygon',
    points: Array.from({ length: 18 }, () => uniform(random, -1, 1)),
    convexify: true,
  }),
];

function algorithmOf(query: QueryName, random: Random, takesSat: boolean): CaptureOptions['algorithm'] {
  const names =
    query === 'impacts' ? (['auto', 'cast', 'velocity-epa'] as const) : (['auto', 'gjk', 'mpr', 'sat'] as const);
  const name = names[below(random, names.length)];
  return name === 'sat' && !takesSat ? 'auto' : name;
}

/** Every query and algorithm in 2-D. */
export const PLANAR_REQUESTS: readonly CaptureOptions[] = QUERIES.flatMap((query) =>
  (query === 'impacts' ? (['auto', 'cast', 'velocity-epa'] as const) : (['auto', 'gjk', 'mpr', 'sat'] as const)).map(
    (algorithm) => ({ query, algorithm }),
  ),
);

/** The 2-D pair of this seed and index, with another query and algorithm; undefined if its shapes are none for SAT. */
export function planarPairWith(seed: number, index: number, request: CaptureOptions): RandomPair | undefined {
  const pair = randomPair(seed, index, 2);
  const random = createRandom(7000 * seed + index);
  if (request.algorithm === 'sat') {
    if (pair.shapes.slice(1, 3).some(({ type }) => type === 'circle' || type === 'capsule')) return undefined;
    pair.shapes[0] = pair.shapes[3] = pair.shapes[1];
  }
  const { query, algorithm } = request;
  const options: CaptureOptions = { ...request };
  if (query !== 'impacts' && random() < 0.6) options.margin = random() < 0.5 ? Infinity : uniform(random, 0, 1);
  if (algorithm === 'mpr' && random() < 0.5) options.mprDepth = 'ray';
  if (query !== 'impacts') return { ...pair, options };
  options.duration = uniform(random, 0.5, 4);
  pair.bodies.linearVelocities = numbers(random, 8, 2);
  if (random() < 0.5) pair.bodies.angularVelocities = numbers(random, 4, 1);
  return { ...pair, options };
}

/** Pair `index` of the sequence of this seed. Sixteen in a row have all queries and algorithms. */
export function randomPair(seed: number, index: number, dimension: 2 | 3): RandomPair {
  const random = createRandom(1000 * seed + index);
  const makers: readonly ((random: Random, index: number) => ShapeDescription | PlanarShapeDescription)[] =
    dimension === 3 ? SPACE : PLANAR;
  const a = index % makers.length;
  let b = random() < 0.3 ? a : below(random, makers.length);
  if (dimension === 3 && a === 10 && b === 10) b = 1;
  const shapes = [0, b, a, 1].map((maker, body) => makers[maker](random, index + body));
  const query = random() < 0.3 ? 'contacts' : QUERIES[below(random, QUERIES.length)];
  const takesSat = shapes.every(({ type }) =>
    dimension === 3 ? type === 'box' : ['segment', 'rectangle', 'polygon'].includes(type),
  );
  const algorithm = algorithmOf(query, random, takesSat);
  const options: CaptureOptions = { query, ...(algorithm !== 'auto' && { algorithm }) };
  if (query === 'impacts') options.duration = uniform(random, 0.5, 2);
  else if (random() < 0.5) options.margin = random() < 0.5 ? Infinity : uniform(random, 0, 1);
  if (query === 'contacts' && random() < 0.3) options.bounds = true;
  if (algorithm === 'mpr' && random() < 0.5) options.mprDepth = 'ray';
  const bodies = dimension === 3 ? spaceBodies(random, index) : planarBodies(random, index);
  if (query === 'impacts') {
    bodies.linearVelocities = numbers(random, 4 * dimension, 2);
    if (random() < 0.5) bodies.angularVelocities = numbers(random, dimension === 3 ? 12 : 4, 1);
  }
  return { dimension, shapes, bodies, pairs: Uint32Array.of(0, 3, 2, 1), index: 1, options };
}

function numbers(random: Random, count: number, reach: number): Float32Array {
  return Float32Array.from({ length: count }, () => uniform(random, -reach, reach));
}

function positionsOf(random: Random, index: number, count: number): Float32Array | Float64Array {
  const near = numbers(random, count, 0.8);
  return index % 5 === 2 ? Float64Array.from(near, (x) => x + 1000 + 1e-9) : near;
}

function spaceBodies(random: Random, index: number): RandomPair['bodies'] {
  const shapes = new Uint32Array(4);
  const positions = positionsOf(random, index, 12);
  const turns = [0, 1, 2, 3].map(() => unitVector(random, [0, 0, 0, 0]));
  const scales = Float32Array.from({ length: 4 }, () => uniform(random, 0.5, 2));
  if (index % 7 === 3) {
    const matrices = turns.flatMap((turn, i) => matrixOf(turn, scales[i], positions.subarray(3 * i, 3 * i + 3)));
    return {
      shapes,
      matrices: positions instanceof Float64Array ? Float64Array.from(matrices) : Float32Array.from(matrices),
    };
  }
  return { shapes, positions, quaternions: Float32Array.from(turns.flat()), ...(index % 3 === 0 && { scales }) };
}

function matrixOf([x, y, z, w]: number[], scale: number, position: ArrayLike<number>): number[] {
  const axes = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
  return [...axes.flatMap((axis) => [...axis.map((n) => scale * n), 0]), ...Array.from(position), 1];
}

function planarBodies(random: Random, index: number): RandomPair['bodies'] {
  const shapes = new Uint32Array(4);
  const scales = Float32Array.from({ length: 4 }, () => uniform(random, 0.5, 2));
  return {
    shapes,
    positions: positionsOf(random, index, 8),
    angles: numbers(random, 4, 3),
    ...(index % 3 === 0 && { scales }),
  };
}

/** Adds the shapes, and captures the pair. */
export async function capturePair(tester: Tester | PlanarTester, pair: RandomPair): Promise<Capture> {
  const ids = pair.shapes.map((shape) => (tester as Tester).addShape(shape as ShapeDescription));
  const bodies = { ...pair.bodies, shapes: Uint32Array.from(ids) };
  const { pairs, index, options } = pair;
  return (tester as Tester).capture(bodies as never, pairs, index, options).finally(() => {
    for (const id of ids) tester.removeShape(id);
  });
}

/** The query's own answer for the pair, as items, with the bodies and the list of pairs that were given. */
export async function answerPair(tester: Tester | PlanarTester, pair: RandomPair): Promise<Record<string, unknown>[]> {
  const ids = pair.shapes.map((shape) => (tester as Tester).addShape(shape as ShapeDescription));
  const bodies = { ...pair.bodies, shapes: Uint32Array.from(ids) };
  const { query, ...options } = pair.options;
  const result = await (tester as Tester)[query](bodies as never, pair.pairs, options as never);
  for (const id of ids) tester.removeShape(id);
  return [...(result as Iterable<Record<string, unknown>>)].filter((item) => item.pair === pair.index);
}
