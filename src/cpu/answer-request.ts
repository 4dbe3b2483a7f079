/**
 * What answering pairs takes of a query. Apart from the space and the shapes it is plain data, which can be posted to a
 * worker.
 */
import type { QueryRequest } from '../request/backend.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import type { Dimension } from '../request/dimension.ts';

export type RequestData = Omit<QueryRequest, 'space' | 'shapes' | 'warmStart' | 'signal'>;

export interface AnswerRequest extends RequestData {
  space: Pick<Dimension, 'dimension' | 'records'>;
  shapes: Pick<ShapeTable, 'shapes'>;
}
