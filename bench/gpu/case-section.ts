/** A case in the report and in the terminal. */

import { digits, table } from '../markdown.ts';
import { comparisonText } from './answers-text.ts';
import { variantName, type GpuCase } from '../../verification/gpu-cases/cases.ts';
import { percent, size } from './figures.ts';
import type { CaseReport, Point } from './report.ts';
import { limitText } from './summary.ts';

export function caseSection({
  name,
  firstCall,
  answers,
  points,
  skipped,
  readBack,
  failure,
  countFailure,
  seconds,
}: CaseReport): string[] {
  const columns = [
    '',
    'pairs',
    'M pairs/s',
    'submit to done',
    'latency ms',
    'runs a sample',
    'samples',
    'iterations',
    'bytes',
    'instructions',
    'limit G pairs/s',
    'of the limit',
  ];
  return [
    `## ${name}`,
    '',
    ...(failure === null ? [] : [`Failed: ${failure}`, '']),
    ...(countFailure === null ? [] : [`Instructions were not counted: ${countFailure}`, '']),
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
  const { iterations, counted, leastBytes } = work;
  return [
    `${miscounted === null ? '' : '✗ '}${variantName(variant)}${miscounted === null ? '' : `: ${miscounted}`}`,
    `${size(pairs)}${turns > 1 ? ` in ${turns} turns` : ''}`,
    gpu ? range(gpu) : '–',
    range(wall),
    digits(latencyMs),
    String(repeats),
    String(samples),
    iterations ? `${digits(iterations.mean)}, ${digits(iterations.lockstep)}` : '–',
    `${Math.round(leastBytes)}${counted ? `, ${Math.round(counted.bytes)}` : ''}`,
    counted ? `${Math.round(counted.alone)}, ${Math.round(counted.lockstep)}` : '–',
    limitText({ limit }),
    percent(shareOfLimit),
  ];
}

/** A measurement in one line, for the terminal. */
export function lineOf(
  { name }: GpuCase,
  { pairs, turns, variant, gpu, wall, shareOfLimit, limit, miscounted: fault }: Point,
): string {
  const rate = (gpu ?? wall).median / 1e6;
  return [
    `${name}, ${variantName(variant)}, ${pairs} pairs${turns > 1 ? ` in ${turns} turns` : ''}: ${rate.toPrecision(4)} M pairs/s`,
    `${(100 * shareOfLimit).toPrecision(3)} % of the limit by ${limit.by}`,
    ...(fault === null ? [] : [`MISCOUNTED: ${fault}`]),
  ].join(', ');
}
