/** What `batch.write` uploads for the broad phase beside poses: the number of bodies and which of them can be paired. */
import type { BatchInput } from '../../api/batch.ts';
import { invalidInput } from '../../api/errors.ts';
import { ALL_GROUPS } from '../../generated/constants.ts';
import type { CollisionFilters } from '../../api/bodies.ts';
import type { BatchRequest } from '../../request/backend.ts';
import { allocate, type Numbers } from '../../util/arrays.ts';
import { uploadable } from '../buffers.ts';

export type FilterWriter = (count: number, filters: CollisionFilters) => [GPUBuffer, Numbers][];

/** The writes of a batch with a broad phase. Throws `INVALID_INPUT` for filters whose buffer is the caller's. */
export function createFilterWriter(request: BatchRequest, input: BatchInput): FilterWriter {
  const { maxBodies } = request;
  /** Whether the buffers hold other numbers than those that bodies without filters have. */
  let hasGroups = false;
  let hasFixed = false;

  return (count, { groups, fixed }) => {
    for (const [name, array] of Object.entries({ groups, fixed })) {
      if (array !== undefined && request[name as 'groups' | 'fixed'])
        invalidInput(`bodies.${name}`, array, `undefined, as the buffer options.${name} is yours`);
    }
    const writes: [GPUBuffer, Numbers][] = [];
    if (!request.bodyCount) writes.push([input.bodyCount!, Uint32Array.of(count)]);
    if (groups) writes.push([input.groups!, uploadable(groups)]);
    else if (hasGroups) writes.push([input.groups!, allocate('groups', Uint32Array, maxBodies).fill(ALL_GROUPS)]);
    if (fixed) writes.push([input.fixed!, Uint32Array.from(fixed)]);
    else if (hasFixed) writes.push([input.fixed!, allocate('fixed', Uint32Array, maxBodies)]);
    hasGroups = groups !== undefined;
    hasFixed = fixed !== undefined;
    return writes;
  };
}
