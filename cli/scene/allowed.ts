/** Pairs of bodies that a scene allows to overlap, each given by two names or patterns of names. */

import { invalidInput } from '../../src/api/errors.ts';
import { checkList, checkName } from '../../src/util/json-fields.ts';
import { createBodyFinder, createNameMatcher, EXPECTED_PATTERN } from './name-patterns.ts';

export type PatternPair = [string, string];

/** Most pairs of patterns in one list. */
const MAX_PATTERN_PAIRS = 10_000;

/** Parses the field `allowed`. Throws if an entry can't allow any pair, such as one with a misspelt name. */
export function parseAllowed(value: unknown, names: ReadonlyMap<number, string>): PatternPair[] {
  return parsePatternPairs(value, 'allowed', createBodyFinder(names));
}

/** Parses a list of pairs of patterns. `bodiesOf` finds the bodies of a pattern, as `createBodyFinder` does. */
export function parsePatternPairs(
  value: unknown,
  field: string,
  bodiesOf: (pattern: string, path: string) => number[],
): PatternPair[] {
  const list = checkList(value, field, 'a list of pairs of names or patterns', MAX_PATTERN_PAIRS);
  return list.map((entry, i) => {
    const path = `${field}[${i}]`;
    if (!Array.isArray(entry) || entry.length !== 2) invalidInput(path, entry, 'two names or patterns');
    const pair: PatternPair = [checkName(entry[0], `${path}[0]`), checkName(entry[1], `${path}[1]`)];
    const [first, second] = pair.map((pattern, side) => bodiesOf(pattern, `${path}[${side}]`));
    for (const [side, bodies] of [first, second].entries()) {
      if (bodies.length === 0) invalidInput(`${path}[${side}]`, pair[side], EXPECTED_PATTERN);
    }
    if (first.length === 1 && second.length === 1 && first[0] === second[0]) {
      invalidInput(path, entry, `two bodies: only body ${first[0]} matches`);
    }
    return pair;
  });
}

/** Returns a function that tells whether a pair of bodies matches one of the pairs of patterns, in either order. */
export function pairMatcher(
  pairs: readonly PatternPair[],
  names: ReadonlyMap<number, string>,
): (a: number, b: number) => boolean {
  const partners = new Map<string, string[]>();
  for (const [a, b] of pairs) {
    for (const [pattern, partner] of [
      [a, b],
      [b, a],
    ]) {
      const others = partners.get(pattern);
      if (others) others.push(partner);
      else partners.set(pattern, [partner]);
    }
  }
  const patternsOf = createNameMatcher(partners.keys());
  return (a, b) => {
    const nameA = names.get(a);
    const nameB = names.get(b);
    if (nameA === undefined || nameB === undefined) return false;
    const ofB = patternsOf(nameB);
    for (const pattern of patternsOf(nameA)) {
      if (partners.get(pattern)!.some((partner) => ofB.has(partner))) return true;
    }
    return false;
  };
}
