/**
 * Pairs of bodies that a scene allows to overlap, each two names or patterns of names. In a pattern `*` stands for any
 * characters, `?` for one; it is matched against the whole name. A body without a name matches nothing.
 */

import { invalidInput } from '../api/errors.ts';
import { checkList, checkName } from './fields.ts';

export type AllowedPair = [string, string];

/** Most entries of `allowed`. */
const MAX_ALLOWED = 10_000;

/** The field `allowed`. Throws where an entry can't allow any pair, as one with a misspelt name. */
export function parseAllowed(value: unknown, names: ReadonlyMap<number, string>): AllowedPair[] {
  const list = checkList(value, 'allowed', 'a list of pairs of names or patterns', MAX_ALLOWED);
  const bodiesOf = bodyFinder(names);
  return list.map((entry, i) => {
    const path = `allowed[${i}]`;
    if (!Array.isArray(entry) || entry.length !== 2) invalidInput(path, entry, 'two names or patterns');
    const pair: AllowedPair = [checkName(entry[0], `${path}[0]`), checkName(entry[1], `${path}[1]`)];
    const [first, second] = pair.map(bodiesOf);
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

/** Gives some of the bodies whose names match a pattern: two if there are two. */
function bodyFinder(names: ReadonlyMap<number, string>): (pattern: string) => number[] {
  const byName = new Map<string, number[]>();
  for (const [body, name] of names) {
    const bodies = byName.get(name);
    if (!bodies) byName.set(name, [body]);
    else if (bodies.length === 1) bodies.push(body);
  }
  const named = [...byName].map(([name, bodies]) => ({ characters: [...name], bodies }));
  const search = (pattern: string): number[] => {
    if (!/[*?]/.test(pattern)) return byName.get(pattern) ?? [];
    const characters = [...pattern];
    const found: number[] = [];
    for (let i = 0; i < named.length && found.length < 2; i++) {
      if (matches(characters, named[i].characters)) found.push(...named[i].bodies);
    }
    return found;
  };
  const known = new Map<string, number[]>();
  return (pattern) => {
    const bodies = known.get(pattern) ?? search(pattern);
    known.set(pattern, bodies);
    return bodies;
  };
}

/** Tells which pairs of bodies are allowed, in either order. */
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
  const patterns = [...partners.keys()].map((pattern) => ({ pattern, characters: [...pattern] }));
  const byName = new Map<string, Set<string>>();
  const patternsOf = (body: number): Set<string> | undefined => {
    const name = names.get(body);
    if (name === undefined) return undefined;
    let matching = byName.get(name);
    if (!matching) {
      const characters = [...name];
      matching = new Set(patterns.filter((each) => matches(each.characters, characters)).map(({ pattern }) => pattern));
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

/** Goes back to the last `*` only, so the time is at most the product of both lengths. */
function matches(pattern: readonly string[], name: readonly string[]): boolean {
  let p = 0;
  let star = -1;
  /** Where in the name the characters begin that come after those of the star. */
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
