/** Engines of the command line: where a scene's queries run. */

import { NarrowphaseError } from '../errors.ts';
import { createTester } from '../node.ts';
import type { QueryName } from '../pack/results.ts';
import type { Contacts, Results, Tester } from '../types.ts';
import { CommandError, errorText, ExitCode } from './exit.ts';
import type { SceneBodies } from '../scene/scene.ts';

export const ENGINES = ['auto', 'dawn', 'cpu'] as const;
export type EngineChoice = (typeof ENGINES)[number];

export const QUERIES = ['intersects', 'distances', 'contacts'] as const satisfies QueryName[];

export interface Engine {
  name: 'dawn' | 'cpu';
  tester: Tester;
  /** Why `auto` did not take WebGPU. */
  fallback?: string;
}

/**
 * Opens an engine. `auto` takes any WebGPU adapter, a software one included, and the CPU where there is none.
 * Throws a `CommandError` where the engine that was named cannot run.
 */
export async function openEngine(choice: EngineChoice): Promise<Engine> {
  if (choice === 'cpu') return { name: 'cpu', tester: await createTester({ backend: 'cpu' }) };
  try {
    return { name: 'dawn', tester: await createTester({ backend: 'webgpu' }) };
  } catch (error) {
    const unavailable = error instanceof NarrowphaseError && error.code === 'WEBGPU_UNAVAILABLE';
    if (choice === 'auto' && unavailable) {
      return { name: 'cpu', tester: await createTester({ backend: 'cpu' }), fallback: errorText(error) };
    }
    throw new CommandError(ExitCode.CannotRun, `narrowphase: engine dawn cannot run: ${errorText(error)}`, { cause: error });
  }
}

/** Result of any query: what is common to all, and the arrays that this query has. */
export type Answer = Results<unknown> &
  Partial<Pick<Contacts, 'distance' | 'normal' | 'pointA' | 'pointB' | 'featureA' | 'featureB' | 'iterations'>>;

/** Runs a query and keeps the hits. `margin` undefined means the query's own default. */
export function ask(tester: Tester, query: QueryName, bodies: SceneBodies, pairs: Uint32Array, margin?: number): Promise<Answer> {
  const options = { results: 'hits', margin } as const;
  switch (query) {
    case 'intersects':
      return tester.intersects(bodies, pairs, options);
    case 'distances':
      return tester.distances(bodies, pairs, options);
    case 'contacts':
      return tester.contacts(bodies, pairs, options);
  }
}

/** The margin that a query uses where none is given. */
export function defaultMargin(query: QueryName): number {
  return query === 'distances' ? Infinity : 0;
}
