/**
 * What answering pairs takes of a query. Apart from the dimension and the shapes it is plain data, which can be posted to a
 * worker.
 */
import type { QueryRequest } from '../request/backend.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import type { Dimension } from '../request/dimension.ts';
import type { PairResult } from './queries/result.ts';

export type RequestData = Omit<
  QueryRequest,
  'dimension' | 'shapes' | 'warmStart' | 'resident' | 'check' | 'signal' | 'ensureIntact'
>;

/** What a query asks about each pair. `margin` is in the caller's unit. */
export type PairQuery = Pick<QueryRequest, 'margin' | 'leadStage' | 'mprDepth'>;

/** Answers a pair of a query. GJK starts from `guess`, if given, and leaves there what it ended with. */
export type AnswerPair = (request: AnswerRequest, index: number, to: PairResult, guess?: Float64Array) => void;

export interface AnswerRequest extends RequestData {
  dimension: Pick<Dimension, 'dimension' | 'records'>;
  shapes: Pick<ShapeTable, 'shapes'>;
}
