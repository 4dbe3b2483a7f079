/** Checks one contact of a report that was read from a file. Every error names the field, its value and what was expected. */

import { invalidInput } from '../../errors.ts';
import type { CommandQuery } from '../engines/engine.ts';
import { alternatives, checkObject } from '../../scene/fields.ts';
import type { ReportContact } from './contacts.ts';
import type { ShardFacts } from './check-facts.ts';
import { STATUS_NAMES } from './facts.ts';

interface Field {
  name: keyof ReportContact;
  isRight: (value: unknown, facts: ShardFacts) => boolean;
  expected: string;
}

const isInteger = (value: unknown, end: number): boolean => Number.isInteger(value) && (value as number) >= 0 && (value as number) < end;
const isName = (value: unknown): boolean => value === undefined || (typeof value === 'string' && value.length >= 1 && value.length <= 256);
const isVector = (value: unknown): boolean => Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);

const body = { isRight: (value: unknown, { scene }: ShardFacts) => isInteger(value, scene.bodies), expected: "the index of one of the scene's bodies" };
const bodyName = { isRight: isName, expected: 'a string of 1 to 256 characters' };
const shape = {
  isRight: (value: unknown, { scene }: ShardFacts) => typeof value === 'string' && Object.hasOwn(scene.shapesByType, value),
  expected: 'a type that scene.shapesByType has',
};
const vector = { isRight: isVector, expected: 'three finite numbers' };
const feature = { isRight: (value: unknown) => isInteger(value, 2 ** 32), expected: 'an integer below 2^32' };

const PAIR: Field[] = [
  { name: 'pair', isRight: (value, { candidatePairs }) => isInteger(value, candidatePairs), expected: 'the index of a candidate pair' },
  { name: 'a', ...body },
  { name: 'b', ...body },
  { name: 'nameA', ...bodyName },
  { name: 'nameB', ...bodyName },
  { name: 'shapeA', ...shape },
  { name: 'shapeB', ...shape },
  { name: 'status', isRight: (value) => (STATUS_NAMES as readonly unknown[]).includes(value), expected: alternatives(STATUS_NAMES) },
];
const GEOMETRY: Field[] = [
  { name: 'distance', isRight: Number.isFinite, expected: 'a finite number' },
  { name: 'normal', ...vector },
  { name: 'pointA', ...vector },
  { name: 'pointB', ...vector },
];
const FIELDS: Record<CommandQuery, Field[]> = {
  intersects: PAIR,
  distances: [...PAIR, ...GEOMETRY],
  contacts: [
    ...PAIR,
    ...GEOMETRY,
    { name: 'featureA', ...feature },
    { name: 'featureB', ...feature },
    { name: 'iterations', isRight: (value) => isInteger(value, 2 ** 16), expected: 'an integer below 2^16' },
  ],
};
const NAMES = Object.fromEntries(Object.entries(FIELDS).map(([query, fields]) => [query, fields.map(({ name }) => name)]));

/** The contact that `text` is. `path`: what errors call it. `first`: the least pair that it can be of. */
export function checkContact(text: string, path: string, facts: ShardFacts, first: number): ReportContact {
  const query = facts.query.name;
  const contact = checkObject(parse(text, path), path, NAMES[query]) as Partial<ReportContact>;
  for (const { name, isRight, expected } of FIELDS[query]) {
    if (!isRight(contact[name], facts)) invalidInput(`${path}.${name}`, contact[name], expected);
  }
  if (contact.a === contact.b) invalidInput(`${path}.b`, contact.b, 'another body than a');
  const isOverlap = contact.status === 'overlapping';
  if (contact.distance !== undefined && isOverlap !== contact.distance <= 0 && isAnswer(contact.status)) {
    invalidInput(`${path}.distance`, contact.distance, isOverlap ? 'at most 0, as the status is overlapping' : 'above 0, as the status is separated');
  }
  const end = facts.shard.firstPair + facts.shard.pairs;
  const pair = contact.pair!;
  if (pair < first || pair >= end) {
    const { index, count } = facts.shard;
    invalidInput(`${path}.pair`, pair, `pairs in ascending order within shard ${index} of ${count}, here from ${first} to ${end - 1}`);
  }
  return contact as ReportContact;
}

function isAnswer(status: unknown): boolean {
  return status === 'separated' || status === 'overlapping';
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return invalidInput(path, text, 'a JSON object');
  }
}
