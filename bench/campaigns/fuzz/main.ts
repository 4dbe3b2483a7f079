/**
 * Fuzz of the built package: seeded calls of every method, 9 of 20 with a spoiled argument or an abort, on the CPU and
 * on Dawn side by side.
 *
 *     npm run fuzz -- [--calls 20000] [--block 2000] [--backends cpu,webgpu] [--seed 1] [--jobs 2]
 *
 * `bench/campaigns/fuzz/build.ts` bundles it first. Blocks of calls run in processes of their own, so that a crash is a finding
 * like any other. Prints a table and the findings; exits with 1 if there are any, with 2 for a bad command line.
 */

import { fork } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { runBlock, type BackendName, type BlockReport, type CreateAnyTester } from './block.ts';

const ROOT = join(import.meta.dirname, '..');
const BACKENDS: readonly string[] = ['cpu', 'webgpu'];

/** Milliseconds that a block may go without beginning another call. */
const SILENCE_MS = 240_000;

type Message = { index: number } | { report: BlockReport };

const options = readOptions();
if (options.child) await runChild();
else await runAll();

async function runChild(): Promise<void> {
  const { createTester } = (await import(/* @vite-ignore */ pathToFileURL(join(ROOT, 'dist/node.js')).href)) as {
    createTester: CreateAnyTester;
  };
  const { backends, seed, calls } = options;
  const report = await runBlock({ createTester, backends, seed, calls, onCall: (index) => void tell({ index }) });
  await tell({ report });
  process.exit(0);
}

function tell(message: Message): Promise<void> {
  return new Promise((resolve) => void process.send!(message, () => resolve()));
}

async function runAll(): Promise<void> {
  const start = performance.now();
  const total: BlockReport = { answered: 0, refused: 0, aborted: 0, controls: 0, findings: [] };
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let block = next++; block * options.block < options.calls; block = next++) {
      const report = await runInProcess(
        options.seed + block,
        Math.min(options.block, options.calls - block * options.block),
      );
      for (const name of ['answered', 'refused', 'aborted', 'controls'] as const) total[name] += report[name];
      total.findings.push(...report.findings);
      console.error(
        `${((performance.now() - start) / 1000).toFixed(0).padStart(5)} s  block of seed ` +
          `${options.seed + block}: ${report.findings.length} findings`,
      );
      for (const finding of report.findings) console.error(`         ${finding}`);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, worker));
  console.log(
    `| calls | backends | answered | refused | aborted | control queries | findings |\n| ---: | --- | ---: | ---: | ---: | ---: | ---: |`,
  );
  console.log(
    `| ${options.calls} | ${options.backends.join(', ')} | ${total.answered} | ${total.refused} | ` +
      `${total.aborted} | ${total.controls} | ${total.findings.length} |`,
  );
  for (const finding of total.findings) console.log(`- ${finding}`);
  process.exit(total.findings.length > 0 ? 1 : 0);
}

/** A block's report; where its process dies or falls silent, with a finding that names the call under way. */
function runInProcess(seed: number, calls: number): Promise<BlockReport> {
  return new Promise((resolve) => {
    const args = [
      '--child',
      '--seed',
      String(seed),
      '--calls',
      String(calls),
      '--backends',
      options.backends.join(','),
    ];
    const child = fork(import.meta.filename, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    let index = -1;
    let report: BlockReport | undefined;
    let isSilent = false;
    const silence = (): NodeJS.Timeout =>
      setTimeout(() => {
        isSilent = true;
        child.kill('SIGKILL');
      }, SILENCE_MS);
    let timer = silence();
    child.on('message', (message: Message) => {
      clearTimeout(timer);
      timer = silence();
      if ('index' in message) index = message.index;
      else report = message.report;
    });
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      const end = isSilent ? `hangs for ${SILENCE_MS / 1000} s` : `ends the process with ${signal ?? code}`;
      resolve(
        report ?? {
          answered: 0,
          refused: 0,
          aborted: 0,
          controls: 0,
          findings: [`seed ${seed}, call ${index} ${end}`],
        },
      );
    });
  });
}

function readOptions(): {
  calls: number;
  block: number;
  backends: BackendName[];
  seed: number;
  jobs: number;
  child: boolean;
} {
  const text = { type: 'string' } as const;
  let values: Record<string, string | boolean | undefined>;
  try {
    ({ values } = parseArgs({
      args: process.argv.slice(2),
      options: { calls: text, block: text, backends: text, seed: text, jobs: text, child: { type: 'boolean' } },
    }));
  } catch (error) {
    return fail((error as Error).message.split('. ')[0]);
  }
  const whole = (name: string, fallback: number): number => {
    const value = Number(values[name] ?? fallback);
    return Number.isInteger(value) && value >= 0
      ? value
      : fail(`--${name} is ${String(values[name])}, expected a whole number`);
  };
  const backends = String(values.backends ?? 'cpu,webgpu').split(',');
  const unknown = backends.find((name) => !BACKENDS.includes(name));
  if (unknown !== undefined) fail(`--backends has ${unknown}, expected ${BACKENDS.join(' or ')}`);
  return {
    calls: whole('calls', 20_000),
    block: Math.max(whole('block', 2000), 1),
    backends: backends as BackendName[],
    seed: whole('seed', 1),
    jobs: Math.max(whole('jobs', 2), 1),
    child: values.child === true,
  };
}

function fail(message: string): never {
  console.error(
    `${message}; npm run fuzz -- [--calls 20000] [--block 2000] [--backends cpu,webgpu] [--seed 1] [--jobs 2]`,
  );
  process.exit(2);
}
