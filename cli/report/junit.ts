/**
 * Reports as JUnit XML, for tools that show test results. Every contact is a test case. An overlapping pair is a
 * failure, a pair without an answer is an error, a separated or allowed pair has passed. One more case stands for all
 * pairs that are not listed, or for a scene without pairs, because some readers treat a suite without cases as a
 * failure. A case is named after its two bodies, so its name stays the same when other cases are added or removed.
 * There are no times in it, since reports are the same on every run.
 */

import { counted } from '../terminal-text.ts';
import { escaped } from './xml.ts';
import type { ReportContact } from './contacts.ts';
import { checkOverlap, STATUS_NAMES, unansweredOf } from './report-header.ts';
import type { ReportHeader, NamedCounts } from './report-header.ts';
import type { Report } from './report.ts';

export async function* junitReport({ header, listed, contacts }: Report): AsyncGenerator<string> {
  const name = escaped(header.scene.name);
  const unlisted = Object.fromEntries(
    STATUS_NAMES.map((status) => [status, header.statusCounts[status] - listed[status]]),
  ) as NamedCounts;
  const unlistedPairs = Object.values(unlisted).reduce((sum, n) => sum + n, 0);
  const { overlapping, unanswered } = checkOverlap(listed, header.allowed);
  const errors = unanswered + (unansweredOf(unlisted) > 0 ? 1 : 0);
  const cases = header.hits + (unlistedPairs > 0 || header.hits === 0 ? 1 : 0);
  const counts = `tests="${cases}" failures="${overlapping}" errors="${errors}"`;
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="narrowphase" ${counts}>\n`;
  yield `  <testsuite name="${name}" ${counts} skipped="0">\n    <properties>\n${properties(header)}    </properties>\n`;
  for await (const batch of contacts())
    yield batch.map((contact) => testCase(name, contactName(contact), outcome(contact))).join('');
  if (unlistedPairs > 0) {
    const content = unansweredOf(unlisted) > 0 ? element('error', 'unanswered', unansweredText(unlisted)) : '';
    yield testCase(name, unlistedName(header), `${content}<system-out>${counted(unlistedPairs, 'pair')}</system-out>`);
  }
  if (unlistedPairs === 0 && header.hits === 0) yield testCase(name, 'no candidate pairs', '');
  yield '  </testsuite>\n</testsuites>\n';
}

function properties({ generator, scene, query, engines, candidatePairs, shard }: ReportHeader): string {
  const values: [name: string, value: string | number][] = [
    ['generator', generator],
    ['scene.file', scene.file],
    ['scene.sha256', scene.sha256],
    ['query.name', query.name],
    ['query.margin', query.margin ?? 'infinite'],
    ['candidatePairs', candidatePairs],
  ];
  if (query.tolerance !== undefined) values.push(['query.tolerance', query.tolerance]);
  if (shard) values.push(['shard', `${shard.index}/${shard.count}`]);
  for (const { name, runtime, adapter } of engines)
    values.push(['engine', `${name} on ${runtime}: ${adapter.description}`]);
  return values.map(propertyElement).join('');
}

export function propertyElement([name, value]: readonly [name: string, value: string | number]): string {
  return `      <property name="${name}" value="${escaped(String(value))}"/>\n`;
}

/** `content` is an element, or empty for a test case that has simply passed. `suite` is escaped already. */
export function testCase(suite: string, name: string, content: string): string {
  const start = `    <testcase classname="${suite}" name="${escaped(name)}"`;
  return content === '' ? `${start}/>\n` : `${start}>${content}</testcase>\n`;
}

function contactName({ a, b, nameA, nameB, shapeA, shapeB }: ReportContact): string {
  return `${bodyName(a, nameA, shapeA)} and ${bodyName(b, nameB, shapeB)}`;
}

function bodyName(index: number, name: string | undefined, shape: string): string {
  return name === undefined ? `body ${index} (${shape})` : `body ${index} ${name} (${shape})`;
}

function unlistedName({ query }: ReportHeader): string {
  return `pairs not listed${query.margin === null ? '' : `: farther apart than ${query.margin}`}`;
}

function outcome(contact: ReportContact): string {
  if (contact.allowed !== undefined) {
    const text = contact.status === 'overlapping' ? overlapText(contact) : contact.status;
    return `<system-out>allowed by ${contact.allowed}: ${text}</system-out>`;
  }
  switch (contact.status) {
    case 'separated':
      return contact.distance === undefined
        ? ''
        : `<system-out>${geometry('distance', contact.distance, contact)}</system-out>`;
    case 'overlapping':
      return element('failure', 'overlapping', overlapText(contact));
    default:
      return element(
        'error',
        contact.status,
        `no answer${contact.distance === undefined ? '' : `: distance at least ${contact.distance}`}`,
      );
  }
}

/** `intersects` reports neither depth nor points, `distances` no depth. */
function overlapText(contact: ReportContact): string {
  const { distance, iterations, bound } = contact;
  if (distance === undefined || iterations === undefined) return 'overlapping';
  return `${geometry('depth', -distance, contact)}${bound ? ', at least: the bodies may be deeper' : ''}`;
}

function geometry(word: string, value: number, { pair, normal, pointA, pointB }: ReportContact): string {
  const vectors = [
    ['normal', normal],
    ['pointA', pointA],
    ['pointB', pointB],
  ] as const;
  return [`pair ${pair}`, `${word} ${value}`, ...vectors.map(([name, vector]) => `${name} ${vector!.join(' ')}`)].join(
    ', ',
  );
}

function unansweredText(unlisted: NamedCounts): string {
  const parts = (['notConverged', 'invalidInput', 'capacityExceeded'] as const).filter(
    (status) => unlisted[status] > 0,
  );
  return `without an answer: ${parts.map((status) => `${unlisted[status]} ${status}`).join(', ')}`;
}

export function element(tag: 'failure' | 'error', type: string, message: string): string {
  return `<${tag} type="${type}" message="${escaped(message)}"/>`;
}
