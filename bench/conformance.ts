/**
 * Conformance of every engine of this machine, for the record: runs the built `narrowphase conformance`, writes what it
 * prints to bench/results/conformance.md, and puts its table of engines into the README between the markers there.
 *
 *     npm run conformance -- [options of narrowphase conformance]
 *
 * Exits as the command does.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const REPORT = 'bench/results/conformance.md';
const README = 'README.md';
const MARKED = /(<!-- conformance: engines -->\n)[^]*?(<!-- end -->)/;

const { status, stdout } = spawnSync(
  process.execPath,
  ['dist/narrowphase.js', 'conformance', ...process.argv.slice(2)],
  {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
const table = stdout.match(/^\| engine \|[^]*?\n(?=\n)/m)?.[0];
if (table === undefined)
  throw new Error(`narrowphase conformance ended with ${status} and printed no table of engines`);
const readme = readFileSync(README, 'utf8');
if (!MARKED.test(readme)) throw new Error(`${README} has no place for the table of engines`);
writeFileSync(REPORT, stdout);
writeFileSync(
  README,
  readme.replace(MARKED, (_, start: string, end: string) => `${start}${table}${end}`),
);
process.exit(status ?? 1);
