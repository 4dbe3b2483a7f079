/**
 * Conformance of every engine of this machine, for the record: runs the built `narrowphase conformance` and writes what
 * it prints to bench/results/conformance.md.
 *
 *     npm run conformance -- [options of narrowphase conformance]
 *
 * Exits as the command does.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const { status, stdout } = spawnSync(
  process.execPath,
  ['dist/narrowphase.js', 'conformance', ...process.argv.slice(2)],
  {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
if (!/^\| engine \|/m.test(stdout))
  throw new Error(`narrowphase conformance ended with ${status} and printed no table of engines`);
writeFileSync('bench/results/conformance.md', stdout);
process.exit(status ?? 1);
