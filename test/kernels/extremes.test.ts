/**
 * Sizes from 0 to the greatest that are taken, 1e15, at distances up to 1e30: every number of every result is finite,
 * and a scene that is enlarged by a power of two has the same answers, enlarged. What is larger is refused by name, or
 * in buffers ends as InvalidInput.
 */

import type { BatchOptions } from '../../src/api/batch-options.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import { Status, type MovingBodies, type Tester } from '../../src/api/types.ts';
import { createRandom, uniform, type Random } from '../../verification/families/random.ts';
import { frame } from '../helpers/batch.ts';

type Description = ShapeDescription | PlanarShapeDescription;
type QueryCase = [
  query: string,
  ask: (tester: Tester, bodies: MovingBodies, pairs: Uint32Array, size: number) => Promise<object>,
];

/** Every type of shape, of a size of about `s`; with 0 for some of their lengths, and rounded. */
const spaceShapes = (s: number): ShapeDescription[] => [
  { type: 'sphere', radius: s / 2 },
  { type: 'box', halfExtents: [s / 2, s / 4, s / 8] },
  { type: 'box', halfExtents: [s / 2, 0, s / 8], radius: s / 4 },
  { type: 'capsule', halfHeight: s / 2, radius: s / 8 },
  { type: 'triangle', points: [-s / 2, 0, 0, s / 2, 0, 0, 0, s / 4, 0] },
  { type: 'hull', points: [0, 0, 0, s / 2, 0, 0, 0, s / 2, 0, 0, 0, s / 2, s / 2, s / 2, 0] },
  { type: 'hull', points: [s / 2, 0, 0, -s / 4, s / 4, 0, -s / 4, -s / 4, 0, 0, 0, s / 4], radius: s / 16 },
  { type: 'cylinder', halfHeight: s / 2, radius: s / 4 },
  { type: 'cone', halfHeight: s / 2, radius: s / 4 },
  { type: 'ellipsoid', radii: [s / 2, s / 4, s / 8] },
  { type: 'halfspace', normal: [0, 1, 0], offset: s / 4 },
];
const planeShapes = (s: number): PlanarShapeDescription[] => [
  { type: 'circle', radius: s / 2 },
  { type: 'rectangle', halfExtents: [s / 2, s / 4] },
  { type: 'rectangle', halfExtents: [s / 2, 0], radius: s / 8 },
  { type: 'segment', points: [-s / 2, 0, s / 2, s / 8] },
  { type: 'capsule', halfHeight: s / 2, radius: s / 8 },
  { type: 'polygon', points: [s / 2, 0, -s / 4, s / 4, -s / 4, -s / 4], radius: s / 16 },
];

const queries: QueryCase[] = [
  ['intersects', (tester, bodies, pairs, size) => tester.intersects(bodies, pairs, { margin: size })],
  ['distances', (tester, bodies, pairs) => tester.distances(bodies, pairs)],
  ['contacts', (tester, bodies, pairs, size) => tester.contacts(bodies, pairs, { margin: size, bounds: true })],
  [
    'contacts by GJK',
    (tester, bodies, pairs) => tester.contacts(bodies, pairs, { margin: Infinity, bounds: true, algorithm: 'gjk' }),
  ],
  ['manifolds', (tester, bodies, pairs, size) => tester.manifolds(bodies, pairs, { margin: size })],
  ['impacts', (tester, bodies, pairs) => tester.impacts(bodies, pairs, { duration: 2 })],
];

const axesOf = (tester: Tester): 2 | 3 => tester.dimension as 2 | 3;
const shapesOf = (tester: Tester, size: number): Description[] =>
  axesOf(tester) === 3 ? spaceShapes(size) : planeShapes(size);

/** Bodies that stand, turn and move anyhow, of the tester's kind. */
function bodiesOf(
  tester: Tester,
  random: Random,
  count: number,
  shapeOf: (body: number) => number,
  place: (axis: number, body: number) => number,
  scaleOf: (body: number) => number,
  speed: number,
): MovingBodies {
  const axes = axesOf(tester);
  const spins = axes === 3 ? 3 : 1;
  const numbers = (width: number, valueOf: (axis: number, body: number) => number): Float32Array =>
    Float32Array.from({ length: width * count }, (_, i) => valueOf(i % width, Math.floor(i / width)));
  const bodies = {
    shapes: Uint32Array.from({ length: count }, (_, body) => shapeOf(body)),
    positions: numbers(axes, place),
    scales: numbers(1, (_, body) => scaleOf(body)),
    linearVelocities: numbers(axes, () => speed * uniform(random, -1, 1)),
    angularVelocities: numbers(spins, () => uniform(random, -1, 1)),
  };
  return (
    axes === 3
      ? { ...bodies, quaternions: numbers(4, () => uniform(random, -1, 1)) }
      : { ...bodies, angles: numbers(1, () => uniform(random, -9, 9)) }
  ) as MovingBodies;
}

/** All pairs of two shapes, but two half-spaces. */
function pairsOf(descriptions: readonly Description[]): [number, number][] {
  const isPlane = (shape: number): boolean => descriptions[shape].type === 'halfspace';
  return descriptions
    .flatMap((_, a) => descriptions.map((__, b): [number, number] => [a, b]))
    .filter(([a, b]) => !(isPlane(a) && isPlane(b)));
}

/** Lengths of results: what grows with the scene. */
const LENGTHS = ['distance', 'contactDistance', 'pointA', 'pointB', 'position', 'lower', 'upper', 'point'];
/** That are infinite where bodies don't meet. */
const TIMES = ['time', 'unclampedTime'];

const error = (message: RegExp) =>
  expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringMatching(message) });

/** Matrices of two bodies at the origin. */
const scaled = (scale: number): Float32Array =>
  Float32Array.from({ length: 32 }, (_, k) =>
    k % 16 === 15 ? 1 : k % 16 === 0 || k % 16 === 5 || k % 16 === 10 ? scale : 0,
  );

describe.each([
  ['cpu', 3],
  ['cpu', 2],
  ['webgpu', 3],
  ['webgpu', 2],
] as const)('on %s in %i dimensions', (backend, dimension) => {
  let tester: Tester;
  beforeAll(async () => {
    tester = (await createTester({ backend, dimension: dimension as 3 })) as Tester;
  });
  afterAll(() => tester?.dispose());

  async function use<Result>(
    descriptions: readonly Description[],
    ask: (ids: number[]) => Promise<Result>,
  ): Promise<Result> {
    const ids = descriptions.map((description) => tester.addShape(description as ShapeDescription));
    try {
      return await ask(ids);
    } finally {
      for (const id of ids) tester.removeShape(id);
    }
  }

  /** Each two shapes near each other, all lengths times `size`, by their descriptions or by the bodies' scales. */
  function enlarged(
    size: number,
    way: 'descriptions' | 'scales',
    query: QueryCase[1],
  ): Promise<Record<string, unknown>> {
    const descriptions = shapesOf(tester, way === 'scales' ? 1 : size);
    const pairs = pairsOf(descriptions);
    return use(descriptions, async (ids) => {
      const random = createRandom(11);
      const place = (): number => size * uniform(random, -0.6, 0.6);
      const bodies = bodiesOf(
        tester,
        random,
        2 * pairs.length,
        (body) => ids[pairs[body >> 1][body & 1]],
        place,
        () => (way === 'scales' ? size : 1),
        size,
      );
      return (await query(
        tester,
        bodies,
        Uint32Array.from({ length: 2 * pairs.length }, (_, i) => i),
        size,
      )) as Record<string, unknown>;
    });
  }

  test.each(queries)('%s of a scene of 5e14 units are those of one unit', async (_, query) => {
    const size = 2 ** 49;
    const model = await enlarged(1, 'descriptions', query);
    expect((model.statusCounts as number[])[Status.Overlapping]).toBeGreaterThan(10);
    for (const way of ['descriptions', 'scales'] as const) {
      const found = await enlarged(size, way, query);
      expect(found.statusCounts).toEqual(model.statusCounts);
      for (const [name, values] of Object.entries(model)) {
        if (!ArrayBuffer.isView(values)) continue;
        const factor = LENGTHS.includes(name) ? size : 1;
        expect(found[name], `${name} by ${way}`).toEqual((values as Float32Array).map((value) => value * factor));
      }
    }
  });

  test.each(queries)('%s of sizes from 0 to 1e15 at distances up to 1e30 are finite', async (_, query) => {
    const sizes = [0, 1e-45, 1e-30, 1e-6, 1, 1e6, 1e15];
    const scales = [1e-45, 1e-30, 1e-6, 1, 1e6, 1e15];
    const distances = [0, 1e-40, 1e-10, 1, 1e10, 1e20, 9e29];
    // Shapes are made of halves of the size, so that all of a size of 1e15 have room for the scale 1.
    const descriptions = sizes.flatMap((size) => shapesOf(tester, size));
    const sizeOf = (shape: number): number => sizes[Math.floor(shape / (descriptions.length / sizes.length))];
    await use(descriptions, async (ids) => {
      const random = createRandom(12);
      const choose = <Item>(items: readonly Item[]): Item => items[Math.floor(uniform(random, 0, items.length))];
      const candidates = pairsOf(descriptions);
      const chosen = Array.from({ length: 1500 }, () => choose(candidates));
      const shape = (body: number): number => chosen[body >> 1][body & 1];
      const scaleOf = (body: number): number =>
        choose(scales.filter((scale) => scale * sizeOf(shape(body)) <= 1.0001e15));
      const bodies = bodiesOf(
        tester,
        random,
        3000,
        (body) => ids[shape(body)],
        () => uniform(random, -1, 1) * choose(distances),
        scaleOf,
        1,
      );
      // Some in one place, where there is no distance to go by.
      const axes = axesOf(tester);
      for (let pair = 0; pair < 1500; pair += 3)
        bodies.positions!.copyWithin(2 * axes * pair, 2 * axes * pair + axes, 2 * axes * pair + 2 * axes);
      const result = (await query(
        tester,
        bodies,
        Uint32Array.from({ length: 3000 }, (__, i) => i),
        choose([0, 1, 1e30]),
      )) as Record<string, unknown>;
      expect((result.statusCounts as number[])[Status.InvalidInput]).toBe(0);
      for (const [name, values] of Object.entries(result)) {
        if (!ArrayBuffer.isView(values)) continue;
        const isRight = TIMES.includes(name) ? (value: number) => !Number.isNaN(value) : Number.isFinite;
        const wrong = (values as Float32Array).findIndex((value) => !isRight(value));
        if (wrong < 0) continue;
        const pair = Math.floor((wrong / (values as Float32Array).length) * 1500);
        const told = [2 * pair, 2 * pair + 1].map((body) => ({
          shape: descriptions[shape(body)],
          scale: bodies.scales![body],
          position: [...bodies.positions!.subarray(axes * body, axes * body + axes)],
        }));
        expect.fail(`${name} of pair ${pair} is ${(values as Float32Array)[wrong]}: ${JSON.stringify(told)}`);
      }
    });
  });

  test('a shape of more than 1e15 is refused, by the length or as a whole', () => {
    for (const size of [1.0001e15, 1e20, 1e38, 3e38, 1e39, Infinity]) {
      for (const description of shapesOf(tester, 16 * size))
        expect(() => tester.addShape(description as ShapeDescription), JSON.stringify(description)).toThrow(
          error(/^description\.\S+ is .*, expected a .*(at most 1e15|within the range of f32)$/),
        );
    }
    const wide =
      dimension === 3
        ? { type: 'box', halfExtents: [9e14, 9e14, 9e14] }
        : { type: 'rectangle', halfExtents: [9e14, 9e14] };
    expect(() => tester.addShape(wide as ShapeDescription)).toThrow(
      error(/^the bounding radius of description is 1[\d.]+, expected at most 1e15$/),
    );
    const rounded =
      dimension === 3
        ? { type: 'capsule', halfHeight: 9e14, radius: 9e14 }
        : { type: 'segment', points: [0, 0, 9e14, 0], radius: 9e14 };
    expect(() => tester.addShape(rounded as ShapeDescription)).toThrow(
      error(/^the bounding radius of description is 1[\d.]+, expected at most 1e15$/),
    );
  });

  test('a body that its scale makes larger is refused', async () => {
    const ball = (
      dimension === 3 ? { type: 'sphere', radius: 1e6 } : { type: 'circle', radius: 1e6 }
    ) as ShapeDescription;
    await use([ball], async ([id]) => {
      const random = createRandom(1);
      const at = (scale: number): MovingBodies =>
        bodiesOf(
          tester,
          random,
          2,
          () => id,
          () => 0,
          (body) => (body === 1 ? scale : 1),
          1,
        );
      const pairs = Uint32Array.of(0, 1);
      for (const [, query] of queries) {
        await expect(query(tester, at(1.1e9), pairs, 0)).rejects.toEqual(
          error(
            /^bodies\.scales\[1\] is 1\d{9}, expected a number that leaves the size of its shape, 1000000, within 1e15$/,
          ),
        );
        await expect(query(tester, at(1.1e15), pairs, 0)).rejects.toEqual(
          error(/^bodies\.scales\[1\] is 1\d{15}, expected a number of at most 1e15$/),
        );
      }
      expect((await tester.contacts(at(1e9), pairs)).status[0]).toBe(Status.Overlapping);
    });
  });
});

test('a matrix that makes a body larger than 1e15 is refused', async () => {
  const tester = await createTester({ backend: 'cpu' });
  const shapes = new Uint32Array(2).fill(tester.addShape({ type: 'sphere', radius: 1e6 }));
  await expect(tester.contacts({ shapes, matrices: scaled(1.1e9) }, Uint32Array.of(0, 1))).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringMatching(
      /^the scale of bodies\.matrices\[0\.\.15\] is 1[\d.]+, expected a number that leaves the size of its shape, 1000000, within 1e15$/,
    ),
  });
  expect((await tester.contacts({ shapes, matrices: scaled(1e9) }, Uint32Array.of(0, 1))).distance[0]).toBeCloseTo(
    -2e15,
    -9,
  );
});

test.each([3, 2] as const)(
  'in %i dimensions bodies of buffers that are larger or farther out end as InvalidInput',
  async (dimension) => {
    const tester = (await createTester({ backend: 'webgpu', dimension: dimension as 3 })) as Tester;
    const id = tester.addShape(
      (dimension === 3 ? { type: 'sphere', radius: 1e6 } : { type: 'circle', radius: 1e6 }) as ShapeDescription,
    );
    for (const query of ['contacts', 'impacts'] as const) {
      const batch = await tester.createBatch({
        query,
        maxBodies: 12,
        maxPairs: 6,
        ...(query === 'impacts' && { duration: 1 }),
      } as BatchOptions);
      const pairs = Uint32Array.from({ length: 12 }, (_, i) => i);
      const { angularVelocities: _, ...bodies } = bodiesOf(
        tester,
        createRandom(2),
        12,
        () => id,
        () => 0,
        () => 1,
        0,
      );
      await frame(batch as never, { bodies, pairs });
      // What the host refuses, written past it: scales, a position and a velocity.
      const words = batch.input.poses.size / 4 / 12;
      const put = (buffer: GPUBuffer, body: number, word: number, value: number): void =>
        batch.device.queue.writeBuffer(buffer, 4 * (words * body + word), Float32Array.of(value));
      [1.1e9, 1.1e15, 3e38, Infinity].forEach((scale, pair) => put(batch.input.poses, 2 * pair + 1, 3, scale));
      put(batch.input.poses, 8, 0, 3e38);
      if (batch.input.velocities) put(batch.input.velocities, 10, 0, 2e30);
      const encoder = batch.device.createCommandEncoder();
      batch.encode(encoder);
      batch.device.queue.submit([encoder.finish()]);
      const { status } = (await batch.read()) as { status: Uint8Array };
      expect([...status], query).toEqual([
        3,
        3,
        3,
        3,
        3,
        query === 'impacts' ? Status.InvalidInput : Status.Overlapping,
      ]);
    }
    tester.dispose();
  },
);
