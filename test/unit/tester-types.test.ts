/**
 * The two testers are written out by hand, so that editors show readable types. They agree, method by method, with
 * the generic form of both. The compiler makes these checks (`npm run typecheck`).
 */
import { expect, expectTypeOf, test } from 'vitest';
import { createTester } from '../../src/index.ts';
import type { BatchOf } from '../../src/api/batch.ts';
import type {
  PlanarTester,
  PlanarTypes,
  RayHits,
  SpaceTypes,
  Tester,
  TesterOf,
  WarmStart,
} from '../../src/api/types.ts';

test('a Tester is the generic tester of 3-D, with warm starts and meshes', async () => {
  type Expected = TesterOf<SpaceTypes> & {
    createWarmStart(maxPairs: number): WarmStart;
    trianglePairs: Tester['trianglePairs'];
    updateMesh: Tester['updateMesh'];
  };
  expectTypeOf<keyof Tester>().toEqualTypeOf<keyof Expected>();
  expectTypeOf<{ [Key in keyof Tester]: Tester[Key] }>().toEqualTypeOf<{ [Key in keyof Expected]: Expected[Key] }>();
  const tester = await createTester({ backend: 'cpu' });
  expect(tester.dimension).toBe(3);
  tester.dispose();
});

test('a PlanarTester is the generic tester of 2-D', async () => {
  type Expected = TesterOf<PlanarTypes>;
  expectTypeOf<keyof PlanarTester>().toEqualTypeOf<keyof Expected>();
  expectTypeOf<{ [Key in keyof PlanarTester]: PlanarTester[Key] }>().toEqualTypeOf<{
    [Key in keyof Expected]: Expected[Key];
  }>();
  const tester = await createTester({ backend: 'cpu', dimension: 2 });
  expect(tester.dimension).toBe(2);
  tester.dispose();
});

const read = (batch: BatchOf<'contacts'>) => batch.read({ bodies: true });
const readHits = (batch: BatchOf<'rayCasts'>) => batch.read();
const planar = (plane: PlanarTester) => plane.intersects({} as never, new Uint32Array(0), { bodies: true });
test('with bodies: true a result has the bodies of its pairs, without an assertion', async () => {
  const tester = await createTester({ backend: 'cpu' });
  const box = tester.addShape({ type: 'box', halfExtents: [1, 1, 1] });
  const bodies = {
    shapes: new Uint32Array(2).fill(box),
    positions: new Float32Array(6),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
    linearVelocities: new Float32Array(6),
  };
  const pairs = Uint32Array.of(1, 0);
  const found = await tester.contacts(bodies, pairs, { bodies: true, bounds: true });
  expectTypeOf(found.a).toEqualTypeOf<Uint32Array>();
  expectTypeOf(found.distance).toEqualTypeOf<Float32Array>();
  expect([found.a[0], found.b[0]]).toEqual([1, 0]);
  for (const contact of found) {
    expectTypeOf(contact.a).toEqualTypeOf<number>();
    expect([contact.a, contact.b, contact.normal.length]).toEqual([1, 0, 3]);
  }
  // It is a target, and a result as before.
  const again = await tester.contacts(bodies, pairs, { target: found });
  expectTypeOf(again.a).toEqualTypeOf<Uint32Array | undefined>();
  const impacts = await tester.impacts(bodies, pairs, { duration: 1, bodies: true });
  expect(impacts.b[0]).toBe(0);
  const few = await tester.distances(bodies, pairs, { fields: ['a', 'distance'], bodies: true });
  expectTypeOf(few.a).toEqualTypeOf<Uint32Array>();
  expectTypeOf<'b' extends keyof typeof few ? true : false>().toEqualTypeOf<false>();
  const isAsked = pairs.length > 0;
  const maybe = await tester.manifolds(bodies, pairs, { bodies: isAsked });
  expectTypeOf(maybe.a).toEqualTypeOf<Uint32Array | undefined>();
  expectTypeOf<Awaited<ReturnType<typeof read>>['a']>().toEqualTypeOf<Uint32Array>();
  expectTypeOf<Awaited<ReturnType<typeof readHits>>>().toEqualTypeOf<RayHits>();
  tester.dispose();
  expectTypeOf<Awaited<ReturnType<typeof planar>>['b']>().toEqualTypeOf<Uint32Array>();
});
