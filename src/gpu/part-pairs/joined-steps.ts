/**
 * The last steps of contacts of pairs of parts: what each pair proposes, and after the choice among these
 * (shaders/kernels/part-pairs/deepest.wgsl) the features or manifolds of the contacts.
 */
import type { ShapeBase } from '../../shapes/shape-table.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import type { KernelName } from '../../generated/kernel-table.ts';
import type { PlanForm } from '../planner.ts';
import type { KernelStep, Plan } from '../steps.ts';
import { constantsFor, kindConstants } from '../variants.ts';

/** `shapes` are those that the plan was made for. `hasSolids`: whether compounds have surfaces. */
export function withJoinedSteps(plan: Plan, form: PlanForm, shapes: readonly ShapeBase[], hasSolids: boolean): Plan {
  if (plan.stageQuery !== 'contacts') return plan;
  const kinds = plan.classes.flat();
  const facts = { ...form, kinds, shapes: shapes as readonly ShapeData[] };
  const kernel = (name: KernelName): KernelStep => ({
    step: 'kernel',
    variant: { kernel: name, constants: constantsFor(name, kindConstants(kinds), facts, false) },
  });
  const joinedSteps: KernelStep[] =
    plan.query === 'manifolds'
      ? [
          { ...kernel('manifolds'), ofManifolds: true },
          { step: 'kernel', variant: { kernel: 'manifolds-none' }, ofManifolds: true },
        ]
      : [kernel('contacts-features')];
  const propose = kernel('part-pairs/propose');
  const constants = { ...propose.variant.constants, ...(hasSolids && { HAS_SOLIDS: 1 }) };
  return { ...plan, lastSteps: [{ ...propose, variant: { ...propose.variant, constants } }], joinedSteps };
}
