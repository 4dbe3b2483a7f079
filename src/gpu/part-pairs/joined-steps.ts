/**
 * The last steps over pairs of parts. Of contacts: what each pair proposes, and after the choice among these
 * (shaders/kernels/part-pairs/deepest.wgsl) the features or manifolds of the contacts. Of impacts: what surfaces make of them.
 */
import type { ShapeBase } from '../../shapes/shape-table.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import type { KernelName } from '../../generated/kernel-table.ts';
import type { PlanForm } from '../planner.ts';
import type { KernelStep, Plan, Step } from '../steps.ts';
import { constantsFor, kindConstants } from '../variants.ts';

/** What plans of a batch are made for. */
export interface SurfaceFacts {
  shapes: readonly ShapeBase[];
  /** Makes the plan for these shapes. */
  planFor: (form: PlanForm) => Plan;
  /** Whether any of them has a surface. */
  hasSurfaces: boolean;
  /** Whether compounds have. */
  hasSolids: boolean;
}

export function planParts(form: PlanForm, facts: SurfaceFacts): Plan {
  const plan = facts.planFor(form);
  if (plan.query === 'impacts') return facts.hasSurfaces ? withSurfaceSteps(plan, form, facts) : plan;
  if (plan.stageQuery !== 'contacts') return plan;
  const kernel = kernelsOf(plan, form, facts);
  const joinedSteps: KernelStep[] =
    plan.query === 'manifolds'
      ? [
          { ...kernel('manifolds'), ofManifolds: true },
          { step: 'kernel', variant: { kernel: 'manifolds-none' }, ofManifolds: true },
        ]
      : [kernel('contacts-features')];
  return { ...plan, lastSteps: [kernel('part-pairs/propose', ofSurface(facts))], joinedSteps };
}

/** Bodies that overlap at the start are decided by their contacts there. */
function withSurfaceSteps(plan: Plan, form: PlanForm, facts: SurfaceFacts): Plan {
  const { joinedSteps: _, ...start } = planParts({ ...form, query: 'contacts', leadStage: 'sat' }, facts);
  const constants = {
    ...ofSurface(facts),
    ...(form.passesParting && { PASSES_PARTING: 1 }),
    ...(form.isRotating && { IS_ROTATING: 1 }),
  };
  const accept = kernelsOf(plan, form, facts)('part-pairs/accept-impacts', constants);
  return { ...plan, start, steps: plan.steps.map((step) => leavingSurfaces(step, facts)), lastSteps: [accept] };
}

/** The same step: it leaves bodies with surfaces that part, and takes impacts of those that rotate from the surfaces. */
function leavingSurfaces(step: Step, facts: SurfaceFacts): Step {
  if (step.step === 'list') return step;
  const { kernel } = step.variant;
  const constants = { ...step.variant.constants, ...ofSurface(facts) };
  if (kernel === 'impacts-rotating') return { ...step, variant: { kernel: 'impacts-rotating-surfaces', constants } };
  if (kernel !== 'impacts-parting') return step;
  return { ...step, variant: { kernel, constants: { ...constants, HAS_SURFACES: 1 } } };
}

function ofSurface({ hasSolids }: SurfaceFacts): Record<string, number> {
  return hasSolids ? { HAS_SOLIDS: 1 } : {};
}

/** Makes kernels over all pairs of parts of a plan. */
function kernelsOf({ classes }: Plan, form: PlanForm, { shapes }: SurfaceFacts) {
  const kinds = classes.flat();
  const facts = { ...form, kinds, shapes: shapes as readonly ShapeData[] };
  return (name: KernelName, constants: Record<string, number> = {}): KernelStep => ({
    step: 'kernel',
    variant: { kernel: name, constants: { ...constantsFor(name, kindConstants(kinds), facts, false), ...constants } },
  });
}
