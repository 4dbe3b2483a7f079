/**
 * Patterns of body names. `*` stands for any characters, `?` for one. A pattern matches the whole name or, where the name
 * is a path such as `left arm/finger`, its last part: `fing*`. A name without wildcards is the whole name. A body without
 * a name matches nothing.
 */

import { NarrowphaseError } from '../../src/api/errors.ts';
import { anchorOf, createNameIndex, createPatternIndex, hasWildcards } from './name-index.ts';

/** Most comparisons of patterns with names that have the same anchor. This many take a few seconds. */
const MAX_COMPARISONS = 20_000_000;

interface NamedBodies {
  name: string;
  bodies: number[];
  characters?: string[];
}

/**
 * A function that returns some of the bodies whose names match a pattern: two if there are two. `path` names the pattern
 * in errors. It throws `LIMIT_EXCEEDED` if all patterns together may need too many comparisons with names, here or in
 * the function that `createNameMatcher` makes.
 */
export function createBodyFinder(names: ReadonlyMap<number, string>): (pattern: string, path: string) => number[] {
  const byName = new Map<string, number[]>();
  for (const [body, name] of names) {
    const bodies = byName.get(name);
    if (!bodies) byName.set(name, [body]);
    else if (bodies.length === 1) bodies.push(body);
  }
  const namesWith = createNameIndex(
    [...byName].flatMap(([name, bodies]) => formsOf(name).map((form): NamedBodies => ({ name: form, bodies }))),
  );
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
      if (!matches(characters, (items[i].characters ??= [...name]))) continue;
      for (const body of bodies) if (!found.includes(body)) found.push(body);
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

export const EXPECTED_PATTERN = 'the name of a body, or a pattern that the name of a body matches';

/** Names compared for a message, each by its first characters. This many take less than a second. */
const NAMES_COMPARED = 50_000;
const CHARACTERS_COMPARED = 48;

/** The name that takes the fewest edits of the pattern's own characters to match. Undefined if there is no name. */
export function nearestMatch(pattern: string, names: Iterable<string>): string | undefined {
  const characters = [...pattern.toLowerCase()].slice(0, CHARACTERS_COMPARED);
  let nearest: string | undefined;
  let least = Infinity;
  let compared = 0;
  for (const name of names) {
    const edits = editsBetween(characters, [...name.toLowerCase()].slice(0, CHARACTERS_COMPARED));
    if (edits < least) {
      least = edits;
      nearest = name;
    }
    if (++compared === NAMES_COMPARED) break;
  }
  return nearest;
}

/** Characters to delete, insert or replace so that the pattern matches the name, row by row of the pattern. */
function editsBetween(pattern: readonly string[], name: readonly string[]): number {
  let last = Array.from({ length: name.length + 1 }, (_, n) => n);
  for (const character of pattern) {
    const isStar = character === '*';
    const row = [isStar ? last[0] : last[0] + 1];
    for (let n = 1; n <= name.length; n++) {
      const isSame = character === '?' || character === name[n - 1];
      row[n] = isStar
        ? Math.min(last[n], row[n - 1])
        : Math.min(last[n] + 1, row[n - 1] + 1, last[n - 1] + (isSame ? 0 : 1));
    }
    last = row;
  }
  return last[name.length];
}

/** A function that returns those of the patterns that a name matches. */
export function createNameMatcher(patterns: Iterable<string>): (name: string) => ReadonlySet<string> {
  const all = new Set(patterns);
  const patternsWith = createPatternIndex(
    [...all].filter(hasWildcards).map((pattern) => ({ pattern, characters: [...pattern] })),
  );
  const byName = new Map<string, Set<string>>();
  return (name) => {
    let matching = byName.get(name);
    if (!matching) {
      matching = new Set(all.has(name) && !hasWildcards(name) ? [name] : []);
      for (const form of formsOf(name)) {
        const characters = [...form];
        for (const each of patternsWith(form)) if (matches(each.characters, characters)) matching.add(each.pattern);
      }
      byName.set(name, matching);
    }
    return matching;
  };
}

/** What a pattern may match of a name: all of it, and the last part of a path. */
function formsOf(name: string): string[] {
  const slash = name.lastIndexOf('/');
  return slash < 0 ? [name] : [name, name.slice(slash + 1)];
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
