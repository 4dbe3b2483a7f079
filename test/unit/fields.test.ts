/** The option `fields`: wrong lists, the copy that a query keeps, and the types of results. */
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { Batch } from '../../src/api/batch.ts';
import type {
  Contacts,
  FieldOf,
  Impacts,
  Intersections,
  Manifolds,
  PlanarContacts,
  QueryOptions,
  StatusCounts,
} from '../../src/api/types.ts';
import { fieldNames } from '../helpers/fields.ts';
import { boxTesters, pairs, planarRays, rays, refusalOf, twoBodies, twoPlanarBodies } from '../helpers/two-bodies.ts';

const { tester, plane } = await boxTesters();
const bodies = twoBodies(1.5);
const planarBodies = twoPlanarBodies(1.5);

type Ask = (fields: unknown) => Promise<object>;
const calls: [name: string, dimension: '2-D' | '3-D', ask: Ask][] = (
  ['intersects', 'distances', 'contacts', 'manifolds', 'impacts'] as const
).flatMap((query) => {
  const options = (fields: unknown): never => ({ fields, ...(query === 'impacts' && { duration: 1 }) }) as never;
  return [
    [query, '3-D', (fields: unknown) => tester[query](bodies, pairs, options(fields))],
    [query, '2-D', (fields: unknown) => plane[query](planarBodies, pairs, options(fields))],
  ] as [string, '2-D' | '3-D', Ask][];
});
calls.push(
  ['rayCasts', '3-D', (fields) => tester.rayCasts(bodies, rays, { fields } as never)],
  ['rayCasts', '2-D', (fields) => plane.rayCasts(planarBodies, planarRays, { fields } as never)],
);

describe.each(calls)('%s in %s', (query, _dimension, ask) => {
  test('has exactly the arrays that are named, in any order', async () => {
    const all = fieldNames(await ask(undefined));
    expect(all.length).toBeGreaterThan(2);
    for (const name of all) expect(fieldNames(await ask([name]))).toEqual([name]);
    expect(fieldNames(await ask([...all].reverse()))).toEqual(all);
    expect(fieldNames(await ask([]))).toEqual([]);
  });

  test('a misspelt name is refused, and meant', async () => {
    const all = fieldNames(await ask(undefined));
    for (const name of all) {
      const wrong = `${name}${name.at(-1)}`;
      expect(await refusalOf(() => ask([...all.filter((each) => each !== name), wrong]))).toBe(
        `options.fields[${all.length - 1}] is ${JSON.stringify(wrong)}, expected the name of an array of ${query}; ` +
          `did you mean '${name}'?`,
      );
    }
  });

  test('a name like no other is refused, and those that exist are listed', async () => {
    const message = await refusalOf(() => ask(['zzyzx']));
    expect(message).toMatch(/^options\.fields\[0\] is "zzyzx", expected '/);
    for (const name of fieldNames(await ask(undefined))) expect(message).toContain(`'${name}'`);
  });

  test.each([
    ['count', /^options\.fields\[1\] is "count", expected /],
    ['statusCounts', /^options\.fields\[1\] is "statusCounts", expected /],
    ['toString', /^options\.fields\[1\] is "toString", expected /],
    [undefined, /^options\.fields\[1\] is undefined, expected /],
    [null, /^options\.fields\[1\] is null, expected /],
    [1, /^options\.fields\[1\] is 1, expected /],
    [['status'], /^options\.fields\[1\] is \["status"\], expected /],
    ['status', /^options\.fields\[1\] is "status", expected each name once$/],
  ])('%j is no second name', async (name, message) => {
    expect(await refusalOf(() => ask(['status', name]))).toMatch(message);
  });

  test('a hole in the list is refused', async () => {
    const fields = ['status'];
    fields[2] = 'status';
    expect(await refusalOf(() => ask(fields))).toMatch(/^options\.fields\[1\] is undefined, expected /);
  });

  test.each([null, 'pair', 0, {}, { length: 0 }, new Set(['pair']), new Uint8Array(1)])(
    '%j is no list',
    async (fields) => {
      expect(await refusalOf(() => ask(fields))).toMatch(
        /^options\.fields is .*, expected an array of names of result arrays$/,
      );
    },
  );
});

test('the list alone decides about bounds and bodies', async () => {
  expect(fieldNames(await tester.contacts(bodies, pairs, { fields: ['b', 'lower'] }))).toEqual(['b', 'lower']);
  const { lower, upper } = await tester.contacts(bodies, pairs, { bounds: true });
  const named = await tester.contacts(bodies, pairs, { fields: ['lower', 'upper'] });
  expect([named.lower, named.upper]).toEqual([lower, upper]);
  const without = await tester.contacts(bodies, pairs, { fields: ['status'], bounds: true, bodies: true });
  expect(fieldNames(without)).toEqual(['status']);
  await expect(tester.contacts(bodies, pairs, { fields: ['status'], bounds: 1 as never })).rejects.toThrow(
    /^options\.bounds is 1, expected a boolean$/,
  );
});

test('a query keeps the list of its call', async () => {
  const fields: FieldOf<Contacts>[] = ['distance'];
  const running = tester.contacts(bodies, pairs, { fields });
  fields.push('normal');
  expect(fieldNames(await running)).toEqual(['distance']);
});

test('a target without an array that is named is refused; others are left alone', async () => {
  const target = { distance: new Float32Array(1), normal: new Float32Array(3).fill(7) };
  const found = await tester.contacts(bodies, pairs, { fields: ['distance'], target });
  expect(found.distance).toBe(target.distance);
  expect(found.distance[0]).toBeCloseTo(-0.5, 6);
  expect(target.normal).toEqual(Float32Array.of(7, 7, 7));
  const short = { distance: new Float32Array(0), normal: target.normal };
  await expect(tester.contacts(bodies, pairs, { fields: ['distance'], target: short })).rejects.toThrow(
    /^options\.target\.distance is Float32Array of 0 elements, expected a Float32Array of at least 1 elements$/,
  );
});

test('points of manifolds have the fields that are named, and are there with pointCount', async () => {
  const options = { margin: 0.01, fields: ['pointCount', 'distance'] } as const;
  const [item] = await tester.manifolds(bodies, pairs, options);
  expect(Object.keys(item)).toEqual(['points']);
  expect(item.points.map((point) => Object.keys(point))).toEqual(Array.from({ length: 4 }, () => ['distance']));
  const [alone] = await tester.manifolds(bodies, pairs, { fields: ['pointCount'] });
  expect(alone).toEqual({ points: [{}, {}, {}, {}] });
  const [bare] = await tester.manifolds(bodies, pairs, { fields: ['distance', 'normal'] });
  expect(Object.keys(bare)).toEqual(['normal']);
});

/** Never called: the compiler makes these checks. */
export async function types(batch: Batch<Contacts>): Promise<void> {
  const all = await tester.contacts(bodies, pairs);
  expectTypeOf(all).toEqualTypeOf<Contacts>();
  expectTypeOf(await plane.contacts(planarBodies, pairs, { margin: 1 })).toEqualTypeOf<PlanarContacts>();

  const some = await tester.contacts(bodies, pairs, { fields: ['distance', 'lower', 'a'] });
  expectTypeOf(some.distance).toEqualTypeOf<Float32Array>();
  expectTypeOf(some.lower).toEqualTypeOf<Float32Array>();
  expectTypeOf(some.a).toEqualTypeOf<Uint32Array>();
  expectTypeOf(some.statusCounts).toEqualTypeOf<StatusCounts>();
  expectTypeOf<keyof typeof some>().toEqualTypeOf<
    'distance' | 'lower' | 'a' | 'count' | 'statusCounts' | typeof Symbol.iterator
  >();
  for (const item of some) expectTypeOf<keyof typeof item>().toEqualTypeOf<'distance' | 'lower' | 'a'>();
  // @ts-expect-error: it is not in the list.
  void some.pair;

  const planar = await plane.contacts(planarBodies, pairs, { fields: ['normal'] });
  for (const { normal } of planar) expectTypeOf(normal).toEqualTypeOf<[number, number]>();

  const counts = await tester.intersects(bodies, pairs, { fields: [] });
  expectTypeOf<keyof typeof counts>().toEqualTypeOf<'count' | 'statusCounts' | 'hits' | typeof Symbol.iterator>();
  const first = await tester.impacts(bodies, pairs, { duration: 1, fields: ['time'], results: 'earliest' });
  expectTypeOf(first.first).toEqualTypeOf<Impacts['first']>();
  const { body } = await tester.rayCasts(bodies, rays, { fields: ['body'] });
  expectTypeOf(body).toEqualTypeOf<Uint32Array>();
  const read = await batch.read({ fields: ['distance'] });
  expectTypeOf<keyof typeof read>().toEqualTypeOf<'distance' | 'count' | 'statusCounts' | typeof Symbol.iterator>();
  expectTypeOf(await batch.read()).toEqualTypeOf<Contacts>();

  for (const item of await tester.manifolds(bodies, pairs, { fields: ['normal', 'pointCount', 'position'] })) {
    expectTypeOf<keyof typeof item>().toEqualTypeOf<'normal' | 'points'>();
    expectTypeOf<keyof (typeof item.points)[0]>().toEqualTypeOf<'position'>();
  }
  for (const item of await tester.manifolds(bodies, pairs, { fields: ['normal', 'position'] }))
    expectTypeOf<keyof typeof item>().toEqualTypeOf<'normal'>();

  // A target is what such a query returns, or the arrays alone.
  await tester.contacts(bodies, pairs, { fields: ['distance', 'lower', 'a'], target: some });
  await tester.contacts(bodies, pairs, { fields: ['distance'], target: { distance: new Float32Array(1) } });
  // @ts-expect-error: the target has no normals.
  await tester.contacts(bodies, pairs, { fields: ['normal'], target: some });

  // Names that are known only at run time: each array may be missing.
  const names: ('distance' | 'normal')[] = [];
  const maybe = await tester.contacts(bodies, pairs, { fields: names });
  expectTypeOf(maybe.distance).toEqualTypeOf<Float32Array | undefined>();
  const perhaps: readonly 'hit'[] | undefined = undefined as readonly 'hit'[] | undefined;
  expectTypeOf((await tester.intersects(bodies, pairs, { fields: perhaps })).hit).toEqualTypeOf<
    Uint8Array | undefined
  >();

  // Options in a variable, and a query that is known only at run time.
  const options: QueryOptions<Intersections> = { margin: 1 };
  expectTypeOf(await tester.intersects(bodies, pairs, options)).toEqualTypeOf<Intersections>();
  const query = 'distances' as 'distances' | 'contacts';
  expectTypeOf((await tester[query](bodies, pairs, { fields: ['normal'] })).normal).toEqualTypeOf<Float32Array>();

  // The error is at the wrong element, and it is the only one.
  const wrong = await tester.manifolds(bodies, pairs, {
    fields: [
      'normal',
      // @ts-expect-error: "Did you mean 'position'?"
      'positoin',
    ],
  });
  expectTypeOf(wrong).toEqualTypeOf<Manifolds>();
  // @ts-expect-error: an array of another query.
  await tester.distances(bodies, pairs, { fields: ['featureA'] });
  // @ts-expect-error: no array.
  await tester.contacts(bodies, pairs, { fields: ['count'] });
}
