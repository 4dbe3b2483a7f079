/**
 * The lists of plans, for all queries, ways and sets of kinds: a list is read after every kernel that may list a pair of
 * these kinds, and made from records after every kernel that writes one. What a list has from an earlier query, or
 * lacks, depends on what the tester was asked before, so tests of single queries do not see it.
 */

import { expect, test } from 'vitest';
import type { QueryName } from '../../src/api/queries.ts';
import { dimension2 } from '../../src/dimension/dim2.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { HARDWARE, SOFTWARE, type AdapterClass } from '../../src/gpu/adapter-class.ts';
import { kindsOfShapes, type KindPair } from '../../src/gpu/classes.ts';
import { planarPlanner } from '../../src/gpu/planar-plan.ts';
import { impactPlanner } from '../../src/gpu/impact-plan.ts';
import { planForm, type Planner } from '../../src/gpu/planner.ts';
import type { Plan, Step } from '../../src/gpu/steps.ts';
import type { LeadStage } from '../../src/request/backend.ts';
import type { Dimension } from '../../src/request/dimension.ts';
import { addShape, createShapeTable, type ShapeBase } from '../../src/shapes/shape-table.ts';
import { ball } from '../../verification/families/hulls.ts';
import { areSharp } from '../../src/gpu/variants.ts';
import type { ShapeData } from '../../src/shapes/shape-data.ts';
import { faultsOfWalk } from '../helpers/plan-walk.ts';

const STAGES: Record<QueryName, readonly LeadStage[]> = {
  intersects: ['sat', 'mpr', 'none'],
  distances: ['newton', 'sat', 'mpr', 'none'],
  contacts: ['sat', 'mpr', 'none'],
  manifolds: ['sat', 'mpr', 'none'],
  impacts: ['sat', 'epa', 'none'],
};

const SPATIAL: Record<string, object> = {
  sphere: { type: 'sphere', radius: 1 },
  box: { type: 'box', halfExtents: [1, 1, 1] },
  'rounded box': { type: 'box', halfExtents: [1, 1, 1], radius: 0.1 },
  capsule: { type: 'capsule', halfHeight: 1, radius: 0.25 },
  triangle: { type: 'triangle', points: [0, 0, 0, 1, 0, 0, 0, 1, 0] },
  segment: { type: 'hull', points: [-1, 0, 0, 1, 0, 0] },
  hull: ball(12),
  'large hull': ball(200),
  cylinder: { type: 'cylinder', halfHeight: 1, radius: 1 },
  'half-space': { type: 'halfspace', normal: [0, 1, 0], offset: 0 },
};

const PLANAR: Record<string, object> = {
  circle: { type: 'circle', radius: 1 },
  segment: { type: 'segment', points: [-1, 0, 1, 0] },
  rectangle: { type: 'rectangle', halfExtents: [1, 1] },
  polygon: { type: 'polygon', points: [0, 0, 1, 0, 0, 1] },
};

/** Shapes by ones and twos, and all together. */
function setsOf(names: readonly string[]): string[][] {
  const twos = names.flatMap((a, i) => names.slice(i).map((b) => [...new Set([a, b])]));
  return [...twos, [...names]];
}

/**
 * The plans of queries and batches over pairs of these shapes: of all pairs, and of pairs of equal shapes, by a plan of
 * their own and by the plan of all pairs.
 */
function* plansOf(
  planner: Planner,
  shapes: readonly ShapeBase[],
  adapter: AdapterClass = SOFTWARE,
): Generator<{ what: string; plan: Plan; kinds: KindPair[]; margin: number }> {
  const all = kindsOfShapes(shapes);
  const equal = all.filter(([a, b]) => a === b);
  for (const query of Object.keys(STAGES) as QueryName[])
    for (const leadStage of STAGES[query])
      for (const margin of query === 'impacts' ? [0] : [0, 0.05])
        for (const isWarm of query === 'contacts' ? [false, true] : [false])
          for (const isRotating of query === 'impacts' ? [false, true] : [false])
            for (const passesParting of query === 'impacts' ? [false, true] : [false]) {
              const motion = query === 'impacts' ? { isRotating, passesParting, duration: 1 } : undefined;
              const asked = { query, leadStage, margin };
              const given = { isWarm, motion, hasFixedPoint: false };
              const what = JSON.stringify({ ...asked, isWarm, motion });
              const planOf = (kinds: KindPair[]): Plan =>
                planner.plan({ ...planForm(asked, given, adapter), kinds, shapes });
              const ofAll = planOf(all);
              yield { what, plan: ofAll, kinds: all, margin };
              yield { what: `equal shapes ${what}`, plan: planOf(equal), kinds: equal, margin };
              // A plan for all kinds that were seen may get pairs of some of them.
              yield { what: `equal shapes of ${what}`, plan: ofAll, kinds: equal, margin };
            }
}

const BOTH = [
  ['3-D', dimension3, impactPlanner, SPATIAL],
  ['2-D', dimension2, planarPlanner, PLANAR],
] as [string, Dimension, Planner, Record<string, object>][];

test.each(BOTH)(
  '%s: no list is made, or read, before all kernels that write its pairs have run',
  (_, dimension, planner, descriptions) => {
    const faults: string[] = [];
    const known = new Set<string>();
    for (const names of setsOf(Object.keys(descriptions))) {
      const table = createShapeTable();
      for (const name of names) addShape(table, descriptions[name] as never, dimension);
      const shapes = table.shapes.filter((shape) => shape !== undefined);
      for (const { what, plan, kinds, margin } of plansOf(planner, shapes)) {
        const satDecides = margin === 0 && areSharp(shapes as unknown as readonly ShapeData[]);
        const key = JSON.stringify([plan, kinds, satDecides]);
        if (known.has(key)) continue;
        known.add(key);
        for (const pair of kinds)
          for (const fault of faultsOfWalk(plan, pair, satDecides))
            faults.push(`${fault}: kinds ${pair.join()} of ${names.join(', ')}, ${what}`);
      }
    }
    expect(faults.slice(0, 10)).toEqual([]);
    expect(known.size).toBeGreaterThan(100);
  },
);

/** Constants that differ between adapters. */
const OF_ADAPTER = new Set(['LANES', 'MOST_FACETS', 'PACKED_CELLS', 'UNROLLS_LOADS']);

/** What a step does, whatever the numbers of the adapter. */
function formOfStep(step: Step): object {
  if (step.step === 'list') return step;
  const { each: _each, variant, ...rest } = step;
  const constants = Object.entries(variant.constants ?? {}).filter(([name]) => !OF_ADAPTER.has(name));
  return { ...rest, kernel: variant.kernel, constants };
}

function formOf({ steps, fallbackSteps, lastSteps, ...plan }: Plan): object {
  return { ...plan, passes: [steps, fallbackSteps, lastSteps].map((each) => each.map(formOfStep)) };
}

// The limits of facets differ by adapter. No hull here is between them.
test.each(BOTH)(
  '%s: graphics cards and software adapters run the same kernels, in the same order, over the same lists',
  (_, dimension, planner, descriptions) => {
    for (const names of setsOf(Object.keys(descriptions))) {
      const table = createShapeTable();
      for (const name of names) addShape(table, descriptions[name] as never, dimension);
      const shapes = table.shapes.filter((shape) => shape !== undefined);
      const ofSoftware = [...plansOf(planner, shapes, SOFTWARE)];
      const ofHardware = [...plansOf(planner, shapes, HARDWARE)];
      expect(ofHardware.map(({ what, plan }) => ({ what, plan: formOf(plan) }))).toEqual(
        ofSoftware.map(({ what, plan }) => ({ what, plan: formOf(plan) })),
      );
    }
  },
);
