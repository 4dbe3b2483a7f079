/** What is kept of the pairs that queries had, and forgotten when shapes are removed. */

import { describe, expect, test } from 'vitest';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { SOFTWARE } from '../../src/gpu/adapter-class.ts';
import { CORE_BOX, CORE_HULL } from '../../src/generated/constants.ts';
import { kindsOfShapes, sampleFacts, type PairFacts } from '../../src/gpu/classes.ts';
import { spatialPlanner } from '../../src/gpu/plan.ts';
import type { PlanForm } from '../../src/gpu/planner.ts';
import { createSeenPairs } from '../../src/gpu/seen-pairs.ts';
import type { KernelStep } from '../../src/gpu/steps.ts';
import type { AnyBodies } from '../../src/records/bodies.ts';
import {
  addShape,
  createShapeTable,
  removeShape,
  type ShapeBase,
  type ShapeTable,
} from '../../src/shapes/shape-table.ts';
import { ball } from '../../verification/families/hulls.ts';

const FORM: PlanForm = {
  query: 'manifolds',
  leadStage: 'sat',
  margin: 0,
  hasFixedPoint: false,
  isWarm: false,
  isRotating: false,
  passesParting: false,
  adapter: SOFTWARE,
};
const BOX: ShapeDescription = { type: 'box', halfExtents: [1, 1, 1] };
const ROUNDED: ShapeDescription = { type: 'box', halfExtents: [1, 1, 1], radius: 0.1 };

function tableOf(...shapes: ShapeDescription[]): ShapeTable {
  const table = createShapeTable();
  for (const shape of shapes) addShape(table, shape, dimension3);
  return table;
}

function factsOf({ shapes }: Pick<ShapeTable, 'shapes'>): PairFacts {
  return { kinds: kindsOfShapes(shapes), shapes: shapes.filter((shape): shape is ShapeBase => shape !== undefined) };
}

const NOTHING: PairFacts = { kinds: [], shapes: [] };

/** The kernels of the plan for all that was seen. */
function kernelsOf(seen: ReturnType<typeof createSeenPairs>, table: ShapeTable): string[] {
  const { steps } = seen.of(spatialPlanner, FORM, table).planWith(NOTHING);
  return steps
    .filter((step): step is KernelStep => step.step === 'kernel')
    .map(({ variant: { kernel, constants } }) => `${kernel} ${JSON.stringify(constants)}`);
}

/** The kernels after these shapes alone. */
function kernelsFor(table: ShapeTable): string[] {
  const seen = createSeenPairs({ has: () => true });
  seen.of(spatialPlanner, FORM, table).add(factsOf(table));
  return kernelsOf(seen, table);
}

describe('after a shape is removed', () => {
  test.each([true, false])('the plan is for those that are left, if its kernels are compiled: %s', (isCompiled) => {
    const seen = createSeenPairs({ has: () => isCompiled });
    const table = tableOf(BOX, ROUNDED);
    seen.of(spatialPlanner, FORM, table).add(factsOf(table));
    const before = kernelsOf(seen, table);
    removeShape(table, 1);
    const boxes = kernelsFor(tableOf(BOX));
    expect(before).not.toEqual(boxes);
    expect(kernelsOf(seen, table)).toEqual(isCompiled ? boxes : before);
  });

  test('a kind whose only shape was replaced is that of the new one', () => {
    const seen = createSeenPairs({ has: () => true });
    const table = tableOf(ball(12));
    seen.of(spatialPlanner, FORM, table).add(factsOf(table));
    removeShape(table, 0);
    addShape(table, ball(200), dimension3);
    expect(kernelsOf(seen, table)).toEqual(kernelsFor(tableOf(ball(200))));
  });

  test('the host finds the kinds of pairs whose numbers are in range, and passes over removed shapes', () => {
    const table = tableOf(BOX, ROUNDED, ball(12));
    removeShape(table, 1);
    const bodies = { shapes: Uint32Array.of(0, 1, 2, 3, 0) } as AnyBodies;
    const factsFor = (pairs: Uint32Array): PairFacts => sampleFacts({ shapes: table, bodies, pairs });
    expect(factsFor(Uint32Array.of(0, 4, 2, 0))).toEqual({
      kinds: [
        [CORE_BOX, CORE_BOX],
        [CORE_HULL, CORE_BOX],
      ],
      shapes: [table.shapes[0], table.shapes[2]],
    });
    expect(factsFor(Uint32Array.of(0, 1, 0, 3, 0, 5, 2 ** 32 - 1, 0)).kinds).toEqual([]);
    // Each second pair of many.
    const many = new Uint32Array(2 ** 17 + 2);
    many[3] = 2;
    expect(factsFor(many).kinds).toEqual([[CORE_BOX, CORE_BOX]]);
    many[5] = 2;
    expect(factsFor(many).kinds).toHaveLength(2);
  });

  test('nothing is known if no kind is left', () => {
    const seen = createSeenPairs({ has: () => true });
    const table = tableOf(ROUNDED);
    seen.of(spatialPlanner, FORM, table).add(factsOf(table));
    const isEmpty = (): boolean => seen.of(spatialPlanner, FORM, table).isEmpty;
    expect(isEmpty()).toBe(false);
    removeShape(table, 0);
    expect(isEmpty()).toBe(true);
  });

  test('a query that was made before it keeps nothing from being forgotten', () => {
    const seen = createSeenPairs({ has: () => true });
    const table = tableOf(BOX, ROUNDED);
    const earlier = seen.of(spatialPlanner, FORM, { ...table, shapes: [...table.shapes] });
    earlier.add(factsOf(table));
    const facts = factsOf(table);
    removeShape(table, 1);
    expect(kernelsOf(seen, table)).toEqual(kernelsFor(tableOf(BOX)));
    // Its plan is that of what it had seen.
    expect(earlier.planWith(facts).steps.length).toBeGreaterThan(0);
  });
});
