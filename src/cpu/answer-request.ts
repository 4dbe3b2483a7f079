/**
 * What answering pairs takes of a query. Apart from the space and the shapes it is plain data, which can be posted to a
 * worker.
 */
import type { QueryRequest } from '../backend.ts';
import type { ShapeTable, Space } from '../space/space.ts';

export type RequestData = Omit<QueryRequest, 'space' | 'shapes' | 'warmStart' | 'signal'>;

export interface AnswerRequest extends RequestData {
  space: Pick<Space, 'dimension' | 'records'>;
  shapes: Pick<ShapeTable, 'shapes'>;
}
