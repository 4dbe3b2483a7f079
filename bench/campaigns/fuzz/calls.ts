/**
 * The calls of the fuzz: one of every method of a tester, its arguments drawn from a scene. Of 20 calls 7 have a
 * spoiled argument and 2 are aborted.
 */

import { below, uniform, type Random } from '../../../verification/families/random.ts';
import { mutate, type Mutation } from './mutate.ts';
import { addFilters, addMotion, randomRays, type Scene } from './scene.ts';

export const QUERIES = ['intersects', 'distances', 'contacts', 'manifolds', 'impacts'] as const;

export interface Call {
  method: (typeof QUERIES)[number] | 'rayCasts' | 'findPairs';
  /** Bodies, pairs or rays where there are any, and options. */
  args: unknown[];
  scene: Scene;
  /** What of the arguments was spoiled. */
  mutation?: Mutation;
  /** When the caller's signal says abort: at once, or after that many turns of the event loop. */
  abortAfter?: number;
}

export function randomCall(random: Random, scene: Scene): Call {
  const method = pick(random, [...QUERIES, ...QUERIES, 'rayCasts', 'findPairs'] as const);
  const bodies: Record<string, unknown> = { ...scene.bodies };
  const own: Scene = { ...scene, bodies: bodies as Scene['bodies'] };
  if (method === 'impacts' || method === 'findPairs') addMotion(random, own);
  if (below(random, 2) === 0) addFilters(random, own);
  const options = randomOptions(random, method);
  const args: unknown[] =
    method === 'findPairs'
      ? [bodies, options]
      : method === 'rayCasts'
        ? [bodies, randomRays(random, scene), options]
        : [bodies, scene.pairs, options];
  const names =
    method === 'findPairs'
      ? ['bodies', 'options']
      : method === 'rayCasts'
        ? ['bodies', 'rays', 'options']
        : ['bodies', 'pairs', 'options'];
  const kind = below(random, 20);
  if (kind < 11) return { method, args, scene: own };
  if (kind < 13) return { method, args, scene: own, abortAfter: below(random, 4) };
  return { method, args, scene: own, mutation: mutate(random, names, args) };
}

function randomOptions(random: Random, method: Call['method']): Record<string, unknown> {
  const some = (chance: number): boolean => random() < chance;
  if (method === 'findPairs')
    return {
      ...(some(0.5) && { margin: uniform(random, 0, 1) }),
      ...(some(0.5) && { duration: uniform(random, 0, 1) }),
    };
  const motion = method === 'impacts' || method === 'rayCasts';
  const options: Record<string, unknown> = {};
  if (some(0.5)) options.algorithm = pick(random, motion ? ['auto', 'cast', 'velocity-epa'] : ['auto', 'gjk', 'mpr']);
  if (method === 'rayCasts') return options;
  if (options.algorithm === 'mpr' && some(0.5)) options.mprDepth = pick(random, ['ray', 'normal']);
  if (method === 'impacts') options.duration = some(0.9) ? uniform(random, 0, 1) : 0;
  if (some(0.5)) options.margin = motion || some(0.8) ? uniform(random, 0, 1) : Infinity;
  if (some(0.4)) options.results = pick(random, method === 'impacts' ? ['all', 'hits', 'earliest'] : ['all', 'hits']);
  if (method === 'contacts' && some(0.3)) options.bounds = some(0.8);
  if (some(0.2)) options.escalate = some(0.8);
  return options;
}

function pick<T>(random: Random, items: readonly T[]): T {
  return items[below(random, items.length)];
}
