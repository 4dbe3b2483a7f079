/** Rules of clash checks: which pairs are checked, with which limits, and what is refused. */

import { describe, expect, test } from 'vitest';
import { createRuleMatcher, IGNORED, UNMATCHED } from '../../../cli/clash/match-rules.ts';
import { NO_RULES, parseRules, rulesOfPairs, type Rules } from '../../../cli/clash/rules.ts';
import { checkScene, clashesOf, sceneOf } from '../../helpers/clashes.ts';

const NAMES = new Map(['pipe-1', 'pipe-2', 'beam-1', 'beam-2', 'bolt', 'duct-07', 'plate'].map((name, i) => [i, name]));
const LIMITS = { tolerance: 0.001, clearance: null };
const body = (name: string): number => [...NAMES.values()].indexOf(name);

/** The rule of two bodies, which is that of the same bodies in the other order. */
function ruleOf(rules: Rules, a: string, b: string): number {
  const match = createRuleMatcher(rules, NAMES);
  const rule = match(body(a), body(b));
  expect(match(body(b), body(a))).toBe(rule);
  return rule;
}

test('without rules every pair has the limits of the options', () => {
  expect(ruleOf(NO_RULES, 'pipe-1', 'plate')).toBe(0);
});

describe('--pairs', () => {
  test('checks the pairs that its patterns name; the first pattern that matches decides', () => {
    const rules = rulesOfPairs(['pipe*:beam*', 'pipe-1:*', 'duct-??:bolt'], LIMITS, NAMES);
    expect(ruleOf(rules, 'pipe-2', 'beam-1')).toBe(0);
    expect(ruleOf(rules, 'pipe-1', 'beam-1')).toBe(0);
    expect(ruleOf(rules, 'pipe-1', 'pipe-2')).toBe(1);
    expect(ruleOf(rules, 'duct-07', 'bolt')).toBe(2);
    expect(ruleOf(rules, 'pipe-2', 'bolt')).toBe(UNMATCHED);
    expect(ruleOf(rules, 'beam-1', 'beam-2')).toBe(UNMATCHED);
    expect(rules.rules![0]).toMatchObject({ name: 'pipe*:beam*', ...LIMITS });
  });

  test('patterns match the last part of a path, but names are whole', () => {
    const names = new Map(['deck/pipe-1', 'hold/pipe-1', 'deck/beam', 'beam', 'pipe-7/valve'].entries());
    const ruleOfPair = createRuleMatcher(rulesOfPairs(['pipe-*:beam', 'hold/*:deck/*'], LIMITS, names), names);
    const found = [...names.keys()].flatMap((a) =>
      [...names.keys()].filter((b) => b > a).map((b) => [a, b, ruleOfPair(a, b)]),
    );
    expect(found.filter(([, , rule]) => rule !== UNMATCHED)).toEqual([
      [0, 1, 1],
      [0, 3, 0],
      [1, 2, 1],
      [1, 3, 0],
      [3, 4, 0],
    ]);
    expect(() => rulesOfPairs(['pipe-1:beam'], LIMITS, names)).toThrow(/"pipe-1", expected the name of a body/);
  });

  test.each([
    ['pipe*', /--pairs is "pipe\*", expected A:B/],
    ['a:b:c', /--pairs is "a:b:c", expected A:B/],
    [':beam*', /--pairs is ":beam\*", expected A:B/],
    ['pip*-9:beam*', /"pip\*-9", expected the name of a body, or a pattern .*; the nearest name is "pipe-1"/],
    ['bolt:bolt', /two bodies: only body 4 matches/],
  ])('refuses %s', (text, message) => {
    expect(() => rulesOfPairs([text], LIMITS, NAMES)).toThrow(message);
  });

  test('a body without a name is checked by no rule', () => {
    const match = createRuleMatcher(rulesOfPairs(['*:*'], LIMITS, NAMES), NAMES);
    expect(match(0, 1)).toBe(0);
    expect(match(0, 99)).toBe(UNMATCHED);
  });
});

const SELECTOR = 'the name of a body, or a pattern that the name of a body matches';

function parse(file: unknown): Rules {
  return parseRules(JSON.stringify(file), LIMITS, NAMES);
}

describe('a file of rules', () => {
  const FILE = {
    groups: { pipes: ['pipe*', 'duct-??'], steel: ['beam*', 'plate'] },
    rules: [
      { between: ['pipes', 'steel'], clearance: 0.05, ignore: [['pipe-2', 'beam-2']] },
      { name: 'pipes among themselves', between: ['pipes', 'pipes'], tolerance: 0 },
      { between: ['pipe-2', '*'] },
    ],
    ignore: [['bolt', 'pipes']],
  };

  test('has groups, limits of its own and pairs to ignore', () => {
    const rules = parse(FILE);
    expect(ruleOf(rules, 'duct-07', 'plate')).toBe(0);
    expect(ruleOf(rules, 'pipe-1', 'pipe-2')).toBe(1);
    // The first rule that matches ignores the pair, so the third does not check it.
    expect(ruleOf(rules, 'pipe-2', 'beam-2')).toBe(IGNORED);
    expect(ruleOf(rules, 'pipe-2', 'bolt')).toBe(IGNORED);
    expect(ruleOf(rules, 'plate', 'beam-1')).toBe(UNMATCHED);
    expect(rules.rules!.map(({ name, tolerance, clearance }) => [name, tolerance, clearance])).toEqual([
      ['pipes:steel', 0.001, 0.05],
      ['pipes among themselves', 0, null],
      ['pipe-2:*', 0.001, null],
    ]);
  });

  test('with nothing but pairs to ignore checks all others', () => {
    const rules = parse({ ignore: [['bolt', '*']] });
    expect(ruleOf(rules, 'bolt', 'plate')).toBe(IGNORED);
    expect(ruleOf(rules, 'pipe-1', 'plate')).toBe(0);
  });

  test('with an empty list of rules checks nothing', () => {
    expect(ruleOf(parse({ rules: [] }), 'pipe-1', 'plate')).toBe(UNMATCHED);
  });

  test.each<[unknown, string]>([
    [[], 'the file of rules is [], expected an object'],
    [{ rule: [] }, "rule is unknown; did you mean 'rules'?"],
    [{ rules: {} }, 'rules is {}, expected a list of rules'],
    [{ rules: [{}] }, 'rules[0].between is missing, expected two groups, names or patterns'],
    [{ rules: [{ between: ['pipe*'] }] }, 'rules[0].between is ["pipe*"], expected two groups, names or patterns'],
    [
      { rules: [{ between: ['pipe*', 'beem*'] }] },
      `rules[0].between[1] is "beem*", expected ${SELECTOR}; the nearest name is "beam-1"`,
    ],
    [
      { groups: { pipes: ['pipe*'] }, rules: [{ between: ['pipe', 'beam*'] }] },
      `rules[0].between[0] is "pipe", expected the name of a group, ${SELECTOR}; the nearest name is "pipes"`,
    ],
    [
      { rules: [{ between: ['pipe*', 'beam*'], clearence: 1 }] },
      "rules[0].clearence is unknown; did you mean 'clearance'?",
    ],
    [
      { rules: [{ between: ['pipe*', 'beam*'], clearance: -1 }] },
      'rules[0].clearance is -1, expected a finite number of at least 0',
    ],
    [
      { rules: [{ between: ['pipe*', 'beam*'], tolerance: '1' }] },
      'rules[0].tolerance is "1", expected a finite number',
    ],
    [
      { groups: { none: [] } },
      'groups["none"] is [], expected a list of names or patterns of bodies, not an empty one',
    ],
    [
      { groups: { tanks: ['tank*'] } },
      `groups["tanks"][0] is "tank*", expected ${SELECTOR}; the nearest name is "pipe-1"`,
    ],
    [{ ignore: ['bolt'] }, 'ignore[0] is "bolt", expected two names or patterns'],
    [{ ignore: [['bolt', 'nut']] }, 'ignore[0][1] is "nut"'],
  ])('refuses %j', (file, message) => {
    const error = (() => {
      try {
        return parse(file);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect((error as Error).message).toContain(message);
    expect((error as { code?: string }).code).toMatch(/^(?:INVALID_INPUT|LIMIT_EXCEEDED)$/);
  });
});

test('each rule has its own clearance and tolerance in one check', async () => {
  const ball = { type: 'sphere', radius: 0.5 } as const;
  const scene = sceneOf([
    { shape: ball, name: 'pipe' },
    { shape: ball, position: [1.04, 0, 0], name: 'beam' },
    { shape: ball, position: [0, 1.04, 0], name: 'wall' },
    { shape: ball, position: [-0.995, 0, 0], name: 'clamp' },
    { shape: ball, position: [0, -0.5, 0], name: 'lining' },
  ]);
  const file = {
    rules: [
      { name: 'near', between: ['pipe', 'beam'], clearance: 0.05 },
      { name: 'loose', between: ['pipe', 'clamp'], tolerance: 0.01 },
      { name: 'rest', between: ['pipe', '*'], ignore: [['pipe', 'lining']] },
    ],
  };
  const rules = parseRules(JSON.stringify(file), { tolerance: 1e-4, clearance: 0.03 }, scene.bodyNames);
  const report = await checkScene(scene, { rules, tolerance: 1e-4, clearance: 0.03 });
  const clashes = await clashesOf(report);
  expect(clashes.map(({ a, b, category, rule }) => [a, b, category, rule])).toEqual([
    ['pipe', 'beam', 'clearance', 'near'],
    ['pipe', 'clamp', 'touching', 'loose'],
  ]);
  expect(report.header.leftOut).toMatchObject({ ignored: 1 });
  expect(report.header.leftOut.unmatched).toBeGreaterThan(0);
});
