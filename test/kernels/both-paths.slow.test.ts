/**
 * Large queries have the bits of queries whose input the host checks and packs and whose records it decodes: pairs of
 * every family, in both dimensions.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import type { Bodies, MovingBodies, PlanarTester, Tester } from '../../src/api/types.ts';
import { makeCurvedGridFamily, makeGridFamily } from '../../verification/families/grid.ts';
import {
  makeShapePairFamily,
  makeStructuredFamily,
  shapePairNames,
  structuredFamilyNames,
} from '../../verification/families/families.ts';
import { setInMotion } from '../../verification/families/moving-family.ts';
import {
  makePlanarFamily,
  makePlanarTypeFamily,
  planarFamilyNames,
  planarTypePairNames,
} from '../../verification/families/planar-families.ts';
import { setPlanarInMotion } from '../../verification/families/planar-moving-family.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { differingFields, testerOfBothPaths, type BothPaths } from '../helpers/both-paths.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';
import { usePlanarShapes } from '../helpers/planar-tester.ts';

/** With their bodies they are a large query. */
const PAIRS = 30_000;
/** Pairs of further queries over the same bodies. */
const FEWER_PAIRS = 10_000;
/** Pairs of a family whose pairs take ten times as long as those of the others. */
const CONCENTRIC_PAIRS = 12_000;
/** Pairs of rotating bodies, which take a hundred times as long as others. With their bodies they are a large query. */
const ROTATING_PAIRS = 11_000;
const SEED = 20_261_129;

interface Scene {
  shapes: readonly (ShapeDescription | PlanarShapeDescription)[];
  bodies: object;
  pairs: Uint32Array;
}

type Query = [name: 'intersects' | 'distances' | 'contacts' | 'manifolds', options: object];

/** Every family has two of them, besides contacts over all pairs. */
const FURTHER: Query[] = [
  ['intersects', { bodies: true }],
  ['distances', { margin: 0.1 }],
  ['manifolds', { margin: 0.05 }],
  ['contacts', { results: 'hits', margin: 0.1 }],
  ['intersects', { results: 'hits' }],
  ['manifolds', { results: 'hits', bodies: true }],
  ['distances', { results: 'hits', margin: 0.2, algorithm: 'gjk' }],
  ['contacts', { algorithm: 'mpr' }],
  ['distances', { escalate: true }],
];

let device: GPUDevice;
let paths: BothPaths;

async function open(axes: 2 | 3): Promise<void> {
  device = await openDefaultDevice('both-paths.device');
  paths = await testerOfBothPaths(axes, { device });
}

function close(): void {
  paths?.tester.dispose();
  device?.destroy();
}

function usePlanar(shapes: readonly PlanarShapeDescription[]): void {
  usePlanarShapes(paths.tester as unknown as PlanarTester, shapes);
}

/** Asks on both paths and compares. `isChecked`: the host has checked the input on either path. */
async function expectSame(
  what: string,
  ask: (tester: Tester) => Promise<object>,
  isChecked = false,
): Promise<{ count: number }> {
  const before = paths.unchecked();
  paths.take('device');
  const found = await ask(paths.tester);
  expect(paths.unchecked() - before, `${what}, unchecked`).toBe(isChecked ? 0 : 1);
  paths.take('host');
  expect(differingFields(found, await ask(paths.tester)), `${what}, seed ${SEED}`).toEqual([]);
  return found as { count: number };
}

async function expectSameAnswers({ bodies, pairs }: Scene, family: number, isChecked = false): Promise<void> {
  const ask = async ([name, options]: Query, some: Uint32Array): Promise<void> => {
    const what = `${name} ${JSON.stringify(options)}`;
    const query = (tester: Tester) => tester[name](bodies as Bodies, some, options);
    const { count } = await expectSame(what, query, isChecked);
    if (!('results' in options)) expect(count).toBe(some.length / 2);
  };
  await withoutErrors(device, async () => {
    await ask(['contacts', { bodies: true, bounds: true }], pairs);
    for (const step of [0, 4]) await ask(FURTHER[(family + step) % FURTHER.length], pairs.slice(-2 * FEWER_PAIRS));
  });
}

async function expectSameImpacts(bodies: object, pairs: Uint32Array, duration: number): Promise<void> {
  await withoutErrors(device, async () => {
    for (const results of ['all', 'hits', 'earliest'] as const) {
      const options = { duration, results, bodies: true };
      const { count } = await expectSame(`impacts, ${results}`, (tester) =>
        tester.impacts(bodies as MovingBodies, pairs, options),
      );
      expect(count).toBeGreaterThan(0);
    }
  });
}

describe('3-D', () => {
  beforeAll(() => open(3));
  afterAll(close);

  test.each([...shapePairNames.entries()])('%i: %s', async (number, name) => {
    const family = makeShapePairFamily(name, PAIRS, SEED);
    useShapes(paths.tester, family.shapes);
    await expectSameAnswers(family, number);
  });

  const structured = [...structuredFamilyNames, 'nearly-round'] as const;
  test.each([...structured.entries()])('%i: %s', async (number, name) => {
    const family = makeStructuredFamily(name, name === 'concentric' ? CONCENTRIC_PAIRS : PAIRS, SEED);
    useShapes(paths.tester, family.shapes);
    await expectSameAnswers(family, number);
  });

  test.each([makeGridFamily, makeCurvedGridFamily])('%o', async (make) => {
    const family = make(PAIRS, SEED);
    useShapes(paths.tester, family.shapes);
    await expectSameAnswers(family, 0);
  });

  // The host checks bodies whose half-spaces it moves by their offsets.
  test.each([
    ['box/hull', false],
    ['capsule/halfspace', true],
  ])('%s at 64-bit positions', async (name, isChecked) => {
    const family = makeShapePairFamily(name, PAIRS, SEED);
    const far = Float64Array.from(family.bodies.positions, (x, i) => x + 1e7 * Math.sin(i - (i % 6)));
    useShapes(paths.tester, family.shapes);
    await expectSameAnswers({ ...family, bodies: { ...family.bodies, positions: far } }, 2, isChecked);
  });

  test.each(['box/box', 'sphere/hull', 'cylinder/ellipsoid'])('%s in motion', async (name) => {
    const family = setInMotion(makeShapePairFamily(name, PAIRS, SEED), SEED);
    useShapes(paths.tester, family.shapes);
    await expectSameImpacts(family.bodies, family.pairs, family.duration);
  });

  test('box/box rotating', async () => {
    const family = setInMotion(makeShapePairFamily('box/box', ROTATING_PAIRS, SEED), SEED, { isTurning: true });
    useShapes(paths.tester, family.shapes);
    await expectSameImpacts(family.bodies, family.pairs, family.duration);
  });

  test('box/hull again and again from the last simplices', async () => {
    const { tester, take } = paths;
    const { shapes, bodies, pairs } = makeShapePairFamily('box/hull', PAIRS, SEED);
    useShapes(tester, shapes);
    const warmStarts = { device: tester.createWarmStart(PAIRS), host: tester.createWarmStart(PAIRS) };
    for (let round = 0; round < 3; round++) {
      const positions = bodies.positions.map((x) => x + 0.01 * round);
      const results = [];
      for (const path of ['device', 'host'] as const) {
        take(path);
        results.push(await tester.contacts({ ...bodies, positions }, pairs, { warmStart: warmStarts[path] }));
      }
      expect(differingFields(results[0], results[1]), `round ${round}`).toEqual([]);
    }
  });
});

describe('2-D', () => {
  beforeAll(() => open(2));
  afterAll(close);

  test.each([...planarTypePairNames.entries()])('%i: %s', async (number, name) => {
    const family = makePlanarTypeFamily(name, PAIRS, SEED);
    usePlanar(family.shapes);
    await expectSameAnswers(family, number);
  });

  test.each([...planarFamilyNames.entries()])('%i: %s', async (number, name) => {
    const family = makePlanarFamily(name, PAIRS, SEED);
    usePlanar(family.shapes);
    await expectSameAnswers(family, number);
  });

  test('rectangle/polygon at 64-bit positions', async () => {
    const family = makePlanarTypeFamily('rectangle/polygon', PAIRS, SEED);
    const far = Float64Array.from(family.bodies.positions, (x, i) => x + 1e7 * Math.sin(i - (i % 4)));
    usePlanar(family.shapes);
    await expectSameAnswers({ ...family, bodies: { ...family.bodies, positions: far } }, 2);
  });

  test.each([false, true])('capsule/polygon in motion, rotating: %s', async (isTurning) => {
    const count = isTurning ? ROTATING_PAIRS : PAIRS;
    const family = setPlanarInMotion(makePlanarTypeFamily('capsule/polygon', count, SEED), SEED, isTurning);
    usePlanar(family.shapes);
    await expectSameImpacts(family.bodies, family.pairs, family.duration);
  });
});
