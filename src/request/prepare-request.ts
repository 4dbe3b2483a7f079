/** Validation of the options of `prepare`, which are those of a query. */
import type { PrepareOptions } from '../api/prepare.ts';
import { invalidInput } from '../api/errors.ts';
import type { Algorithm, WarmStart } from '../api/types.ts';
import { expectKnown, expectName } from '../util/known.ts';
import type { BatchMotion, PrepareRequest, SlotsOf } from './backend.ts';
import type { Dimension } from './dimension.ts';
import { resultFields } from './fields.ts';
import { QUERY_OPTIONS } from './options.ts';
import { answerForm } from './result-form.ts';
import {
  chooseImpactStage,
  chooseLeadStage,
  expectBoolean,
  expectDuration,
  expectMprDepth,
  expectParts,
  expectResults,
  passesParting,
  queryMargin,
} from './validate.ts';
import { expectRayResults } from './validate-rays.ts';
import { warmStartState } from './warm-start.ts';

/** What the options of `prepare` say of the later query. */
export interface PreparedQuery extends Omit<PrepareRequest, 'shapes' | 'removals' | 'kinds'> {
  escalates: boolean;
  /** Whether pairs have only shapes that SAT takes. */
  isOnlySat: boolean;
}

/** The options of `prepare` that no query has. */
const OWN = ['query', 'float64Positions', 'turning'];

const QUERIES = new Set(Object.keys(QUERY_OPTIONS).filter((name) => name !== 'prepare'));

/** Throws `INVALID_INPUT` unless the options are those of the query, and of `prepare`. */
export function expectQueryOptions(options: PrepareOptions): void {
  const { query, float64Positions, turning } = options;
  expectName('options.query', query, QUERIES, 'a query');
  expectKnown(options, 'options', new Set([...OWN, ...QUERY_OPTIONS[query]]), `for prepare of ${query}`);
  for (const [name, value] of Object.entries({ float64Positions, turning })) expectBoolean(`options.${name}`, value);
  if (turning && query !== 'impacts') invalidInput('options.turning', turning, `undefined for ${query}`);
}

/** What is prepared for any query but `findPairs` and `trianglePairs`. */
export function readPreparedQuery(options: PrepareOptions, dimension: Dimension): PreparedQuery {
  const { query: name, algorithm = 'auto', mprDepth, results: given = 'all', escalate, parts, warmStart } = options;
  const castsRays = name === 'rayCasts';
  if (castsRays) expectRayResults(options.results);
  const results = castsRays ? 'hits' : (given as SlotsOf);
  const query = castsRays ? 'impacts' : (name as Exclude<typeof name, 'findPairs' | 'trianglePairs' | 'rayCasts'>);
  expectResults(query, results);
  expectBoolean('options.escalate', escalate);
  expectParts(parts, results);
  const fields = resultFields(castsRays ? name : query, dimension.dimension, options, !castsRays);
  const leadStage = query === 'impacts' ? chooseImpactStage(algorithm) : chooseLeadStage(query, algorithm as Algorithm);
  expectMprDepth(algorithm as Algorithm, mprDepth);
  const escalates = escalate === true;
  const slots = parts === 'all' && results === 'all' ? 'hits' : results;
  return {
    what: { query, leadStage, mprDepth, margin: queryMargin(query, options.margin) },
    dimension,
    form: castsRays ? { type: 'records', slots: 'hits' } : answerForm({ slots, fields, escalates }),
    isWarm: isWarm(warmStart, dimension),
    motion: query === 'impacts' ? motionOf(options) : undefined,
    escalates,
    hasFixedPoint: options.float64Positions === true,
    castsRays,
    isOnlySat: algorithm === 'sat',
  };
}

function isWarm(warmStart: boolean | WarmStart | undefined, { takesWarmStart }: Dimension): boolean {
  if (warmStart === undefined || warmStart === false) return false;
  if (!takesWarmStart) invalidInput('options.warmStart', warmStart, 'undefined in the plane');
  if (warmStart !== true) warmStartState(warmStart, 0);
  return true;
}

function motionOf({ duration = 0, turning = false, stopAtPenetration }: PrepareOptions): BatchMotion {
  expectDuration('options.duration', duration);
  return { duration, isRotating: turning, passesParting: passesParting(stopAtPenetration) };
}
