/** The last steps over pairs of parts in 2-D, as joined-steps.ts has them for 3-D. */
import type { PlanForm } from '../planner.ts';
import type { KernelStep, Plan, Step } from '../steps.ts';
import type { KernelName } from '../../generated/kernel-table.ts';
import type { SurfaceFacts } from './joined-steps.ts';

export function planPlanarParts(form: PlanForm, facts: SurfaceFacts): Plan {
  const plan = facts.planFor(form);
  if (plan.query === 'impacts') return facts.hasSurfaces ? withSurfaceSteps(plan, form, facts) : plan;
  if (plan.stageQuery !== 'contacts') return plan;
  const joined: KernelStep =
    plan.query === 'manifolds'
      ? { ...kernelOf(plan, 'planar/manifolds-of-contacts'), ofManifolds: true }
      : kernelOf(plan, 'planar/contacts-features');
  return { ...plan, lastSteps: [kernelOf(plan, 'planar/propose')], joinedSteps: [joined] };
}

/** Bodies that overlap at the start are decided by their contacts there. */
function withSurfaceSteps(plan: Plan, form: PlanForm, facts: SurfaceFacts): Plan {
  const { joinedSteps: _, ...start } = planPlanarParts({ ...form, query: 'contacts', leadStage: 'sat' }, facts);
  const accept = kernelOf(plan, 'planar/accept-impacts', {
    ...(form.passesParting && { PASSES_PARTING: 1 }),
    ...(form.isRotating && { IS_ROTATING: 1 }),
  });
  return { ...plan, start, steps: plan.steps.map(leavingSurfaces), lastSteps: [accept] };
}

/** The same step: it does not decide about bodies with surfaces that part, and takes impacts of those that rotate from the surfaces. */
function leavingSurfaces(step: Step): Step {
  if (step.step === 'list') return step;
  const { kernel, constants } = step.variant;
  if (kernel === 'planar/impacts-rotating')
    return { ...step, variant: { kernel: 'planar/impacts-rotating-surfaces', constants } };
  if (kernel !== 'planar/impacts') return step;
  return { ...step, variant: { kernel, constants: { ...constants, HAS_SURFACES: 1 } } };
}

/** Constants of the plan's kernel that the others have too, for pairs of any kinds. */
const SHARED = ['HAS_PARTS', 'HAS_MIDDLES', 'ARE_SMALL', 'IS_SHARP'];

function ofAnyKind({ steps }: Plan): Record<string, number> {
  const step = steps.find((each): each is KernelStep => each.step === 'kernel')!;
  const shared = Object.entries(step.variant.constants!).filter(([name]) => SHARED.includes(name));
  return { ...Object.fromEntries(shared), ARE_ANY: 1 };
}

function kernelOf(plan: Plan, kernel: KernelName, constants: Record<string, number> = {}): KernelStep {
  return { step: 'kernel', variant: { kernel, constants: { ...ofAnyKind(plan), ...constants } } };
}
