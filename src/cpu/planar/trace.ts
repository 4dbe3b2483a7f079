/** Traces of the reference in 2-D: a query of one pair with all steps of its searches. */
import type { QueryName } from '../../api/queries.ts';
import type { CpuImpactOptions, CpuOptions } from '../options.ts';
import { traceQuery } from '../trace/trace-query.ts';
import type { CpuPlanarMovingPose, CpuPlanarPose, CpuPlanarShape } from './arguments.ts';
import {
  contact,
  distance,
  impact,
  intersects,
  manifold,
  type CpuPlanarContact,
  type CpuPlanarDistance,
  type CpuPlanarImpact,
  type CpuPlanarManifold,
} from './one-pair.ts';
import { setRecorder } from './recorder.ts';
import { createRecorder } from './trace/record.ts';
import type { PlanarSearchStep } from './trace/steps.ts';

/** What the 2-D reference returns for each query. */
export interface CpuPlanarResults {
  intersects: ReturnType<typeof intersects>;
  distances: CpuPlanarDistance;
  contacts: CpuPlanarContact;
  manifolds: CpuPlanarManifold;
  impacts: CpuPlanarImpact;
}

/** A 2-D body to trace: a shape from `planar.createShape` and its place, for `impacts` with velocities. */
export type PlanarTraceBody = (CpuPlanarPose | CpuPlanarMovingPose) & { shape: CpuPlanarShape };

/** The last step of a trace in 2-D: what the query returns, in world axes. */
export interface PlanarResultStep<Query extends QueryName = QueryName> {
  type: 'result';
  query: Query;
  result: CpuPlanarResults[Query];
}

/** One step of a trace in 2-D. */
export type PlanarTraceStep<Query extends QueryName = QueryName> = PlanarSearchStep | PlanarResultStep<Query>;

const REFERENCE = {
  queries: { intersects, distances: distance, contacts: contact, manifolds: manifold, impacts: impact },
  fields: '{ shape, position, angle, … }',
  createRecorder,
  setRecorder,
};

/**
 * As `trace` of `narrowphase/cpu`, in 2-D: answers a query of one pair and returns the steps of its searches in order. The
 * first is `pair`, and the last is `result`, which is what `intersects`, `distance`, `contact`, `manifold` or `impact` of
 * `planar` returns for the same arguments. Frames and units: `PlanarPairStep` and the others.
 *
 * @throws NarrowphaseError `INVALID_INPUT`.
 */
export function trace<Query extends QueryName>(
  query: Query,
  a: PlanarTraceBody,
  b: PlanarTraceBody,
  options?: Query extends 'impacts' ? CpuImpactOptions : CpuOptions,
): PlanarTraceStep<Query>[] {
  return traceQuery(REFERENCE, query, a, b, options) as PlanarTraceStep<Query>[];
}
