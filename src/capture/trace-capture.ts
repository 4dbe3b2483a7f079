/** The reference's steps for a capture. */
import type { Capture, CapturedPose, SpaceCapture } from '../api/capture.ts';
import { invalidInput } from '../api/errors.ts';
import { createShape } from '../cpu/one-pair.ts';
import { trace, type TraceBody, type TraceStep } from '../cpu/trace.ts';
import type { ShapeDescription } from '../api/shapes.ts';
import { posesOfMatrices } from '../records/matrices.ts';
import { fromCaptureNumber } from './numbers.ts';

/**
 * Traces the query of a 3-D capture of two convex shapes, in double precision.
 *
 * @throws NarrowphaseError `INVALID_INPUT` for compounds and meshes, and in 2-D.
 */
export function traceCapture(capture: Capture): TraceStep[] {
  const { query, algorithm, options } = capture;
  if (capture.dimension !== 3) invalidInput('dimension', capture.dimension, '3 for a trace');
  const [a, b] = capture.shapes.map((shape, i) => bodyOf(shape, capture, i));
  const margin = options.margin === undefined ? undefined : fromCaptureNumber(options.margin);
  const common = { algorithm, ...(margin !== undefined && { margin }) };
  if (query === 'impacts') {
    const { stopAtPenetration } = options;
    const duration = fromCaptureNumber(options.duration!);
    return trace(query, a, b, {
      ...common,
      algorithm: algorithm as 'auto',
      duration,
      ...(stopAtPenetration !== undefined && { stopAtPenetration }),
    });
  }
  const { mprDepth } = options;
  return trace(query, a, b, { ...common, algorithm: algorithm as 'gjk', ...(mprDepth && { mprDepth }) });
}

function bodyOf(shape: ShapeDescription, capture: SpaceCapture, i: number): TraceBody {
  const given = capture.poses[i];
  const made = createShape(shape);
  if (!('matrix' in given))
    return { shape: made, ...(given as CapturedPose & { linearVelocity: [number, number, number] }) };
  const { matrix, ...velocities } = given;
  const matrices = capture.float64Positions ? Float64Array.from(matrix) : Float32Array.from(matrix);
  const { positions, quaternions, scales } = posesOfMatrices({ shapes: new Uint32Array(1), matrices });
  const pose = { position: Array.from(positions), quaternion: Array.from(quaternions), scale: scales[0] };
  return { shape: made, ...pose, ...velocities };
}
