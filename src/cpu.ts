/**
 * narrowphase/cpu: the reference. It has the algorithms of the kernels in double precision, synchronous, one pair per
 * call. `planar` has the same in 2-D.
 */
export * from './cpu/one-pair.ts';
export * as planar from './cpu/planar/reference.ts';
export type { CpuImpactOptions, CpuOptions } from './cpu/options.ts';
export { trace, type CpuResults, type ResultStep, type TraceBody, type TraceStep } from './cpu/trace.ts';
export type * from './cpu/trace/steps.ts';
export type { CpuPlanarResults, PlanarResultStep, PlanarTraceBody, PlanarTraceStep } from './cpu/planar/trace.ts';
export type * from './cpu/planar/trace/steps.ts';
export { captureInput, type CaptureArguments } from './capture/input.ts';
export { decidingParts, type DecidingPair } from './capture/deciding-parts.ts';
export { parseCapture } from './capture/parse.ts';
export { traceCapture } from './capture/trace-capture.ts';
export type * from './api/capture.ts';
export { NarrowphaseError, type ErrorCode } from './api/errors.ts';
export * from './api/features.ts';
export type { FittedBox } from './api/geometry.ts';
export { fitBox } from './shapes/fit-box.ts';
export { heightfield, type HeightfieldMesh, type HeightfieldOptions } from './shapes/heightfield.ts';
export { Status, type ManifoldPoint } from './api/results.ts';
export type * from './api/shapes.ts';
export type * from './api/planar-shapes.ts';
