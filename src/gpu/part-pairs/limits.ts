/** How many pairs of parts a batch has room for. */
import { NarrowphaseError } from '../../api/errors.ts';
import { PROPOSAL_ROWS } from '../../generated/constants.ts';
import { layouts } from '../../generated/layouts.ts';
import type { QueryName } from '../../api/queries.ts';
import type { BatchRequest } from '../../request/backend.ts';

/** Bytes of a pair of parts, and of what it proposes as its contact. */
export const PART_PAIR_BYTES = 16;
export const PROPOSAL_BYTES = 4 * 4 * PROPOSAL_ROWS;
const DISTANCE_BYTES = layouts.Distance.size;

/** Pairs of parts per pair of bodies that there is room for by default: above a mesh, many boxes of triangles are as near. */
const USUAL_PARTS = 8;
const USUAL_PARTS_OF_DISTANCES = 64;

type Asked = Pick<BatchRequest, 'name' | 'maxPairs' | 'maxPartPairs' | 'listsParts' | 'maxHits'>;

/** The most pairs of parts of a batch, whose largest record in a buffer of its own decides. */
function mostPartPairs({ limits }: Pick<GPUDevice, 'limits'>, name: Asked['name']): number {
  const records: Partial<Record<typeof name, number>> = { intersects: PART_PAIR_BYTES, distances: DISTANCE_BYTES };
  const bytes = records[name] ?? PROPOSAL_BYTES;
  return Math.floor(Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize) / bytes);
}

/**
 * The request with its numbers of pairs of parts, and of records if it lists these. Throws `LIMIT_EXCEEDED` for more pairs of parts than
 * a buffer of the device has room for.
 */
export function withPartRoom<Q extends QueryName>(
  device: Pick<GPUDevice, 'limits'>,
  request: BatchRequest<Q>,
): BatchRequest<Q> & { maxPartPairs: number } {
  const { maxPairs, listsParts } = request;
  const most = mostPartPairs(device, request.name);
  const usual = request.name === 'distances' ? USUAL_PARTS_OF_DISTANCES : USUAL_PARTS;
  const maxPartPairs = request.maxPartPairs ?? Math.min(usual * maxPairs, most);
  if (maxPartPairs > most) {
    throw new NarrowphaseError(
      'LIMIT_EXCEEDED',
      `options.maxPartPairs is ${maxPartPairs}, expected at most ${most} on this device`,
    );
  }
  const maxHits = listsParts ? Math.min(request.maxHits, maxPartPairs) : request.maxHits;
  return { ...request, maxPartPairs, maxHits };
}
