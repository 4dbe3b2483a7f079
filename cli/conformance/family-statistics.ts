/**
 * Statistics of an engine's answers for one family. The judge of `verify` judges every pair; the oracle's own judge
 * judges the pairs that the oracle knows, with normals and witness points. The worst pairs are kept with all data that
 * is needed to run them again.
 */

import { judgeContact } from '../../verification/oracle/index.ts';
import type { CommandQuery } from '../../verification/engines/engine.ts';
import { Status, type Algorithm } from '../../src/api/types.ts';
import type { Answer } from '../../verification/engines/engine.ts';
import type { Judges } from '../verify/compare.ts';
import type { JudgedAnswer } from '../verify/judged-answer.ts';
import type { FaultKind } from '../../verification/judges/faults.ts';
import type { Terms } from '../../verification/judges/contact.ts';
import { replayScene } from '../verify/replay.ts';
import { makePairReport, type PairReport } from '../verify/pair-report.ts';
import { createStatistics, type VerdictStatistics } from '../../verification/statistics/verdict-statistics.ts';
import { worstItems } from '../../verification/statistics/worst.ts';
import { percentileOf } from '../../verification/statistics/distance-errors.ts';
import { oraclePair } from '../../verification/oracle/family-oracle.ts';
import { loadPair, type JudgedFamily } from './judged-family.ts';

/** Number of pairs kept in full per family and engine. */
const LISTED = 5;

export interface FamilyStatistics {
  family: string;
  pairs: number;
  /** Number of these pairs that the oracle judged; the reference judged the others. */
  judged: number;
  /** Number of answers, over all questions about these pairs. */
  answers: number;
  /** Number of answers with faults, and by kind of fault. An answer may have several. */
  faulty: number;
  faults: Record<FaultKind, number>;
  unanswered: VerdictStatistics<unknown>['unanswered'];
  leftEarly: number;
  miscounts: VerdictStatistics<unknown>['miscounts'];
  /**
   * Largest |distance - truth| as a share of max(s, |B - A|), rounding included, over all pairs and over those that the
   * oracle judged; null: not a number.
   */
  largestError: number | null;
  largestErrorByOracle: number | null;
  /** 99.9th percentile of these errors, over all pairs and over those that the oracle judged. */
  percentile: number;
  percentileByOracle: number;
  iterations: { sum: number; answers: number; max: number };
  /** Worst first: pairs with faults, then pairs without an answer, then by error. */
  worst: JudgedPair[];
}

/** A pair with question and answer, and a scene file that contains only this pair. */
export interface JudgedPair extends PairReport {
  query: CommandQuery;
  algorithm: Algorithm;
  /** null stands for infinity. */
  margin: number | null;
  /** Signed distance by the oracle or the reference; null if neither has one. */
  truth: number | null;
  truthBy: 'oracle' | 'reference';
  /** Faults found by the oracle's judge, in words. */
  oracle: string[];
  scene: object;
}

export interface FamilyJudge {
  /** Returns the judges for one question. */
  judges: (terms: Terms) => Judges<PairWithoutScene>;
  result: () => FamilyStatistics;
}

type PairWithoutScene = Omit<JudgedPair, 'scene'>;

export function judgeFamily(judgedFamily: JudgedFamily, tolerance: number): FamilyJudge {
  const statistics = createStatistics<PairWithoutScene>(tolerance, LISTED);
  const largest = { all: 0, byOracle: 0 };
  const errors = { all: new Array<number>(), byOracle: new Array<number>() };
  const iterations = { sum: 0, answers: 0, max: 0 };

  const judges = (terms: Terms): Judges<PairWithoutScene> => {
    const { query, margin, algorithm = 'auto' } = terms;
    let oracle: string[] = [];
    return {
      statistics,
      loadPair: (pair, to) => loadPair(judgedFamily, pair, to),
      review(judged) {
        const { pair, answer, slot, verdict } = judged;
        oracle = judgedFamily.byOracle[pair] ? judgeByOracle(judgedFamily, judged, terms) : [];
        if (oracle.length > 0) verdict.faults.push('oracle');
        if (Number.isFinite(verdict.offBy)) {
          errors.all.push(verdict.offBy);
          if (judgedFamily.byOracle[pair]) errors.byOracle.push(verdict.offBy);
        }
        if (verdict.offBy > largest.all) largest.all = verdict.offBy;
        if (judgedFamily.byOracle[pair] && verdict.offBy > largest.byOracle) largest.byOracle = verdict.offBy;
        if (!answer?.iterations) return;
        iterations.sum += answer.iterations[slot];
        iterations.answers++;
        iterations.max = Math.max(iterations.max, answer.iterations[slot]);
      },
      describe: (judged) => ({
        ...makePairReport(judged),
        query,
        algorithm,
        margin: finite(margin),
        truth: judged.reference.known.hasAnswer ? judged.reference.known.low : null,
        truthBy: judgedFamily.byOracle[judged.pair] ? 'oracle' : 'reference',
        oracle,
      }),
    };
  };

  const result = (): FamilyStatistics => {
    const { family, scene, pairs, judged } = judgedFamily;
    const { faulty, faults, unanswered, leftEarly, miscounts } = statistics;
    return {
      family: family.name,
      pairs,
      judged,
      answers: statistics.pairs,
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
      worst: worstItems(statistics.worst).map((kept) => ({
        ...kept,
        scene: JSON.parse(replayScene(scene, family.pairs, [kept.pair], kept.margin ?? Infinity)) as object,
      })),
    };
  };
  return { judges, result };
}

/** Faults that the oracle finds in an answer with numbers. */
function judgeByOracle(
  { family, shapes, truth }: JudgedFamily,
  { pair, answer, slot }: JudgedAnswer,
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

/** JSON has no infinite numbers and no NaN. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
