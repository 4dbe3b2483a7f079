/** A query's pairs that wait for answers, handed out in ranges; the answers go to the sink in ascending order. */
import type { QuerySink } from '../../request/backend.ts';
import type { PairAnswers } from '../answer-pairs.ts';

export interface Range {
  first: number;
  count: number;
}

/** Most pairs of a range; their records stay in a cache. */
export const MOST_PAIRS = 1024;

/** Pairs of the first range, before it is known how long a pair takes. */
const FIRST_PAIRS = 32;

/** Milliseconds of a pair before any is measured. */
const LEAST_MS = 1e-6;

/** How many times as many pairs a range may have as the last one measured. */
const GROWTH = 4;

export interface Work {
  /** Whether all answers have gone to the sink. */
  readonly isDone: boolean;
  /** Milliseconds that the pairs not yet handed out will take on one thread, by the last range measured. */
  readonly rest: number;
  /** The next pairs, which take about so many milliseconds; fewer towards the end, when `sharers` take turns. */
  take(milliseconds: number, sharers?: number): Range | undefined;
  /** Has a range handed out again, by `takeBack`. */
  giveBack(range: Range): void;
  takeBack(): Range | undefined;
  put(range: Range, answers: PairAnswers, milliseconds: number): void;
}

export function makeWork(pairCount: number, sink: QuerySink): Work {
  /** The first pair not handed out, and the first whose answer hasn't gone to the sink. */
  let next = 0;
  let due = 0;
  const back: Range[] = [];
  /** Answers that wait for those of lower pairs. */
  const waiting = new Map<number, { count: number; answers: PairAnswers }>();
  let perPair = LEAST_MS;
  let most = FIRST_PAIRS;
  return {
    get isDone() {
      return due === pairCount;
    },
    get rest() {
      return perPair * (pairCount - next);
    },
    take(milliseconds, sharers = 1) {
      const left = pairCount - next;
      if (left === 0) return undefined;
      const fair = sharers > 1 ? Math.ceil(left / (2 * sharers)) : left;
      const count = Math.max(1, Math.min(most, fair, left, Math.floor(milliseconds / perPair)));
      next += count;
      return { first: next - count, count };
    },
    giveBack: (range) => void back.push(range),
    takeBack: () => back.pop(),
    put({ first, count }, answers, milliseconds) {
      // Clocks of browsers tick every 0.1 ms.
      perPair = Math.max(milliseconds, 0.01) / count;
      most = Math.min(Math.max(most, GROWTH * count), MOST_PAIRS);
      waiting.set(first, { count, answers });
      for (let done = waiting.get(due); done; done = waiting.get(due)) {
        waiting.delete(due);
        const { statusCounts, hits, ...records } = done.answers;
        sink.count(statusCounts, hits);
        sink.write({ firstPair: due, ...records });
        due += done.count;
      }
    },
  };
}
