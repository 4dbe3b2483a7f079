/** Portal refinement on the GPU: the oracle's verdict, the CPU's answers, plans, batches. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANY_KIND, CORE_BOX } from '../../src/generated/constants.ts';
import type { BodyPairs } from '../../src/request/backend.ts';
import { SOFTWARE } from '../../src/gpu/adapter-class.ts';
import { spatialPlanner } from '../../src/gpu/plan.ts';
import { createTester } from '../../src/node.ts';
import { addShape, createShapeTable } from '../../src/shapes/shape-table.ts';
import { TOLERANCE as TOLERANCES } from '../../src/shapes/tolerances.ts';
import { Status, type MprDepth, type Tester } from '../../src/api/types.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { differences, frame, type AnyResult } from '../helpers/batch.ts';
import { pairName, partsOf } from '../../verification/families/family.ts';
import {
  anyFamily,
  hardCases,
  isStructured,
  pairsOf,
  summary,
  toleranceAt,
  useShapes,
  type AnyFamilyName,
} from '../../verification/families/test-pairs.ts';
import { kernelFamilies } from '../helpers/kernel-families.ts';
import { judgeMprContact } from '../helpers/mpr.ts';
import { planQuery } from '../helpers/plan-query.ts';

const { kernels: TOLERANCE } = TOLERANCES;
const SEED = 20_261_206;
/** Pairs that the oracle judges, evenly spread. */
const JUDGED = 400;
/**
 * The least share of overlapping pairs whose depth is the same on both. If directions tie, rounding chooses one. That
 * is common if shapes are copies of each other or have the same centre: then rounding decides the ray itself. 0.94 and
 * 0.92 were measured.
 */
const SHARES_ALIKE: Partial<Record<AnyFamilyName, number>> = { identical: 0.9, concentric: 0.9 };
const ENDINGS = ['ray', 'normal'] as const satisfies MprDepth[];

let gpu: Tester;
let cpu: Tester;

beforeAll(async () => {
  gpu = await createTester({ backend: 'webgpu' });
  cpu = await createTester({ backend: 'cpu' });
});

afterAll(() => {
  gpu?.dispose();
  cpu?.dispose();
});

describe.each(kernelFamilies((name) => (isStructured(name) ? 2000 : 6000), SEED))('$name', (family) => {
  const { bodies, pairs } = family;
  const all = pairsOf(family);
  // An odd step: bodies of odd pairs are swapped.
  const step = Math.floor(all.length / JUDGED) | 1;
  const some = all.filter((_, i) => i % step === 0);
  /** Signed distances in double precision. */
  let truth: Float32Array;

  beforeAll(async () => {
    for (const tester of [gpu, cpu]) useShapes(tester, family.shapes);
    truth = (await cpu.contacts(bodies, pairs, { margin: Infinity, algorithm: 'gjk' })).distance;
  });

  test.each(ENDINGS)('contacts by the %s are right, and as deep as on the CPU', async (mprDepth) => {
    const found = await gpu.contacts(bodies, pairs, { algorithm: 'mpr', mprDepth, bounds: true });
    const items = [...found];
    const faults = some.flatMap((pair) =>
      judgeMprContact(
        pair,
        items[pair.index],
        TOLERANCE,
        found.pointA instanceof Float64Array ? 'f64' : 'f32',
        0,
      ).faults.map((fault) => `seed ${SEED}, ${pairName(family, pair.index)}: ${fault}`),
    );
    const expected = await cpu.contacts(bodies, pairs, { algorithm: 'mpr', mprDepth });
    const isAlike: boolean[] = [];
    for (const pair of all) {
      const { index, size } = pair;
      const at = (): string => `seed ${SEED}, ${pairName(family, index)} at ${truth[index]}`;
      const isWrong = (found.status[index] === Status.Overlapping) !== truth[index] <= 0;
      if (isWrong && Math.abs(truth[index]) > TOLERANCE * size) faults.push(`${at()}: status ${found.status[index]}`);
      if (truth[index] > 0) continue;
      if (!(found.distance[index] <= truth[index] + 2 * TOLERANCE * size))
        faults.push(`${at()}: only ${found.distance[index]}`);
      const difference = Math.abs(found.distance[index] - expected.distance[index]);
      isAlike[index] = difference <= 2 * toleranceAt('kernels', pair, truth[index]);
    }
    expect(summary(faults)).toEqual([]);
    expect(found.statusCounts[Status.NotConverged]).toBe(0);
    for (const { name, first, count } of partsOf(family)) {
      // Only pairs that overlap have an entry.
      const overlapping = isAlike.slice(first, first + count).filter((alike) => alike !== undefined);
      expect(overlapping.length, name).toBeGreaterThan(0.2 * count);
      const share = SHARES_ALIKE[name as AnyFamilyName] ?? 0.97;
      expect(overlapping.filter(Boolean).length, name).toBeGreaterThan(share * overlapping.length);
    }
  });

  test('distances and intersects have the status and hits of the truth', async () => {
    for (const margin of [0, 0.03125]) {
      const hits = await gpu.intersects(bodies, pairs, { algorithm: 'mpr', margin });
      const gaps = await gpu.distances(bodies, pairs, { algorithm: 'mpr', margin });
      const faults = all.flatMap(({ index, size }) => {
        const t = 2 * TOLERANCE * size;
        const expected = truth[index];
        const wrong: string[] = [];
        for (const { status } of [hits, gaps]) {
          if (Math.abs(expected) > t && (status[index] === Status.Overlapping) !== expected <= 0)
            wrong.push(`status ${status[index]}`);
        }
        if (Math.abs(expected - margin) > t && (hits.hit[index] === 1) !== expected <= margin)
          wrong.push(`hit ${hits.hit[index]}`);
        const gap = gaps.distance[index];
        if (expected > t && expected < margin - t && !(Math.abs(gap - expected) <= t)) wrong.push(`distance ${gap}`);
        return wrong.map(
          (fault) => `seed ${SEED}, ${pairName(family, index)} at ${expected}, margin ${margin}: ${fault}`,
        );
      });
      expect(summary(faults)).toEqual([]);
    }
  });
});

test('poses that broke other libraries have the right status and no less depth than they should', async () => {
  const { cases, family } = hardCases();
  useShapes(gpu, family.shapes);
  for (const mprDepth of ENDINGS) {
    const items = [
      ...(await gpu.contacts(family.bodies, family.pairs, {
        algorithm: 'mpr',
        mprDepth,
        margin: Infinity,
        bounds: true,
      })),
    ];
    const faults = pairsOf(family).flatMap((pair) => {
      const judgement = judgeMprContact(pair, items[pair.index], TOLERANCE, 'f32', Infinity);
      return judgement.faults.map((fault) => `${cases[pair.index].id} by the ${mprDepth}: ${fault}`);
    });
    expect(summary(faults)).toEqual([]);
  }
});

/** The plan's steps in words: the list of all pairs, and kernels by name, first kind, ending and list. */
function stepsOf(
  given: Pick<BodyPairs, 'shapes' | 'bodies' | 'pairs'>,
  query: 'contacts' | 'distances',
  mprDepth: MprDepth,
): string[] {
  return planQuery(spatialPlanner, { query, leadStage: 'mpr', mprDepth, margin: 0, ...given }, SOFTWARE).steps.map(
    (step) => {
      if (step.step === 'list') return 'list';
      const { kernel, constants } = step.variant;
      return `${kernel} ${constants?.KIND_A} ${constants?.IS_RAY ?? 0} over ${step.reads ?? 'all'}`;
    },
  );
}

describe('plans', () => {
  const family = anyFamily('grid', 300, SEED);
  const table = createShapeTable();
  for (const shape of family.shapes) addShape(table, shape, dimension3);
  const boxes = createShapeTable();
  addShape(boxes, { type: 'box', halfExtents: [1, 1, 1] }, dimension3);
  const twoBoxes = {
    bodies: { shapes: new Uint32Array(2), positions: new Float32Array(6), quaternions: new Float32Array(8).fill(1) },
    pairs: Uint32Array.of(0, 1),
  };
  test('pairs of all kinds go through portal refinement, then what it leaves open through the others', () => {
    expect(
      stepsOf({ shapes: table, bodies: family.bodies, pairs: family.pairs }, 'contacts', 'normal').slice(0, 4),
    ).toEqual([
      'list',
      `contacts-mpr ${ANY_KIND} 0 over classes`,
      `contacts-gjk ${ANY_KIND} 0 over gjk`,
      expect.stringMatching(/^contacts-epa-compact .* over compact$/),
    ]);
  });

  test('one kind has a kernel of its own, the ray a constant', () => {
    const boxPlan = stepsOf({ shapes: boxes, ...twoBoxes }, 'contacts', 'ray');
    expect(boxPlan[0]).toBe(`contacts-mpr ${CORE_BOX} 1 over all`);
    expect(boxPlan).toContain(`contacts-epa-compact ${CORE_BOX} 0 over compact`);
    const gapPlan = stepsOf({ shapes: boxes, ...twoBoxes }, 'distances', 'ray');
    expect(gapPlan).toEqual([`distances-mpr ${CORE_BOX} 0 over all`, `distances-gjk ${CORE_BOX} 0 over gjk`]);
  });
});

describe.each(['box-box', 'grid'] as const)('batches of %s', (name) => {
  const family = anyFamily(name, 1500, SEED);
  const { bodies, pairs } = family;

  test.each(['intersects', 'distances', 'contacts'] as const)("%s are the tester's, bit for bit", async (query) => {
    useShapes(gpu, family.shapes);
    for (const options of [
      { mprDepth: 'ray', results: 'all' },
      { mprDepth: 'normal', results: 'hits' },
    ] as const) {
      const asked = { ...options, algorithm: 'mpr', margin: 0.0625 } as const;
      const expected: AnyResult = await gpu[query](bodies, pairs, asked);
      const batch = await gpu.createBatch({
        query,
        maxBodies: bodies.shapes.length,
        maxPairs: pairs.length / 2,
        ...asked,
      });
      expect(differences(await frame<AnyResult>(batch, { bodies, pairs }), expected)).toEqual([]);
      expect(expected.count).toBeGreaterThan(300);
      batch.dispose();
    }
  });

  test('a warm start changes no answer beyond the tolerance', async () => {
    useShapes(gpu, family.shapes);
    const warmStart = gpu.createWarmStart(pairs.length / 2);
    const cold = await gpu.contacts(bodies, pairs, { algorithm: 'mpr', margin: Infinity });
    for (let i = 0; i < 2; i++) {
      const warm = await gpu.contacts(bodies, pairs, { algorithm: 'mpr', margin: Infinity, warmStart });
      const differing = pairsOf(family).filter(
        ({ index, size }) => !(Math.abs(warm.distance[index] - cold.distance[index]) <= 2 * TOLERANCE * size),
      );
      expect(differing.map(({ index }) => index)).toEqual([]);
      expect(Array.from(warm.status)).toEqual(Array.from(cold.status));
    }
    warmStart.dispose();
  });
});
