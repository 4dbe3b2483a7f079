/**
 * Compares an engine's answers to one question with the reference, for every pair. Each piece is queried twice: for all
 * pairs, which gives the numbers, and for the hits, the list that most callers want. Both must agree to the bit.
 * Nothing here needs Node, since tests run it in browsers.
 */

import type { Scene } from '../../scene/scene.ts';
import { defaultMargin } from '../../../verification/engines/engine.ts';
import type { Answer, CallTimings, Engine, Question } from '../../../verification/engines/engine.ts';
import { askPieces } from '../pieces.ts';
import { createVerdict } from '../../../verification/judges/faults.ts';
import { judge } from '../../../verification/judges/contact.ts';
import type { Terms } from '../../../verification/judges/contact.ts';
import { hitSlots, isSame, miscount } from './listing.ts';
import { askReference, createReference, knowBy, placePair } from '../../../verification/judges/reference.ts';
import type { Reference } from '../../../verification/judges/reference.ts';
import type { Judged } from './judged.ts';
import { makeSuspect } from './suspect.ts';
import type { Suspect } from './suspect.ts';
import { addVerdict, countMiscount, createTally } from '../../../verification/statistics/tally.ts';
import type { Tally } from '../../../verification/statistics/tally.ts';

/** Milliseconds. */
export interface CompareTimings {
  /** The engine's time, for all pairs and for the hits. */
  all: CallTimings;
  hits: CallTimings;
  reference: number;
  /** Time to judge the answers. */
  judge: number;
}

export interface Comparison {
  tally: Tally<Suspect>;
  timings: CompareTimings;
}

/** Functions that supply reference answers and process verdicts. */
export interface Judges<Item> {
  /** Collects all verdicts. For the worst pairs it keeps the results of `describe`. */
  tally: Tally<Item>;
  /** Fills in a pair and its reference answer. */
  know: (pair: number, to: Reference) => void;
  describe: (judged: Judged) => Item;
  /** Called with every verdict before it is collected; may add to it. */
  review?: (judged: Judged) => void;
}

/** Pairs between two turns of the event loop: without turns a browser would seem to be gone. */
const CHUNK_PAIRS = 2048;

/**
 * Queries an engine that has the scene's bodies. `worst` is the number of pairs that are kept in full. `onProgress` is
 * called with the number of pairs done.
 */
export async function compare(
  engine: Engine,
  scene: Scene,
  pairs: Uint32Array,
  terms: Terms,
  worst: number,
  onProgress?: (pairs: number) => void,
): Promise<Comparison> {
  const tally = createTally<Suspect>(terms.tolerance, worst);
  const know = (pair: number, to: Reference): void => {
    placePair(scene, pairs[2 * pair], pairs[2 * pair + 1], to);
    knowBy(askReference(to), to.known);
  };
  const timings = await compareBy(engine, pairs, terms, { tally, know, describe: makeSuspect }, onProgress);
  return { tally, timings };
}

/** `compare` with reference answers from `judges`. The engine must have the pairs' bodies. */
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
  for await (const piece of askPieces(engine, question)) {
    const hits = await engine.ask({
      ...question,
      pairs: pairs.subarray(2 * piece.first, 2 * piece.end),
      results: 'hits',
    });
    addTimings(piece.timings, timings.all);
    addTimings(hits.timings, timings.hits);
    countMiscount(judges.tally, miscount(piece.answer, hits.answer, piece.end - piece.first));
    const answers = {
      all: piece.answer,
      hits: hits.answer,
      first: piece.first,
      slots: hitSlots(hits.answer, piece.end - piece.first),
    };
    for (let first = piece.first; first < piece.end; first += CHUNK_PAIRS) {
      const end = Math.min(first + CHUNK_PAIRS, piece.end);
      for (let pair = first; pair < end; pair++) comparePair(pair, answers, terms, judges, timings);
      onProgress(judges.tally.pairs);
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  return timings;
}

/** Both answers for a piece of the pairs. */
interface Answers {
  all: Answer;
  hits: Answer;
  /** First pair of the piece. */
  first: number;
  /** The position of each of its pairs among the hits; -1 if the pair isn't listed. */
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
  judges.know(pair, reference);
  const asked = performance.now();
  const slot = pair - first;
  const isListed = slots[slot] >= 0;
  const isThere = slot < all.count && all.pair[slot] === pair;
  if (isThere) {
    judge(all, slot, isListed, reference, terms, verdict);
    if (!isSame(all, slot, hits, slots[slot], terms.margin)) verdict.faults.push('listing');
  } else {
    Object.assign(verdict, createVerdict(), { faults: ['missing'] });
  }
  const judged: Judged = { pair, reference, answer: isThere ? all : null, slot, isListed, verdict };
  judges.review?.(judged);
  addVerdict(judges.tally, pair, verdict, reference.known.hasAnswer, () => judges.describe(judged));
  timings.reference += asked - start;
  timings.judge += performance.now() - asked;
}

function noTime(): CallTimings {
  return { total: 0, compile: 0, kernels: 0, readBack: 0 };
}

function addTimings(from: CallTimings, to: CallTimings): void {
  for (const part of ['total', 'compile', 'kernels', 'readBack'] as const) to[part] += from[part];
}
