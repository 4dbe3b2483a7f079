/** Contacts with meshes in all families, judged by what the meshes' surfaces are. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTester, type Tester } from '../../src/index.ts';
import { judgeFamily } from '../../verification/engines/surface-engine.ts';
import { makeSurfaceFamily, surfaceFamilyNames } from '../../verification/families/surface-families.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 43;
const CASES = atNight(14, 140);

/** Cases whose deepest point is under a triangle that is not hit, of all families. */
const MOST_SHALLOW = 0.002;

let tester: Tester;
const shallow: string[] = [];
let cases = 0;
beforeAll(async () => {
  tester = await createTester({ backend: 'cpu', threads: 1 });
});
afterAll(() => tester.dispose());

test.each(surfaceFamilyNames)('%s: no ghost, nothing lost, nothing too deep', async (name) => {
  const found = await judgeFamily(tester, makeSurfaceFamily(name, CASES, SEED));
  const { tooShallow, ...faults } = found.faults;
  for (const [fault, numbers] of Object.entries(faults)) expect(numbers, `${fault}, seed ${SEED}`).toEqual([]);
  expect(found.cases).toBeGreaterThan(CASES / 2);
  shallow.push(...tooShallow.map((i) => `${name}, case ${i}`));
  cases += found.cases;
});

test(`at most ${100 * MOST_SHALLOW} % of all cases are less deep than the surface`, () => {
  expect(shallow.length, shallow.join('; ')).toBeLessThanOrEqual(Math.max(MOST_SHALLOW * cases, 1));
});
