/**
 * Which kernels a query of impacts runs:
 *
 *     pairs by class -> half-spaces, in closed form; the rest, by casts -> those that turn and don't overlap, by conservative advancement
 */
import { CORE_HALFSPACE, INFO_PENDING_GJK } from '../generated/constants.ts';
import type { KernelName } from '../generated/kernels.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { classesOf, type KindPair } from './classes.ts';
import { listOf, stepsOverClasses, type KernelStep, type Plan, type Step } from './steps.ts';
import { constantsFor, kindsAlike, type KindConstants } from './variants.ts';

interface ImpactPlanRequest {
  kinds: readonly KindPair[];
  shapes: readonly (ShapeData | undefined)[];
  isWide: boolean;
  isTurning: boolean;
}

export function planImpacts(request: ImpactPlanRequest): Plan {
  const { kinds: given, isTurning } = request;
  const planes = given.filter((pair) => pair.includes(CORE_HALFSPACE));
  const others = given.filter((pair) => !planes.includes(pair));
  const kinds = [...planes, ...others];
  const classes = classesOf(planes, others);
  const kernel = (name: KernelName, ofKinds: KindConstants, due?: readonly [number, number]): KernelStep => {
    const constants = { ...constantsFor(ofKinds, { ...request, kinds }, due !== undefined), ...(isTurning && { IS_TURNING: 1 }) };
    return { step: 'kernel', classes: due, variant: { kernel: name, constants } };
  };
  const isSorted = kinds.length > 1 && others.length > 0;
  const steps: Step[] = isSorted ? [listOf(0, classes.length)] : [];
  if (planes.length > 0) steps.push(kernel('impacts-plane', kindsAlike(planes), isSorted ? [0, 1] : undefined));
  steps.push(...stepsOverClasses(classes, others, isSorted, (ofKinds, due) => kernel('impacts-straight', ofKinds, due)));
  if (isTurning) steps.push(listOf(INFO_PENDING_GJK, 1), kernel('impacts-turning', kindsAlike(kinds), [0, 1]));
  return { query: 'impacts', ladder: 'impacts', classes, steps, laterSteps: [] };
}
