/** Plans of `prepare` have the kernels of queries whose pairs are of all kinds that the shapes can form, and no others. */
import { describe, expect, test } from 'vitest';
import type { QueryName } from '../../src/api/queries.ts';
import { dimension2 } from '../../src/dimension/dim2.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { HARDWARE, SOFTWARE } from '../../src/gpu/adapter-class.ts';
import { kindsOfShapes } from '../../src/gpu/classes.ts';
import { variantKey } from '../../src/gpu/kernels.ts';
import { variantsOfQuery, variantsOfSteps } from '../../src/gpu/passes.ts';
import { impactPlanner } from '../../src/gpu/impact-plan.ts';
import { planarPlanner } from '../../src/gpu/planar-plan.ts';
import { planForm, type Planner } from '../../src/gpu/planner.ts';
import { queryPasses, type Plan } from '../../src/gpu/steps.ts';
import type { Dimension } from '../../src/request/dimension.ts';
import type { LeadStage, WarmStartState } from '../../src/request/backend.ts';
import { addShape, createShapeTable, type ShapeBase } from '../../src/shapes/shape-table.ts';
import { makeShapePairFamily, shapePairNames } from '../../verification/families/families.ts';
import { makePlanarTypeFamily, planarTypePairNames } from '../../verification/families/planar-families.ts';
import { hullOf } from '../../verification/families/hulls.ts';
import { createRandom } from '../../verification/families/random.ts';
import { planQuery } from '../helpers/plan-query.ts';

const SEED = 20_261_125;
const warmStart: WarmStartState = { maxPairs: 1, isDisposed: false, simplices: new Map() };
const STAGES: Record<QueryName, readonly LeadStage[]> = {
  intersects: ['sat', 'mpr', 'none'],
  distances: ['newton', 'mpr', 'none'],
  contacts: ['sat', 'mpr', 'none'],
  manifolds: ['sat', 'mpr', 'none'],
  impacts: ['epa', 'none'],
};

function variantsOf(plan: Plan, dimension: Dimension): string[] {
  const [first, second] = queryPasses(plan);
  const variants = [...variantsOfQuery(first, dimension, false), ...variantsOfSteps(second)];
  return [...new Set(variants.map(variantKey))].sort();
}

/** Expects equal variants for each query and each of its options, whatever the adapter, for two bodies of each shape. */
function expectEqualPlans(dimension: Dimension<never>, planner: Planner, descriptions: readonly unknown[]): void {
  const table = createShapeTable();
  for (const description of descriptions) addShape(table, description as never, dimension as never);
  const count = descriptions.length;
  const shapes = Uint32Array.from({ length: 2 * count }, (_, body) => body % count);
  const pairs = Uint32Array.from(
    Array.from({ length: count * count }, (_, i) => [i % count, count + Math.floor(i / count)]).flat(),
  );
  const isSpatial = dimension.dimension === 3;
  for (const query of Object.keys(STAGES) as QueryName[])
    for (const leadStage of STAGES[query])
      for (const margin of query === 'impacts' ? [0] : [0, 0.05])
        for (const hasFixedPoint of [false, true])
          for (const isWarm of isSpatial && query !== 'impacts' && leadStage !== 'mpr' ? [false, true] : [false])
            for (const isRotating of query === 'impacts' ? [false, true] : [false])
              for (const adapter of [SOFTWARE, HARDWARE]) {
                const positions = new (hasFixedPoint ? Float64Array : Float32Array)(6 * count);
                const motion = query === 'impacts' ? { linear: new Float32Array(6 * count), duration: 1 } : undefined;
                const options = { query, leadStage, margin, hasFixedPoint };
                const ofQuery = planQuery(
                  planner,
                  {
                    ...options,
                    shapes: table,
                    bodies: { shapes, positions } as never,
                    pairs,
                    motion: motion && ({ ...motion, angular: isRotating ? motion.linear : undefined } as never),
                    warmStart: isWarm ? warmStart : undefined,
                  },
                  adapter,
                );
                const form = { hasFixedPoint, isWarm, motion: motion && ({ isRotating, duration: 1 } as never) };
                const prepared = planner.plan({
                  ...planForm({ query, leadStage, margin }, form, adapter),
                  kinds: kindsOfShapes(table.shapes),
                  shapes: table.shapes as ShapeBase[],
                });
                expect(
                  variantsOf(prepared, dimension as never),
                  JSON.stringify({ ...options, isWarm, isRotating }),
                ).toEqual(variantsOf(ofQuery, dimension as never));
              }
}

describe('3-D', () => {
  test.each(shapePairNames)('%s', (name) => {
    expectEqualPlans(
      dimension3 as never,
      impactPlanner as Planner,
      firstsOf(makeShapePairFamily(name, 1, SEED).shapes),
    );
  });

  test('boxes that are not rounded, small hulls, large hulls and a mix', () => {
    const random = createRandom(SEED);
    const box = { type: 'box', halfExtents: [1, 2, 3] };
    const [small, large] = [hullOf(random, 8), hullOf(random, 200)];
    for (const shapes of [
      [box],
      [small],
      [large],
      [box, small],
      [small, large],
      [box, small, { type: 'sphere', radius: 1 }],
    ])
      expectEqualPlans(dimension3 as never, impactPlanner as Planner, shapes);
  });
});

test.each(planarTypePairNames)('2-D: %s', (name) => {
  expectEqualPlans(dimension2 as never, planarPlanner as Planner, firstsOf(makePlanarTypeFamily(name, 1, SEED).shapes));
});

/** The first two shapes of each type. */
function firstsOf<Shape extends { type: string }>(shapes: readonly Shape[]): Shape[] {
  const types = [...new Set(shapes.map(({ type }) => type))];
  return types.flatMap((type) => shapes.filter((shape) => shape.type === type).slice(0, 2));
}
