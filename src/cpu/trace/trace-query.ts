/** The part of `trace` that is the same in 3-D and 2-D. */
import { invalidInput } from '../../api/errors.ts';
import type { QueryName } from '../../api/queries.ts';
import { expectName } from '../../util/known.ts';
import { QUERY_NAMES } from '../../util/query-names.ts';

/** What a dimension brings: its functions for one pair, and its recorder. */
interface Reference<Step, Recorder> {
  queries: Record<QueryName, (...given: never[]) => unknown>;
  /** The fields of a body, for errors. */
  fields: string;
  createRecorder(steps: Step[]): Recorder;
  setRecorder(next: Recorder | undefined): void;
}

interface Body {
  shape: unknown;
}

/** The steps of the searches, and last the result. */
export function traceQuery<Step, Recorder>(
  { queries, fields, createRecorder, setRecorder }: Reference<Step, Recorder>,
  query: QueryName,
  a: Body,
  b: Body,
  options: object | undefined,
): unknown[] {
  expectName('query', query, QUERY_NAMES, 'a query over pairs');
  const { shape: shapeA, ...poseA } = bodyOf('a', a, fields);
  const { shape: shapeB, ...poseB } = bodyOf('b', b, fields);
  const steps: Step[] = [];
  setRecorder(createRecorder(steps));
  try {
    const answer = queries[query] as (...given: unknown[]) => unknown;
    const result = answer(shapeA, poseA, shapeB, poseB, options ?? (query === 'impacts' ? undefined : {}));
    return [...steps, { type: 'result', query, result }];
  } finally {
    setRecorder(undefined);
  }
}

function bodyOf(name: string, body: Body, fields: string): Body {
  if (typeof body !== 'object' || body === null) invalidInput(name, body, fields);
  return body;
}
