/** Blocks of sequences on the kernels of graphics cards, in processes of their own: each block has shapes and ways of its own. */

import type { SequencesReport } from '../../../verification/sequences/block.ts';
import { runInProcess } from './processes.ts';

export interface SequenceBlocks {
  sequences: number;
  block: number;
  seed: number;
  jobs: number;
  dimensions: readonly (2 | 3)[];
}

/** How often progress is told, in sequences. */
const TOLD = 10;

/** Prints a table and the findings. Gives the exit code. */
export async function runSequenceBlocks(options: SequenceBlocks): Promise<number> {
  const { sequences, block: size, seed: firstSeed, jobs, dimensions } = options;
  const start = performance.now();
  const total: SequencesReport = { sequences: 0, queries: 0, frames: 0, asked: {}, findings: [] };
  const say = (line: string): void => {
    console.error(`${((performance.now() - start) / 1000).toFixed(0).padStart(5)} s  ${line}`);
  };
  let next = 0;

  async function work(): Promise<void> {
    for (let block = next++; block * size < sequences; block = next++) {
      const seed = firstSeed + block;
      const axes = dimensions[block % dimensions.length];
      const count = Math.min(size, sequences - block * size);
      const args = ['--as-hardware', '--seed', `${seed}`, '--sequences', `${count}`, '--dimensions', `${axes}`];
      const failed = (findings: string[]): SequencesReport => ({
        ...total,
        sequences: 0,
        queries: 0,
        frames: 0,
        asked: {},
        findings,
      });
      const report = await runInProcess(args, `seed ${seed}, ${axes}-D, sequence`, failed, (index) => {
        if (index % TOLD === 0) say(`seed ${seed}, ${axes}-D: sequence ${index} of ${count}`);
      });
      for (const name of ['sequences', 'queries', 'frames'] as const) total[name] += report[name];
      for (const [name, asked] of Object.entries(report.asked)) total.asked[name] = (total.asked[name] ?? 0) + asked;
      total.findings.push(...report.findings);
      say(
        `block of seed ${seed}, ${axes}-D: ${report.sequences} sequences, ${report.findings.length} findings; ${total.sequences} in all`,
      );
    }
  }

  await Promise.all(Array.from({ length: jobs }, work));
  console.log('| sequences | queries | frames of batches | findings |\n| ---: | ---: | ---: | ---: |');
  console.log(`| ${total.sequences} | ${total.queries} | ${total.frames} | ${total.findings.length} |`);
  console.log(
    Object.entries(total.asked)
      .sort()
      .map(([name, asked]) => `${name} ${asked}`)
      .join(', '),
  );
  for (const finding of total.findings) console.log(`- ${finding}`);
  return total.findings.length > 0 ? 1 : 0;
}
