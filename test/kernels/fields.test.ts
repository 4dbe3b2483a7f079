/**
 * The option `fields`: each array is that of the whole result, bit for bit, whichever others are asked for. Every query
 * and `batch.read`, in both dimensions, on both backends.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom, uniform } from '../../verification/families/random.ts';
import type { QueryName } from '../../src/api/queries.ts';
import type { Bodies, MovingBodies, Tester } from '../../src/api/types.ts';
import { dimensions } from '../helpers/dimensions.ts';
import { expectSelection, fieldNames, someOf } from '../helpers/fields.ts';
import { submit } from '../helpers/batch.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';
import { atNight } from '../helpers/night.ts';

const BODIES = 80;
const PAIRS = 700;
const LISTS = atNight(2, 6);
const QUERIES = ['intersects', 'distances', 'contacts', 'manifolds', 'impacts'] as const;

type Ask = (options: object) => Promise<object>;

/** Every array that a result can have. */
function everything(query: QueryName): object {
  return { bodies: true, ...(query === 'contacts' && { bounds: true }) };
}

function optionsOf(query: QueryName, results: string): object {
  const duration = query === 'impacts' ? { duration: 1 } : {};
  return { ...duration, results, ...(query === 'distances' && { margin: 1 }) };
}

function choices(query: QueryName): ('all' | 'hits' | 'earliest')[] {
  return query === 'impacts' ? ['all', 'hits', 'earliest'] : ['all', 'hits'];
}

/** Asks with random lists, without and with a target that has these arrays alone. */
async function expectLists(ask: Ask, whole: object, seed: number): Promise<void> {
  const random = createRandom(seed);
  const names = fieldNames(whole);
  const lists = [
    [],
    names,
    ...names.filter((_, i) => atNight(i % 4 === seed % 4, true)).map((name) => [name]),
    ...Array.from({ length: LISTS }, () => someOf(random, names)),
  ];
  for (const fields of lists) {
    const found = (await ask({ fields })) as Record<string, Uint8Array>;
    expectSelection(found, whole, fields);
    const target = Object.fromEntries(fields.map((name) => [name, found[name].slice().fill(7)]));
    const again = (await ask({ fields, target })) as typeof found;
    expectSelection(again, whole, fields);
    for (const name of fields) expect(again[name], name).toBe(target[name]);
  }
}

describe.each(dimensions)('$name', (dimension) => {
  const { axes, identity, ball, box, createTester, useShapes } = dimension;
  const random = createRandom(20_261_126 + axes);
  const numbers = (length: number, reach: number): Float32Array =>
    Float32Array.from({ length }, () => uniform(random, -reach, reach));
  const pairs = Uint32Array.from({ length: 2 * PAIRS }, () => Math.floor(uniform(random, 0, BODIES)));
  const arrays = {
    shapes: Uint32Array.from({ length: BODIES }, (_, i) => i % 2),
    positions: numbers(axes * BODIES, 3),
    rotations: identity.length === 1 ? numbers(BODIES, 3) : numbers(4 * BODIES, 1),
  };
  const moving = { linearVelocities: numbers(axes * BODIES, 2) };
  const bodies: Bodies & MovingBodies = { ...dimension.makeBodies(arrays), ...moving };
  const far: Bodies & MovingBodies = {
    ...dimension.makeBodies({ ...arrays, positions: Float64Array.from(arrays.positions, (x) => x + 1e7) }),
    ...moving,
  };
  // Pairs of balls have closed forms, which compile soon.
  const shapes = [ball(0.75), atNight(ball, box)(0.5)];

  describe.each(['cpu', 'webgpu'] as const)('%s', (backend) => {
    let tester: Tester;
    beforeAll(async () => {
      tester = await createTester({ backend });
      useShapes(tester, shapes);
    });
    afterAll(() => tester?.dispose());

    const cases = QUERIES.flatMap((query) => choices(query).map((results) => [query, results] as const));
    test.each(cases)('%s, %s', async (query, results) => {
      for (const given of atNight([results === 'all' ? far : bodies], [bodies, far])) {
        const ask: Ask = (options) =>
          tester[query](given, pairs, { ...optionsOf(query, results), ...options } as never) as Promise<object>;
        const whole = await ask(everything(query));
        expect((whole as { count: number }).count).toBeGreaterThan(20);
        await expectLists(ask, whole, axes);
      }
    });

    test('rayCasts', async () => {
      const rays = { origins: numbers(axes * 300, 5), directions: numbers(axes * 300, 1) };
      const ask: Ask = (options) => tester.rayCasts(bodies, rays as never, options as never) as Promise<object>;
      const whole = (await ask({})) as { statusCounts: number[] };
      expect(Math.min(...whole.statusCounts.slice(0, 2))).toBeGreaterThan(20);
      await expectLists(ask, whole, axes);
    });

    test('an empty query has the arrays too, and no pair is needed for counts', async () => {
      const none = await tester.contacts(bodies, new Uint32Array(0), { fields: ['normal'] });
      expect([none.count, none.normal.length]).toEqual([0, 0]);
    });
  });

  describe('batch.read', () => {
    let device: GPUDevice;
    let tester: Tester;
    beforeAll(async () => {
      device = await openDefaultDevice('fields.device');
      tester = await createTester({ device });
      useShapes(tester, shapes);
    });
    afterAll(() => {
      tester?.dispose();
      device?.destroy();
    });

    const cases = QUERIES.flatMap((query) => choices(query).map((results) => [query, results] as const));
    test.each(cases)('%s, %s', async (query, results) => {
      await withoutErrors(device, async () => {
        const options = { query, maxBodies: BODIES, maxPairs: PAIRS, ...optionsOf(query, results) };
        const batch = await tester.createBatch(options as { query: 'contacts'; maxBodies: number; maxPairs: number });
        batch.write({ bodies: query === 'impacts' ? bodies : dimension.makeBodies(arrays), pairs });
        submit(batch);
        const ask: Ask = (others) => batch.read(others as never) as Promise<object>;
        const whole = await ask(everything(query));
        expect((whole as { count: number }).count).toBeGreaterThan(20);
        await expectLists(ask, whole, axes);
        batch.dispose();
      });
    });

    test('a read keeps the list of its call, and refuses a wrong one', async () => {
      const batch = await tester.createBatch({ query: 'contacts', maxBodies: BODIES, maxPairs: PAIRS });
      batch.write({ bodies: dimension.makeBodies(arrays), pairs });
      submit(batch);
      const fields: ('distance' | 'normal')[] = ['distance'];
      const reading = batch.read({ fields });
      fields[0] = 'normal';
      expect(fieldNames(await reading)).toEqual(['distance']);
      await expect(batch.read({ fields: ['pair', 'time'] as never })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringMatching(/^options\.fields\[1\] is "time", expected 'pair', 'status', /),
      });
      batch.dispose();
    });
  });
});
