/**
 * Engines of the command line: where a scene's queries run. `cli/open-engine.ts` opens them, and
 * `cli/chunked-query.ts` splits a query into chunks.
 */

import type { QueryName } from '../../src/api/queries.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type {
  AdapterDescription,
  Algorithm,
  Bodies,
  Contacts,
  Impacts,
  Intersections,
  QueryTimings,
  StatusCounts,
} from '../../src/api/types.ts';

export const ENGINE_NAMES = ['chrome', 'firefox', 'dawn', 'cpu'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** Facts about an engine for reports. */
export interface EngineFacts {
  name: EngineName;
  backend: 'webgpu' | 'cpu';
  /** What the engine runs on: the Vulkan driver's manifest, the browser and its version, or Node and its version. */
  runtime: string;
  adapter: AdapterDescription;
}

/** Facts about an adapter. */
export interface AdapterFacts {
  features: string[];
  /** The limits that affect queries. */
  limits: Record<string, number>;
}

/** The queries of the command line: those with one answer per pair. */
export const QUERIES = ['intersects', 'distances', 'contacts'] as const satisfies QueryName[];
export type CommandQuery = (typeof QUERIES)[number];

export interface Question {
  query: CommandQuery;
  /** Flat indices of the loaded bodies, two per pair. */
  pairs: Uint32Array;
  /** undefined: the query's own default. */
  margin?: number;
  algorithm?: Algorithm;
  results: 'all' | 'hits';
  /** `contacts` only: whether to include `lower` and `upper`. */
  bounds?: boolean;
}

/** The arrays of a result as `Tester` returns it, without the iterator. */
export type Answer = { count: number; pair: Uint32Array; status: Uint8Array; statusCounts: StatusCounts } & Partial<
  Pick<
    Contacts,
    'distance' | 'normal' | 'pointA' | 'pointB' | 'featureA' | 'featureB' | 'iterations' | 'lower' | 'upper'
  > &
    Pick<Intersections, 'hit'>
>;

/** The same for `impacts`. */
export type ImpactAnswer = Pick<
  Impacts,
  'count' | 'pair' | 'status' | 'statusCounts' | 'time' | 'unclampedTime' | 'normal' | 'point' | 'iterations'
>;

/** Milliseconds of one call of the query: the total, and parts that the tester reports. */
export interface CallTimings extends Pick<QueryTimings, 'compile' | 'kernels' | 'readBack'> {
  total: number;
}

export interface Reply {
  answer: Answer;
  timings: CallTimings;
}

export interface ImpactReply {
  answer: ImpactAnswer;
  timings: CallTimings;
}

export interface Engine {
  readonly facts: EngineFacts;
  /** null: there is no adapter, this is the CPU. */
  readonly adapter: AdapterFacts | null;
  /** Replaces the engine's shapes and bodies. Bodies name shapes by index. Later questions are about these. */
  load(shapes: readonly ShapeDescription[], bodies: Bodies): Promise<void>;
  /** Rejects with `NarrowphaseError` if the engine can't answer. */
  ask(question: Question): Promise<Reply>;
  /**
   * When the pairs, as in a question, meet within this many seconds. The bodies must have been loaded with velocities.
   * No command uses this yet.
   */
  impacts(pairs: Uint32Array, duration: number): Promise<ImpactReply>;
  close(): Promise<void>;
}

/** The default margin of a query. */
export function defaultMargin(query: CommandQuery): number {
  return query === 'distances' ? Infinity : 0;
}
