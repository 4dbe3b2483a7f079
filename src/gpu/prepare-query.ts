/** `prepare`: compiles and dispatches what queries need, before there are any. */
import type { PrepareRequest } from '../request/backend.ts';
import { earliestOf } from './answer-chunk.ts';
import { COUNT, modeOf } from './chunk-output.ts';
import type { DeviceState } from './device-slot.ts';
import { dispatchFirst } from './first-dispatch.ts';
import { INSPECT_PAIRS, packVariantsOfAll } from './input-passes.ts';
import type { KernelVariant } from './kernels.ts';
import { variantsOfQuery, variantsOfSteps } from './passes.ts';
import { planForm, type Planner } from './planner.ts';
import { queryPasses } from './steps.ts';
import { recordVariants } from './record-output.ts';
import { arraysVariant } from './result-arrays.ts';

/** Compiles and dispatches what queries over the request's pairs need, and `others`. */
export async function prepareQuery(
  { session, seenPairs }: DeviceState,
  planner: Planner,
  request: PrepareRequest,
  others: readonly KernelVariant[] = [],
): Promise<void> {
  const { form } = request;
  const seen = seenPairs.of(planner, planForm(request.what, request, session.kernels.adapter), request);
  const [first, second] = queryPasses(seen.planWith(request));
  const variants = [
    ...variantsOfQuery(first, request.dimension, form.slots !== 'all', earliestOf(form)),
    ...variantsOfSteps(second),
    ...outputVariants(request),
    ...inputVariants(request),
    ...others,
  ];
  await session.orLost(session.kernels.prepare(variants));
  await dispatchFirst(session, variants);
  seen.add(request);
}

/** The kernels that pack and inspect the input of a query, or pack that of ray casts, which the host has checked. */
function inputVariants({ dimension, hasFixedPoint, motion, castsRays }: PrepareRequest): KernelVariant[] {
  const isPlanar = dimension.dimension === 2;
  const form = { isPlanar, hasFixedPoint, isMoving: motion !== undefined, isRotating: motion?.isRotating ?? false };
  return castsRays ? packVariantsOfAll(form, false) : [...packVariantsOfAll(form, true), INSPECT_PAIRS];
}

/** The kernels that write the arrays of the result, or list the hits whose records the host reads. */
function outputVariants({ what, dimension, form, hasFixedPoint }: PrepareRequest): KernelVariant[] {
  const hitsOnly = form.slots !== 'all';
  return form.type === 'arrays'
    ? [arraysVariant(what.query, dimension, modeOf(hitsOnly, hasFixedPoint)), COUNT]
    : recordVariants(hitsOnly);
}
