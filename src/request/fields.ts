/** Validation of the option `fields`, and the arrays that results have without it. */
import { invalidInput } from '../api/errors.ts';
import type { QueryName } from '../api/queries.ts';
import { TRIANGLE_PAIR_FIELDS, fieldsOf, namesPart, rayFieldsOf } from '../records/result-fields.ts';
import { expectName } from '../util/known.ts';
import { expectBoolean } from './validate.ts';

/** Options that decide which arrays a result has, as callers pass them. */
export interface FieldOptions {
  fields?: unknown;
  bounds?: unknown;
  bodies?: unknown;
  parts?: unknown;
}

/** Arrays that results have only if an option, or `fields`, asks for them. */
const OPTIONAL: Readonly<Record<string, Exclude<keyof FieldOptions, 'fields'>>> = {
  a: 'bodies',
  b: 'bodies',
  lower: 'bounds',
  upper: 'bounds',
  partA: 'parts',
  partB: 'parts',
};

/**
 * The names of the arrays that a result will have, in the order of `records/result-fields.ts`. If there are `fields`,
 * they alone decide. `hasParts`: results can have numbers of parts. Throws `INVALID_INPUT` for wrong options.
 */
export function resultFields(
  query: QueryName | 'rayCasts' | 'trianglePairs',
  axes: 2 | 3,
  { fields, ...options }: FieldOptions,
  hasParts = false,
): readonly string[] {
  for (const name of ['bounds', 'bodies'] as const) expectBoolean(`options.${name}`, options[name]);
  const all = Object.keys(shapesOf(query, axes));
  const names = all.filter((name) => hasParts || !namesPart(name));
  if (fields === undefined) return names.filter((name) => !(name in OPTIONAL) || options[OPTIONAL[name]]);
  if (!Array.isArray(fields)) invalidInput('options.fields', fields, 'an array of names of result arrays');
  const known = new Set(names);
  const wanted = new Set<string>();
  // An index at a time: the caller's array may have holes.
  for (let i = 0; i < fields.length; i++) {
    const name: unknown = fields[i];
    expectName(`options.fields[${i}]`, name, known, `an array of ${query}`);
    if (wanted.has(name)) invalidInput(`options.fields[${i}]`, name, 'each name once');
    wanted.add(name);
  }
  return names.filter((name) => wanted.has(name));
}

function shapesOf(query: QueryName | 'rayCasts' | 'trianglePairs', axes: 2 | 3): object {
  if (query === 'rayCasts') return rayFieldsOf(axes);
  return query === 'trianglePairs' ? TRIANGLE_PAIR_FIELDS : fieldsOf(query, axes);
}
