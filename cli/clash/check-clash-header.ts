/**
 * Checks the header of a clash report that was read from a file. Every error names the field, its value and what was
 * expected.
 */

import { invalidInput } from '../../src/api/errors.ts';
import { checkList, checkName, checkObject, checkPresent, checkSize } from '../../src/util/json-fields.ts';
import { SCENE_LIMITS } from '../scene/scene.ts';
import { namesOf, type Names } from '../../src/util/known.ts';
import { checkCount, checkEngines, checkScene, checkShard, checkText, checkWord } from '../report/check-parts.ts';
import { STATUS_NAMES } from '../report/report-header.ts';
import type { LeftOut } from './candidates.ts';
import { CATEGORIES, VERDICTS, type Category, type Counts } from './categories.ts';
import { checkOf, type BaselineFacts, type ClashCheck, type ClashHeader, type Unanswered } from './clash-report.ts';
import type { RuleFacts } from './rules.ts';

const FIELDS = namesOf<ClashHeader>({
  version: true,
  command: true,
  generator: true,
  scene: true,
  tolerance: true,
  clearance: true,
  rules: true,
  failOn: true,
  baseline: true,
  engines: true,
  candidatePairs: true,
  leftOut: true,
  shard: true,
  count: true,
  categories: true,
  verdicts: true,
  unanswered: true,
  check: true,
});
const RULE_FIELDS = namesOf<RuleFacts>({ name: true, between: true, tolerance: true, clearance: true });
const BASELINE_FIELDS = namesOf<BaselineFacts>({ file: true, sha256: true, clashes: true, found: true });
const LEFT_OUT_FIELDS = namesOf<LeftOut>({ unmatched: true, ignored: true });
const CHECK_FIELDS = namesOf<ClashCheck>({ passed: true, failed: true, unanswered: true });
const UNANSWERED_FIELDS = namesOf<Unanswered>({ a: true, b: true, status: true });

const MAX_ENGINES = 1000;
const MAX_LIST = 2 ** 20;

/** Returns the header with its fields in the order that `clash` writes. */
export function checkClashHeader(value: unknown): ClashHeader {
  const root = checkObject(value, '', FIELDS, 'the report');
  checkPresent(root.version, 'version', '1');
  if (root.version !== 1) invalidInput('version', root.version, '1');
  checkWord(root.command, 'command', ['clash']);
  const generator = checkText(root.generator, 'generator');
  const scene = checkScene(root.scene);
  const tolerance = checkSize(root.tolerance, 'tolerance');
  const clearance = checkClearance(root.clearance, 'clearance');
  const rules = checkRules(root.rules);
  const failOn = checkList(root.failOn, 'failOn', 'a list of categories', CATEGORIES.length).map((each, i) =>
    checkWord<Category>(each, `failOn[${i}]`, CATEGORIES),
  );
  const candidatePairs = checkCount(root.candidatePairs, 'candidatePairs', SCENE_LIMITS.pairs);
  checkPresent(root.shard, 'shard', 'null or a shard');
  const shard = root.shard === null ? null : checkShard(root.shard, candidatePairs);
  const pairs = shard?.pairs ?? candidatePairs;
  const engines = checkEngines(root.engines, shard ? 1 : MAX_ENGINES);
  const count = checkCount(root.count, 'count', pairs);
  const baseline = checkBaseline(root.baseline, count);
  const categories = checkCounts(root.categories, 'categories', CATEGORIES, count);
  const verdicts = checkCounts(root.verdicts, 'verdicts', VERDICTS, count);
  const unanswered = checkUnanswered(root.unanswered, pairs - count);
  return {
    version: 1,
    command: 'clash',
    generator,
    scene,
    tolerance,
    clearance,
    rules,
    failOn,
    baseline,
    engines,
    candidatePairs,
    leftOut: checkLeftOut(root.leftOut),
    shard,
    count,
    categories,
    verdicts,
    unanswered,
    check: checkCheck(root.check, checkOf(verdicts, unanswered.length)),
  };
}

function checkClearance(value: unknown, path: string): number | null {
  return value === null ? null : checkSize(value, path);
}

function checkRules(value: unknown): RuleFacts[] | null {
  checkPresent(value, 'rules', 'null or a list of rules');
  if (value === null) return null;
  return checkList(value, 'rules', 'null or a list of rules', MAX_LIST).map((each, i) => {
    const path = `rules[${i}]`;
    const rule = checkObject(each, path, RULE_FIELDS);
    const between = checkList(rule.between, `${path}.between`, 'two patterns', 2);
    return {
      name: checkText(rule.name, `${path}.name`),
      between: [checkName(between[0], `${path}.between[0]`), checkName(between[1], `${path}.between[1]`)],
      tolerance: checkSize(rule.tolerance, `${path}.tolerance`),
      clearance: checkClearance(rule.clearance, `${path}.clearance`),
    };
  });
}

function checkBaseline(value: unknown, count: number): BaselineFacts | null {
  checkPresent(value, 'baseline', 'null or the facts of a baseline');
  if (value === null) return null;
  const given = checkObject(value, 'baseline', BASELINE_FIELDS);
  const sha256 = checkText(given.sha256, 'baseline.sha256');
  if (!/^[0-9a-f]{64}$/.test(sha256)) invalidInput('baseline.sha256', sha256, '64 hexadecimal digits');
  const clashes = checkCount(given.clashes, 'baseline.clashes', SCENE_LIMITS.pairs);
  return {
    file: checkText(given.file, 'baseline.file'),
    sha256,
    clashes,
    found: checkCount(given.found, 'baseline.found', Math.min(clashes, count)),
  };
}

function checkLeftOut(value: unknown): LeftOut {
  const given = checkObject(value, 'leftOut', LEFT_OUT_FIELDS);
  return {
    unmatched: checkCount(given.unmatched, 'leftOut.unmatched', SCENE_LIMITS.pairs),
    ignored: checkCount(given.ignored, 'leftOut.ignored', SCENE_LIMITS.pairs),
  };
}

/** Counts of these names, which add up to `count`. */
function checkCounts<Name extends string>(
  value: unknown,
  path: string,
  names: readonly Name[],
  count: number,
): Counts<Name> {
  const known: Names = new Set(names);
  const given = checkObject(value, path, known);
  const counts = names.map((name) => checkCount(given[name], `${path}.${name}`, count));
  if (counts.reduce((sum, n) => sum + n, 0) !== count) {
    invalidInput(path, given, `counts that add up to ${count}, as count says`);
  }
  return Object.fromEntries(names.map((name, i) => [name, counts[i]])) as Counts<Name>;
}

function checkUnanswered(value: unknown, most: number): Unanswered[] {
  return checkList(value, 'unanswered', 'a list of pairs', most).map((each, i) => {
    const path = `unanswered[${i}]`;
    const given = checkObject(each, path, UNANSWERED_FIELDS);
    return {
      a: checkText(given.a, `${path}.a`),
      b: checkText(given.b, `${path}.b`),
      status: checkWord(given.status, `${path}.status`, STATUS_NAMES),
    };
  });
}

function checkCheck(value: unknown, expected: ClashCheck): ClashCheck {
  const given = checkObject(value, 'check', CHECK_FIELDS);
  if (Object.entries(expected).some(([field, right]) => given[field] !== right)) {
    invalidInput('check', value, `${JSON.stringify(expected)}, as verdicts and unanswered say`);
  }
  return expected;
}
