/** What `findPairs` and batches have in common when they search for pairs on the GPU. */
import {
  FIRST_KEPT,
  MOST_KEPT,
  MOTION_NONE,
  MOTION_STRAIGHT,
  MOTION_TURNING,
  NUMBER_BITS,
  STATE_MOST_TESTS,
} from '../../generated/constants.ts';
import type { BoundBroadPhase } from './context.ts';

/** The most bodies that the buffers of this device have room for, and that have numbers as kept partners. */
export function mostBodies(limits: GPUSupportedLimits): number {
  return Math.min(2 ** NUMBER_BITS, Math.floor(bindingSize(limits) / (4 * (FIRST_KEPT + MOST_KEPT))));
}

/** The most pairs that a buffer of this device has room for. */
export function mostPairs(limits: GPUSupportedLimits): number {
  return Math.floor(bindingSize(limits) / 8);
}

function bindingSize({ maxStorageBufferBindingSize, maxBufferSize }: GPUSupportedLimits): number {
  return Math.min(maxStorageBufferBindingSize, maxBufferSize);
}

/** Records the copy of the most tests to where the search finds it. */
export function encodeMostTests(encoder: GPUCommandEncoder, { mostTests, state }: BoundBroadPhase): void {
  encoder.copyBufferToBuffer(mostTests.buffer, 0, state, 4 * STATE_MOST_TESTS, 4);
}

/** Records the clearing of buffers that the dispatches need. */
export function encodeClearing(encoder: GPUCommandEncoder, { cleared }: Pick<BoundBroadPhase, 'cleared'>): void {
  for (const buffer of cleared) encoder.clearBuffer(buffer);
}

/** How bodies move, for the parameters. */
export function motionKind(motion: { isRotating: boolean } | undefined): number {
  if (!motion) return MOTION_NONE;
  return motion.isRotating ? MOTION_TURNING : MOTION_STRAIGHT;
}
