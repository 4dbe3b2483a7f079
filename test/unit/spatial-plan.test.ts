/** The plans of queries and batches in 3-D: classes of pairs, and which kernels follow which. */

import { expect, test } from 'vitest';
import {
  ANY_KIND,
  CLASS_COUNT,
  CORE_BOX,
  CORE_HALFSPACE,
  CORE_HULL,
  CORE_POINT,
  CORE_SEGMENT,
  CORE_TRIANGLE,
  KIND_COUNT,
  NO_CLASS,
} from '../../src/generated/constants.ts';
import { HARDWARE, SOFTWARE, type AdapterClass } from '../../src/gpu/adapter-class.ts';
import { classOfKinds, classTable, kindsOfShapes, type KindPair } from '../../src/gpu/classes.ts';
import { spatialPlanner } from '../../src/gpu/plan.ts';
import { batchPass, queryPasses, type Step } from '../../src/gpu/steps.ts';
import { addShape, createShapeTable } from '../../src/shapes/shape-table.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { emptyFamily } from '../../verification/families/family.ts';
import { hullOf } from '../../verification/families/hulls.ts';
import { createRandom } from '../../verification/families/random.ts';
import type { LeadStage } from '../../src/request/backend.ts';
import { leadStages } from '../helpers/lead-stages.ts';
import { bodies, kindOf, pairs, table } from '../helpers/many-kinds.ts';
import { planBatch, planQuery } from '../helpers/plan-query.ts';

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
const kernelsOf = (steps: readonly Step[]) => steps.flatMap((step) => (step.step === 'kernel' ? [step.variant] : []));
const listsOf = (steps: readonly Step[]) => steps.flatMap((step) => (step.step === 'list' ? [step] : []));

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

/** The kernels of the arcs, twice; those behind EPA; and those of two lists of pairs that have features. */
const ARCS = ['contacts-arcs', 'contacts-arcs-points', 'contacts-arcs', 'contacts-arcs-points'];
const AGAIN = [...ARCS, 'contacts-epa'];
const FEATURES = ['contacts-features', 'contacts-features'];

/** `SMALL_HULLS` of the kernels of contacts. */
function smallHulls(counts: readonly number[]) {
  const plan = planBatch(
    spatialPlanner,
    { what: { query: 'contacts', leadStage: 'sat', margin: 0 }, isWarm: false },
    SOFTWARE,
    hullsOf(counts),
  );
  return kernelsOf(batchPass(plan)).map(({ kernel, constants: { SMALL_HULLS } = {} }) => [kernel, SMALL_HULLS]);
}

/** The kernels of a batch of contacts. */
function batchKernels(
  counts: readonly number[],
  options: { isWarm?: boolean; leadStage?: LeadStage; adapter?: AdapterClass } = {},
): string[] {
  const { isWarm = false, leadStage = 'sat', adapter = SOFTWARE } = options;
  const plan = planBatch(
    spatialPlanner,
    { what: { query: 'contacts', leadStage, margin: 0 }, isWarm },
    adapter,
    hullsOf(counts),
  );
  return kernelsOf(batchPass(plan)).map(({ kernel }) => kernel);
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
  return queryPasses(plan).map((steps) => kernelsOf(steps).map(({ kernel }) => kernel));
}

test('a list of all kinds has sixteen classes: closed forms, boxes by SAT in the same kernel, the others by kernels for all', () => {
  const plan = planQuery(spatialPlanner, request(pairs), SOFTWARE);
  expect(plan.classes.flat().length).toBe(25);
  expect(plan.classes.length).toBe(CLASS_COUNT);
  expect(plan.classes[0]).toEqual(closedKinds);
  expect(plan.classes[1]).toEqual([[CORE_BOX, CORE_BOX]]);
  // The last is for three.
  expect(plan.classes.slice(2).map((kinds) => kinds.length)).toEqual([...Array.from({ length: 13 }, () => 1), 3]);
  // All pairs by class. The kernels append to all other lists, those of the second submission too.
  const [first, second] = queryPasses(plan);
  expect(listsOf([...first, ...second])).toEqual([{ step: 'list', classCount: 16 }]);
  const [closed, gjk, arcs] = kernelsOf(first);
  const [epa] = kernelsOf(second);
  expect(closed).toEqual({
    kernel: 'contacts-closed',
    constants: { APPENDS: 0, HAS_MIDDLES: 1, HAS_SAT: 1, KIND_A: ANY_KIND, KIND_B: ANY_KIND, IS_LISTED: 1 },
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
    ['contacts-closed', [0, 2]],
    ['contacts-gjk', [2, 16]],
  ]);
  // Features of closed forms and of SAT come with them.
  const features = first.flatMap((step) =>
    step.step === 'kernel' && step.variant.kernel === 'contacts-features' ? [step.reads] : [],
  );
  expect(features).toEqual(['near', 'arcs']);
});

test("closed forms come first for 'auto', in every query; for 'gjk' and 'mpr' there are none but those of half-spaces", () => {
  const boxed = [...table.shapes, makeShapeData({ type: 'halfspace', normal: [0, 1, 0], offset: 0 })];
  for (const query of ['contacts', 'distances', 'intersects'] as const) {
    for (const leadStage of leadStages(query)) {
      const plan = planBatch(spatialPlanner, { what: { query, leadStage, margin: 0 }, isWarm: false }, SOFTWARE, boxed);
      const [closed] = kernelsOf(plan.steps);
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
    { what: { query: 'contacts', leadStage: 'sat', margin: 0 }, isWarm: false },
    SOFTWARE,
    some,
  );
  expect(plan.steps).toEqual([
    {
      step: 'kernel',
      variant: { kernel: 'contacts-closed', constants: { APPENDS: 0, KIND_A: ANY_KIND, KIND_B: ANY_KIND } },
    },
  ]);
  const spheres = planBatch(
    spatialPlanner,
    { what: { query: 'contacts', leadStage: 'sat', margin: 0 }, isWarm: true },
    SOFTWARE,
    some.slice(0, 1),
  );
  expect(spheres.steps).toEqual([
    {
      step: 'kernel',
      variant: { kernel: 'contacts-closed', constants: { APPENDS: 0, KIND_A: CORE_POINT, KIND_B: CORE_POINT } },
    },
  ]);
  for (const each of [plan, spheres]) expect(batchPass(each)).toEqual(each.steps);
});

test('of distances, boxes and capsules go on to the Newton search behind the closed forms', () => {
  const some = table.shapes.filter((shape) => shape!.kind <= CORE_BOX);
  const plan = planBatch(
    spatialPlanner,
    { what: { query: 'distances', leadStage: 'newton', margin: Infinity }, isWarm: false },
    SOFTWARE,
    some,
  );
  expect(kernelsOf(plan.steps).map(({ kernel }) => kernel)).toEqual([
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

/** The kinds that `contacts-gjk` is compiled for, and its classes, over pairs of a box and shapes of these kinds. */
function kindsOfGjk(others: readonly number[], leadStage: LeadStage): unknown[] {
  const some = pairs.filter(
    (_, i) => kindOf(pairs[i - (i % 2)]) === CORE_BOX && others.includes(kindOf(pairs[i - (i % 2) + 1])),
  );
  const { steps } = planQuery(spatialPlanner, { ...request(some), leadStage }, SOFTWARE);
  return steps.flatMap((step) => {
    if (step.step !== 'kernel' || step.variant.kernel !== 'contacts-gjk') return [];
    const { KIND_A, KIND_B } = step.variant.constants!;
    return [[KIND_A, KIND_B, step.classes]];
  });
}

test('kernels of hulls are compiled for any kinds, those of boxes alone for boxes', () => {
  expect(kindsOfGjk([CORE_BOX, CORE_HULL], 'sat')).toEqual([[ANY_KIND, ANY_KIND, [1, 2]]]);
  expect(kindsOfGjk([CORE_HULL], 'none')).toEqual([[ANY_KIND, ANY_KIND, undefined]]);
  expect(kindsOfGjk([CORE_BOX], 'none')).toEqual([[CORE_BOX, CORE_BOX, undefined]]);
});

test('hulls are tried vertex by vertex where all of them are small', () => {
  const kernels = ['contacts-gjk', ...ARCS, 'contacts-epa', ...AGAIN, ...FEATURES];
  expect(smallHulls([8, 12])).toEqual(kernels.map((name) => [name, 1]));
  expect(smallHulls([8, 13])).toEqual(kernels.map((name) => [name, undefined]));
});

test('a batch of polytopes has the arcs of Gauss maps behind EPA, however small its hulls', () => {
  const kernels = ['contacts-gjk', ...ARCS, 'contacts-epa', ...AGAIN, ...FEATURES];
  for (const isWarm of [false, true]) expect(batchKernels([8], { isWarm })).toEqual(kernels);
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
      'contacts-epa-compact',
    ]);
    const byMpr = batchKernels([12], { leadStage: 'mpr', adapter });
    expect(byMpr.indexOf('contacts-arcs')).toBeGreaterThan(byMpr.indexOf('contacts-epa'));
  }
  // 2 V - 4 facets, and some for parts of long arcs.
  expect(batchKernels([70])[1]).toBe('contacts-arcs');
  expect(batchKernels([90])[1]).toBe('contacts-epa-compact');
  expect(batchKernels([64], { adapter: HARDWARE })[1]).toBe('contacts-epa-compact');
});

test('EPA is a fallback of a query whose pairs all go over arcs', () => {
  const near = ['contacts-features'];
  const afterArcs = ['contacts-epa', ...AGAIN, ...near];
  expect(queryKernels([12, 70])).toEqual([['contacts-gjk', ...ARCS, ...FEATURES], afterArcs]);
  // Plans are by kinds, so they have what two of the larger one need.
  expect(queryKernels([12, 90])).toEqual([
    ['contacts-gjk', ...ARCS, 'contacts-epa-compact', ...FEATURES, ...near],
    afterArcs,
  ]);
  expect(queryKernels([90, 90])).toEqual([['contacts-gjk', 'contacts-epa-compact', ...FEATURES], afterArcs]);
});

test('one kind is not sorted at all', () => {
  const boxes = table.shapes.filter((shape) => shape?.kind === CORE_BOX);
  const plan = planBatch(
    spatialPlanner,
    { what: { query: 'intersects', leadStage: 'sat', margin: 0 }, isWarm: false },
    SOFTWARE,
    boxes,
  );
  expect(plan.steps).toEqual([
    {
      step: 'kernel',
      variant: {
        kernel: 'intersects-closed',
        constants: { APPENDS: 0, HAS_SAT: 1, KIND_A: CORE_BOX, KIND_B: CORE_BOX, IS_SHARP: 1 },
      },
    },
  ]);
});

test('each two kinds have a number in the table that the kernels read', () => {
  const { classes } = planBatch(
    spatialPlanner,
    { what: { query: 'contacts', leadStage: 'sat', margin: 0 }, isWarm: false },
    SOFTWARE,
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
