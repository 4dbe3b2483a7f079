/**
 * An engine's answers against the reference, for every pair. Each piece is asked twice: for all pairs, which gives the
 * numbers, and for the hits, which gives the list that callers mostly want. Both must say the same, to the bit.
 */

import { setImmediate } from 'node:timers/promises';
import type { Scene } from '../../scene/scene.ts';
import { defaultMargin } from '../engines/engine.ts';
import type { Answer, CallTimings, Engine, Question } from '../engines/engine.ts';
import { CommandError, ExitCode } from '../exit.ts';
import { askPieces } from '../pieces.ts';
import { createVerdict } from './faults.ts';
import { judge } from './judge.ts';
import type { Terms } from './judge.ts';
import { askReference, createReference, hasAnswer } from './reference.ts';
import { makeSuspect } from './suspect.ts';
import type { Suspect } from './suspect.ts';
import { addVerdict, createTally } from './tally.ts';
import type { Tally } from './tally.ts';

/** Milliseconds. */
export interface CompareTimings {
  /** Of the engine, asked for all pairs and for the hits. */
  all: CallTimings;
  hits: CallTimings;
  reference: number;
  /** Judging the answers. */
  judge: number;
}

export interface Comparison {
  tally: Tally<Suspect>;
  timings: CompareTimings;
}

/** Pairs between two looks at the event loop: a browser must not seem to be gone. */
const CHUNK_PAIRS = 2048;

/** Asks an engine that has the scene's bodies. `worst`: how many pairs are kept in full. `onProgress` hears how many pairs are done. */
export async function compare(
  engine: Engine, scene: Scene, pairs: Uint32Array, terms: Terms, worst: number, onProgress: (pairs: number) => void = () => {},
): Promise<Comparison> {
  const tally = createTally<Suspect>(terms.tolerance, worst);
  const timings: CompareTimings = { all: noTime(), hits: noTime(), reference: 0, judge: 0 };
  const margin = terms.margin === defaultMargin(terms.query) ? undefined : terms.margin;
  const question: Question = { query: terms.query, pairs, margin, results: 'all', bounds: terms.query === 'contacts' };
  for await (const piece of askPieces(engine, question)) {
    const hits = await engine.ask({ ...question, pairs: pairs.subarray(2 * piece.first, 2 * piece.end), results: 'hits' });
    addTimings(piece.timings, timings.all);
    addTimings(hits.timings, timings.hits);
    const answers = { all: piece.answer, hits: hits.answer, first: piece.first, slots: hitSlots(hits.answer, piece.end - piece.first) };
    for (let first = piece.first; first < piece.end; first += CHUNK_PAIRS) {
      const end = Math.min(first + CHUNK_PAIRS, piece.end);
      for (let pair = first; pair < end; pair++) comparePair(scene, pairs, pair, answers, terms, { tally, timings });
      onProgress(tally.pairs);
      await setImmediate();
    }
  }
  return { tally, timings };
}

/** Both answers for a piece of the pairs. */
interface Answers {
  all: Answer;
  hits: Answer;
  /** First pair of the piece. */
  first: number;
  /** The place of each of its pairs among the hits; -1 where it is not listed. */
  slots: Int32Array;
}

const reference = createReference();
const verdict = createVerdict();

function comparePair(scene: Scene, pairs: Uint32Array, pair: number, answers: Answers, terms: Terms, { tally, timings }: Comparison): void {
  const { all, hits, first, slots } = answers;
  const start = performance.now();
  askReference(scene, pairs[2 * pair], pairs[2 * pair + 1], reference);
  const asked = performance.now();
  const slot = pair - first;
  const isListed = slots[slot] >= 0;
  const isThere = slot < all.count && all.pair[slot] === pair;
  if (isThere) {
    judge(all, slot, isListed, reference, terms, verdict);
    if (!isSame(all, slot, hits, slots[slot])) verdict.faults.push('listing');
  } else {
    Object.assign(verdict, createVerdict(), { faults: ['missing'] });
  }
  addVerdict(tally, pair, verdict, hasAnswer(reference), () => makeSuspect(pair, verdict, reference, isThere ? all : null, slot, isListed));
  timings.reference += asked - start;
  timings.judge += performance.now() - asked;
}

/** The place of each pair of a piece among the hits; -1 where it is not listed. Throws on a list that is no list of these pairs. */
function hitSlots({ count, pair }: Answer, pairCount: number): Int32Array {
  const slots = new Int32Array(pairCount).fill(-1);
  for (let slot = 0; slot < count; slot++) {
    if (pair[slot] >= pairCount || (slot > 0 && pair[slot] <= pair[slot - 1])) {
      const after = slot > 0 ? ` after ${pair[slot - 1]}` : '';
      throw new CommandError(ExitCode.CheckFailed, `narrowphase: the engine lists pair ${pair[slot]}${after} as a hit, of ${pairCount} pairs asked`);
    }
    slots[pair[slot]] = slot;
  }
  return slots;
}

/** Whether the list of hits says of a pair what the list of all pairs says. A pair that is not listed has nothing to compare but `hit`. */
function isSame(all: Answer, slot: number, hits: Answer, hitSlot: number): boolean {
  if (all.hit && (all.hit[slot] === 1) !== hitSlot >= 0) return false;
  if (hitSlot < 0) return true;
  return SLOT_FIELDS.every(([field, width]) => {
    const [there, here] = [all[field], hits[field]];
    if (!there || !here) return there === here;
    for (let i = 0; i < width; i++) if (!Object.is(there[width * slot + i], here[width * hitSlot + i])) return false;
    return true;
  });
}

const SLOT_FIELDS = [
  ['status', 1], ['distance', 1], ['normal', 3], ['pointA', 3], ['pointB', 3], ['featureA', 1], ['featureB', 1],
  ['iterations', 1], ['lower', 1], ['upper', 1],
] as const satisfies [keyof Answer, number][];

function noTime(): CallTimings {
  return { total: 0, compile: 0, kernels: 0, readBack: 0 };
}

function addTimings(from: CallTimings, to: CallTimings): void {
  for (const part of ['total', 'compile', 'kernels', 'readBack'] as const) to[part] += from[part];
}
