/** Batches of contacts and manifolds with meshes and compounds in all families, judged by what their surfaces are. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { Tester } from '../../src/api/types.ts';
import { judgeFamily } from '../../verification/engines/surface-engine.ts';
import { makeSurfaceFamily, surfaceFamilyNames } from '../../verification/families/surface-families.ts';
import type { SurfaceFault } from '../../verification/judges/surface-contacts.ts';
import { atNight } from '../helpers/night.ts';
import { ALL_SORTS } from '../helpers/part-batches.ts';
import { byBatches, isExpected, SURFACE_TOLERANCE } from '../helpers/surface-batches.ts';

const SEED = Number(process.env.SEED ?? 43);
const CASES = Number(process.env.CASES ?? atNight(4, 140));
/** In CI without most compounds, and without the meshes that take longest. */
const COMPOUNDS = atNight(/compound: (tiles$|ramp of hulls|bricks$|small bodies|stairs)/, /compound:/);
const LONGEST = [
  'flat, fine',
  'box, 16 squares per edge',
  'slab, 16 squares per edge',
  'box, any depth, 16 squares per edge',
];
const LEFT_OUT = new Set(atNight([...LONGEST, 'thin bodies, terrain'], []));
const NAMES = surfaceFamilyNames.filter((name) =>
  name.startsWith('compound:') ? COMPOUNDS.test(name) : !LEFT_OUT.has(name),
);

let tester: Tester;
const faults: string[] = [];
let cases = 0;
beforeAll(async () => {
  tester = await createTester({ backend: 'webgpu' });
  // At night each family has the kernels of its own shapes.
  for (const shape of atNight(ALL_SORTS, [])) tester.addShape(shape);
});
afterAll(() => tester?.dispose());

test.each(NAMES)('%s', async (name) => {
  const family = makeSurfaceFamily(name, CASES, SEED);
  const tolerance = Math.max(family.tolerance ?? 0, SURFACE_TOLERANCE);
  const found = await judgeFamily(tester, { ...family, tolerance }, byBatches);
  cases += found.cases;
  for (const [fault, numbers] of Object.entries(found.faults) as [SurfaceFault, number[]][]) {
    if (isExpected(fault, family.isThin === true)) continue;
    faults.push(...numbers.map((i) => `${name}, case ${i}: ${fault}`));
  }
  expect(found.cases).toBeGreaterThan(CASES / 2);
});

test('no ghost, nothing lost, nothing too deep', () => {
  console.log(`${cases} cases\n${faults.join('\n')}`);
  expect(faults, `seed ${SEED}`).toEqual([]);
});
