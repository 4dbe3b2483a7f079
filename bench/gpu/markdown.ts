/** The report as Markdown: machine, targets, summary, then a section per case. */

import { caseSection } from './case-section.ts';
import { heading } from './heading.ts';
import { hostSection } from './host-table.ts';
import { COMPARED } from '../../verification/gpu-cases/answers.ts';
import { COUNTED_PAIRS } from './count/case-counter.ts';
import type { GpuReport } from './report.ts';
import { summary } from './summary.ts';

export function markdown(report: GpuReport): string {
  const lines = [
    `# Kernels on ${report.adapter.device || report.adapter.description}`,
    '',
    ...heading(report),
    '',
    ...summary(report),
    '',
    ...howMeasured(report),
    '',
  ];
  lines.push(...hostSection(report.host));
  for (const each of report.cases) lines.push(...caseSection(each));
  return `${lines.join('\n')}\n`;
}

const COUNTING = [
  `Instructions: each kernel runs over ${COUNTED_PAIRS} pairs of the workload with counters in its text, a number ` +
    'for each invocation and stretch of statements without a branch. A count times the arithmetic of its ' +
    'statements, by the rules in bench/gpu/count/expressions.ts, is what a pair takes alone; in lockstep each ' +
    'stretch takes 32 neighbours as often as it takes the one that runs it most.',
  'A compiler may need fewer instructions, where expressions repeat, or more, for addresses and spills. The limit is ' +
    'the least bytes at the peak bandwidth or the instructions in lockstep at the peak rate, whichever takes longer.',
];

function howMeasured({ settings, adapter }: GpuReport): string[] {
  const { basePairs, rounds, sampleMs, warmUpMs, seed, motion } = settings;
  return [
    '## How',
    '',
    `Workloads of ${basePairs} pairs (seed ${seed}), half of them overlapping unless told otherwise; of pairs in motion ` +
      'about half meet. "Shared ' +
      `bodies" repeats that list of pairs over the same ${2 * basePairs} bodies, which caches may hold; "own ` +
      'bodies" gives',
    'every pair two bodies of its own in memory, with the same poses. Where a buffer of the device is too ' +
      'small for all pairs, a batch runs in several turns. Warm searches alternate between two frames in',
    `which each body has moved by ${100 * motion} % of its size and turned by ${motion} radians; copying ` +
      'poses is left out of the timestamps and part of submit to done.',
    `A rate is the median of ${rounds} ` +
      `samples${adapter.hasTimestamps ? ' by timestamps' : ' by the wall clock: the device has no timestamps'}, ` +
      'in brackets the slowest and the fastest; all measurements of a case up to the main size take turns. A ' +
      'sample is one',
    `submission of as many runs as take ${sampleMs} ms; ${warmUpMs} ms of the same query raise the clocks before the ` +
      `first. "Submit to done" is the same by the wall clock; the ` +
      'latency is that of a submission of one run. Inputs are resident.',
    'Iterations: the mean of all searches of a pair, and in lockstep the mean over groups of 32 neighbours of the ' +
      'greatest. Bytes: each input read once and each output written once, then what kernels load from storage ' +
      'buffers and store there.',
    ...(settings.counts ? COUNTING : ['Instructions were not counted: limits are those of the least bytes alone.']),
    `Answers: ${COMPARED.still} pairs of each workload, in motion ${COMPARED.moving}, against the CPU reference in ` +
      'double precision, before times were ' +
      'taken. After them, each batch ran once more over cleared records, and its counts were compared.',
  ];
}
