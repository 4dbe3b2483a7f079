/** Asks an engine every question about every family, and has the answers judged. */

import type { QueryName } from '../../pack/results.ts';
import type { Algorithm } from '../../types.ts';
import { QUERIES, type Engine, type Question } from '../engines/engine.ts';
import { askPieces, collect } from '../pieces.ts';
import { termsOf } from './judge.ts';
import type { Subject } from './subject.ts';
import { Tally, type FamilyTally } from './tally.ts';

/** Pairs asked and milliseconds spent, by query. */
export interface Spent {
  pairs: number;
  /** In kernels, by GPU timestamps; 0 where the device has none. */
  kernels: number;
  compile: number;
  total: number;
}

export interface Examination {
  families: FamilyTally[];
  /** Wall clock of the first call of `contacts`, compilation included, in milliseconds; null where none came back. */
  firstCall: number | null;
  spent: Record<QueryName, Spent>;
  /** Why it ended early; null where it did not. */
  failure: string | null;
}

/** Contacts first: theirs is the first call that is timed. */
const ORDER = [...QUERIES].reverse();

/** How many pairs `examine` asks in all. */
export function totalAnswers(subjects: readonly Subject[]): number {
  return subjects.reduce((sum, { pairs, algorithms }) => sum + pairs * algorithms.length * ORDER.length, 0);
}

/** Never throws: an engine that dies keeps what it answered until then. `onAnswers` hears how many pairs were answered so far. */
export async function examine(engine: Engine, subjects: readonly Subject[], onAnswers: (count: number) => void): Promise<Examination> {
  const found: Examination = { families: [], firstCall: null, spent: { intersects: nothing(), distances: nothing(), contacts: nothing() }, failure: null };
  let answered = 0;
  try {
    for (const subject of subjects) {
      const tally = new Tally(subject, termsOf(engine.facts.backend));
      await engine.load(subject.family.shapes, subject.family.bodies);
      for (const query of ORDER) {
        for (const algorithm of subject.algorithms) {
          const start = performance.now();
          const { answer, timings } = await collect(askPieces(engine, questionOf(subject, query, algorithm)), ({ first, end }) => {
            found.firstCall ??= performance.now() - start;
            answered += end - first;
            onAnswers(answered);
          });
          const spent = found.spent[query];
          spent.pairs += answer.count;
          for (const part of ['kernels', 'compile', 'total'] as const) spent[part] += timings[part];
          tally.add({ query, algorithm }, answer);
        }
      }
      found.families.push(tally.result());
    }
  } catch (error) {
    found.failure = error instanceof Error ? error.message : String(error);
  }
  return found;
}

function questionOf({ family }: Subject, query: QueryName, algorithm: Algorithm): Question {
  const question = { query, algorithm, pairs: family.pairs, results: 'all' } as const;
  return query === 'contacts' ? { ...question, margin: Infinity, bounds: true } : question;
}

function nothing(): Spent {
  return { pairs: 0, kernels: 0, compile: 0, total: 0 };
}
