/** Requests for batches, with what these load of `src/parts/`. */
import type { BatchRequest, SurfaceRows } from '../request/backend.ts';
import { makeBatchRequest } from '../request/batch-request.ts';
import { door } from '../util/door.ts';

const LOADERS = {
  2: async () => (await import('../parts/planar/planar-rows.ts')).planarRows,
  3: async () => (await import('../parts/surface/surface-rows.ts')).surfaceRows,
};

export function requestBatch(...given: Parameters<typeof makeBatchRequest>): Omit<BatchRequest, 'onDispose'> {
  const request = makeBatchRequest(...given);
  const { dimension } = request.dimension;
  const load = LOADERS[dimension] as () => Promise<SurfaceRows>;
  return { ...request, loadSurfaces: door(dimension === 2 ? 'compounds and chains' : 'compounds and meshes', load) };
}
