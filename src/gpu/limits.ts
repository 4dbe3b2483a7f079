/** The largest sizes that a device takes. */
import { MAX_HULL_VERTICES } from '../shapes/fields.ts';
import type { Dimension } from '../request/dimension.ts';
import type { TesterLimits } from '../api/types.ts';
import { largestChunk } from './chunks.ts';

export function limitsOf(
  device: Pick<GPUDevice, 'limits'>,
  { poseWords, shapeWords, recordsPerShape, records }: Dimension,
): TesterLimits {
  const binding = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize);
  const shapeRecords = Math.floor(binding / (4 * shapeWords));
  return {
    maxBodies: Math.floor(binding / (4 * poseWords)),
    // One record is reserved for the ball that stands for rays.
    maxShapes: Math.floor((shapeRecords - 1) / recordsPerShape),
    maxHullVertices: MAX_HULL_VERTICES,
    maxPairsPerChunk: largestChunk(device, 4 * records.sizes.contacts.words),
  };
}
