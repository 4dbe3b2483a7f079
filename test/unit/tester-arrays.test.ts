/**
 * Arrays that a tester can't use: those whose memory is gone, which have no elements and look like empty ones, and
 * those that there is no memory for.
 */

import { describe, expect, test } from 'vitest';
import { createTester } from '../../src/index.ts';
import { createResult } from '../../src/records/create-result.ts';
import type { PlanarTester, Tester } from '../../src/api/types.ts';
import { detached, type Numbers } from '../helpers/memory.ts';

const space = await createTester({ backend: 'cpu' });
space.addShape({ type: 'box', halfExtents: [1, 1, 1] });
const plane = await createTester({ backend: 'cpu', dimension: 2 });
plane.addShape({ type: 'rectangle', halfExtents: [1, 1] });

const NO_PAIRS = new Uint32Array(0);
const floats = (): Float32Array => new Float32Array(0);
/** Nothing of each kind, so that a detached array has the right length. */
const none: Record<string, Record<string, Numbers>> = {
  'in space': {
    shapes: new Uint32Array(0),
    positions: floats(),
    quaternions: floats(),
    scales: floats(),
    linearVelocities: floats(),
    angularVelocities: floats(),
  },
  'by matrix': {
    shapes: new Uint32Array(0),
    matrices: floats(),
    linearVelocities: floats(),
    angularVelocities: floats(),
  },
  'in the plane': {
    shapes: new Uint32Array(0),
    positions: floats(),
    angles: floats(),
    scales: floats(),
    linearVelocities: floats(),
    angularVelocities: floats(),
  },
};
const testerOf = (kind: string): Tester =>
  kind === 'in the plane' ? (plane as PlanarTester as unknown as Tester) : space;
const isMotion = (field: string): boolean => field.endsWith('Velocities');

/** An array of the kind that is detached. */
function lost(array: Numbers): Numbers {
  return detached(new (array.constructor as new (length: number) => Numbers)(6));
}

const refused = (field: string, type = 'Float32Array') => ({
  name: 'NarrowphaseError',
  code: 'INVALID_INPUT',
  message: expect.stringMatching(
    new RegExp(`^${field.replaceAll('.', '\\.')} is a detached ${type}, expected a .*${type}`),
  ),
});

describe.each(Object.keys(none))('detached arrays of bodies %s', (kind) => {
  test.each(Object.keys(none[kind]))('%s is refused by every query', async (field) => {
    const tester = testerOf(kind);
    const given = { ...none[kind], [field]: lost(none[kind][field]) } as never;
    const error = refused(`bodies.${field}`, none[kind][field].constructor.name);
    await expect(tester.impacts(given, NO_PAIRS, { duration: 1 })).rejects.toMatchObject(error);
    if (isMotion(field)) return;
    for (const query of ['intersects', 'distances', 'contacts', 'manifolds'] as const)
      await expect(tester[query](given, NO_PAIRS), query).rejects.toMatchObject(error);
    await expect(tester.findPairs(given)).rejects.toMatchObject(error);
    await expect(tester.rayCasts(given, { origins: floats(), directions: floats() })).rejects.toMatchObject(error);
  });

  test('empty ones are none', async () => {
    expect((await testerOf(kind).impacts(none[kind] as never, NO_PAIRS, { duration: 1 })).count).toBe(0);
  });
});

describe('other detached arrays', () => {
  test('pairs', async () => {
    for (const query of ['intersects', 'distances', 'contacts', 'manifolds'] as const) {
      await expect(space[query](none['in space'] as never, detached(Uint32Array.of(0, 1)))).rejects.toMatchObject(
        refused('pairs', 'Uint32Array'),
      );
    }
  });

  test.each(['origins', 'directions', 'maxTimes', 'radii'])('rays.%s', async (field) => {
    const rays = {
      origins: floats(),
      directions: floats(),
      maxTimes: floats(),
      radii: floats(),
      [field]: lost(floats()),
    };
    await expect(space.rayCasts(none['in space'] as never, rays)).rejects.toMatchObject(refused(`rays.${field}`));
  });

  test('points of a hull, extents of a box', () => {
    const error = expect.objectContaining({ code: 'INVALID_INPUT' });
    expect(() => space.addShape({ type: 'hull', points: lost(floats()) })).toThrow(error);
    expect(() => space.addShape({ type: 'hull', points: lost(floats()) })).toThrow(
      /^description\.points is a detached Float32Array, expected/,
    );
    expect(() => space.addShape({ type: 'box', halfExtents: lost(floats()) })).toThrow(
      /^description\.halfExtents is a detached Float32Array, expected/,
    );
    expect(() => plane.addShape({ type: 'polygon', points: lost(floats()) })).toThrow(
      /^description\.points is a detached Float32Array, expected/,
    );
  });

  test('of a target, also where no slot is written', async () => {
    const contacts = await space.contacts(none['in space'] as never, NO_PAIRS, { bounds: true });
    for (const [name, array] of Object.entries(contacts)) {
      if (!ArrayBuffer.isView(array)) continue;
      for (const results of ['all', 'hits'] as const) {
        const target = { ...contacts, [name]: lost(array as Numbers) };
        await expect(
          space.contacts(none['in space'] as never, NO_PAIRS, { target, results, bounds: true }),
          name,
        ).rejects.toMatchObject(refused(`options.target.${name}`, array.constructor.name));
      }
    }
    const hits = await space.rayCasts(none['in space'] as never, { origins: floats(), directions: floats() });
    await expect(
      space.rayCasts(
        none['in space'] as never,
        { origins: floats(), directions: floats() },
        { target: { ...hits, body: lost(hits.body) as Uint32Array } },
      ),
    ).rejects.toMatchObject(refused('options.target.body', 'Uint32Array'));
  });

  test('an array that its buffer shrank below', async () => {
    const buffer = new (
      ArrayBuffer as unknown as new (bytes: number, options: object) => ArrayBuffer & { resize(bytes: number): void }
    )(24, { maxByteLength: 24 });
    const positions = new Float32Array(buffer, 0, 6);
    buffer.resize(8);
    await expect(space.contacts({ ...none['in space'], positions } as never, NO_PAIRS)).rejects.toMatchObject(
      refused('bodies.positions'),
    );
  });
});

test.each(['map', 'length', '0', '', 0.5, -1, 1, NaN, Infinity, null, undefined, {}, [0], 0n, Symbol.iterator])(
  'removeShape(%s) is refused, and the tester goes on',
  async (id) => {
    const tester = await createTester({ backend: 'cpu' });
    const shape = tester.addShape({ type: 'sphere', radius: 1 });
    expect(() => tester.removeShape(id as never)).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        message: expect.stringMatching(/^id is .*, expected the id of a shape that was added$/),
      }),
    );
    expect(tester.addShape({ type: 'sphere', radius: 2 })).toBe(shape + 1);
    tester.removeShape(shape);
    expect(tester.addShape({ type: 'sphere', radius: 3 })).toBe(shape);
    const bodies = {
      shapes: Uint32Array.of(shape, shape + 1),
      positions: Float32Array.of(0, 0, 0, 6, 0, 0),
      quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
    };
    expect((await tester.distances(bodies, Uint32Array.of(0, 1))).distance[0]).toBe(1);
  },
);

test.each(['intersects', 'distances', 'contacts', 'manifolds', 'impacts'] as const)(
  'a result of %s that there is no memory for is OUT_OF_MEMORY, with the array and its bytes',
  (query) => {
    const bodies = { shapes: NO_PAIRS, positions: new Float64Array(0), quaternions: floats() };
    expect(() => createResult(query, 3, 2 ** 52, bodies, ['pair'])).toThrow(
      expect.objectContaining({
        code: 'OUT_OF_MEMORY',
        message: `result.pair needs ${2 ** 54} bytes, expected no more than this process can allocate`,
      }),
    );
  },
);
