/**
 * The kernels of `impacts` in 3-D:
 *
 *     pairs by class -> half-spaces, in closed form, and sharp boxes, by SAT over time; all others, by casts
 *                    -> if bodies that part pass: pairs that overlap or touch at the start, whether they close in
 *                    -> rotating pairs that don't overlap, or that part, by conservative advancement
 *
 * With `'epa'` and without rotation, velocity EPA answers all pairs but half-spaces and pairs of spheres. Casts then
 * answer the pairs that velocity EPA leaves open. If bodies rotate, `'epa'` makes no difference.
 */
import { CORE_BOX, CORE_HALFSPACE, CORE_POINT } from '../generated/constants.ts';
import type { LeadStage } from '../request/backend.ts';
import type { KernelName } from '../generated/kernel-table.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { AdapterClass } from './adapter-class.ts';
import { classesOf, type KindPair } from './classes.ts';
import { spatialPlanner } from './plan.ts';
import type { Planner } from './planner.ts';
import {
  appending,
  stepsOverClasses,
  type ClassRange,
  type KernelLists,
  type KernelStep,
  type MakeKernel,
  type Plan,
  type Step,
} from './steps.ts';
import { areSharp, constantsFor, kindConstants, type KindConstants } from './variants.ts';

interface ImpactPlanRequest {
  kinds: readonly KindPair[];
  shapes: readonly (ShapeData | undefined)[];
  hasFixedPoint: boolean;
  isRotating: boolean;
  passesParting: boolean;
  hasParts?: true;
  margin: number;
  leadStage: LeadStage;
  adapter: AdapterClass;
}

function planImpacts(request: ImpactPlanRequest): Plan {
  const { kinds: given, shapes, isRotating, passesParting, hasParts, margin, leadStage } = request;
  const halfspaces = given.filter((pair) => pair.includes(CORE_HALFSPACE));
  // If bodies turn, their contact at the start is needed, which only a cast gives.
  const boxes =
    leadStage === 'sat' && !isRotating && margin === 0 && areSharp(shapes)
      ? given.filter(([a, b]) => a === CORE_BOX && b === CORE_BOX)
      : [];
  const others = given.filter((pair) => !halfspaces.includes(pair) && !boxes.includes(pair));
  const kinds = [...halfspaces, ...boxes, ...others];
  const classes = classesOf(halfspaces, [...boxes, ...others]);
  const kernel: MakeKernel = (name, ofKinds, selected, lists = {}) => {
    const constants = {
      ...constantsFor(name, ofKinds, { ...request, kinds }, selected !== undefined),
      ...(isRotating && { IS_ROTATING: 1 }),
      ...(passesParting && { PASSES_PARTING: 1 }),
    };
    return { step: 'kernel', classes: selected, ...lists, variant: { kernel: name, constants } };
  };
  const isSorted = kinds.length > 1 && halfspaces.length < kinds.length;
  const sorted: KernelLists = isSorted ? { reads: 'classes' } : {};
  // In the order of impact-lists.wgsl.
  const left = [isRotating ? 'motion' : undefined, passesParting ? 'parting' : undefined] as const;
  const search = (name: KernelName, ofKinds: KindConstants, selected?: ClassRange, from = sorted): KernelStep => {
    const { lists, constants } = appending(left);
    return kernel(name, { ...ofKinds, ...constants }, selected, { ...from, ...lists });
  };
  const steps: Step[] = isSorted ? [{ step: 'list', classCount: classes.length, hasParts }] : [];
  if (halfspaces.length + boxes.length > 0) {
    const ofKinds = {
      ...kindConstants([...halfspaces, ...boxes]),
      ...(boxes.length > 0 && { HAS_SAT: 1 }),
      ...(halfspaces.length === 0 && { HAS_CLOSED: 0 }),
    };
    const selected = [0, Math.min(halfspaces.length, 1) + boxes.length] as const;
    steps.push(search('impacts-closed', ofKinds, isSorted ? selected : undefined));
  }
  // Spheres meet where their bounding spheres do, which a cast finds at once.
  const expanded =
    leadStage === 'epa' && !isRotating ? others.filter(([a, b]) => a !== CORE_POINT || b !== CORE_POINT) : [];
  const cast = others.filter((pair) => !expanded.includes(pair));
  steps.push(
    ...stepsOverClasses(classes, cast, isSorted, (ofKinds, selected) => search('impacts-cast', ofKinds, selected)),
    ...stepsOverClasses(classes, expanded, isSorted, (ofKinds, selected) =>
      kernel('impacts-epa', ofKinds, selected, { ...sorted, appends: [...left, 'cast'] }),
    ),
  );
  if (expanded.length > 0) steps.push(search('impacts-cast', kindConstants(expanded), [0, 1], { reads: 'cast' }));
  if (passesParting)
    steps.push(
      kernel('impacts-parting', kindConstants(kinds), [0, 1], { reads: 'parting', appends: left.slice(0, 1) }),
    );
  if (isRotating) steps.push(kernel('impacts-rotating', kindConstants(kinds), [0, 1], { reads: 'motion' }));
  return { query: 'impacts', stageQuery: 'impacts', classes, steps, fallbackSteps: [], lastSteps: [] };
}

/** The planner of impacts. Those of bodies with surfaces begin with their contacts, which it plans too. */
export const impactPlanner: Planner<ShapeData> = {
  ...spatialPlanner,
  plan: (request) => (request.query === 'impacts' ? planImpacts(request) : spatialPlanner.plan(request)),
};
