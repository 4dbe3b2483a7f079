/** The plan of a batch. */
import { CORE_POINT } from '../generated/constants.ts';
import type { BatchRequest } from '../request/backend.ts';
import type { ShapeBase } from '../shapes/shape-table.ts';
import type { AdapterClass } from './adapter-class.ts';
import { kindsOfShapes, type KindPair } from './classes.ts';
import { planForm, type Planner } from './planner.ts';
import type { Plan } from './steps.ts';

/** Without shapes no pair is valid. Any kernel finds that; this is the kernel of spheres, or circles. */
const NO_KINDS: readonly KindPair[] = [[CORE_POINT, CORE_POINT]];

/** The plan of a batch, for all pairs that these shapes can form. */
export function planBatch(
  planner: Planner,
  { what, isWarm, motion }: Pick<BatchRequest, 'what' | 'isWarm' | 'motion'>,
  adapter: AdapterClass,
  shapes: readonly (ShapeBase | undefined)[],
): Plan {
  const found = kindsOfShapes(shapes);
  const { lastSteps, ...plan } = planner.plan({
    ...planForm(what, { hasFixedPoint: false, isWarm, motion }, adapter),
    kinds: found.length > 0 ? found : NO_KINDS,
    shapes,
    isBatch: true,
  });
  return { ...plan, steps: [...plan.steps, ...plan.fallbackSteps, ...lastSteps] };
}
