/** Steps of a trace of either dimension. Vectors have two or three numbers. */

import type { PlanarTraceStep, TraceStep, TraceSupport } from 'narrowphase/cpu';

export type Step = TraceStep | PlanarTraceStep;

export type Support = TraceSupport<readonly number[]>;
