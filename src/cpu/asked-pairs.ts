/** What answering pairs takes of a query. Apart from the shapes it is plain data, which can be posted to a worker. */
import type { BodyPairs, PairQuery } from '../request/backend.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import type { PairResult } from './queries/result.ts';

/** What is known of pairs besides their shapes. */
export type PairNumbers = Pick<BodyPairs, 'bodies' | 'pairs' | 'motion' | 'parts'>;

/** How a query searches each pair. `margin` is in the caller's unit. */
export type PairOptions = Pick<PairQuery, 'margin' | 'leadStage' | 'mprDepth'>;

export interface AskedPairs {
  what: PairQuery;
  over: PairNumbers & { shapes: Pick<ShapeTable, 'shapes'> };
}

/** Answers a pair of a query. GJK starts from `guess`, if given, and leaves there what it ended with. */
export type AnswerPair = (asked: AskedPairs, index: number, to: PairResult, guess?: Float64Array) => void;
