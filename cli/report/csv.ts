/**
 * Reports as CSV (RFC 4180): a header, then one contact per line. It omits the report header. Names that a spreadsheet
 * would take for formulas get an apostrophe in front (https://owasp.org/www-community/attacks/CSV_Injection).
 */

import type { CommandQuery } from '../../verification/engines/engine.ts';
import { printable } from '../terminal-text.ts';
import type { ReportContact } from './contacts.ts';
import type { Report } from './report.ts';

const PAIR = ['pair', 'a', 'b', 'nameA', 'nameB', 'shapeA', 'shapeB', 'status'];
const GEOMETRY = [
  'distance',
  ...['normal', 'pointA', 'pointB'].flatMap((name) => ['X', 'Y', 'Z'].map((axis) => name + axis)),
];

const COLUMNS: Record<CommandQuery, string[]> = {
  intersects: PAIR,
  distances: [...PAIR, ...GEOMETRY],
  contacts: [...PAIR, ...GEOMETRY, 'featureA', 'featureB', 'iterations'],
};

export async function* csvReport({ header, contacts }: Report): AsyncGenerator<string> {
  const columns = COLUMNS[header.query.name];
  const hasAllowed = header.allowed !== undefined;
  yield line(columns, hasAllowed ? ['allowed', 'bound'] : []);
  for await (const batch of contacts()) {
    const lines = batch.map((contact) =>
      line(cells(contact).slice(0, columns.length), hasAllowed ? [contact.allowed, contact.bound && 'true'] : []),
    );
    yield lines.join('');
  }
}

/** `undefined` is an empty cell. */
export type Cell = string | number | undefined;

export function line(...cellLists: Cell[][]): string {
  return `${cellLists.flat().join()}\r\n`;
}

/** Cells in the order of the longest list of columns. The other lists are prefixes of it. */
function cells(contact: ReportContact): Cell[] {
  const {
    pair,
    a,
    b,
    nameA,
    nameB,
    shapeA,
    shapeB,
    status,
    distance,
    normal,
    pointA,
    pointB,
    featureA,
    featureB,
    iterations,
  } = contact;
  const numbers = [distance, ...(normal ?? []), ...(pointA ?? []), ...(pointB ?? []), featureA, featureB, iterations];
  return [pair, a, b, quoted(nameA), quoted(nameB), shapeA, shapeB, status, ...numbers];
}

/** Includes the full-width forms, which some spreadsheets treat like the others. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A name as a cell. */
export function quoted(name = ''): string {
  const text = printable(FORMULA.test(name) ? `'${name}` : name);
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
