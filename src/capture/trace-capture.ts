/** The reference's steps for a capture. */
import type { Capture, SpaceCapture } from '../api/capture.ts';
import { createShape } from '../cpu/one-pair.ts';
import { trace, type TraceBody, type TraceStep } from '../cpu/trace.ts';
import type { ShapeDescription } from '../api/shapes.ts';
import { decidingParts, poseOf } from './deciding-parts.ts';
import { fromCaptureNumber } from './numbers.ts';

/**
 * Traces the query of a 3-D capture in double precision. For compounds and meshes: of the two parts that decide the
 * captured answer, see `decidingParts`.
 *
 * @throws NarrowphaseError `INVALID_INPUT` in 2-D, and where `decidingParts` throws.
 */
export function traceCapture(given: Capture): TraceStep[] {
  const { capture } = decidingParts(given);
  const { query, algorithm, options } = capture;
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
  return { shape: createShape(shape), ...poseOf(capture, i) } as TraceBody;
}
