/** The reference's steps for a capture. */
import type { Capture, PlanarCapture, SpaceCapture } from '../api/capture.ts';
import { createShape } from '../cpu/one-pair.ts';
import type { CpuImpactOptions, CpuOptions } from '../cpu/options.ts';
import { createShape as createPlanarShape } from '../cpu/planar/one-pair.ts';
import { trace as tracePlanar, type PlanarTraceBody, type PlanarTraceStep } from '../cpu/planar/trace.ts';
import { trace, type TraceBody, type TraceStep } from '../cpu/trace.ts';
import type { ShapeDescription } from '../api/shapes.ts';
import { decidingParts, poseOf } from './deciding-parts.ts';
import { fromCaptureNumber } from './numbers.ts';

/**
 * Traces the query of a capture in double precision. For compounds and meshes, the steps are those of the two parts that
 * `decidingParts` returns.
 *
 * @throws NarrowphaseError `INVALID_INPUT` for compounds and meshes if `decidingParts` throws it.
 */
export function traceCapture(given: SpaceCapture): TraceStep[];
/** Traces the query of a 2-D capture in double precision. */
export function traceCapture(given: PlanarCapture): PlanarTraceStep[];
/** Traces the query of a capture of either dimension in double precision. */
export function traceCapture(given: Capture): (TraceStep | PlanarTraceStep)[];
export function traceCapture(given: Capture): (TraceStep | PlanarTraceStep)[] {
  if (given.dimension === 2) {
    const [a, b] = given.shapes.map(
      (shape, i) => ({ shape: createPlanarShape(shape), ...given.poses[i] }) as PlanarTraceBody,
    );
    return tracePlanar(given.query, a, b, optionsOf(given));
  }
  const { capture } = decidingParts(given);
  const [a, b] = capture.shapes.map((shape, i) => bodyOf(shape, capture, i));
  return trace(capture.query, a, b, optionsOf(capture));
}

/** The options of the reference's function for the query. */
function optionsOf({ query, algorithm, options }: Capture): CpuOptions & CpuImpactOptions {
  const { margin, duration, mprDepth, stopAtPenetration } = options;
  const common = { algorithm, ...(margin !== undefined && { margin: fromCaptureNumber(margin) }) };
  const own =
    query === 'impacts'
      ? { duration: fromCaptureNumber(duration!), ...(stopAtPenetration !== undefined && { stopAtPenetration }) }
      : { ...(mprDepth && { mprDepth }) };
  return { ...common, ...own } as CpuOptions & CpuImpactOptions;
}

function bodyOf(shape: ShapeDescription, capture: SpaceCapture, i: number): TraceBody {
  return { shape: createShape(shape), ...poseOf(capture, i) } as TraceBody;
}
