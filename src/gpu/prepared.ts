/**
 * Plans that `prepare` has compiled. A later query of the same form takes the plan for all kinds of pairs that were
 * prepared, without the steps that its own pairs do not need (restrict-plan.ts): a plan for its own kinds alone would have
 * other kernels. More shapes only add to what is prepared, so removed shapes do not matter.
 */
import type { ShapeBase } from '../shapes/shape-table.ts';
import { includesKinds, type KindPair } from './classes.ts';
import type { Kernels } from './kernels.ts';
import { variantsOfSteps } from './passes.ts';
import { makePlan, type Planner, type PlanRequest } from './planner.ts';
import { restrictPlan } from './restrict-plan.ts';
import type { Plan } from './steps.ts';

export interface PreparedPlans {
  /** Compiles the plan for the pairs of a request and all that were prepared for queries of its form before, and keeps it. */
  prepare(planner: Planner, request: PlanRequest, compile: (plan: Plan) => Promise<void>): Promise<void>;
  /** The plan of a query: one whose kernels are compiled if its pairs are prepared. */
  planFor(planner: Planner, request: PlanRequest): Plan;
}

/** What is prepared for queries of one form. */
interface Prepared {
  plan: Plan;
  kinds: readonly KindPair[];
  /** One shape of each key (`Planner.keyOf`). */
  shapes: ReadonlyMap<string, ShapeBase>;
  /** Shapes whose keys are known to be among these. */
  known: WeakSet<ShapeBase>;
}

export function createPreparedPlans(kernels: Pick<Kernels, 'has'>): PreparedPlans {
  const forms = new Map<string, Prepared>();

  /** What is prepared once the pairs of this request are, too. */
  function joined(planner: Planner, request: PlanRequest, before: Prepared | undefined): Prepared {
    const shapes = new Map(before?.shapes);
    for (const shape of request.shapes) if (shape) shapes.set(planner.keyOf(shape), shape);
    const kinds = [
      ...(before?.kinds ?? []),
      ...request.kinds.filter((pair) => !before || !includesKinds(before.kinds, pair)),
    ];
    kinds.sort(([a, b], [c, d]) => a - c || b - d);
    const plan = makePlan(planner, { ...request, kinds, shapes: [...shapes.values()] });
    return { plan, kinds, shapes, known: new WeakSet() };
  }

  return {
    async prepare(planner, request, compile) {
      const form = formOf(request);
      const prepared = joined(planner, request, forms.get(form));
      await compile(prepared.plan);
      forms.set(form, prepared);
    },
    planFor(planner, request) {
      const form = formOf(request);
      const prepared = forms.get(form);
      if (!prepared) return makePlan(planner, request);
      if (isCovered(planner, request, prepared)) return restrictPlan(prepared.plan, request.kinds);
      // Other shapes may need no other kernels.
      const all = joined(planner, request, prepared);
      const { plan } = all;
      if (!kernels.has(variantsOfSteps([...plan.steps, ...plan.fallbackSteps]))) return makePlan(planner, request);
      forms.set(form, all);
      return restrictPlan(plan, request.kinds);
    },
  };
}

/**
 * What a plan depends on besides the adapter, the kinds and the shapes. Plans are the same for all margins above 0.
 */
function formOf(request: PlanRequest): string {
  const { kinds: _kinds, shapes: _shapes, adapter: _adapter, margin, ...form } = request;
  return JSON.stringify({ ...form, hasMargin: margin > 0 });
}

function isCovered(planner: Planner, { kinds, shapes }: PlanRequest, prepared: Prepared): boolean {
  if (!kinds.every((pair) => includesKinds(prepared.kinds, pair))) return false;
  for (const shape of shapes) {
    if (!shape || prepared.known.has(shape)) continue;
    if (!prepared.shapes.has(planner.keyOf(shape))) return false;
    prepared.known.add(shape);
  }
  return true;
}
