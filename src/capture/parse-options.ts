/** Checks of a capture's algorithm and options, by the rules of the queries. */
import type { CapturedOptions } from '../api/capture.ts';
import { NarrowphaseError, invalidInput } from '../api/errors.ts';
import type { QueryName } from '../api/queries.ts';
import type { Algorithm, MprDepth } from '../api/types.ts';
import {
  chooseImpactStage,
  chooseLeadStage,
  expectBoolean,
  expectDuration,
  expectMprDepth,
  passesParting,
  queryMargin,
} from '../request/validate.ts';
import type { ShapeBase } from '../shapes/shape-table.ts';
import { namesOf } from '../util/known.ts';
import { checkPresent } from '../util/json-fields.ts';
import { expectCaptureNumber, expectFields } from './fields.ts';
import { fromCaptureNumber } from './numbers.ts';

const OPTIONS = namesOf<Omit<CapturedOptions, 'duration' | 'stopAtPenetration' | 'bounds'>>({
  mprDepth: true,
  margin: true,
  parts: true,
  escalate: true,
});
const CONTACT_OPTIONS = new Set([...OPTIONS, 'bounds']);
const IMPACT_OPTIONS = new Set(['margin', 'parts', 'escalate', 'duration', 'stopAtPenetration']);

/** Options that the query takes. */
function namesFor(query: QueryName): ReadonlySet<string> {
  if (query === 'impacts') return IMPACT_OPTIONS;
  return query === 'contacts' ? CONTACT_OPTIONS : OPTIONS;
}

export function expectOptions(
  { algorithm, options: given }: Record<string, unknown>,
  query: QueryName,
  shapes: readonly ShapeBase[],
): void {
  checkPresent(algorithm, 'algorithm', "'auto' or another algorithm of the query");
  const options = expectFields(given, 'options', namesFor(query)) as CapturedOptions;
  const { margin, duration, mprDepth, bounds, escalate, parts } = options;
  if (margin !== undefined) expectCaptureNumber(margin, 'options.margin');
  queryMargin(query, margin === undefined ? undefined : fromCaptureNumber(margin));
  expectBoolean('options.escalate', escalate);
  expectBoolean('options.bounds', bounds);
  if (parts !== undefined && parts !== 'all') invalidInput('options.parts', parts, "'all'");
  withoutOptions(() => {
    if (query === 'impacts') chooseImpactStage(algorithm);
    else chooseLeadStage(query, algorithm as Algorithm);
  });
  if (query === 'impacts') {
    expectCaptureNumber(duration, 'options.duration');
    expectDuration('options.duration', fromCaptureNumber(duration!));
    passesParting(options.stopAtPenetration);
  } else {
    expectMprDepth(algorithm as Algorithm, mprDepth as MprDepth | undefined);
  }
  if (algorithm === 'sat' && !shapes.every(({ takesSat }) => takesSat))
    invalidInput('algorithm', algorithm, "'auto', 'gjk' or 'mpr', as 'sat' does not take both shapes");
}

/** In a capture the algorithm stands beside the options. */
function withoutOptions(check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof NarrowphaseError)) throw error;
    throw new NarrowphaseError(error.code, error.message.replace('options.algorithm', 'algorithm'));
  }
}
