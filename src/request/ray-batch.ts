/** Validation of the options of `createBatch` that cast rays. */
import { invalidInput } from '../api/errors.ts';
import type { Dimension } from './dimension.ts';
import { expectBuffer } from './expect-buffer.ts';
import type { RayBuffers } from './backend.ts';
import type { AnyBatchOptions } from './options.ts';

/** Options of other queries. */
const OF_OTHERS = [
  'mprDepth',
  'margin',
  'duration',
  'turning',
  'stopAtPenetration',
  'results',
  'maxHits',
  'warmStart',
  'velocities',
  'fixed',
  'broadPhase',
] as const;
const OF_RAYS = ['maxRays', 'rays', 'rayCount'] as const;

/** The rays of a batch; undefined for other queries. */
export function makeRayBuffers(options: AnyBatchOptions, dimension: Dimension): RayBuffers | undefined {
  const { query, maxRays, rays, rayCount } = options;
  const isOfRays = query === 'rayCasts';
  for (const name of isOfRays ? OF_OTHERS : OF_RAYS)
    if (options[name] !== undefined) invalidInput(`options.${name}`, options[name], `undefined for ${query}`);
  if (!isOfRays) return undefined;
  if (!(Number.isInteger(maxRays) && maxRays! > 0 && maxRays! < 2 ** 32))
    invalidInput('options.maxRays', maxRays, 'a whole number from 1 up');
  expectBuffer('options.rays', rays, 4 * dimension.rayWords * maxRays!, 'STORAGE');
  expectBuffer('options.rayCount', rayCount, 4, 'COPY_SRC');
  return { maxRays: maxRays!, rays, rayCount };
}
