/** Pairs of many kinds in one list are sorted by class, and no pair's answer depends on what else is in the list. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ANY_KIND,
  CLASS_COUNT,
  CORE_BOX,
  CORE_HALFSPACE,
  CORE_HULL,
  CORE_POINT,
  CORE_SEGMENT,
  CORE_TRIANGLE,
  INFO_PENDING_EPA,
  KIND_COUNT,
  NO_CLASS,
} from '../../src/generated/constants.ts';
import { HARDWARE, SOFTWARE, type AdapterClass } from '../../src/gpu/adapter-class.ts';
import { classOfKinds, classTable, kindsOfShapes, type KindPair } from '../../src/gpu/classes.ts';
import { planBatch, planQuery } from '../../src/gpu/planner.ts';
import { spatialPlanner } from '../../src/gpu/plan.ts';
import { leftList, type Plan } from '../../src/gpu/steps.ts';
import { createTester } from '../../src/node.ts';
import { addShape, createShapeTable } from '../../src/shapes/shape-table.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';
import { TOLERANCE } from '../../src/shapes/tolerances.ts';
import type { Contacts, Tester } from '../../src/api/types.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { putRandomPair, emptyFamily, shapeCores } from '../../verification/families/family.ts';
import {
  randomBox,
  randomCapsule,
  randomCloud,
  randomSphere,
  randomTriangle,
} from '../../verification/families/random-shapes.ts';
import { hullOf } from '../../verification/families/hulls.ts';
import { below, createRandom } from '../../verification/families/random.ts';
import { differences } from '../helpers/batch.ts';
import { pairsOf, useShapes } from '../../verification/families/test-pairs.ts';
import type { LeadStage } from '../../src/request/backend.ts';
import { leadStages } from '../helpers/lead-stages.ts';

const SEED = 20_261_202;
/** More than a block of the sort, and no multiple of anything. */
const PAIRS = 9_001;
const SHAPES_PER_TYPE = 8;

const random = createRandom(SEED);
const makers: ((index: number) => ShapeDescription)[] = [
  () => randomSphere(random),
  () => randomCapsule(random),
  (index) => randomBox(random, index),
  () => randomTriangle(random, 1),
  () => randomCloud(random, 1),
];
const shapes = makers.flatMap((make) => Array.from({ length: SHAPES_PER_TYPE }, (_, index) => make(index)));
const family = emptyFamily('mixed', shapes, PAIRS);
const cores = shapeCores(shapes);
for (let i = 0; i < PAIRS; i++)
  putRandomPair(random, family, cores, i, [below(random, shapes.length), below(random, shapes.length)]);
const { bodies, pairs } = family;

const table = createShapeTable();
for (const shape of shapes) addShape(table, shape, dimension3);
const kindOf = (body: number): number => table.shapes[bodies.shapes[body]]!.kind;

const request = (of: Uint32Array) =>
  ({
    query: 'contacts',
    dimension: dimension3,
    bodies,
    pairs: of,
    shapes: table,
    leadStage: 'sat',
    margin: 0,
  }) as const;
const kernelsOf = ({ steps }: Pick<Plan, 'steps'>) =>
  steps.flatMap((step) => (step.step === 'kernel' ? [step.variant] : []));
const listsOf = ({ steps }: Plan) => steps.flatMap((step) => (step.step === 'list' ? [step] : []));

/** Those of spheres, capsules, boxes and triangles, ascending. */
const closedKinds: KindPair[] = [
  [CORE_POINT, CORE_POINT],
  [CORE_POINT, CORE_SEGMENT],
  [CORE_POINT, CORE_BOX],
  [CORE_POINT, CORE_TRIANGLE],
  [CORE_SEGMENT, CORE_POINT],
  [CORE_SEGMENT, CORE_SEGMENT],
  [CORE_BOX, CORE_POINT],
  [CORE_TRIANGLE, CORE_POINT],
];

function hullsOf(counts: readonly number[]) {
  const own = createShapeTable();
  for (const count of counts) addShape(own, hullOf(createRandom(count), count), dimension3);
  return own.shapes;
}

/** The kernels of the arcs, twice; those behind EPA; and those of the first two lists of pairs that have features. */
const ARCS = ['contacts-arcs', 'contacts-arcs-points', 'contacts-arcs', 'contacts-arcs-points'];
const AGAIN = [...ARCS, 'contacts-epa'];
const FEATURES = ['contacts-features', 'contacts-features'];

/** `SMALL_HULLS` of the kernels of contacts. */
function smallHulls(counts: readonly number[]) {
  const plan = planBatch(
    spatialPlanner,
    { query: 'contacts', leadStage: 'sat', margin: 0, isWarm: false, hasArcs: true, adapter: SOFTWARE },
    hullsOf(counts),
  );
  return kernelsOf(plan).map(({ kernel, constants: { SMALL_HULLS } = {} }) => [kernel, SMALL_HULLS]);
}

/** The kernels of a batch of contacts. */
function batchKernels(
  counts: readonly number[],
  options: { isWarm?: boolean; hasArcs?: boolean; leadStage?: LeadStage; adapter?: AdapterClass } = {},
): string[] {
  const plan = planBatch(
    spatialPlanner,
    { query: 'contacts', leadStage: 'sat', margin: 0, isWarm: false, hasArcs: false, adapter: SOFTWARE, ...options },
    hullsOf(counts),
  );
  return kernelsOf(plan).map(({ kernel }) => kernel);
}

/** The kernels of a query of contacts on two hulls, and those of its fallback. */
function queryKernels(counts: readonly number[]) {
  const own = { ...createShapeTable(), shapes: hullsOf(counts) };
  const few = { ...emptyFamily('few', [], counts.length), pairs: Uint32Array.from([0, 1]) };
  const plan = planQuery(
    spatialPlanner,
    {
      ...request(few.pairs),
      bodies: { ...few.bodies, shapes: Uint32Array.from(counts.keys()) },
      shapes: own,
    },
    SOFTWARE,
  );
  return [plan.steps, plan.fallbackSteps].map((steps) => kernelsOf({ steps }).map(({ kernel }) => kernel));
}

describe('small hulls', () => {
  test('have the same answers beside a large one, which is a kernel with another support mapping', async () => {
    const some = emptyFamily(
      'small',
      Array.from({ length: 8 }, (_, i) => hullOf(createRandom(i), 8 + (i % 5))),
      2000,
    );
    const sizes = shapeCores(some.shapes);
    for (let i = 0; i < 2000; i++) putRandomPair(random, some, sizes, i, [below(random, 8), below(random, 8)]);
    const tester = await createTester({ backend: 'webgpu' });
    useShapes(tester, [...some.shapes, hullOf(random, 32)]);
    const others = {
      ...some.bodies,
      shapes: Uint32Array.from([...some.bodies.shapes, 8]),
      positions: Float32Array.from([...some.bodies.positions, 0, 0, 0]),
      quaternions: Float32Array.from([...some.bodies.quaternions, 0, 0, 0, 1]),
    };
    for (const query of ['contacts', 'distances'] as const) {
      const alone = await tester[query](some.bodies, some.pairs, { margin: Infinity });
      const beside = await tester[query](others, some.pairs, { margin: Infinity });
      expect(beside.status).toEqual(alone.status);
      const off = Array.from(
        alone.distance,
        (distance, pair) => Math.abs(distance - beside.distance[pair]) / sizes.extents[some.bodies.shapes[2 * pair]],
      );
      expect(Math.max(...off)).toBeLessThan(5e-6);
    }
    tester.dispose();
  });
});

describe('plans', () => {
  test('a list of all kinds has sixteen classes: closed forms, boxes by SAT of their own, the others by kernels for all', () => {
    const plan = planQuery(spatialPlanner, request(pairs), SOFTWARE);
    expect(plan.classes.flat().length).toBe(25);
    expect(plan.classes.length).toBe(CLASS_COUNT);
    expect(plan.classes[0]).toEqual(closedKinds);
    expect(plan.classes[1]).toEqual([[CORE_BOX, CORE_BOX]]);
    // The last is for three.
    expect(plan.classes.slice(2).map((kinds) => kinds.length)).toEqual([...Array.from({ length: 13 }, () => 1), 3]);
    // All pairs by class. The kernels append to all other lists.
    expect(listsOf(plan)).toEqual([{ step: 'list', mask: 0, classCount: 16, into: 'classes' }]);
    // In a later submission, all pairs that are left, and those that wait for EPA.
    expect(plan.fallbackSteps.filter(({ step }) => step === 'list')).toEqual([
      leftList,
      { step: 'list', mask: INFO_PENDING_EPA, classCount: 1, into: 'epa' },
    ]);
    const [closed, sat, gjk, arcs] = kernelsOf(plan);
    const [epa] = kernelsOf({ steps: plan.fallbackSteps });
    expect(closed).toEqual({
      kernel: 'contacts-closed',
      constants: { APPENDS: 0, HAS_MIDDLES: 1, KIND_A: ANY_KIND, KIND_B: ANY_KIND, IS_LISTED: 1 },
    });
    expect(sat).toEqual({
      kernel: 'contacts-sat',
      constants: { APPENDS: 0, KIND_A: CORE_BOX, KIND_B: CORE_BOX, IS_SHARP: 1, IS_LISTED: 1 },
    });
    expect(gjk).toEqual({
      kernel: 'contacts-gjk',
      constants: { HAS_MIDDLES: 1, KIND_A: ANY_KIND, KIND_B: ANY_KIND, IS_LISTED: 1 },
    });
    expect(arcs).toEqual({
      kernel: 'contacts-arcs',
      constants: {
        HAS_MIDDLES: 1,
        KIND_A: ANY_KIND,
        KIND_B: ANY_KIND,
        IS_LISTED: 1,
        LANES: SOFTWARE.arcLanes,
        MOST_FACETS: SOFTWARE.arcsMostFacets,
      },
    });
    expect(epa).toEqual({
      kernel: 'contacts-epa',
      constants: { HAS_ARCS: 1, HAS_MIDDLES: 1, KIND_A: ANY_KIND, KIND_B: ANY_KIND, IS_LISTED: 1 },
    });
    expect(
      plan.steps.flatMap((step) =>
        step.step === 'kernel' && step.reads === 'classes' ? [[step.variant.kernel, step.classes]] : [],
      ),
    ).toEqual([
      ['contacts-closed', [0, 1]],
      ['contacts-sat', [1, 2]],
      ['contacts-gjk', [2, 16]],
    ]);
    // Features of closed forms and of SAT come with them.
    const features = plan.steps.flatMap((step) =>
      step.step === 'kernel' && step.variant.kernel === 'contacts-features' ? [step.reads] : [],
    );
    expect(features).toEqual(['near', 'arcs']);
  });

  test("closed forms come first for 'auto', in every query; for 'gjk' and 'mpr' there are none but those of half-spaces", () => {
    const boxed = [...table.shapes, makeShapeData({ type: 'halfspace', normal: [0, 1, 0], offset: 0 })];
    for (const query of ['contacts', 'distances', 'intersects'] as const) {
      for (const leadStage of leadStages(query)) {
        const plan = planBatch(
          spatialPlanner,
          { query, leadStage, margin: 0, isWarm: false, hasArcs: true, adapter: SOFTWARE },
          boxed,
        );
        const [closed] = kernelsOf(plan);
        expect(closed.kernel).toBe(`${query}-closed`);
        const halfspaces = plan.classes[0].filter((kinds) => kinds.includes(CORE_HALFSPACE));
        expect(halfspaces.length).toBe(11);
        const others = plan.classes[0].filter((kinds) => !kinds.includes(CORE_HALFSPACE));
        expect(others).toEqual(leadStage === 'none' || leadStage === 'mpr' ? [] : closedKinds);
      }
    }
  });

  test('where everything has a closed form, one kernel takes the pairs as they come', () => {
    const some = table.shapes.filter((shape) => shape!.kind === CORE_POINT || shape!.kind === CORE_SEGMENT);
    const plan = planBatch(
      spatialPlanner,
      { query: 'contacts', leadStage: 'sat', margin: 0, isWarm: false, hasArcs: true, adapter: SOFTWARE },
      some,
    );
    expect(plan.steps).toEqual([
      {
        step: 'kernel',
        isForAnyOrder: true,
        variant: { kernel: 'contacts-closed', constants: { APPENDS: 0, KIND_A: ANY_KIND, KIND_B: ANY_KIND } },
      },
    ]);
    const spheres = planBatch(
      spatialPlanner,
      { query: 'contacts', leadStage: 'sat', margin: 0, isWarm: true, hasArcs: true, adapter: SOFTWARE },
      some.slice(0, 1),
    );
    expect(spheres.steps).toEqual([
      {
        step: 'kernel',
        isForAnyOrder: true,
        variant: { kernel: 'contacts-closed', constants: { APPENDS: 0, KIND_A: CORE_POINT, KIND_B: CORE_POINT } },
      },
    ]);
    expect([...plan.fallbackSteps, ...spheres.fallbackSteps]).toEqual([]);
  });

  test('of distances, boxes and capsules go on to the Newton search behind the closed forms', () => {
    const some = table.shapes.filter((shape) => shape!.kind <= CORE_BOX);
    const plan = planBatch(
      spatialPlanner,
      { query: 'distances', leadStage: 'newton', margin: Infinity, isWarm: false, hasArcs: true, adapter: SOFTWARE },
      some,
    );
    expect(kernelsOf(plan).map(({ kernel }) => kernel)).toEqual([
      'distances-closed',
      'distances-newton',
      'distances-gjk',
    ]);
    expect(plan.classes.slice(1)).toEqual([
      [[CORE_SEGMENT, CORE_BOX]],
      [[CORE_BOX, CORE_SEGMENT]],
      [[CORE_BOX, CORE_BOX]],
    ]);
    expect(plan.steps.flatMap((step) => (step.step === 'kernel' ? [step.classes] : []))).toEqual([
      [0, 1],
      [1, 4],
      [0, 1],
    ]);
  });

  test('boxes beside one other class have a kernel for the others that is compiled for their kinds', () => {
    const some = pairs.filter(
      (_, i) =>
        kindOf(pairs[i - (i % 2)]) === CORE_BOX && [CORE_BOX, CORE_HULL].includes(kindOf(pairs[i - (i % 2) + 1])),
    );
    const plan = planQuery(spatialPlanner, request(some), SOFTWARE);
    expect(plan.classes.flat()).toEqual([
      [CORE_BOX, CORE_BOX],
      [CORE_BOX, CORE_HULL],
    ]);
    const gjk = plan.steps.flatMap((step) =>
      step.step === 'kernel' && step.variant.kernel === 'contacts-gjk' ? [step] : [],
    );
    expect(gjk.map(({ variant, classes }) => [variant.constants?.KIND_A, variant.constants?.KIND_B, classes])).toEqual([
      [CORE_BOX, CORE_HULL, [1, 2]],
    ]);
  });

  test('hulls are tried vertex by vertex where all of them are small', () => {
    const kernels = ['contacts-gjk', ...ARCS, 'contacts-epa', ...AGAIN, ...FEATURES, 'contacts-features'];
    expect(smallHulls([8, 12])).toEqual(kernels.map((name) => [name, 1]));
    expect(smallHulls([8, 13])).toEqual(kernels.map((name) => [name, undefined]));
  });

  test('a batch has the arcs of Gauss maps behind EPA where a hull is large, searches start warm, or it is asked for', () => {
    const without = ['contacts-gjk', ...ARCS, 'contacts-epa', ...FEATURES, 'contacts-features'];
    const withArcs = ['contacts-gjk', ...ARCS, 'contacts-epa', ...AGAIN, ...FEATURES, 'contacts-features'];
    expect(batchKernels([8, 12])).toEqual(without);
    expect(batchKernels([8, 13])).toEqual(withArcs);
    expect(batchKernels([8], { isWarm: true })).toEqual(withArcs);
    expect(batchKernels([8], { hasArcs: true, adapter: SOFTWARE })).toEqual(withArcs);
  });

  test("arcs come before EPA for 'auto', and only where two shapes have few facets together", () => {
    for (const adapter of [SOFTWARE, HARDWARE]) {
      expect(batchKernels([12], { leadStage: 'sat', adapter }).slice(0, 3)).toEqual([
        'contacts-gjk',
        'contacts-arcs',
        'contacts-arcs-points',
      ]);
      expect(batchKernels([12], { leadStage: 'none', adapter }).slice(0, 2)).toEqual([
        'contacts-gjk',
        'contacts-epa-32',
      ]);
      expect(batchKernels([12], { leadStage: 'mpr', adapter })).not.toContain('contacts-arcs');
    }
    // 2 V - 4 facets, and some for parts of long arcs.
    expect(batchKernels([70])[1]).toBe('contacts-arcs');
    expect(batchKernels([90])[1]).toBe('contacts-epa-64');
    expect(batchKernels([64], { adapter: HARDWARE })[1]).toBe('contacts-epa-32');
  });

  test('EPA is a fallback of a query whose pairs all go over arcs', () => {
    const near = ['contacts-features'];
    const afterArcs = ['contacts-epa', ...AGAIN, ...near];
    expect(queryKernels([12, 70])).toEqual([['contacts-gjk', ...ARCS, ...FEATURES], afterArcs]);
    // Plans are by kinds, so they have what two of the larger one need.
    expect(queryKernels([12, 90])).toEqual([
      ['contacts-gjk', ...ARCS, 'contacts-epa-64', ...FEATURES, ...near],
      afterArcs,
    ]);
    expect(queryKernels([90, 90])).toEqual([['contacts-gjk', 'contacts-epa-64', ...FEATURES], afterArcs]);
  });

  test('one kind is not sorted at all', () => {
    const boxes = table.shapes.filter((shape) => shape?.kind === CORE_BOX);
    const plan = planBatch(
      spatialPlanner,
      { query: 'intersects', leadStage: 'sat', margin: 0, isWarm: false, hasArcs: false, adapter: SOFTWARE },
      boxes,
    );
    expect(plan.steps).toEqual([
      {
        step: 'kernel',
        variant: {
          kernel: 'intersects-sat',
          constants: { APPENDS: 0, KIND_A: CORE_BOX, KIND_B: CORE_BOX, IS_SHARP: 1 },
        },
      },
    ]);
  });

  test('each two kinds have a number in the table that the kernels read', () => {
    const { classes } = planBatch(
      spatialPlanner,
      { query: 'contacts', leadStage: 'sat', margin: 0, isWarm: false, hasArcs: true, adapter: SOFTWARE },
      table.shapes,
    );
    const bytes = new Uint8Array(classTable(classes).buffer);
    const all = [CORE_POINT, CORE_SEGMENT, CORE_BOX, CORE_TRIANGLE, CORE_HULL];
    const numbers = all.flatMap((a) => all.map((b) => bytes[KIND_COUNT * a + b]));
    expect(numbers).toEqual(all.flatMap((a) => all.map((b) => classOfKinds(classes, [a, b] satisfies KindPair))));
    expect(new Set(numbers).size).toBe(CLASS_COUNT);
    expect(classes.flat().sort()).toEqual([...kindsOfShapes(table.shapes)].sort());
    // Pairs with compounds and meshes have class 0, whose kernels refuse them.
    const withParts = 2 * KIND_COUNT - 1;
    const without = KIND_COUNT ** 2 - withParts - classes.flat().length;
    expect([...bytes].filter((byte) => byte === NO_CLASS).length).toBe(without);
  });
});

describe('answers', () => {
  let gpu: Tester;
  let mixed: Contacts;

  beforeAll(async () => {
    gpu = await createTester({ backend: 'webgpu' });
    useShapes(gpu, shapes);
    mixed = await gpu.contacts(bodies, pairs, { margin: 0.125 });
  });
  afterAll(() => gpu?.dispose());

  test('every pair is answered once, in its slot', () => {
    expect(mixed.count).toBe(PAIRS);
    expect(mixed.pair.every((pair, slot) => pair === slot)).toBe(true);
    expect(mixed.statusCounts.reduce((sum, n) => sum + n)).toBe(PAIRS);
    expect(Math.min(mixed.statusCounts[0], mixed.statusCounts[1])).toBeGreaterThan(PAIRS / 4);
    expect(mixed.statusCounts.slice(2)).toEqual([0, 0, 0]);
  });

  test('they are those of the double-precision reference', async () => {
    const cpu = await createTester({ backend: 'cpu' });
    useShapes(cpu, shapes);
    const reference = await cpu.contacts(bodies, pairs, { margin: 0.125 });
    const k = TOLERANCE.kernels + TOLERANCE.reference;
    // Beyond the margin a pair may leave early.
    const near = pairsOf(family).filter(({ index, size }) => !(reference.distance[index] > 0.125 - k * size));
    const wrong = near.filter(({ index, size }) => {
      const isOff = !(Math.abs(mixed.distance[index] - reference.distance[index]) <= k * size);
      return (
        isOff || (mixed.status[index] !== reference.status[index] && !(Math.abs(reference.distance[index]) <= k * size))
      );
    });
    expect(wrong.map(({ index }) => index)).toEqual([]);
    expect(near.length).toBeGreaterThan(PAIRS / 2);
    cpu.dispose();
  });

  test('they do not depend on the order of the pairs', async () => {
    const order = Uint32Array.from({ length: PAIRS }, (_, i) => (i * 4001) % PAIRS);
    const shuffled = Uint32Array.from({ length: 2 * PAIRS }, (_, i) => pairs[2 * order[i >> 1] + (i & 1)]);
    const found = await gpu.contacts(bodies, shuffled, { margin: 0.125 });
    const rows = (of: Contacts, at: (slot: number) => number) =>
      Array.from(order, (_, slot) => [
        of.status[at(slot)],
        of.distance[at(slot)],
        ...of.normal.subarray(3 * at(slot), 3 * at(slot) + 3),
        of.featureA[at(slot)],
        of.iterations[at(slot)],
      ]);
    expect(rows(found, (slot) => slot)).toEqual(rows(mixed, (slot) => order[slot]));
  });

  test('the hits are the same pairs, ascending', async () => {
    const hits = await gpu.contacts(bodies, pairs, { margin: 0.125, results: 'hits' });
    const wanted = Array.from(mixed.pair).filter((pair) => mixed.distance[pair] <= 0.125);
    expect(Array.from(hits.pair)).toEqual(wanted);
    expect(Array.from(hits.distance)).toEqual(wanted.map((pair) => mixed.distance[pair]));
  });

  test('boxes among other shapes have the answers of boxes alone', async () => {
    const wanted = Array.from({ length: PAIRS }, (_, i) => i).filter(
      (i) => kindOf(pairs[2 * i]) === CORE_BOX && kindOf(pairs[2 * i + 1]) === CORE_BOX,
    );
    expect(wanted.length).toBeGreaterThan(200);
    const boxes = Uint32Array.from(wanted.flatMap((i) => [pairs[2 * i], pairs[2 * i + 1]]));
    const alone = await gpu.contacts(bodies, boxes, { margin: 0.125 });
    for (const [slot, pair] of wanted.entries()) {
      expect([alone.status[slot], alone.distance[slot]]).toEqual([mixed.status[pair], mixed.distance[pair]]);
    }
  });

  test('a repeated run gives the same bits', async () => {
    expect(differences(await gpu.contacts(bodies, pairs, { margin: 0.125 }), mixed)).toEqual([]);
  });
});
