/** The arguments of a query that answers a capture again. */
import type { Capture, CapturedOptions, PlanarCapture, SpaceCapture } from '../api/capture.ts';
import type { Bodies, PlanarBodies, PlanarVelocities, Velocities } from '../api/types.ts';
import { fromCaptureNumber } from './numbers.ts';
import { POSE_FIELDS } from './pose-fields.ts';

/** Arguments of a query over pairs, in 3-D or in 2-D. */
export interface CaptureArguments<AnyBodies> {
  /** Two bodies, A and B. */
  bodies: AnyBodies;
  /** The pair of both. */
  pairs: Uint32Array;
  /** Options of the query, `algorithm` included. */
  options: Omit<CapturedOptions, 'margin' | 'duration'> & {
    algorithm: Capture['algorithm'];
    margin?: number;
    duration?: number;
  };
}

/**
 * Makes the arguments of `tester[capture.query]`. `shapes` are the ids of the capture's shapes, which you add to a tester of
 * the capture's dimension. On the CPU the answer is that of the capture to the bit. On WebGPU it is to the tolerance: kernels
 * are chosen by all pairs of a query, and positions in a `Float64Array` are rounded to a step that depends on all bodies.
 */
export function captureInput(
  capture: SpaceCapture,
  shapes: readonly [number, number],
): CaptureArguments<Bodies & Partial<Velocities>>;
export function captureInput(
  capture: PlanarCapture,
  shapes: readonly [number, number],
): CaptureArguments<PlanarBodies & Partial<PlanarVelocities>>;
export function captureInput(
  { poses, float64Positions, algorithm, options: { margin, duration, ...options } }: Capture,
  shapes: readonly [number, number],
): CaptureArguments<object> {
  const listOf = (name: string): number[] | undefined => {
    const [a, b] = poses.map((pose) => (pose as unknown as Record<string, number | number[] | undefined>)[name]);
    return a === undefined || b === undefined ? undefined : [a, b].flat();
  };
  const bodies: Record<string, unknown> = { shapes: Uint32Array.from(shapes) };
  for (const [name, array] of POSE_FIELDS) {
    const list = listOf(name);
    if (!list) continue;
    const isDouble = float64Positions && (array === 'positions' || array === 'matrices');
    bodies[array] = isDouble ? Float64Array.from(list) : Float32Array.from(list);
  }
  return {
    bodies,
    pairs: Uint32Array.of(0, 1),
    options: {
      algorithm,
      ...options,
      ...(margin !== undefined && { margin: fromCaptureNumber(margin) }),
      ...(duration !== undefined && { duration: fromCaptureNumber(duration) }),
    },
  };
}
