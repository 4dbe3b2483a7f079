/**
 * Fuzz of the built package: seeded calls of every method, 9 of 20 with a spoiled argument or an abort, on the CPU and
 * on Dawn side by side.
 *
 *     npm run fuzz -- [--calls 20000] [--block 2000] [--backends cpu,webgpu] [--seed 1] [--jobs 2]
 *     npm run fuzz -- --as-hardware [--sequences 2000] [--block 250] [--dimensions 3,2] [--seed 1] [--jobs 2]
 *
 * With `--as-hardware`: sequences of valid queries and batches on testers with the kernels of graphics cards, on any
 * adapter, judged by the double-precision reference (sequences.ts).
 *
 * `bench/campaigns/fuzz/build.ts` bundles it first. Blocks of calls run in processes of their own, so that a crash is a finding
 * like any other. Prints a table and the findings; exits with 1 if there are any, with 2 for a bad command line.
 */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { runSequences } from '../../../verification/sequences/run.ts';
import { runBlock, type BackendName, type BlockReport, type CreateAnyTester } from './block.ts';
import { reportOf, runInProcess } from './processes.ts';
import { runSequenceBlocks } from './sequences.ts';

const ROOT = join(import.meta.dirname, '..');
const BACKENDS: readonly string[] = ['cpu', 'webgpu'];

const options = readOptions();
if (options.child) await runChild();
else if (options.asHardware) process.exit(await runSequenceBlocks(options));
else await runAll();

async function runChild(): Promise<void> {
  const { seed, axes, sequences } = options;
  if (options.asHardware) {
    await reportOf((onSequence) => runSequences({ axes, seed, sequences, onSequence, onFinding: showFinding }));
    return;
  }
  const { createTester } = (await import(/* @vite-ignore */ pathToFileURL(join(ROOT, 'dist/node.js')).href)) as {
    createTester: CreateAnyTester;
  };
  const { backends, calls } = options;
  await reportOf((onCall) => runBlock({ createTester, backends, seed, calls, onCall }));
}

function showFinding(finding: string): void {
  console.error(`         ${finding}`);
}

async function runAll(): Promise<void> {
  const start = performance.now();
  const total: BlockReport = { answered: 0, refused: 0, aborted: 0, controls: 0, findings: [] };
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let block = next++; block * options.block < options.calls; block = next++) {
      const seed = options.seed + block;
      const calls = Math.min(options.block, options.calls - block * options.block);
      const args = ['--seed', `${seed}`, '--calls', `${calls}`, '--backends', options.backends.join(',')];
      const report = await runInProcess<BlockReport>(args, `seed ${seed}, call`, (findings) => ({
        answered: 0,
        refused: 0,
        aborted: 0,
        controls: 0,
        findings,
      }));
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

function readOptions(): {
  calls: number;
  block: number;
  backends: BackendName[];
  seed: number;
  jobs: number;
  child: boolean;
  asHardware: boolean;
  sequences: number;
  axes: 2 | 3;
  dimensions: (2 | 3)[];
} {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  let values: Record<string, string | boolean | undefined>;
  try {
    ({ values } = parseArgs({
      args: process.argv.slice(2),
      options: {
        calls: text,
        block: text,
        backends: text,
        seed: text,
        jobs: text,
        child: flag,
        'as-hardware': flag,
        sequences: text,
        dimensions: text,
      },
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
  const names = (name: string, fallback: string, known: readonly string[]): string[] => {
    const given = String(values[name] ?? fallback).split(',');
    const unknown = given.find((each) => !known.includes(each));
    if (unknown !== undefined) fail(`--${name} has ${unknown}, expected ${known.join(' or ')}`);
    return given;
  };
  const asHardware = values['as-hardware'] === true;
  const dimensions = names('dimensions', '3,2', ['2', '3']).map(Number) as (2 | 3)[];
  return {
    calls: whole('calls', 20_000),
    block: Math.max(whole('block', asHardware ? 250 : 2000), 1),
    backends: names('backends', 'cpu,webgpu', BACKENDS) as BackendName[],
    seed: whole('seed', 1),
    jobs: Math.max(whole('jobs', 2), 1),
    child: values.child === true,
    asHardware,
    sequences: whole('sequences', 2000),
    axes: dimensions[0],
    dimensions,
  };
}

function fail(message: string): never {
  console.error(
    `${message}; npm run fuzz -- [--calls 20000] [--block 2000] [--backends cpu,webgpu] [--seed 1] [--jobs 2], ` +
      `or --as-hardware [--sequences 2000] [--block 250] [--dimensions 3,2] [--seed 1] [--jobs 2]`,
  );
  process.exit(2);
}
