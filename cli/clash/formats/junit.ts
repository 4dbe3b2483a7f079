/**
 * Clash reports as JUnit XML, for tools that show test results. Every clash is a test case, named after its bodies and
 * category, so its name stays the same when other cases are added or removed. A clash that fails the check is a failure,
 * a pair without an answer an error. One more case stands for all pairs that do not clash.
 */

import { counted } from '../../terminal-text.ts';
import { element, propertyElement, testCase } from '../../report/junit.ts';
import { askedPairs } from '../../report/table-parts.ts';
import { escaped } from '../../report/xml.ts';
import type { Clash, ClashHeader, ClashReport } from '../clash-report.ts';
import { describeClash, titleOf } from '../describe.ts';

export async function* clashJunit({ header, clashes }: ClashReport): AsyncGenerator<string> {
  const { scene, count, check, unanswered } = header;
  const name = escaped(scene.name);
  const others = askedPairs(header) - count - unanswered.length;
  const hasRest = others > 0 || count + unanswered.length === 0;
  const tests = count + unanswered.length + (hasRest ? 1 : 0);
  const counts = `tests="${tests}" failures="${check.failed}" errors="${check.unanswered}"`;
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="narrowphase" ${counts}>\n`;
  yield `  <testsuite name="${name}" ${counts} skipped="0">\n    <properties>\n${properties(header)}    </properties>\n`;
  for await (const batch of clashes()) {
    yield batch.map((clash) => testCase(name, titleOf(clash), outcome(clash))).join('');
  }
  for (const { a, b, status } of unanswered) {
    yield testCase(name, `${a} and ${b}`, element('error', status, 'no answer'));
  }
  if (hasRest) {
    const text = others > 0 ? `<system-out>${counted(others, 'pair')}</system-out>` : '';
    yield testCase(name, others > 0 ? 'pairs without a clash' : 'no candidate pairs', text);
  }
  yield '  </testsuite>\n</testsuites>\n';
}

function properties({ generator, scene, tolerance, clearance, candidatePairs, shard, engines }: ClashHeader): string {
  const values: [name: string, value: string | number][] = [
    ['generator', generator],
    ['scene.file', scene.file],
    ['scene.sha256', scene.sha256],
    ['tolerance', tolerance],
    ['candidatePairs', candidatePairs],
  ];
  if (clearance !== null) values.push(['clearance', clearance]);
  if (shard) values.push(['shard', `${shard.index}/${shard.count}`]);
  for (const { name, runtime, adapter } of engines) {
    values.push(['engine', `${name} on ${runtime}: ${adapter.description}`]);
  }
  return values.map(propertyElement).join('');
}

function outcome(clash: Clash): string {
  const text = describeClash(clash);
  if (clash.verdict === 'fail') return element('failure', clash.category, text);
  return `<system-out>${escaped(`${clash.verdict}: ${text}`)}</system-out>`;
}
