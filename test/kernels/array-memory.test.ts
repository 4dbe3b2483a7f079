/**
 * Arrays of callers in memory of every kind: shared between workers, resizable, a part of something larger. Answers are
 * those for plain arrays, bit by bit.
 */

import type { BatchOptions } from '../../src/api/batch-options.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { Bodies, MovingBodies, PlanarMovingBodies, PlanarTester, Tester } from '../../src/api/types.ts';
import { frame } from '../helpers/batch.ts';
import { manyRays } from '../helpers/many-rays.ts';
import { inMemory, memories } from '../helpers/memory.ts';
import { answersOf } from '../helpers/planar-tester.ts';

/** Two of each shape in a row, half a unit apart, that move along it. Their pairs have closed forms, which compile soon. */
const COUNT = 8;
const numbers = (width: number, valueOf: (body: number, axis: number) => number): Float32Array =>
  Float32Array.from({ length: width * COUNT }, (_, i) => valueOf(Math.floor(i / width), i % width));
const shapes = Uint32Array.from({ length: COUNT }, (_, body) => body % 2);
const scales = numbers(1, (body) => 1 + body / 16);
const pairs = Uint32Array.from([0, 1, 0, 2, 1, 2, 2, 3, 3, 4, 3, 5, 6, 7, 7, 0]);

const posed: MovingBodies & { positions: Float32Array } = {
  shapes,
  positions: numbers(3, (body, axis) => (axis === 0 ? 0.75 * body : 0.125 * axis)),
  quaternions: numbers(4, (body, axis) => (axis === 3 ? 1 : 0.125 * body)),
  scales,
  linearVelocities: numbers(3, (body, axis) => (axis === 0 ? 1 - body / 2 : 0)),
  angularVelocities: numbers(3, (body, axis) => (axis === 1 ? body / 8 : 0)),
};
const byMatrix: MovingBodies = {
  shapes,
  matrices: numbers(16, (body, k) => (k === 12 ? 0.75 * body : k % 5 === 0 ? 1 : 0)),
  linearVelocities: posed.linearVelocities,
};
const planar: PlanarMovingBodies & { positions: Float32Array } = {
  shapes,
  positions: numbers(2, (body, axis) => (axis === 0 ? 0.75 * body : 0.125)),
  angles: numbers(1, (body) => body / 4),
  scales,
  linearVelocities: numbers(2, (body, axis) => (axis === 0 ? 1 - body / 2 : 0)),
  angularVelocities: numbers(1, (body) => body / 8),
};
const rays = (axes: number) =>
  manyRays(axes, {
    origins: numbers(axes, (ray, axis) => (axis === 0 ? ray : axis === 1 ? 5 : 0)),
    directions: numbers(axes, (_, axis) => (axis === 1 ? -1 : 0.0625)),
    maxTimes: numbers(1, (ray) => 4 + ray),
    radii: numbers(1, (ray) => ray / 64),
  });

/** Every query of a tester by its name: what it gives for bodies, pairs and rays, into `target` if given. */
type Query = (
  given: { bodies: MovingBodies; pairs: Uint32Array; rays: ReturnType<typeof rays> },
  target?: never,
) => Promise<object>;

function queriesOf(tester: Tester): Record<string, Query> {
  return {
    intersects: (given, target) => tester.intersects(given.bodies, given.pairs, { target }),
    distances: (given, target) => tester.distances(given.bodies, given.pairs, { target }),
    contacts: (given, target) => tester.contacts(given.bodies, given.pairs, { target, bounds: true }),
    manifolds: (given, target) => tester.manifolds(given.bodies, given.pairs, { target }),
    impacts: (given, target) => tester.impacts(given.bodies, given.pairs, { target, duration: 2 }),
    hits: (given, target) => tester.contacts(given.bodies, given.pairs, { target, results: 'hits' }),
    rayCasts: (given, target) => tester.rayCasts(given.bodies, given.rays, { target }),
  };
}

type BackendName = Tester['backend'];

const spaceTester = async (backend: BackendName = 'webgpu'): Promise<Tester> => {
  const tester = await createTester({ backend });
  tester.addShape({ type: 'sphere', radius: 0.5 });
  tester.addShape({ type: 'capsule', halfHeight: 0.25, radius: 0.25 });
  return tester;
};
const planarTester = async (backend: BackendName = 'webgpu'): Promise<Tester> => {
  const tester: PlanarTester = await createTester({ backend, dimension: 2 });
  tester.addShape({ type: 'circle', radius: 0.5 });
  tester.addShape({ type: 'capsule', halfHeight: 0.25, radius: 0.25 });
  // Its types are the 2-D ones where they differ.
  return tester as unknown as Tester;
};

const kinds = [
  ['in space', spaceTester, posed, 3],
  ['in space by matrix', spaceTester, byMatrix, 3],
  ['in space at 64-bit positions', spaceTester, { ...posed, positions: Float64Array.from(posed.positions) }, 3],
  ['in the plane', planarTester, planar as unknown as MovingBodies, 2],
] as const;

describe.each((['webgpu', 'cpu'] as const).flatMap((backend) => kinds.map((kind) => [backend, ...kind] as const)))(
  'on %s %s',
  (backend, _, open, bodies, axes) => {
    let tester: Tester;
    beforeAll(async () => {
      tester = await open(backend);
    });
    afterAll(() => tester?.dispose());

    const plain = { bodies: bodies as MovingBodies, pairs, rays: rays(axes) };

    test.each(memories)('every query takes arrays in %s, and writes targets there', async (memory) => {
      for (const [name, ask] of Object.entries(queriesOf(tester))) {
        const expected = await ask(plain);
        const answers = answersOf(expected as never);
        expect(answers.statusCounts[1], name).toBeGreaterThan(0);
        const given = inMemory(plain, memory);
        expect(answersOf((await ask(given)) as never), name).toEqual(answers);
        const target = inMemory({ ...expected }, memory) as Record<string, { fill?(value: number): void }>;
        for (const array of Object.values(target)) array?.fill?.(77);
        const written = (await ask(given, target as never)) as Record<string, unknown>;
        expect(answersOf(written as never), name).toEqual(answers);
        expect(written.status, name).toBe(target.status);
      }
    });

    test.each(memories)('findPairs takes arrays in %s', async (memory) => {
      const {
        linearVelocities: _linear,
        angularVelocities: _angular,
        ...standing
      } = plain.bodies as MovingBodies & { angularVelocities?: Float32Array };
      const found = await tester.findPairs(standing as Bodies, { margin: 0.5 });
      expect(found.length).toBeGreaterThan(0);
      expect(await tester.findPairs(inMemory(standing as Bodies, memory), { margin: 0.5 })).toEqual(found);
    });
  },
);

describe.each(kinds.filter(([, , { positions }]) => !(positions instanceof Float64Array)))(
  'batches %s',
  (_, open, bodies) => {
    test.each(['contacts', 'impacts'] as const)(
      'of %s are written from arrays in any memory, and read into any',
      async (query) => {
        const tester = await open();
        const batch = await tester.createBatch({
          query,
          maxBodies: COUNT,
          maxPairs: pairs.length / 2,
          ...(query === 'impacts' && { duration: 2, turning: true }),
        } as BatchOptions);
        const expected = await frame(batch as never, { bodies, pairs } as never);
        const answers = answersOf(expected as never);
        expect(answers.statusCounts[1]).toBeGreaterThan(0);
        for (const memory of memories) {
          const copies = inMemory({ bodies, pairs }, memory);
          // What was there before would do as well.
          batch.write({
            bodies: { ...bodies, shapes: new Uint32Array(COUNT) } as never,
            pairs: new Uint32Array(pairs.length),
          });
          expect(answersOf((await frame(batch as never, copies as never)) as never), memory).toEqual(answers);
          const target = inMemory({ ...(expected as object) }, memory);
          const read = await batch.read({ target: target as never });
          expect(answersOf(read as never), memory).toEqual(answers);
        }
        tester.dispose();
      },
    );
  },
);
