/** Runs every query on every family with one engine, and judges the answers. */

import type { CommandQuery } from '../../verification/engines/engine.ts';
import { defaultMargin, type Engine } from '../../verification/engines/engine.ts';
import { errorText } from '../exit.ts';
import { compareBy } from '../verify/compare.ts';
import { termsOf } from '../../verification/judges/contact.ts';
import type { JudgedFamily } from './judged-family.ts';
import { judgeFamily, type FamilyStatistics } from './family-statistics.ts';

/** Pairs answered and milliseconds spent. */
export interface Spent {
  pairs: number;
  /** Milliseconds in kernels, by GPU timestamps; 0 if the device has none. */
  kernels: number;
  compile: number;
  total: number;
}

export interface Examination {
  families: FamilyStatistics[];
  /**
   * Wall clock of the first call, compilation included, in milliseconds; null where none came back. It is one of
   * `contacts`.
   */
  firstCall: number | null;
  /** Totals of the calls for all pairs; for `contacts`, of those with an infinite margin. */
  spent: Record<CommandQuery, Spent>;
  /** Milliseconds of compilation in all calls. */
  compile: number;
  /** Why the examination ended early; otherwise null. */
  failure: string | null;
}

/**
 * The queries for each family. Each runs with each of the family's algorithms, for all pairs and for the hits. These
 * are the defaults of `narrowphase run` and of callers, and the exact distance of every pair. `contacts` comes first,
 * as the first call that is timed should be one of `contacts`.
 */
const QUESTIONS: readonly { query: CommandQuery; margin: number }[] = [
  { query: 'contacts', margin: Infinity },
  { query: 'contacts', margin: defaultMargin('contacts') },
  { query: 'distances', margin: defaultMargin('distances') },
  { query: 'intersects', margin: defaultMargin('intersects') },
];

/** Number of answers that `examine` judges. */
export function totalAnswers(judgedFamilies: readonly JudgedFamily[]): number {
  return judgedFamilies.reduce((sum, { pairs, algorithms }) => sum + pairs * algorithms.length * QUESTIONS.length, 0);
}

/**
 * Never throws. If an engine dies, the families that it finished are kept. `onAnswers` is called with the number of
 * answers judged so far.
 */
export async function examine(
  engine: Engine,
  judgedFamilies: readonly JudgedFamily[],
  onAnswers: (count: number) => void,
): Promise<Examination> {
  const found: Examination = {
    families: [],
    firstCall: null,
    spent: { intersects: nothing(), distances: nothing(), contacts: nothing() },
    compile: 0,
    failure: null,
  };
  const watched = watch(engine, found);
  const { backend } = engine.facts;
  let before = 0;
  try {
    for (const judgedFamily of judgedFamilies) {
      const family = judgeFamily(judgedFamily, termsOf(backend, 'contacts', Infinity).tolerance);
      await engine.load(judgedFamily.family.shapes, judgedFamily.family.bodies);
      for (const { query, margin } of QUESTIONS) {
        for (const algorithm of judgedFamily.algorithms) {
          const terms = termsOf(backend, query, margin, algorithm);
          await compareBy(watched, judgedFamily.family.pairs, terms, family.judges(terms), (answers) =>
            onAnswers(before + answers),
          );
        }
      }
      found.families.push(family.result());
      before += found.families.at(-1)!.answers;
    }
  } catch (error) {
    found.failure = errorText(error);
  }
  return found;
}

/** Wraps the engine so that its calls are counted and timed. */
function watch(engine: Engine, found: Examination): Engine {
  return {
    ...engine,
    async ask(question) {
      const start = performance.now();
      const reply = await engine.ask(question);
      found.firstCall ??= performance.now() - start;
      found.compile += reply.timings.compile;
      const { query, margin, results } = question;
      if (results === 'all' && (query !== 'contacts' || margin === Infinity)) {
        const spent = found.spent[query];
        spent.pairs += reply.answer.count;
        for (const part of ['kernels', 'compile', 'total'] as const) spent[part] += reply.timings[part];
      }
      return reply;
    },
  };
}

function nothing(): Spent {
  return { pairs: 0, kernels: 0, compile: 0, total: 0 };
}
