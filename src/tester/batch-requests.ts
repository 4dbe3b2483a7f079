/** Requests for batches, with what these load of `src/parts/`. */
import type { BatchRequest } from '../request/backend.ts';
import { makeBatchRequest } from '../request/batch-request.ts';
import { door } from '../util/door.ts';

const loadSurfaces = door(
  'compounds and meshes',
  async () => (await import('../parts/surface/surface-rows.ts')).surfaceRows,
);

export function requestBatch(...given: Parameters<typeof makeBatchRequest>): Omit<BatchRequest, 'onDispose'> {
  return { ...makeBatchRequest(...given), loadSurfaces };
}
