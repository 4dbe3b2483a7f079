/**
 * Checks one clash of a report that was read from a file. Every error names the field, its value and what was expected.
 */

import { invalidInput } from '../../src/api/errors.ts';
import { checkObject } from '../../src/util/json-fields.ts';
import { alternatives, type Names } from '../../src/util/known.ts';
import { parseItem } from '../report/parse-item.ts';
import { CATEGORIES, SOURCES, VERDICTS } from './categories.ts';
import type { Clash, ClashHeader } from './clash-report.ts';
import type { Limits } from './rules.ts';

interface Field {
  name: keyof Clash;
  isRight: (value: unknown, header: ClashHeader) => boolean;
  expected: string;
}

const isWord =
  (words: readonly unknown[]) =>
  (value: unknown): boolean =>
    words.includes(value);
const isCopy = (value: unknown): boolean => value === undefined || (Number.isInteger(value) && (value as number) > 1);
const isVector = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);

const label = {
  isRight: (value: unknown) => typeof value === 'string' && value.length >= 1 && value.length <= 256,
  expected: 'a string of 1 to 256 characters',
};
const copy = { isRight: isCopy, expected: 'an integer above 1' };
const body = {
  isRight: (value: unknown, { scene }: ClashHeader) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) < scene.bodies,
  expected: "the index of one of the scene's bodies",
};
const vector = { isRight: isVector, expected: 'three finite numbers' };

/** Fields in the order in which `clash` writes them. */
const FIELDS: Field[] = [
  {
    name: 'pair',
    isRight: (value, { candidatePairs }) =>
      Number.isInteger(value) && (value as number) >= 0 && (value as number) < candidatePairs,
    expected: 'the index of a candidate pair',
  },
  { name: 'a', ...label },
  { name: 'b', ...label },
  { name: 'copyA', ...copy },
  { name: 'copyB', ...copy },
  { name: 'bodyA', ...body },
  { name: 'bodyB', ...body },
  { name: 'category', isRight: isWord(CATEGORIES), expected: alternatives(CATEGORIES) },
  { name: 'inside', isRight: isWord([undefined, 'a', 'b']), expected: 'a or b' },
  { name: 'verdict', isRight: isWord(VERDICTS), expected: alternatives(VERDICTS) },
  { name: 'distance', isRight: Number.isFinite, expected: 'a finite number' },
  { name: 'source', isRight: isWord(SOURCES), expected: alternatives(SOURCES) },
  { name: 'point', ...vector },
  { name: 'normal', ...vector },
  {
    name: 'size',
    isRight: (value) => Number.isFinite(value) && (value as number) >= 0,
    expected: 'a finite number of at least 0',
  },
  {
    name: 'rule',
    isRight: (value, { rules }) => (rules === null ? value === undefined : rules.some(({ name }) => name === value)),
    expected: 'the name of one of the rules, if there are rules',
  },
];
const NAMES: Names = new Set(FIELDS.map(({ name }) => name));

/**
 * Parses and checks a clash. The result has its fields in the order of `FIELDS`. `path` names the clash in errors.
 * `first` is the smallest pair index that it may have.
 */
export function checkClash(text: string, path: string, header: ClashHeader, first: number): Clash {
  const given = checkObject(parseItem(text, path), path, NAMES);
  const clash: Record<string, unknown> = {};
  for (const { name, isRight, expected } of FIELDS) {
    if (!isRight(given[name], header)) invalidInput(`${path}.${name}`, given[name], expected);
    if (given[name] !== undefined) clash[name] = given[name];
  }
  checkWhole(clash as unknown as Clash, path, header, first);
  return clash as unknown as Clash;
}

/** Checks that involve several fields. */
function checkWhole(clash: Clash, path: string, header: ClashHeader, first: number): void {
  const { bodyA, bodyB, category, inside, distance, pair, verdict } = clash;
  if (bodyA === bodyB) invalidInput(`${path}.bodyB`, bodyB, 'another body than bodyA');
  if ((category === 'contained') !== (inside !== undefined)) {
    invalidInput(`${path}.inside`, inside, 'a or b if the category is contained, otherwise nothing');
  }
  if (!limitsOf(clash, header).some((limits) => isOfCategory(clash, limits))) {
    invalidInput(`${path}.distance`, distance, `a distance of the category ${category} by tolerance and clearance`);
  }
  if (verdict === 'fail' || verdict === 'known') {
    if (!header.failOn.includes(category))
      invalidInput(`${path}.verdict`, verdict, 'pass, as failOn lacks the category');
    if (verdict === 'known' && !header.baseline)
      invalidInput(`${path}.verdict`, verdict, 'fail, as there is no baseline');
  }
  const end = (header.shard?.firstPair ?? 0) + (header.shard?.pairs ?? header.candidatePairs);
  if (pair < first || pair >= end) {
    invalidInput(`${path}.pair`, pair, `pairs in ascending order, here from ${first} to ${end - 1}`);
  }
}

/** The limits of all rules with the name of the clash's rule. */
function limitsOf({ rule }: Clash, header: ClashHeader): readonly Limits[] {
  return header.rules === null ? [header] : header.rules.filter(({ name }) => name === rule);
}

function isOfCategory({ category, distance, source }: Clash, { tolerance, clearance }: Limits): boolean {
  switch (category) {
    case 'overlap':
    case 'contained':
      return distance < -tolerance || (source === 'bound' && distance <= 0);
    case 'duplicate':
      return distance <= tolerance;
    case 'touching':
      return Math.abs(distance) <= tolerance;
    case 'clearance':
      return distance > tolerance && clearance !== null && distance < clearance;
  }
}
