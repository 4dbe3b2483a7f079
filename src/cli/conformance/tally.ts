/**
 * Adds up the verdicts on an engine's answers to one family. The judge of `verify` judges every pair. The oracle's own
 * judge judges the pairs that it knows, including normals and witness points. The worst pairs are kept with all the
 * data that is needed to run them again.
 */

import { judgeContact } from '../../../verification/oracle/index.ts';
import type { CommandQuery } from '../../../verification/engines/engine.ts';
import { Status, type Algorithm } from '../../api/types.ts';
import type { Answer } from '../../../verification/engines/engine.ts';
import type { Judges } from '../verify/compare.ts';
import type { Judged } from '../verify/judged.ts';
import type { FaultKind } from '../../../verification/judges/faults.ts';
import type { Terms } from '../../../verification/judges/contact.ts';
import { replayScene } from '../verify/replay.ts';
import { makeSuspect, type Suspect } from '../verify/suspect.ts';
import { createTally, type Tally } from '../../../verification/statistics/tally.ts';
import { worstItems } from '../../../verification/statistics/worst.ts';
import { percentileOf } from '../../../verification/statistics/distance-errors.ts';
import { oraclePair } from '../../../verification/oracle/family-oracle.ts';
import { knowPair, type Subject } from './subject.ts';

/** Pairs that are kept in full, per family and engine. */
const LISTED = 5;

export interface FamilyTally {
  family: string;
  pairs: number;
  /** Pairs that the oracle judged. The reference judged the others. */
  judged: number;
  /** Answers to all questions about these pairs. */
  answers: number;
  /** Answers with faults, in all and by kind. One answer may have several. */
  faulty: number;
  faults: Record<FaultKind, number>;
  unanswered: Tally<unknown>['unanswered'];
  leftEarly: number;
  miscounts: Tally<unknown>['miscounts'];
  /**
   * |distance - truth| over max(s, |B - A|), rounding included. The first is over all pairs, the second over those that
   * the oracle judged. null stands for NaN.
   */
  largestError: number | null;
  largestErrorByOracle: number | null;
  /** The 99.9th percentile of all these errors, and of those of the pairs that the oracle judged. */
  percentile: number;
  percentileByOracle: number;
  iterations: { sum: number; answers: number; max: number };
  /** The worst pairs first: those with faults, those without an answer, then by error. */
  worst: JudgedPair[];
}

/** A pair with its question and answer, and a scene file with just this pair for `narrowphase run` and `verify`. */
export interface JudgedPair extends Suspect {
  query: CommandQuery;
  algorithm: Algorithm;
  /** null stands for infinity. */
  margin: number | null;
  /** Signed distance by the oracle, or by the reference; null if both have none. */
  truth: number | null;
  truthBy: 'oracle' | 'reference';
  /** Findings of the oracle's judge, as text. */
  oracle: string[];
  scene: object;
}

export interface FamilyJudge {
  /** Judges the answers to one question. */
  judges: (terms: Terms) => Judges<Kept>;
  result: () => FamilyTally;
}

type Kept = Omit<JudgedPair, 'scene'>;

export function judgeFamily(subject: Subject, tolerance: number): FamilyJudge {
  const tally = createTally<Kept>(tolerance, LISTED);
  const largest = { all: 0, byOracle: 0 };
  const errors = { all: new Array<number>(), byOracle: new Array<number>() };
  const iterations = { sum: 0, answers: 0, max: 0 };

  const judges = (terms: Terms): Judges<Kept> => {
    const { query, margin, algorithm = 'auto' } = terms;
    let oracle: string[] = [];
    return {
      tally,
      know: (pair, to) => knowPair(subject, pair, to),
      review(judged) {
        const { pair, answer, slot, verdict } = judged;
        oracle = subject.byOracle[pair] ? judgeByOracle(subject, judged, terms) : [];
        if (oracle.length > 0) verdict.faults.push('oracle');
        if (Number.isFinite(verdict.offBy)) {
          errors.all.push(verdict.offBy);
          if (subject.byOracle[pair]) errors.byOracle.push(verdict.offBy);
        }
        if (verdict.offBy > largest.all) largest.all = verdict.offBy;
        if (subject.byOracle[pair] && verdict.offBy > largest.byOracle) largest.byOracle = verdict.offBy;
        if (!answer?.iterations) return;
        iterations.sum += answer.iterations[slot];
        iterations.answers++;
        iterations.max = Math.max(iterations.max, answer.iterations[slot]);
      },
      describe: (judged) => ({
        ...makeSuspect(judged),
        query,
        algorithm,
        margin: finite(margin),
        truth: judged.reference.known.hasAnswer ? judged.reference.known.low : null,
        truthBy: subject.byOracle[judged.pair] ? 'oracle' : 'reference',
        oracle,
      }),
    };
  };

  const result = (): FamilyTally => {
    const { family, scene, pairs, judged } = subject;
    const { faulty, faults, unanswered, leftEarly, miscounts } = tally;
    return {
      family: family.name,
      pairs,
      judged,
      answers: tally.pairs,
      faulty,
      faults,
      unanswered,
      leftEarly,
      miscounts,
      largestError: finite(largest.all),
      largestErrorByOracle: finite(largest.byOracle),
      percentile: percentileOf(Float64Array.from(errors.all).sort()),
      percentileByOracle: percentileOf(Float64Array.from(errors.byOracle).sort()),
      iterations,
      worst: worstItems(tally.worst).map((kept) => ({
        ...kept,
        scene: JSON.parse(replayScene(scene, family.pairs, [kept.pair], kept.margin ?? Infinity)) as object,
      })),
    };
  };
  return { judges, result };
}

/** Faults that the oracle finds in an answer that has numbers. */
function judgeByOracle(
  { family, shapes, truth }: Subject,
  { pair, answer, slot }: Judged,
  { query, margin, precision, rounding }: Terms,
): string[] {
  if (query === 'intersects' || answer === null || !hasNumbers(answer) || answer.status[slot] > Status.NotConverged)
    return [];
  const { a, poseA, b, poseB } = oraclePair(family, shapes, pair);
  const vector = (array: ArrayLike<number>): number[] => [0, 1, 2].map((k) => array[3 * slot + k]);
  const reported = {
    status: answer.status[slot],
    distance: answer.distance[slot],
    normal: vector(answer.normal),
    pointA: vector(answer.pointA),
    pointB: vector(answer.pointB),
    lower: answer.lower?.[slot],
    upper: answer.upper?.[slot],
  };
  const points = answer.pointA instanceof Float64Array ? 'f64' : 'f32';
  return judgeContact(a, poseA, b, poseB, reported, precision, { query, margin, points, rounding, truth: truth[pair] });
}

function hasNumbers(
  answer: Answer,
): answer is Answer & Required<Pick<Answer, 'distance' | 'normal' | 'pointA' | 'pointB'>> {
  return Boolean(answer.distance && answer.normal && answer.pointA && answer.pointB);
}

/** JSON has finite numbers only. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
