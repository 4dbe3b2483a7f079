/** Validation of options. */
import { invalidInput } from '../api/errors.ts';
import type { QueryName } from '../api/queries.ts';
import type { Algorithm, MprDepth } from '../api/types.ts';
import type { LeadStage } from './backend.ts';

/** A query's margin, or its default. */
export function queryMargin(query: QueryName, margin: number | undefined): number {
  const given = margin === undefined ? (query === 'distances' ? Infinity : 0) : margin;
  // With an infinite margin all bodies meet at any time, so there is no time of impact.
  const isFinite = query === 'impacts';
  if (!(typeof given === 'number' && given >= 0 && !(isFinite && given === Infinity)))
    invalidInput('options.margin', given, `a ${isFinite ? 'finite ' : ''}number of at least 0`);
  return given;
}

/** Throws `INVALID_INPUT` unless `results` is a choice that this query has. */
export function expectResults(query: QueryName, results: unknown): void {
  const isMotion = query === 'impacts';
  if (!(['all', 'hits'].includes(results as string) || (isMotion && results === 'earliest'))) {
    invalidInput('options.results', results, isMotion ? "'all', 'hits' or 'earliest'" : "'all' or 'hits'");
  }
}

/** Throws `INVALID_INPUT` unless the query can list all pairs of parts, or `parts` does not ask for it. */
export function expectParts(parts: unknown, results: unknown): void {
  if (parts === undefined) return;
  if (parts !== 'all') invalidInput('options.parts', parts, "'all' or undefined");
  if (results === 'earliest')
    invalidInput('options.parts', parts, "undefined with results: 'earliest', which has one answer per pair");
}

/** Throws `INVALID_INPUT` unless an option is a boolean or missing. */
export function expectBoolean(field: string, value: unknown): void {
  if (![undefined, true, false].includes(value as boolean)) invalidInput(field, value, 'a boolean');
}

/** The lead stage of `impacts`. By default sharp boxes are answered by SAT. */
export function chooseImpactStage(algorithm: unknown): LeadStage {
  if (!['auto', 'cast', 'velocity-epa'].includes(algorithm as string)) {
    const meant: Record<string, string> = {
      gjk: " (GJK casts are 'cast')",
      epa: " (velocity EPA is 'velocity-epa')",
    };
    const hint = typeof algorithm === 'string' && Object.hasOwn(meant, algorithm) ? meant[algorithm] : '';
    invalidInput('options.algorithm', algorithm, `'auto', 'cast' or 'velocity-epa'${hint}`);
  }
  return algorithm === 'auto' ? 'sat' : algorithm === 'velocity-epa' ? 'epa' : 'none';
}

/** The lead stage of the other queries. By default boxes go through SAT if SAT gives the whole answer. */
export function chooseLeadStage(query: QueryName, algorithm: Algorithm): LeadStage {
  if (!['auto', 'sat', 'gjk', 'mpr'].includes(algorithm))
    invalidInput('options.algorithm', algorithm, "'auto', 'sat', 'gjk' or 'mpr'");
  if (algorithm !== 'auto') return algorithm === 'gjk' ? 'none' : algorithm;
  return query === 'distances' ? 'newton' : 'sat';
}

/** Throws `INVALID_INPUT` if `mprDepth` is given for another algorithm than MPR. */
export function expectMprDepth(algorithm: Algorithm, mprDepth: MprDepth | undefined): void {
  if (mprDepth === undefined) return;
  if (!['ray', 'normal'].includes(mprDepth)) invalidInput('options.mprDepth', mprDepth, "'ray' or 'normal'");
  if (algorithm !== 'mpr') invalidInput('options.mprDepth', mprDepth, "undefined unless options.algorithm is 'mpr'");
}

export function expectDuration(field: string, duration: unknown): asserts duration is number {
  if (!(typeof duration === 'number' && duration >= 0))
    invalidInput(field, duration, 'a number of seconds of at least 0');
}

/** Whether, with this `stopAtPenetration`, bodies that overlap or touch at the start meet only if they close in. */
export function passesParting(stopAtPenetration: boolean | undefined): boolean {
  expectBoolean('options.stopAtPenetration', stopAtPenetration);
  return stopAtPenetration === false;
}
