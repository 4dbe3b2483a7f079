/** Batches of contacts and manifolds with meshes in all families, judged by what the meshes' surfaces are. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { Tester } from '../../src/api/types.ts';
import { judgeFamily, type SurfaceAnswers, type SurfaceScene } from '../../verification/engines/surface-engine.ts';
import { makeSurfaceFamily, surfaceFamilyNames } from '../../verification/families/surface-families.ts';
import type { SurfaceFault } from '../../verification/judges/surface-contacts.ts';
import { frame } from '../helpers/batch.ts';
import { atNight } from '../helpers/night.ts';

const SEED = Number(process.env.SEED ?? 43);
const CASES = Number(process.env.CASES ?? atNight(8, 140));

/** Of bodies of 0.2 to 0.3 units, some of them curved: 1e-4 of their size. */
const TOLERANCE = 3e-5;

/** Room for all pairs of parts of a case. */
const PARTS_OF_CASE = 1000;

let tester: Tester;
const faults: string[] = [];
let cases = 0;
beforeAll(async () => {
  tester = await createTester({ backend: 'webgpu' });
});
afterAll(() => tester?.dispose());

async function byBatches(of: Tester, { bodies, pairs }: SurfaceScene): Promise<SurfaceAnswers> {
  const [maxBodies, maxPairs] = [bodies.shapes.length, pairs.length / 2];
  const room = { maxBodies, maxPairs, maxPartPairs: PARTS_OF_CASE * maxPairs };
  const lists = { ...room, results: 'hits', parts: 'all' } as const;
  const batches = await Promise.all([
    of.createBatch({ query: 'contacts', ...room }),
    of.createBatch({ query: 'contacts', ...lists }),
    of.createBatch({ query: 'manifolds', ...lists }),
  ]);
  const [one, all, points] = batches;
  const contacts = await frame(one, { bodies, pairs });
  const list = await frame(all, { bodies, pairs });
  const manifolds = await frame(points, { bodies, pairs });
  const { partPairOverflow } = await all.readCounts();
  expect(partPairOverflow).toBe(0);
  for (const batch of batches) batch.dispose();
  return { contacts, list, manifolds };
}

/** What the reference gets wrong too (mesh-families.slow.test.ts), or leaves open. */
function isExpected(fault: SurfaceFault, isThin: boolean): boolean {
  return fault === 'tooShallow' || (isThin && (fault === 'tooDeep' || fault === 'slotTooDeep'));
}

test.each(surfaceFamilyNames.filter((name) => !name.startsWith('compound:')))('%s', async (name) => {
  const family = makeSurfaceFamily(name, CASES, SEED);
  const tolerance = Math.max(family.tolerance ?? 0, TOLERANCE);
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
