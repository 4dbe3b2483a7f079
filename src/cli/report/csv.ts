/** Reports as CSV (RFC 4180): a header, then one contact a line. Facts have no place in it. */

import type { CommandQuery } from '../engines/engine.ts';
import { printable } from '../output.ts';
import type { ReportContact } from './contacts.ts';
import type { Report } from './report.ts';

const PAIR = ['pair', 'a', 'b', 'nameA', 'nameB', 'shapeA', 'shapeB', 'status'];
const GEOMETRY = ['distance', ...['normal', 'pointA', 'pointB'].flatMap((name) => ['X', 'Y', 'Z'].map((axis) => name + axis))];

const COLUMNS: Record<CommandQuery, string[]> = {
  intersects: PAIR,
  distances: [...PAIR, ...GEOMETRY],
  contacts: [...PAIR, ...GEOMETRY, 'featureA', 'featureB', 'iterations'],
};

export async function* csvReport({ facts, contacts }: Report): AsyncGenerator<string> {
  const columns = COLUMNS[facts.query.name];
  yield `${columns.join()}\r\n`;
  for await (const batch of contacts()) {
    yield batch.map((contact) => `${cells(contact).slice(0, columns.length).join()}\r\n`).join('');
  }
}

/** In the order of the longest list of columns; the others are its beginnings. */
function cells(contact: ReportContact): (string | number | undefined)[] {
  const { pair, a, b, nameA, nameB, shapeA, shapeB, status, distance, normal, pointA, pointB, featureA, featureB, iterations } = contact;
  const numbers = [distance, ...(normal ?? []), ...(pointA ?? []), ...(pointB ?? []), featureA, featureB, iterations];
  return [pair, a, b, quoted(nameA), quoted(nameB), shapeA, shapeB, status, ...numbers];
}

function quoted(name = ''): string {
  const text = printable(name);
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
