/**
 * Prints the times of test files, slowest first, from the JSON reports of `vitest run --reporter=json`:
 *
 *     node scripts/slow-tests.mjs [--most N] [--strict] REPORT...
 *
 * With --most it prints the first N files. With --strict it exits with 1 if a file took more than LIMIT seconds.
 *
 * A file's time is from the start of its first test to the end of its last one, which is what the reports have. The time
 * of its imports, and of what it computes before its first test, is not part of it.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';

/** The most seconds that a file may take that CI runs, on a machine that does nothing else. */
const LIMIT = 60;

const { values, positionals } = parseArgs({
  options: { most: { type: 'string', default: 'Infinity' }, strict: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const most = Number(values.most);
if (positionals.length === 0 || !(most >= 1)) {
  console.error('usage: node scripts/slow-tests.mjs [--most N] [--strict] REPORT...');
  process.exit(2);
}

const files = positionals
  .flatMap((report) => JSON.parse(readFileSync(report, 'utf8')).testResults)
  .map(({ name, startTime, endTime }) => ({ name: relative('', name), seconds: (endTime - startTime) / 1000 }))
  .sort((a, b) => b.seconds - a.seconds);
const sum = files.reduce((total, { seconds }) => total + seconds, 0);
const slow = files.filter(({ seconds }) => seconds > LIMIT);

for (const { name, seconds } of files.slice(0, most)) console.log(`${seconds.toFixed(1).padStart(8)} s  ${name}`);
console.log(`${sum.toFixed(1).padStart(8)} s  sum of ${files.length} files, ${slow.length} of them over ${LIMIT} s`);
if (values.strict && slow.length > 0) process.exitCode = 1;
