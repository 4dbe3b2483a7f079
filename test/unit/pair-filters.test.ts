/** `groups` and `fixed` of bodies, and `groups` of rays, in queries of testers. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NO_BODY, type Bodies, type CollisionFilters, type Rays, type Tester } from '../../src/api/types.ts';
import { dimensions } from '../helpers/dimensions.ts';

/** A member of group i only, which meets the groups in `filter`. */
const group = (i: number, ...filter: number[]): number =>
  2 ** (16 + i) + filter.reduce((bits, other) => bits + 2 ** other, 0);

describe.each(dimensions)('$name', (dimension) => {
  const { vector } = dimension;
  const COUNT = 4;
  let tester: Tester;
  beforeEach(async () => {
    tester = await dimension.createTester({ backend: 'cpu', threads: 1 });
    dimension.useShapes(tester, [dimension.box(0.5), dimension.ball(0.5)]);
  });
  afterEach(() => tester.dispose());

  /** Four boxes in a row, each of which touches the next. */
  function row(filters: CollisionFilters = {}): Bodies {
    const positions = Float32Array.from(Array.from({ length: COUNT }, (_, i) => vector(i, 0)).flat());
    return { ...dimension.makeBodies({ shapes: new Uint32Array(COUNT), positions }), ...filters };
  }

  const pairsOf = async (filters: CollisionFilters): Promise<number[]> => [...(await tester.findPairs(row(filters)))];

  test('pairs need a group of each in the filter of the other', async () => {
    expect(await pairsOf({})).toEqual([0, 1, 1, 2, 2, 3]);
    const groups = Uint32Array.of(group(0, 0, 1), group(1, 1, 2), group(2, 1), group(2, 2));
    expect(await pairsOf({ groups })).toEqual([1, 2]);
    expect(await pairsOf({ groups: new Uint32Array(COUNT).fill(0xffffffff) })).toEqual([0, 1, 1, 2, 2, 3]);
    expect(await pairsOf({ groups: new Uint32Array(COUNT).fill(group(15, 15)) })).toEqual([0, 1, 1, 2, 2, 3]);
    expect(await pairsOf({ groups: new Uint32Array(COUNT).fill(0xffff) })).toEqual([]);
    expect(await pairsOf({ groups: new Uint32Array(COUNT).fill(0xffff0000) })).toEqual([]);
  });

  test('two fixed bodies are no pair', async () => {
    expect(await pairsOf({ fixed: Uint8Array.of(1, 255, 0, 0) })).toEqual([1, 2, 2, 3]);
    expect(await pairsOf({ fixed: new Uint8Array(COUNT) })).toEqual([0, 1, 1, 2, 2, 3]);
    expect(await pairsOf({ fixed: new Uint8Array(COUNT).fill(1) })).toEqual([]);
  });

  test('handles keep them, and writes replace them', async () => {
    const handle = tester.createBodies(row({ fixed: Uint8Array.of(1, 1, 0, 0) }));
    const found = async (): Promise<number[]> => [...(await tester.findPairs(handle))];
    expect(await found()).toEqual([1, 2, 2, 3]);
    handle.write({ groups: Uint32Array.of(group(0, 1), group(0, 1), group(1, 0), group(2, 2)) });
    expect(await found()).toEqual([1, 2]);
    // A query that waits has the filters of its call.
    const early = tester.findPairs(handle);
    handle.write({ fixed: Uint8Array.of(0, 1, 1, 0), groups: new Uint32Array(COUNT).fill(0xffffffff) });
    expect([...(await early)]).toEqual([1, 2]);
    expect(await found()).toEqual([0, 1, 2, 3]);
    handle.write({ scales: new Float32Array(COUNT).fill(1.01) });
    expect(await found()).toEqual([0, 1, 2, 3]);
    expect(() => handle.write({ groups: new Uint32Array(3) })).toThrow(/^bodies\.groups\.length is 3, expected 4/);
    expect(await found()).toEqual([0, 1, 2, 3]);
  });

  test('other queries ignore them', async () => {
    const bodies = row({ groups: new Uint32Array(COUNT), fixed: new Uint8Array(COUNT).fill(1) });
    expect((await tester.intersects(bodies, Uint32Array.of(0, 1, 0, 3))).hits).toBe(1);
  });

  test('a ray passes through bodies whose groups do not match, fixed or not', async () => {
    const groups = Uint32Array.of(group(0, 0), group(1, 0, 1), group(2, 2), group(1, 1));
    const bodies = row({ groups, fixed: Uint8Array.of(0, 1, 1, 1) });
    const cast = async (given: number[] | undefined): Promise<number[]> => {
      const count = given?.length ?? 1;
      const rays: Rays = {
        origins: Float32Array.from(Array.from({ length: count }, () => vector(-5, 0)).flat()),
        directions: Float32Array.from(Array.from({ length: count }, () => vector(1, 0)).flat()),
        ...(given && { groups: Uint32Array.from(given) }),
      };
      return [...(await tester.rayCasts(bodies, rays)).body];
    };
    expect(await cast(undefined)).toEqual([0]);
    expect(await cast([group(0, 0), group(0, 1), group(1, 1), group(2, 2), group(3, 3), 0xffffffff])).toEqual([
      0,
      1,
      1,
      2,
      NO_BODY,
      0,
    ]);
  });

  test.each<[string, CollisionFilters, RegExp]>([
    ['too few groups', { groups: new Uint32Array(3) }, /^bodies\.groups\.length is 3, expected 4 for 4 bodies$/],
    ['signed groups', { groups: new Int32Array(4) as never }, /^bodies\.groups is .*, expected a Uint32Array$/],
    ['a list', { groups: [1, 2, 3, 4] as never }, /^bodies\.groups is .*, expected a Uint32Array$/],
    ['too many flags', { fixed: new Uint8Array(5) }, /^bodies\.fixed\.length is 5, expected 4 for 4 bodies$/],
    [
      'flags as booleans',
      { fixed: [true, false, true, true] as never },
      /^bodies\.fixed is .*, expected a Uint8Array$/,
    ],
    ['null', { fixed: null as never }, /^bodies\.fixed is null, expected a Uint8Array$/],
  ])('%s are refused', async (_, filters, message) => {
    const error = { code: 'INVALID_INPUT', message: expect.stringMatching(message) };
    await expect(tester.findPairs(row(filters))).rejects.toMatchObject(error);
    await expect(tester.intersects(row(filters), Uint32Array.of(0, 1))).rejects.toMatchObject(error);
    expect(() => tester.createBodies(row(filters))).toThrow(message);
  });

  test('wrong groups of rays are refused', async () => {
    const rays = { origins: Float32Array.from(vector(0, 0)), directions: Float32Array.from(vector(1, 0)) };
    const refused = (groups: unknown): Promise<unknown> => tester.rayCasts(row(), { ...rays, groups } as Rays);
    await expect(refused(new Uint32Array(2))).rejects.toThrow(/^rays\.groups\.length is 2, expected 1 for 1 rays$/);
    await expect(refused([1])).rejects.toThrow(/^rays\.groups is .*, expected a Uint32Array$/);
  });
});

test('bodies by matrices have filters too', async () => {
  const [space] = dimensions.filter(({ axes }) => axes === 3);
  const tester = await space.createTester({ backend: 'cpu', threads: 1 });
  space.useShapes(tester, [space.box(0.5)]);
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const bodies = { shapes: new Uint32Array(3), matrices: Float32Array.from([identity, identity, identity].flat()) };
  const groups = Uint32Array.of(group(0, 1), group(1, 0), group(1, 0));
  expect([...(await tester.findPairs({ ...bodies, groups }))]).toEqual([0, 1, 0, 2]);
  expect([...(await tester.findPairs({ ...bodies, groups, fixed: Uint8Array.of(1, 1, 0) }))]).toEqual([0, 2]);
  await expect(tester.findPairs({ ...bodies, groups: new Uint32Array(2) })).rejects.toThrow(/^bodies\.groups\.length/);
  const handle = tester.createBodies({ ...bodies, groups });
  handle.write({ matrices: bodies.matrices });
  expect([...(await tester.findPairs(handle))]).toEqual([0, 1, 0, 2]);
  tester.dispose();
});
