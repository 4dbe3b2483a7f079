/** Contacts of overlapping polytopes by the arcs of their Gauss maps, judged by the oracle and by the mirror. */

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { HullDescription } from '../../src/api/shapes.ts';
import { Status, type Tester } from '../../src/api/types.ts';
import { spatialPlanner } from '../../src/gpu/plan.ts';
import { emptyFamily, putBody, type Family } from '../../verification/families/family.ts';
import { makeFamily } from '../../verification/families/families.ts';
import { makePolytopeFamily, polytopeFamilyNames } from '../../verification/families/overlapping-polytopes.ts';
import { anyFamily, comparedAt, pairsOf, summary, useShapes } from '../../verification/families/test-pairs.ts';
import { createRandom } from '../../verification/families/random.ts';
import { differences } from '../helpers/batch.ts';
import { recordKernels } from '../helpers/compiled.ts';
import { HARDWARE, keepDevices } from '../helpers/gpu.ts';
import { judgeContact, signedDistance } from '../../verification/oracle/index.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_123;
const COUNT = 300;

let gpu: Tester;
/** On the same adapter, which passes for a graphics card: several lanes per pair. */
let hardware: Tester;
let cpu: Tester;
beforeAll(async () => {
  gpu = await createTester({ backend: 'webgpu' });
  hardware = await createTester({ backend: 'webgpu', gpu: keepDevices(HARDWARE).gpu });
  cpu = await createTester({ backend: 'cpu' });
});
afterAll(() => {
  gpu?.dispose();
  hardware?.dispose();
  cpu?.dispose();
});

describe.each(polytopeFamilyNames)('%s', (name) => {
  test.each(['one lane', 'lanes'])(
    '%s: contacts satisfy the oracle, agree with the reference, and none is open',
    async (lanes) => {
      const tester = lanes === 'lanes' ? hardware : gpu;
      const family = makePolytopeFamily(name, COUNT, SEED);
      for (const each of [tester, cpu]) useShapes(each, family.shapes);
      const found = await tester.contacts(family.bodies, family.pairs, { bounds: true });
      const reference = await cpu.contacts(family.bodies, family.pairs, { bounds: true });
      const contacts = [...found];
      const faults: string[] = [];
      let deep = 0;
      for (const pair of pairsOf(family)) {
        const { index, a, b, poseA, poseB, size } = pair;
        const truth = signedDistance(a, poseA, b, poseB).distance;
        if (truth > -1e-5 * size) continue;
        deep++;
        const ofPair = judgeContact(a, poseA, b, poseB, contacts[index], 'kernels', { truth });
        if (!(Math.abs(found.distance[index] - reference.distance[index]) <= comparedAt(pair, truth)))
          ofPair.push(`${found.distance[index]} is not the reference's ${reference.distance[index]}`);
        faults.push(...ofPair.map((fault) => `pair ${index}, seed ${SEED}: ${fault}`));
      }
      expect(summary(faults)).toEqual([]);
      expect(deep).toBeGreaterThan(60);
    },
  );
});

// Both classes of adapters have fewer.
test.each(atNight<number[]>([], [4, 8, 32]))('%d lanes have the answers of one', async (LANES) => {
  const plan = spatialPlanner.plan;
  vi.spyOn(spatialPlanner, 'plan').mockImplementation((request) => {
    const open = plan(request);
    const steps = open.steps.map((step) =>
      step.step === 'kernel' && step.variant.kernel === 'contacts-arcs'
        ? { ...step, variant: { ...step.variant, constants: { ...step.variant.constants, LANES } } }
        : step,
    );
    return { ...open, steps };
  });
  const { gpu: recording, compiled } = recordKernels(HARDWARE.info);
  const tester = await createTester({ backend: 'webgpu', gpu: recording });
  try {
    for (const family of [makeFamily('hull32-hull32', 3000, SEED), makePolytopeFamily('sizes-100-to-1', COUNT, SEED)]) {
      for (const each of [gpu, tester]) useShapes(each, family.shapes);
      const [expected, found] = [
        await gpu.contacts(family.bodies, family.pairs),
        await tester.contacts(family.bodies, family.pairs),
      ];
      expect(expected.statusCounts[Status.Overlapping]).toBeGreaterThan(0.4 * expected.count);
      expect(differences(found, expected)).toEqual([]);
    }
    expect([...compiled]).toContain('contacts-arcs');
  } finally {
    tester.dispose();
    vi.restoreAllMocks();
  }
});

test('the arcs themselves answer: EPA has few pairs to do', async () => {
  const plan = spatialPlanner.plan;
  vi.spyOn(spatialPlanner, 'plan').mockImplementation((request) => ({ ...plan(request), fallbackSteps: [] }));
  try {
    for (const name of polytopeFamilyNames) {
      // Pairs in a tester of its own, as testers keep plans.
      const tester = await createTester({ backend: 'webgpu' });
      const family = makePolytopeFamily(name, COUNT, SEED);
      useShapes(tester, family.shapes);
      const { statusCounts } = await tester.contacts(family.bodies, family.pairs);
      tester.dispose();
      expect(statusCounts[Status.Overlapping], name).toBeGreaterThan(60);
      expect(statusCounts[Status.CapacityExceeded], name).toBeLessThan(0.05 * COUNT);
    }
  } finally {
    vi.restoreAllMocks();
  }
});

test('a pair without points along its normal is searched once more, by which most have points', async () => {
  const plan = spatialPlanner.plan;
  /** Pairs of all families that have no contact after one search, and after two. */
  const left: number[] = [];
  try {
    for (const lists of [['arcs'], ['arcs', 'arcsLeft']]) {
      vi.spyOn(spatialPlanner, 'plan').mockImplementation((request) => {
        const open = plan(request);
        const steps = open.steps.filter((step) => step.step !== 'kernel' || !step.reads || isKept(step.reads, lists));
        return { ...open, steps, fallbackSteps: [] };
      });
      const tester = await createTester({ backend: 'webgpu' });
      let count = 0;
      for (const name of polytopeFamilyNames) {
        const family = makePolytopeFamily(name, COUNT, SEED);
        useShapes(tester, family.shapes);
        const { statusCounts } = await tester.contacts(family.bodies, family.pairs);
        count += statusCounts[Status.CapacityExceeded];
      }
      left.push(count);
      tester.dispose();
      vi.restoreAllMocks();
    }
  } finally {
    vi.restoreAllMocks();
  }
  expect(left[0]).toBeGreaterThan(10);
  expect(left[1]).toBeLessThan(0.5 * left[0]);
});

function isKept(list: string, lists: readonly string[]): boolean {
  return !['arcsLeft', 'compact', 'epa'].includes(list) || lists.includes(list);
}

/** A family of which the overlapping and touching pairs are judged. Returns their number. */
async function judged(family: Family): Promise<number> {
  useShapes(gpu, family.shapes);
  const contacts = [...(await gpu.contacts(family.bodies, family.pairs, { bounds: true, margin: Infinity }))];
  const faults: string[] = [];
  let deep = 0;
  for (const { index, a, b, poseA, poseB, size } of pairsOf(family)) {
    const truth = signedDistance(a, poseA, b, poseB).distance;
    if (truth > 1e-5 * size) continue;
    deep++;
    const ofPair = judgeContact(a, poseA, b, poseB, contacts[index], 'kernels', { truth });
    faults.push(...ofPair.map((fault) => `pair ${index}: ${fault}`));
  }
  expect(summary(faults)).toEqual([]);
  return deep;
}

test.each(['near-points', 'needles', 'flat'] as const)(
  '%s that touch have witness points on both bodies',
  async (name) => {
    expect(await judged(anyFamily(name, 400, 1))).toBeGreaterThan(100);
  },
);

function boxHull(x: number, y: number, z: number): HullDescription {
  return {
    type: 'hull',
    points: [-x, x].flatMap((i) => [-y, y].flatMap((j) => [-z, z].flatMap((k) => [i, j, k]))),
  };
}

test('hulls that lie face on face have witness points where neither has a vertex over the other', async () => {
  const random = createRandom(SEED);
  const family = emptyFamily('crosses', [boxHull(1, 0.1, 0.2), boxHull(0.2, 0.1, 1)], 200);
  const quaternion = [0, 0, 0, 1];
  for (let pair = 0; pair < 200; pair++) {
    putBody(family, 2 * pair, 0, { position: [0, 0, 0], quaternion });
    const position = [random() - 0.5, 0.2 - 0.02 * random(), random() - 0.5];
    putBody(family, 2 * pair + 1, 1, { position, quaternion });
  }
  expect(await judged(family)).toBe(200);
});
