/**
 * The parts that only large queries, and queries of bodies that stay, need: input that the device checks and packs, and
 * the arrays of the result as output. And `prepare`, which loads them too.
 */
import { SLOTS_PER_INVOCATION } from '../generated/constants.ts';
import { usesFixedPoint } from '../records/bodies.ts';
import { fieldsOf } from '../records/result-fields.ts';
import type { PrepareRequest, QueryRequest } from '../request/backend.ts';
import { earliestOf } from './answer-chunk.ts';
import { COUNT, recordVariants, type ChunkOutput } from './chunk-output.ts';
import type { DeviceState } from './device-slot.ts';
import { dispatchFirst } from './first-dispatch.ts';
import { INSPECT_PAIRS, packVariantsOfAll } from './input-passes.ts';
import type { KernelVariant } from './kernels.ts';
import { variantsOfQuery, variantsOfSteps } from './passes.ts';
import { planRequest, type Planner } from './planner.ts';
import { arraysIn, arraysVariant, bindArrays, layOutArrays, writtenFields, type ArrayMode } from './result-arrays.ts';

export { deviceInput } from './device-input.ts';

/** Compiles and dispatches what queries over the request's pairs need, be they small or large, and `others`. */
export async function prepareQuery(
  { session, prepared }: DeviceState,
  planner: Planner,
  request: PrepareRequest,
  others: readonly KernelVariant[] = [],
): Promise<void> {
  const { dimension, hitsOnly } = request;
  await prepared.prepare(planner, planRequest(request, request, session.kernels.adapter), async (plan) => {
    const variants = [
      ...variantsOfQuery(plan, dimension, hitsOnly, earliestOf(request)),
      ...variantsOfSteps(plan.fallbackSteps),
      ...recordVariants(hitsOnly),
      ...inputVariants(request),
      ...others,
    ];
    await session.orLost(session.kernels.prepare(variants));
    await dispatchFirst(session, variants);
  });
}

/** The kernels that pack the input of a query, and those that it needs besides if it is large. */
function inputVariants(request: PrepareRequest): KernelVariant[] {
  const { query, dimension, hitsOnly, hasFixedPoint, takesArrays, motion } = request;
  const isPlanar = dimension.dimension === 2;
  const form = { isPlanar, hasFixedPoint, isMoving: motion !== undefined, isRotating: motion?.isRotating ?? false };
  const packing = [false, true].flatMap((inspects) => packVariantsOfAll(form, inspects));
  const input = [...packing, INSPECT_PAIRS];
  if (!takesArrays) return input;
  return [...input, arraysVariant(query, dimension, modeOf(hitsOnly, hasFixedPoint)), COUNT];
}

function modeOf(isListed: boolean, hasDoubles: boolean): ArrayMode {
  return { isListed, isGathered: false, hasDoubles };
}

/** The arrays of the result, as callers get them. */
export function arrayOutput({ query, dimension, bodies, hitsOnly, fields: names = [] }: QueryRequest): ChunkOutput {
  const mode = modeOf(hitsOnly, usesFixedPoint(bodies));
  const variant = arraysVariant(query, dimension, mode);
  const fields = fieldsOf(query, dimension.dimension);
  const written = writtenFields(fields, names, mode);
  const isWritten = Object.keys(written).length > 0;
  return {
    variants: [...(isWritten ? [variant] : []), COUNT],
    slotBytes: layOutArrays(written, SLOTS_PER_INVOCATION).bytes / SLOTS_PER_INVOCATION,
    hasCounts: true,
    bind({ context, sizes, buffers }, pool, firstPair, slotCount) {
      const layout = layOutArrays(written, slotCount);
      const arrays = pool.get('arrays', layout.bytes);
      const slots = { slotCount, bodyCount: sizes.bodyCount, firstPair };
      return {
        dispatches: isWritten ? [bindArrays(context, variant, slots, layout, buffers, arrays)] : [],
        regions: [{ buffer: arrays, offset: 0, size: layout.bytes }],
      };
    },
    deliver(sink, [bytes], firstPair, slotCount) {
      sink.writeArrays!({ firstPair, count: slotCount, arrays: arraysIn(bytes, written, slotCount) });
    },
  };
}
