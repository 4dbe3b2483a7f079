/**
 * The two testers are written out by hand, so that editors show readable types. They agree, method by method, with
 * the generic form of both. The compiler makes these checks (`npm run typecheck`).
 */
import { expect, expectTypeOf, test } from 'vitest';
import { createTester } from '../../src/index.ts';
import type { PlanarTester, PlanarTypes, SpaceTypes, Tester, TesterOf, WarmStart } from '../../src/api/types.ts';

test('a Tester is the generic tester of 3-D, with warm starts', async () => {
  type Expected = TesterOf<SpaceTypes> & {
    createWarmStart(maxPairs: number): WarmStart;
    trianglePairs: Tester['trianglePairs'];
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
