/** Contacts with meshes in all families, judged by what the meshes' surfaces are. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTester, type Tester } from '../../src/index.ts';
import { judgeFamily } from '../../verification/engines/surface-engine.ts';
import { makeSurfaceFamily, surfaceFamilyNames } from '../../verification/families/surface-families.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 43;
const CASES = atNight(4, 140);
/** In CI without the finest meshes of shapes that there are with fewer triangles too. */
const NAMES = atNight(
  surfaceFamilyNames.filter((name) => !/fine|16 squares/.test(name)),
  surfaceFamilyNames,
);

/** Cases whose deepest point is under a triangle that is not hit, of all families. */
const MOST_SHALLOW = 0.002;

/**
 * Thin bodies with 'front': cases for which a move that is no accepted normal is shorter than all accepted ones, and cases whose deepest
 * contact of the list is one of these. How deep such bodies are below triangles that they do not hit is not judged.
 */
const MOST_THIN = 0.02;

let tester: Tester;
const shallow: string[] = [];
const deepThin: string[] = [];
let cases = 0;
let thinCases = 0;
beforeAll(async () => {
  tester = await createTester({ backend: 'cpu', threads: 1 });
});
afterAll(() => tester.dispose());

test.each(NAMES)('%s: no ghost, nothing lost, nothing too deep', async (name) => {
  const family = makeSurfaceFamily(name, CASES, SEED);
  const found = await judgeFamily(tester, family);
  const { tooShallow, tooDeep, slotTooDeep, ...faults } = found.faults;
  const all = family.isThin ? faults : { ...faults, tooDeep, slotTooDeep };
  for (const [fault, numbers] of Object.entries(all)) expect(numbers, `${fault}, seed ${SEED}`).toEqual([]);
  expect(found.cases).toBeGreaterThan(CASES / 2);
  if (family.isThin) {
    deepThin.push(...new Set([...tooDeep, ...slotTooDeep].map((i) => `${name}, case ${i}`)));
    thinCases += found.cases;
  } else {
    shallow.push(...tooShallow.map((i) => `${name}, case ${i}`));
    cases += found.cases;
  }
});

test(`at most ${100 * MOST_SHALLOW} % of all cases are less deep than the surface`, () => {
  expect(shallow.length, shallow.join('; ')).toBeLessThanOrEqual(Math.max(MOST_SHALLOW * cases, 1));
});

test(`at most ${100 * MOST_THIN} % of thin bodies are deeper than the shortest move`, () => {
  expect(deepThin.length, deepThin.join('; ')).toBeLessThanOrEqual(Math.max(MOST_THIN * thinCases, 1));
});
