/** Traces of the reference: a query of one pair with all steps of its searches. */
import type { QueryName } from '../api/queries.ts';
import {
  contact,
  distance,
  impact,
  intersects,
  manifold,
  type CpuContact,
  type CpuDistance,
  type CpuImpact,
  type CpuManifold,
  type CpuMovingPose,
  type CpuPose,
  type CpuShape,
} from './one-pair.ts';
import type { CpuImpactOptions, CpuOptions } from './options.ts';
import { setRecorder } from './recorder.ts';
import { createRecorder } from './trace/record.ts';
import type { SearchStep } from './trace/steps.ts';
import { traceQuery } from './trace/trace-query.ts';

/** What the reference returns for each query: the results of `intersects`, `distance`, `contact`, `manifold`, `impact`. */
export interface CpuResults {
  intersects: ReturnType<typeof intersects>;
  distances: CpuDistance;
  contacts: CpuContact;
  manifolds: CpuManifold;
  impacts: CpuImpact;
}

/** A body to trace: a shape from `createShape` and its place, for `impacts` with velocities. */
export type TraceBody = (CpuPose | CpuMovingPose) & { shape: CpuShape };

/** The last step of a trace: what the query returns, in world axes. */
export interface ResultStep<Query extends QueryName = QueryName> {
  type: 'result';
  query: Query;
  result: CpuResults[Query];
}

/** One step of a trace. */
export type TraceStep<Query extends QueryName = QueryName> = SearchStep | ResultStep<Query>;

const REFERENCE = {
  queries: { intersects, distances: distance, contacts: contact, manifolds: manifold, impacts: impact },
  fields: '{ shape, position, quaternion, … }',
  createRecorder,
  setRecorder,
};

/**
 * Answers a query of one pair and returns the steps of its searches in order: `pair`, the steps of each algorithm that ran,
 * and last `result`, which is what `intersects`, `distance`, `contact`, `manifold` or `impact` returns for the same
 * arguments. The steps are recorded by the code that answers all queries. Frames and units: `PairStep` and the others.
 * Checks of features and of surface normals that follow a search are part of the result alone.
 *
 * @throws NarrowphaseError `INVALID_INPUT`.
 */
export function trace<Query extends QueryName>(
  query: Query,
  a: TraceBody,
  b: TraceBody,
  options?: Query extends 'impacts' ? CpuImpactOptions : CpuOptions,
): TraceStep<Query>[] {
  return traceQuery(REFERENCE, query, a, b, options) as TraceStep<Query>[];
}
