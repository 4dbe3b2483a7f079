/** The report as Markdown: machine, targets, summary, then a table a case. */

import { digits, table } from '../markdown.ts';
import { hostSection } from './host-table.ts';
import { isWrong, type Comparison } from './answers.ts';
import { STANDARD_HIT_RATE, variantName } from './cases.ts';
import { rateOfPoint, type CaseReport, type GpuReport, type Point } from './report.ts';
import { judgeFirstCalls, judgeFlatness, judgeTargets } from './targets.ts';

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

function heading({
  generator,
  command,
  date,
  seconds,
  machine,
  adapter,
  webgpu,
  openMs,
  peak,
  left,
}: GpuReport): string[] {
  const rates = ({ bandwidth, instructions }: typeof peak.measured): string =>
    `${digits(bandwidth / 1e12)} TB/s and ${digits(instructions / 1e12)} T instructions/s`;
  const names = [adapter.vendor, adapter.architecture, adapter.device, adapter.description];
  return [
    `\`${command}\` of ${generator} on ${date}, in ${seconds} s.`,
    '',
    `- Adapter: ${names.filter(Boolean).join(', ')}${adapter.isSoftware ? ' (software)' : ''}; ` +
      `driver ${adapter.driver}; opened in ${digits(openMs)} ms`,
    `- Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB; ${machine.os}; Node ` +
      `${machine.node}; Dawn of webgpu ${webgpu}; load at the start ${machine.loadAtStart}`,
    `- Peak: ${peak.known ? `${rates(peak.known)} by its data sheet; ` : ''}${rates(peak.measured)} measured ` +
      `by a copy and by multiply-adds${peak.known ? '' : ', which limits are made of'}`,
    ...(left.length > 0 ? [`- No time was left for ${left.join(', ')}`] : []),
  ];
}

/** Short enough for a terminal. */
export function summary(report: GpuReport): string[] {
  const { cases, adapter } = report;
  const targets = judgeTargets(cases, adapter).filter(({ own, shared }) => own ?? shared);
  const flatness = judgeFlatness(cases, adapter.isSoftware);
  const first = judgeFirstCalls(cases, adapter);
  return [
    '## Targets',
    '',
    ...table(
      [
        'H200, 4 M pairs or more, inputs resident',
        'target G pairs/s',
        'stretch',
        'own bodies',
        'shared bodies',
        'limit worked out before',
        'limit counted',
        'verdict',
      ],
      targets.map(({ what, rate, limit, own, shared, verdict }) => [
        what,
        giga(rate),
        giga(2 * rate),
        pointRate(own),
        pointRate(shared),
        giga(limit),
        own || shared ? `${giga((own ?? shared)!.limit.rate)} by ${(own ?? shared)!.limit.by}` : '–',
        verdict,
      ]),
    ),
    '',
    ...table(
      [
        `throughput from ${adapter.isSoftware ? '64 k' : '4 M'} to 16 M pairs`,
        'measured',
        'slowest over fastest',
        'verdict (within 20 %)',
      ],
      flatness.map(({ case: name, from, to, share, verdict }) => [
        name,
        `${size(from)} to ${size(to)}`,
        percent(share),
        verdict,
      ]),
    ),
    '',
    ...(first
      ? [
          `Slowest first call: ${first.case}, ${digits(first.ms)} ` +
            `ms${first.limitMs === null ? '' : `; ${first.ms <= first.limitMs ? 'within' : 'NOT within'} ${first.limitMs} ms`}.`,
          '',
        ]
      : []),
    ...table(
      [
        'case',
        'pairs',
        'M pairs/s',
        'submit to done',
        'of the limit',
        'first call ms',
        'compile ms',
        'hits read back',
        'answers',
      ],
      cases.map(summaryRow),
    ),
    ...cases.filter(({ failure }) => failure !== null).map(({ name, failure }) => `${name} failed: ${failure}`),
  ];
}

function summaryRow({ name, points, firstCall, readBack, answers }: CaseReport): string[] {
  const best = points
    .filter(
      ({ variant: { bodies, hitRate, isWarm } }) => bodies === 'shared' && hitRate === STANDARD_HIT_RATE && !isWarm,
    )
    .sort((a, b) => b.pairs - a.pairs)[0] as Point | undefined;
  return [
    `${answers.some(isWrong) || points.some(({ miscounted }) => miscounted !== null) ? '✗ ' : ''}${name}`,
    best ? size(best.pairs) : '–',
    best ? digits(rateOfPoint(best) / 1e6) : '–',
    best ? digits(best.wall.median / 1e6) : '–',
    best ? percent(best.shareOfLimit) : '–',
    firstCall ? digits(firstCall.ms) : '–',
    firstCall
      ? `${digits(firstCall.compile.wallMs)} (${digits(firstCall.compile.sumMs)} in ${firstCall.compile.pipelines})`
      : '–',
    readBack ? `${size(readBack.hits)} of ${size(readBack.pairs)} in ${digits(readBack.readMs)} ms` : '–',
    answersText(answers),
  ];
}

function howMeasured({ settings, adapter, changedSinceCounted }: GpuReport): string[] {
  const { basePairs, rounds, sampleMs, seed, motion } = settings;
  return [
    '## How',
    '',
    `Workloads of ${basePairs} pairs (seed ${seed}), half of them overlapping unless told otherwise. "Shared ` +
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
    `submission of as many runs as take ${sampleMs} ms. "Submit to done" is the same by the wall clock; the ` +
      'latency is that of a submission of one run. Inputs are resident.',
    'Iterations: the mean, and in lockstep the mean over groups of 32 neighbours of the greatest. Bytes: ' +
      'each input read once and each output written once, then what the stages move, then what caches serve.',
    'Instructions are counted by hand from the WGSL (bench/gpu/operations.ts), one for a fused multiply-add, ' +
      'for a pair alone and in lockstep. The limit is the least bytes at the peak bandwidth or the',
    'instructions in lockstep at the peak rate, whichever takes longer.',
    ...(changedSinceCounted.length > 0
      ? [`Modules that have changed since they were counted: ${changedSinceCounted.join(', ')}.`]
      : []),
    'Answers: 2000 pairs of each workload against the CPU reference in double precision, before times were ' +
      'taken. After them, each batch ran once more over cleared records, and its counts were compared.',
  ];
}

function caseSection({ name, firstCall, answers, points, skipped, readBack, failure, seconds }: CaseReport): string[] {
  const columns = [
    '',
    'pairs',
    'M pairs/s',
    'submit to done',
    'latency ms',
    'runs a sample',
    'samples',
    'GJK iterations',
    'EPA iterations',
    'bytes',
    'instructions',
    'limit G pairs/s',
    'of the limit',
  ];
  return [
    `## ${name}`,
    '',
    ...(failure === null ? [] : [`Failed: ${failure}`, '']),
    ...(firstCall
      ? [
          `First call ${digits(firstCall.ms)} ms, of which compiling ${digits(firstCall.compile.wallMs)} ms: ` +
            `${firstCall.compile.pipelines} pipelines, ${digits(firstCall.compile.sumMs)} ms added up.`,
        ]
      : []),
    ...(readBack
      ? [
          `Reading ${readBack.hits} hits of ${readBack.pairs} pairs, ${readBack.bytes} bytes: ` +
            `${digits(readBack.readMs)} ms; with the query ${digits(readBack.roundTripMs)} ms.`,
        ]
      : []),
    ...answers.map((answer) => `Answers, ${variantName(answer.variant)}: ${comparisonText(answer)}.`),
    '',
    ...table(columns, points.map(pointRow)),
    ...skipped.map(
      ({ pairs, variant, reason }) => `Left out: ${variantName(variant)}, ${size(pairs)} pairs: ${reason}.`,
    ),
    `${digits(seconds)} s.`,
    '',
  ];
}

function pointRow({
  pairs,
  turns,
  variant,
  gpu,
  wall,
  latencyMs,
  repeats,
  samples,
  work,
  limit,
  shareOfLimit,
  miscounted,
}: Point): string[] {
  const range = ({ median, least, greatest }: typeof wall): string =>
    `${digits(median / 1e6)} (${digits(least / 1e6)}–${digits(greatest / 1e6)})`;
  const search = (of: typeof work.gjk): string =>
    of === null ? '–' : `${digits(of.mean)}, ${digits(of.lockstep)}${of.share < 1 ? ` of ${percent(of.share)}` : ''}`;
  const { operations, bytes } = work;
  return [
    `${miscounted === null ? '' : '✗ '}${variantName(variant)}${miscounted === null ? '' : `: ${miscounted}`}`,
    `${size(pairs)}${turns > 1 ? ` in ${turns} turns` : ''}`,
    gpu ? range(gpu) : '–',
    range(wall),
    digits(latencyMs),
    String(repeats),
    String(samples),
    search(work.gjk),
    search(work.epa),
    `${Math.round(bytes.least)}, ${Math.round(bytes.moved)}, ${Math.round(bytes.cached)}`,
    `${Math.round(operations.alone)}, ${Math.round(operations.lockstep)}`,
    `${giga(limit.rate)} by ${limit.by}`,
    percent(shareOfLimit),
  ];
}

function answersText(answers: readonly Comparison[]): string {
  const wrong = answers.filter(isWrong);
  if (wrong.length > 0) return wrong.map(comparisonText).join('; ');
  return answers.length === 0 ? '–' : `${answers.reduce((sum, { compared }) => sum + compared, 0)} agree`;
}

function comparisonText({
  compared,
  wrongFlags,
  wrongDistances,
  largestError,
  notConverged,
  withoutAnswer,
}: Comparison): string {
  const parts = [
    ...(wrongFlags > 0 ? [`${wrongFlags} flags wrong`] : []),
    ...(wrongDistances > 0 ? [`${wrongDistances} distances wrong`] : []),
    ...(withoutAnswer > 0 ? [`${withoutAnswer} without an answer`] : []),
    ...(notConverged > 0 ? [`${notConverged} not converged`] : []),
    ...(largestError === null ? [] : [`largest error ${largestError.toExponential(1)}`]),
  ];
  return [`${compared} compared`, ...parts].join(', ');
}

function pointRate(point: Point | null): string {
  return point ? `${giga(rateOfPoint(point))} at ${size(point.pairs)}` : '–';
}

function giga(rate: number): string {
  return digits(rate / 1e9);
}

function percent(share: number): string {
  return `${digits(100 * share)} %`;
}

function size(pairs: number): string {
  if (pairs % 2 ** 20 === 0) return `${pairs / 2 ** 20} M`;
  return pairs % 2 ** 10 === 0 ? `${pairs / 2 ** 10} k` : String(pairs);
}
