/**
 * Checks one contact of a report that was read from a file. Every error names the field, its value and what was
 * expected.
 */

import { invalidInput } from '../../src/api/errors.ts';
import type { CommandQuery } from '../../verification/engines/engine.ts';
import { checkObject } from '../../src/util/json-fields.ts';
import { alternatives } from '../../src/util/known.ts';
import { isWithin } from './contacts.ts';
import type { ReportContact } from './contacts.ts';
import type { ShardHeader } from './check-header.ts';
import { parseItem } from './parse-item.ts';
import { ALLOWANCES, STATUS_NAMES } from './report-header.ts';

interface Field {
  name: keyof ReportContact;
  isRight: (value: unknown, header: ShardHeader) => boolean;
  expected: string;
}

const isInteger = (value: unknown, end: number): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < end;
const isName = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && value.length >= 1 && value.length <= 256);
const isVector = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);

const body = {
  isRight: (value: unknown, { scene }: ShardHeader) => isInteger(value, scene.bodies),
  expected: "the index of one of the scene's bodies",
};
const bodyName = { isRight: isName, expected: 'a string of 1 to 256 characters' };
const shape = {
  isRight: (value: unknown, { scene }: ShardHeader) =>
    typeof value === 'string' && Object.hasOwn(scene.shapesByType, value),
  expected: 'a type that scene.shapesByType has',
};
const vector = { isRight: isVector, expected: 'three finite numbers' };
const feature = { isRight: (value: unknown) => isInteger(value, 2 ** 32), expected: 'an integer below 2^32' };

const PAIR: Field[] = [
  {
    name: 'pair',
    isRight: (value, { candidatePairs }) => isInteger(value, candidatePairs),
    expected: 'the index of a candidate pair',
  },
  { name: 'a', ...body },
  { name: 'b', ...body },
  { name: 'nameA', ...bodyName },
  { name: 'nameB', ...bodyName },
  { name: 'shapeA', ...shape },
  { name: 'shapeB', ...shape },
  {
    name: 'status',
    isRight: (value) => (STATUS_NAMES as readonly unknown[]).includes(value),
    expected: alternatives(STATUS_NAMES),
  },
];
const GEOMETRY: Field[] = [
  { name: 'distance', isRight: Number.isFinite, expected: 'a finite number' },
  { name: 'normal', ...vector },
  { name: 'pointA', ...vector },
  { name: 'pointB', ...vector },
];
const ALLOWED: Field[] = [
  {
    name: 'allowed',
    isRight: (value) => value === undefined || (ALLOWANCES as readonly unknown[]).includes(value),
    expected: alternatives(ALLOWANCES),
  },
];
/** Fields in the order in which `run` writes them. */
const FIELDS: Record<CommandQuery, Field[]> = {
  intersects: [...PAIR, ...ALLOWED],
  distances: [...PAIR, ...GEOMETRY, ...ALLOWED],
  contacts: [
    ...PAIR,
    ...GEOMETRY,
    { name: 'featureA', ...feature },
    { name: 'featureB', ...feature },
    { name: 'iterations', isRight: (value) => isInteger(value, 2 ** 16), expected: 'an integer below 2^16' },
    ...ALLOWED,
    { name: 'bound', isRight: (value) => value === undefined || value === true, expected: 'true' },
  ],
};
const NAMES = Object.fromEntries(
  Object.entries(FIELDS).map(([query, fields]) => [query, new Set<string>(fields.map(({ name }) => name))]),
);

/**
 * Parses and checks a contact. The result has its fields in the order of `FIELDS`. `path` names the contact in errors.
 * `first` is the smallest pair index that it may have.
 */
export function checkContact(text: string, path: string, header: ShardHeader, first: number): ReportContact {
  const query = header.query.name;
  const given = checkObject(parseItem(text, path), path, NAMES[query]);
  const contact: Record<string, unknown> = {};
  for (const { name, isRight, expected } of FIELDS[query]) {
    if (!isRight(given[name], header)) invalidInput(`${path}.${name}`, given[name], expected);
    if (given[name] !== undefined) contact[name] = given[name];
  }
  checkWhole(contact as unknown as ReportContact, path, header, first);
  return contact as unknown as ReportContact;
}

/** What no field tells alone. */
function checkWhole(contact: ReportContact, path: string, header: ShardHeader, first: number): void {
  if (contact.a === contact.b) invalidInput(`${path}.b`, contact.b, 'another body than a');
  const { status, distance = 0, pair } = contact;
  if (status === 'overlapping' && distance > 0) {
    invalidInput(`${path}.distance`, distance, 'at most 0, as the status is overlapping');
  }
  // 0 is valid for a gap that is too small for f32.
  if (status === 'separated' && distance < 0) {
    invalidInput(`${path}.distance`, distance, 'above 0, as the status is separated');
  }
  checkAllowance(contact, path, header);
  const end = header.shard.firstPair + header.shard.pairs;
  if (pair < first || pair >= end) {
    const { index, count } = header.shard;
    invalidInput(
      `${path}.pair`,
      pair,
      `pairs in ascending order within shard ${index} of ${count}, here from ${first} to ${end - 1}`,
    );
  }
}

function checkAllowance({ allowed, status, distance, bound }: ReportContact, path: string, header: ShardHeader): void {
  const { tolerance } = header.query;
  const isShallow = status === 'overlapping' && isWithin(tolerance, distance);
  const isTolerated = isShallow && !bound;
  const depth = `as the distance is ${distance} and the tolerance ${tolerance}`;
  const refuse = (expected: string): never => invalidInput(`${path}.allowed`, allowed, expected);
  if (bound && (!isShallow || allowed !== undefined)) invalidInput(`${path}.bound`, bound, `nothing, ${depth}`);
  if (allowed === undefined && isTolerated) refuse(`pair or tolerance, ${depth}`);
  if (allowed === undefined) return;
  if (!header.allowed) refuse('nothing, as the report does not say how many contacts are allowed');
  if (status === 'separated') refuse('nothing, as the status is separated');
  if (allowed === 'tolerance' && !isTolerated) refuse(`nothing or pair, ${depth}`);
}
