/**
 * Pairs of bodies that a scene allows to overlap, each given by two names or patterns of names. In a pattern `*` stands
 * for any characters, `?` for one. A pattern must match the whole name. A body without a name matches nothing.
 */

import { invalidInput, NarrowphaseError } from '../api/errors.ts';
import { checkList, checkName } from './fields.ts';
import { anchorOf, createNameIndex, createPatternIndex, hasWildcards } from './name-index.ts';

export type AllowedPair = [string, string];

/** Most entries of `allowed`. */
const MAX_ALLOWED = 10_000;

/** Most comparisons of patterns with names that have the same anchor. This many take a few seconds. */
const MAX_COMPARISONS = 20_000_000;

/** Parses the field `allowed`. Throws if an entry can't allow any pair, such as one with a misspelt name. */
export function parseAllowed(value: unknown, names: ReadonlyMap<number, string>): AllowedPair[] {
  const list = checkList(value, 'allowed', 'a list of pairs of names or patterns', MAX_ALLOWED);
  const bodiesOf = bodyFinder(names);
  return list.map((entry, i) => {
    const path = `allowed[${i}]`;
    if (!Array.isArray(entry) || entry.length !== 2) invalidInput(path, entry, 'two names or patterns');
    const pair: AllowedPair = [checkName(entry[0], `${path}[0]`), checkName(entry[1], `${path}[1]`)];
    const [first, second] = pair.map((pattern, side) => bodiesOf(pattern, `${path}[${side}]`));
    for (const [side, bodies] of [first, second].entries()) {
      if (bodies.length > 0) continue;
      invalidInput(`${path}[${side}]`, pair[side], 'the name of a body, or a pattern that the name of a body matches');
    }
    if (first.length === 1 && second.length === 1 && first[0] === second[0]) {
      invalidInput(path, entry, `two bodies: only body ${first[0]} matches`);
    }
    return pair;
  });
}

interface NamedBodies {
  name: string;
  bodies: number[];
  characters?: string[];
}

/**
 * A function that returns some of the bodies whose names match a pattern: two if there are two. It throws
 * `LIMIT_EXCEEDED` if all patterns together may need too many comparisons with names, here or in `allowedPairs`.
 */
function bodyFinder(names: ReadonlyMap<number, string>): (pattern: string, path: string) => number[] {
  const byName = new Map<string, number[]>();
  for (const [body, name] of names) {
    const bodies = byName.get(name);
    if (!bodies) byName.set(name, [body]);
    else if (bodies.length === 1) bodies.push(body);
  }
  const namesWith = createNameIndex([...byName].map(([name, bodies]): NamedBodies => ({ name, bodies })));
  let comparisons = 0;
  const search = (pattern: string, path: string): number[] => {
    if (!hasWildcards(pattern)) return byName.get(pattern) ?? [];
    const { items, start, end } = namesWith(anchorOf(pattern));
    comparisons += end - start;
    if (comparisons > MAX_COMPARISONS) {
      throw new NarrowphaseError(
        'LIMIT_EXCEEDED',
        `${path} is ${JSON.stringify(pattern)}, which makes ${comparisons} comparisons of patterns with names, ` +
          `expected at most ${MAX_COMPARISONS}: a pattern is compared with the names that begin as it does before ` +
          'its first wildcard, or end as it does behind its last',
      );
    }
    const characters = [...pattern];
    const found: number[] = [];
    for (let i = start; i < end && found.length < 2; i++) {
      const { name, bodies } = items[i];
      if (matches(characters, (items[i].characters ??= [...name]))) found.push(...bodies);
    }
    return found;
  };
  const known = new Map<string, number[]>();
  return (pattern, path) => {
    const bodies = known.get(pattern) ?? search(pattern, path);
    known.set(pattern, bodies);
    return bodies;
  };
}

/** Returns a function that tells whether a pair of bodies is allowed, in either order. */
export function allowedPairs(
  allowed: readonly AllowedPair[],
  names: ReadonlyMap<number, string>,
): (a: number, b: number) => boolean {
  const partners = new Map<string, string[]>();
  for (const [a, b] of allowed) {
    for (const [pattern, partner] of [
      [a, b],
      [b, a],
    ]) {
      const others = partners.get(pattern);
      if (others) others.push(partner);
      else partners.set(pattern, [partner]);
    }
  }
  const patterns = [...partners.keys()].filter(hasWildcards);
  const patternsWith = createPatternIndex(patterns.map((pattern) => ({ pattern, characters: [...pattern] })));
  const byName = new Map<string, Set<string>>();
  const patternsOf = (body: number): Set<string> | undefined => {
    const name = names.get(body);
    if (name === undefined) return undefined;
    let matching = byName.get(name);
    if (!matching) {
      matching = new Set(partners.has(name) && !hasWildcards(name) ? [name] : []);
      const characters = [...name];
      for (const each of patternsWith(name)) if (matches(each.characters, characters)) matching.add(each.pattern);
      byName.set(name, matching);
    }
    return matching;
  };
  return (a, b) => {
    const [ofA, ofB] = [patternsOf(a), patternsOf(b)];
    if (!ofA || !ofB) return false;
    for (const pattern of ofA) if (partners.get(pattern)!.some((partner) => ofB.has(partner))) return true;
    return false;
  };
}

/** Backtracks only to the last `*`, so the time is at most proportional to the product of both lengths. */
function matches(pattern: readonly string[], name: readonly string[]): boolean {
  let p = 0;
  let star = -1;
  /** Start of the characters in the name that follow those matched by the star. */
  let rest = 0;
  for (let n = 0; n < name.length;) {
    if (pattern[p] === '*') {
      star = p++;
      rest = n;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === name[n])) {
      p++;
      n++;
    } else if (star >= 0) {
      p = star + 1;
      n = ++rest;
    } else {
      return false;
    }
  }
  return pattern.slice(p).every((character) => character === '*');
}
