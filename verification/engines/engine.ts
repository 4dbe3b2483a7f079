/**
 * Engines of the command line: where a scene's queries run. `src/cli/open-engine.ts` opens them, and
 * `src/cli/chunked-query.ts` splits a query into chunks.
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

export type EngineName = 'dawn' | 'chrome' | 'firefox' | 'cpu';

/** What an engine is, for reports. */
export interface EngineFacts {
  name: EngineName;
  backend: 'webgpu' | 'cpu';
  /** What carries it: the Vulkan driver's manifest, the browser and its version, Node and its version. */
  runtime: string;
  adapter: AdapterDescription;
}

/** What an adapter offers. */
export interface AdapterFacts {
  features: string[];
  /** Those limits that bound a query. */
  limits: Record<string, number>;
}

/** The queries of the command line: those with one answer a pair. */
export const QUERIES = ['intersects', 'distances', 'contacts'] as const satisfies QueryName[];
export type CommandQuery = (typeof QUERIES)[number];

export interface Question {
  query: CommandQuery;
  /** Flat indices of the loaded bodies, two a pair. */
  pairs: Uint32Array;
  /** undefined: the query's own default. */
  margin?: number;
  algorithm?: Algorithm;
  results: 'all' | 'hits';
  /** Of `contacts`: `lower` and `upper` too. */
  bounds?: boolean;
}

/** The arrays of a result, as `Tester` gives them, without what makes them iterable. */
export type Answer = { count: number; pair: Uint32Array; status: Uint8Array; statusCounts: StatusCounts } & Partial<
  Pick<
    Contacts,
    'distance' | 'normal' | 'pointA' | 'pointB' | 'featureA' | 'featureB' | 'iterations' | 'lower' | 'upper'
  > &
    Pick<Intersections, 'hit'>
>;

/** The same of `impacts`. */
export type ImpactAnswer = Pick<
  Impacts,
  'count' | 'pair' | 'status' | 'statusCounts' | 'time' | 'unclampedTime' | 'normal' | 'point' | 'iterations'
>;

/** Milliseconds of one call of the query: all of it, and the parts that the tester tells apart. */
export interface CallTimings extends QueryTimings {
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
  /** Takes the shapes, and bodies that name them by index, that later questions are about, in place of earlier ones. */
  load(shapes: readonly ShapeDescription[], bodies: Bodies): Promise<void>;
  /** `NarrowphaseError` where it can't answer. */
  ask(question: Question): Promise<Reply>;
  /**
   * When the pairs, as in a question, meet within so many seconds; bodies have to be loaded with their velocities. No
   * command asks for it yet.
   */
  impacts(pairs: Uint32Array, duration: number): Promise<ImpactReply>;
  close(): Promise<void>;
}

/** The margin that a query uses where none is given. */
export function defaultMargin(query: CommandQuery): number {
  return query === 'distances' ? Infinity : 0;
}
