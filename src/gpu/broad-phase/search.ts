/** The broad phase on the GPU: which structure finds the pairs, and what is common to both. */
import {
  FIRST_KEPT,
  MOST_KEPT,
  MOTION_NONE,
  MOTION_STRAIGHT,
  MOTION_TURNING,
  NUMBER_BITS,
  STATE_MOST_TESTS,
} from '../../generated/constants.ts';
import { bindAllPairs } from './all-pairs.ts';
import type { BoundBroadPhase } from './context.ts';
import { bindGrid } from './grid.ts';

/**
 * Up to this many bodies, or this capacity of a batch, all pairs are tested. The structure is chosen before anything is known
 * about the bodies, and each finds the same pairs.
 */
export const MOST_BY_ALL_PAIRS = 512;

export type BindPairs = typeof bindGrid;

export function testsAllPairs(bodyCapacity: number): boolean {
  return bodyCapacity <= MOST_BY_ALL_PAIRS;
}

/**
 * The dispatches on buffers with others from the pool; pairs go to `foundPairs`. Calling it again with the same sizes
 * gives the same buffers.
 */
export const bindBroadPhase: BindPairs = (context, form, sizes, input, foundPairs) => {
  const bind = testsAllPairs(sizes.bodyCapacity) ? bindAllPairs : bindGrid;
  return bind(context, form, sizes, input, foundPairs);
};

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
