/**
 * Benchmark of narrowphase against other libraries:
 *
 *     npm run bench -- [--quick] [--engines A,B] [--peers A,B] [--cases A,B] [--pairs N] [--bodies A,B] [--rounds N]
 *       [--out DIR]
 *
 * Every engine of this machine and every call of a peer is a child process. Writes bench.json, bench.md and
 * throughput.svg, and prints the targets. `--cases host` times whole queries and writes host.md, `--cases
 * frame` frames on the GPU and writes frame.md. Exits with 2 for a
 * bad command line, otherwise with 0: it measures, and judges nothing but answers.
 */

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPrograms } from './build.ts';
import { HELP, parseOptions } from './options.ts';
import { describeMachine } from '../machine.ts';
import { rounded } from '../markdown.ts';
import { commandLine, optionsOrExit } from '../options.ts';
import { createLog } from '../progress.ts';
import { generatorText } from '../revision.ts';
import { frameMarkdown } from './report/frame.ts';
import { hostMarkdown } from './report/host.ts';
import { markdown, targetTables } from './report/markdown.ts';
import { throughputPlot } from './report/plot.ts';
import { measureAll } from './run/all.ts';
import { measureFrameCases } from './run/frame.ts';
import { measureHost } from './run/host.ts';

const ROOT = join(import.meta.dirname, '../..');

const options = optionsOrExit('bench', HELP, parseOptions);
const out = options.out;
if (!existsSync(join(ROOT, 'dist/node.js'))) {
  console.error('dist/ is missing: npm run build');
  process.exit(3);
}
// The children are ended by a listener for this process's end.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const folder = mkdtempSync(join(tmpdir(), 'narrowphase-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const start = performance.now();
const say = createLog(start);
const date = new Date().toISOString().slice(0, 10);
const machine = describeMachine();
const generator = generatorText();
await buildPrograms();
mkdirSync(out, { recursive: true });
if (options.hostCases.length > 0) {
  const report = { ...(await measureHost(options, folder, say)), ...facts() };
  writeFileSync(join(out, 'host.md'), hostMarkdown(report));
  say(join(out, 'host.md'));
}
if (options.frameScenes.length > 0) {
  const report = { ...(await measureFrameCases(options, say)), ...facts() };
  writeFileSync(join(out, 'frame.md'), frameMarkdown(report));
  say(join(out, 'frame.md'));
}
if (options.cases.length > 0 || options.curves) {
  const report = { ...(await measureAll(options, folder, say)), ...facts(), pairs: options.pairs };
  writeFileSync(join(out, 'bench.json'), `${JSON.stringify(report, rounded, 1)}\n`);
  writeFileSync(join(out, 'bench.md'), markdown(report));
  if (report.curves.length > 0) writeFileSync(join(out, 'throughput.svg'), throughputPlot(report));
  console.log(targetTables(report).join('\n'));
  say(join(out, 'bench.md'));
}
process.exit(0);

/** What a report tells of the run. */
function facts() {
  return {
    version: 1 as const,
    generator,
    command: commandLine('npm run bench'),
    date,
    seconds: Math.round((performance.now() - start) / 1000),
    machine,
    rounds: options.rounds,
    seed: options.seed,
  };
}
