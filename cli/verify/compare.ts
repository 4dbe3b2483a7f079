/**
 * Compares an engine's answers with the reference, for every pair. Each chunk is queried twice: for all pairs, and for
 * the hits, which is the list that most callers use. Both answers must agree bit by bit. Nothing here needs Node: tests
 * run it in browsers.
 */

import type { Scene } from '../scene/scene.ts';
import { defaultMargin } from '../../verification/engines/engine.ts';
import type { Answer, CallTimings, Engine, Question } from '../../verification/engines/engine.ts';
import { askInChunks } from '../chunked-query.ts';
import { createVerdict } from '../../verification/judges/faults.ts';
import { createPartPairs } from '../../verification/judges/part-pairs.ts';
import { judge } from '../../verification/judges/contact.ts';
import type { Terms } from '../../verification/judges/contact.ts';
import { hitSlots, isSame, miscount } from './listing.ts';
import { askReference, createReference, setKnownDistance, poseOfPair } from '../../verification/judges/reference.ts';
import type { Reference } from '../../verification/judges/reference.ts';
import type { JudgedAnswer } from './judged-answer.ts';
import { makePairReport } from './pair-report.ts';
import type { PairReport } from './pair-report.ts';
import { addVerdict, countMiscount, createStatistics } from '../../verification/statistics/verdict-statistics.ts';
import type { VerdictStatistics } from '../../verification/statistics/verdict-statistics.ts';

/** Milliseconds. */
export interface CompareTimings {
  /** Time of the engine, for all pairs and for the hits. */
  all: CallTimings;
  hits: CallTimings;
  reference: number;
  /** Time spent judging the answers. */
  judge: number;
}

export interface Comparison {
  statistics: VerdictStatistics<PairReport>;
  timings: CompareTimings;
}

/** Where the truth about a pair comes from, and what happens to its verdict. */
export interface Judges<Item> {
  /** Collects all verdicts, and for the worst pairs the item that `describe` returns. */
  statistics: VerdictStatistics<Item>;
  /** Fills in a pair and its known distance. */
  loadPair: (pair: number, to: Reference) => void;
  /**
   * For bodies of parts, whose answer is that of two parts: fills in the next parts that it may be of, and returns false
   * if there are none.
   */
  nextParts?: (to: Reference) => boolean;
  describe: (judged: JudgedAnswer) => Item;
  /** Called for every verdict before it is counted; may add faults to it. */
  review?: (judged: JudgedAnswer) => void;
}

/** Pairs judged per turn of the event loop, so that a browser is not taken for unresponsive. */
const TURN_PAIRS = 2048;

/**
 * Compares with the reference. The engine has loaded the scene's bodies. `worst` is the number of pairs to report in
 * full; `onProgress` receives the number of judged pairs.
 */
export async function compare(
  engine: Engine,
  scene: Scene,
  pairs: Uint32Array,
  terms: Terms,
  worst: number,
  onProgress?: (pairs: number) => void,
): Promise<Comparison> {
  const statistics = createStatistics<PairReport>(terms.tolerance, worst);
  const partPairs = createPartPairs(scene, terms.precision);
  let hasParts = false;
  const loadPair = (pair: number, to: Reference): void => {
    const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
    hasParts = partPairs.hasParts(a, b);
    if (hasParts) return partPairs.load(a, b, to);
    poseOfPair(scene, a, b, to);
    setKnownDistance(askReference(to), to.known);
  };
  const nextParts = (to: Reference): boolean => hasParts && partPairs.next(to);
  const judges = { statistics, loadPair, nextParts, describe: makePairReport };
  return { statistics, timings: await compareBy(engine, pairs, terms, judges, onProgress) };
}

/** Compares with any source of truth. The engine has loaded the bodies. */
export async function compareBy<Item>(
  engine: Engine,
  pairs: Uint32Array,
  terms: Terms,
  judges: Judges<Item>,
  onProgress: (pairs: number) => void = () => {},
): Promise<CompareTimings> {
  const { query, algorithm } = terms;
  const timings: CompareTimings = { all: noTime(), hits: noTime(), reference: 0, judge: 0 };
  const margin = terms.margin === defaultMargin(query) ? undefined : terms.margin;
  const question: Question = { query, pairs, margin, algorithm, results: 'all', bounds: query === 'contacts' };
  for await (const chunk of askInChunks(engine, question)) {
    const hits = await engine.ask({
      ...question,
      pairs: pairs.subarray(2 * chunk.first, 2 * chunk.end),
      results: 'hits',
    });
    addTimings(chunk.timings, timings.all);
    addTimings(hits.timings, timings.hits);
    countMiscount(judges.statistics, miscount(chunk.answer, hits.answer, chunk.end - chunk.first));
    const answers = {
      all: chunk.answer,
      hits: hits.answer,
      first: chunk.first,
      slots: hitSlots(hits.answer, chunk.end - chunk.first),
    };
    for (let first = chunk.first; first < chunk.end; first += TURN_PAIRS) {
      const end = Math.min(first + TURN_PAIRS, chunk.end);
      for (let pair = first; pair < end; pair++) comparePair(pair, answers, terms, judges, timings);
      onProgress(judges.statistics.pairs);
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  return timings;
}

/** Both answers for one chunk of the pairs. */
interface Answers {
  all: Answer;
  hits: Answer;
  /** First pair of the chunk. */
  first: number;
  /** The slot of each pair of the chunk among the hits; -1 if it is not listed. */
  slots: Int32Array;
}

const reference = createReference();
const verdict = createVerdict();

function comparePair<Item>(
  pair: number,
  { all, hits, first, slots }: Answers,
  terms: Terms,
  judges: Judges<Item>,
  timings: CompareTimings,
): void {
  const start = performance.now();
  judges.loadPair(pair, reference);
  const asked = performance.now();
  const slot = pair - first;
  const isListed = slots[slot] >= 0;
  const isThere = slot < all.count && all.pair[slot] === pair;
  if (isThere) {
    judgeByParts(pair, all, slot, isListed, terms, judges);
    if (!isSame(all, slot, hits, slots[slot], terms.margin)) verdict.faults.push('listing');
  } else {
    Object.assign(verdict, createVerdict(), { faults: ['missing'] });
  }
  const judged: JudgedAnswer = { pair, reference, answer: isThere ? all : null, slot, isListed, verdict };
  judges.review?.(judged);
  addVerdict(judges.statistics, pair, verdict, reference.known.hasAnswer, () => judges.describe(judged));
  timings.reference += asked - start;
  timings.judge += performance.now() - asked;
}

/** Judges an answer by any parts that it may be of. If none accepts it, the verdict is that of the first. */
function judgeByParts<Item>(
  pair: number,
  all: Answer,
  slot: number,
  isListed: boolean,
  terms: Terms,
  { loadPair, nextParts = () => false }: Judges<Item>,
): void {
  const accepts = (): boolean => judge(all, slot, isListed, reference, terms, verdict).faults.length === 0;
  if (accepts() || !nextParts(reference)) return;
  do if (accepts()) return;
  while (nextParts(reference));
  loadPair(pair, reference);
  accepts();
}

function noTime(): CallTimings {
  return { total: 0, compile: 0, kernels: 0, readBack: 0 };
}

function addTimings(from: CallTimings, to: CallTimings): void {
  for (const part of ['total', 'compile', 'kernels', 'readBack'] as const) to[part] += from[part];
}
