/** Runs every query of the examination on every family with one engine, and has the answers judged. */

import type { CommandQuery } from '../../../verification/engines/engine.ts';
import { defaultMargin, type Engine } from '../../../verification/engines/engine.ts';
import { errorText } from '../exit.ts';
import { compareBy } from '../verify/compare.ts';
import { termsOf } from '../../../verification/judges/contact.ts';
import type { Subject } from './subject.ts';
import { judgeFamily, type FamilyTally } from './tally.ts';

/** Pairs answered and milliseconds spent. */
export interface Spent {
  pairs: number;
  /** Milliseconds in kernels, by GPU timestamps; 0 if the device has none. */
  kernels: number;
  compile: number;
  total: number;
}

export interface Examination {
  families: FamilyTally[];
  /** Milliseconds of the first `contacts` call by the clock, compilation included; null if no call returned. */
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

/** Number of answers that `examine` judges in all. */
export function totalAnswers(subjects: readonly Subject[]): number {
  return subjects.reduce((sum, { pairs, algorithms }) => sum + pairs * algorithms.length * QUESTIONS.length, 0);
}

/**
 * Never throws. If an engine dies, the families that it finished are kept. `onAnswers` is called with the number of
 * answers judged so far.
 */
export async function examine(
  engine: Engine,
  subjects: readonly Subject[],
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
    for (const subject of subjects) {
      const family = judgeFamily(subject, termsOf(backend, 'contacts', Infinity).tolerance);
      await engine.load(subject.family.shapes, subject.family.bodies);
      for (const { query, margin } of QUESTIONS) {
        for (const algorithm of subject.algorithms) {
          const terms = termsOf(backend, query, margin, algorithm);
          await compareBy(watched, subject.family.pairs, terms, family.judges(terms), (answers) =>
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
