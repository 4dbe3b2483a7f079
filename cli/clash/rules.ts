/**
 * Rules of a clash check: which bodies are checked against which, each with its clearance and tolerance. Without rules
 * all pairs are checked. With rules, the first that matches a pair decides, and a pair that no rule matches is not
 * checked. They come from `--pairs "pipe*:beam*"` or from a JSON file:
 *
 *     { "groups": { "pipes": ["pipe*", "duct-??"] },
 *       "rules": [{ "between": ["pipes", "beam*"], "clearance": 0.05, "tolerance": 0.001, "ignore": [["pipe-7", "beam-2"]] }],
 *       "ignore": [["bolt*", "plate*"]] }
 *
 * `between` and `ignore` take names of groups, and names or patterns of names of bodies.
 */

import { invalidInput } from '../../src/api/errors.ts';
import { parsePatternPairs, type PatternPair } from '../scene/allowed.ts';
import { checkList, checkName, checkObject, checkSize } from '../../src/util/json-fields.ts';
import { parseJson } from '../scene/json.ts';
import { createBodyFinder, EXPECTED_PATTERN, nearestMatch } from '../scene/name-patterns.ts';
import { namesOf } from '../../src/util/known.ts';
import { usageError } from '../exit.ts';

/** What reports say about a rule. */
export interface RuleFacts {
  name: string;
  /** Two groups or patterns. */
  between: [string, string];
  tolerance: number;
  /** null: gaps are not clashes. */
  clearance: number | null;
}

export interface Rule extends RuleFacts {
  /** Pairs that this rule does not check; no later rule checks them either. */
  ignore: PatternPair[];
}

/** Tolerance and clearance of pairs without a rule of their own. */
export type Limits = Pick<RuleFacts, 'tolerance' | 'clearance'>;

export interface Rules {
  /** null: all pairs are checked. */
  rules: Rule[] | null;
  ignore: PatternPair[];
  /** The patterns of each group. */
  groups: ReadonlyMap<string, readonly string[]>;
}

export const NO_RULES: Rules = { rules: null, ignore: [], groups: new Map() };

const MAX_RULES = 1000;
const MAX_GROUPS = 1000;

type Names = ReadonlyMap<number, string>;

/** Some bodies of a group, name or pattern. Throws if there is none. `path` names it in errors. */
type BodyFinder = (selector: string, path: string) => number[];

/** Reads `--pairs`. Each has two names or patterns with a colon between them. */
export function rulesOfPairs(pairs: readonly string[], limits: Limits, names: Names): Rules {
  const bodiesOf = createSelectorFinder(new Map(), names);
  const rules = pairs.map((text): Rule => {
    const between = text.split(':');
    if (between.length !== 2 || between.includes('')) {
      throw usageError(
        `--pairs is ${JSON.stringify(text)}, expected A:B, two names or patterns of bodies; ` +
          'a colon in a name is matched by ?',
      );
    }
    const rule: Rule = { name: text, between: between as [string, string], ...limits, ignore: [] };
    checkBetween(rule.between, `--pairs ${JSON.stringify(text)}`, bodiesOf);
    return rule;
  });
  return { ...NO_RULES, rules };
}

const FIELDS = namesOf<Rules>({ groups: true, rules: true, ignore: true });
const RULE_FIELDS = namesOf<Rule>({ name: true, between: true, tolerance: true, clearance: true, ignore: true });

/** Parses a file of rules. Throws `INVALID_INPUT` or `LIMIT_EXCEEDED` naming the path within the file. */
export function parseRules(text: string, limits: Limits, names: Names): Rules {
  const root = checkObject(parseJson(text), '', FIELDS, 'the file of rules');
  const groups = root.groups === undefined ? new Map<string, string[]>() : parseGroups(root.groups, names);
  const bodiesOf = createSelectorFinder(groups, names);
  const rules =
    root.rules === undefined
      ? null
      : checkList(root.rules, 'rules', 'a list of rules', MAX_RULES).map((value, i) =>
          parseRule(value, `rules[${i}]`, limits, bodiesOf),
        );
  return { rules, ignore: parseIgnore(root.ignore, 'ignore', bodiesOf), groups };
}

function parseGroups(value: unknown, names: Names): Map<string, string[]> {
  const given = Object.entries(checkObject(value, 'groups'));
  checkList(given, 'groups', 'an object of lists', MAX_GROUPS);
  const find = createSelectorFinder(new Map(), names);
  return new Map(
    given.map(([group, patterns]) => {
      const path = `groups[${JSON.stringify(group)}]`;
      const list = checkList(patterns, path, 'a list of names or patterns of bodies', MAX_RULES);
      if (list.length === 0) invalidInput(path, patterns, 'a list of names or patterns of bodies, not an empty one');
      list.forEach((pattern, i) => find(checkName(pattern, `${path}[${i}]`), `${path}[${i}]`));
      return [checkName(group, `the name of a group`), list as string[]];
    }),
  );
}

function parseRule(value: unknown, path: string, limits: Limits, bodiesOf: BodyFinder): Rule {
  const given = checkObject(value, path, RULE_FIELDS);
  const list = checkList(given.between, `${path}.between`, 'two groups, names or patterns', 2);
  if (list.length !== 2) invalidInput(`${path}.between`, list, 'two groups, names or patterns');
  const between = list.map((selector, i) => checkName(selector, `${path}.between[${i}]`)) as [string, string];
  checkBetween(between, `${path}.between`, bodiesOf);
  const { tolerance, clearance } = limits;
  return {
    name: given.name === undefined ? between.join(':') : checkName(given.name, `${path}.name`),
    between,
    tolerance: given.tolerance === undefined ? tolerance : checkSize(given.tolerance, `${path}.tolerance`),
    clearance: given.clearance === undefined ? clearance : checkSize(given.clearance, `${path}.clearance`),
    ignore: parseIgnore(given.ignore, `${path}.ignore`, bodiesOf),
  };
}

function parseIgnore(value: unknown, path: string, bodiesOf: BodyFinder): PatternPair[] {
  return value === undefined ? [] : parsePatternPairs(value, path, bodiesOf);
}

/** Throws if no two bodies can match. */
function checkBetween(between: [string, string], path: string, bodiesOf: BodyFinder): void {
  const [first, second] = between.map((selector, side) => bodiesOf(selector, `${path}[${side}]`));
  if (first.length === 1 && second.length === 1 && first[0] === second[0]) {
    invalidInput(path, between, `two bodies: only body ${first[0]} matches`);
  }
}

function createSelectorFinder(groups: Rules['groups'], names: Names): BodyFinder {
  const find = createBodyFinder(names);
  return (selector, path) => {
    const bodies = new Set((groups.get(selector) ?? [selector]).flatMap((pattern) => find(pattern, path)));
    if (bodies.size > 0) return [...bodies];
    const nearest = nearestMatch(selector, [...groups.keys(), ...names.values()]);
    const advice = nearest === undefined ? 'no body has a name' : `the nearest name is ${JSON.stringify(nearest)}`;
    const expected = groups.size > 0 ? `the name of a group, ${EXPECTED_PATTERN}` : EXPECTED_PATTERN;
    return invalidInput(path, selector, `${expected}; ${advice}`);
  };
}
