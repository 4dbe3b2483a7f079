/** The plan of a single query, for the kinds that its pairs have and no others, and that of a batch. */
import { KIND_COUNT } from '../../src/generated/constants.ts';
import type { AdapterClass } from '../../src/gpu/adapter-class.ts';
import { kindPairsWhere, shapesOfBodies, usedShapes, type PairFacts } from '../../src/gpu/classes.ts';
import { formOfQuery, planForm, planShapes, type Planner } from '../../src/gpu/planner.ts';
import type { Plan } from '../../src/gpu/steps.ts';
import type { BatchRequest, BodyPairs, PairQuery } from '../../src/request/backend.ts';
import type { ShapeBase } from '../../src/shapes/shape-table.ts';

type PlannedQuery = PairQuery & Pick<BodyPairs, 'bodies' | 'pairs' | 'shapes' | 'motion' | 'warmStart'>;

export function planQuery(planner: Planner, query: PlannedQuery, adapter: AdapterClass): Plan {
  // A plan asks nothing of the dimension.
  const asked = { what: query, over: query as PlannedQuery & Pick<BodyPairs, 'dimension'> };
  return planner.plan({ ...formOfQuery(asked, adapter), ...pairFacts(query) });
}

/** For all pairs that the shapes can form. */
export function planBatch(
  planner: Planner,
  { what, isWarm, motion }: Pick<BatchRequest, 'what' | 'isWarm' | 'motion'>,
  adapter: AdapterClass,
  shapes: readonly (ShapeBase | undefined)[],
): Plan {
  return planShapes(planner, planForm(what, { hasFixedPoint: false, isWarm, motion }, adapter), shapes);
}

/** The kinds of the pairs, and the shapes of all bodies. */
export function pairFacts({ shapes, bodies, pairs }: Pick<BodyPairs, 'shapes' | 'bodies' | 'pairs'>): PairFacts {
  const kindOf = (body: number): number => shapes.shapes[bodies.shapes[body]]!.kind;
  const found = new Set<number>();
  for (let i = 0; i < pairs.length; i += 2) found.add(kindOf(pairs[i]) * KIND_COUNT + kindOf(pairs[i + 1]));
  return {
    kinds: kindPairsWhere((entry) => found.has(entry)),
    shapes: usedShapes(shapes.shapes, shapesOfBodies({ shapes, bodies })),
  };
}
