/** Finds the rule of a pair of bodies. */

import { pairMatcher, type PatternPair } from '../scene/allowed.ts';
import { createNameMatcher } from '../scene/name-patterns.ts';
import type { Rule, Rules } from './rules.ts';

/** In place of the index of a rule: no rule matches, or the pair is ignored. */
export const UNMATCHED = -1;
export const IGNORED = -2;

type Names = ReadonlyMap<number, string>;

/** A function that returns the index of the first rule that matches a pair, in either order. Without rules it is 0. */
export function createRuleMatcher({ rules, ignore, groups }: Rules, names: Names): (a: number, b: number) => number {
  const isIgnored = ignoreMatcher(ignore, groups, names);
  const ruleOf = rules === null ? () => 0 : firstRule(rules, groups, names);
  const ignoredBy = (rules ?? []).map((rule) => ignoreMatcher(rule.ignore, groups, names));
  return (a, b) => {
    if (isIgnored(a, b)) return IGNORED;
    const rule = ruleOf(a, b);
    return rule >= 0 && ignoredBy[rule]?.(a, b) ? IGNORED : rule;
  };
}

function ignoreMatcher(
  pairs: readonly PatternPair[],
  groups: Rules['groups'],
  names: Names,
): (a: number, b: number) => boolean {
  if (pairs.length === 0) return () => false;
  const patternsOf = (selector: string): readonly string[] => groups.get(selector) ?? [selector];
  const expanded = pairs.flatMap(([first, second]) =>
    patternsOf(first).flatMap((a) => patternsOf(second).map((b): PatternPair => [a, b])),
  );
  return pairMatcher(expanded, names);
}

function firstRule(rules: readonly Rule[], groups: Rules['groups'], names: Names): (a: number, b: number) => number {
  const selectorsOf = createSelectorMatcher(new Set(rules.flatMap(({ between }) => between)), groups);
  /** The first rule between two selectors, by both names. */
  const byFirst = new Map<string, Map<string, number>>();
  rules.forEach(({ between: [first, second] }, index) => {
    for (const [one, other] of [
      [first, second],
      [second, first],
    ]) {
      const bySecond = byFirst.get(one) ?? new Map<string, number>();
      byFirst.set(one, bySecond);
      if (!bySecond.has(other)) bySecond.set(other, index);
    }
  });
  return (a, b) => {
    const nameA = names.get(a);
    const nameB = names.get(b);
    if (nameA === undefined || nameB === undefined) return UNMATCHED;
    let least = Infinity;
    for (const one of selectorsOf(nameA)) {
      const bySecond = byFirst.get(one)!;
      for (const other of selectorsOf(nameB)) least = Math.min(least, bySecond.get(other) ?? Infinity);
    }
    return least === Infinity ? UNMATCHED : least;
  };
}

/** A function that returns the selectors (groups, names and patterns) that a name belongs to. */
function createSelectorMatcher(selectors: ReadonlySet<string>, groups: Rules['groups']) {
  const byPattern = new Map<string, string[]>();
  for (const selector of selectors) {
    for (const pattern of groups.get(selector) ?? [selector]) {
      const others = byPattern.get(pattern);
      if (others) others.push(selector);
      else byPattern.set(pattern, [selector]);
    }
  }
  const patternsOf = createNameMatcher(byPattern.keys());
  const known = new Map<string, string[]>();
  return (name: string): string[] => {
    let found = known.get(name);
    if (!found) {
      found = [...new Set([...patternsOf(name)].flatMap((pattern) => byPattern.get(pattern)!))];
      known.set(name, found);
    }
    return found;
  };
}
