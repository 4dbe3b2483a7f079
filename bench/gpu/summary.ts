/** The report's first tables: targets, flatness, and a row per case. */

import { digits, table } from '../markdown.ts';
import { isWrong } from '../../verification/gpu-cases/answers.ts';
import { answersText } from './answers-text.ts';
import { STANDARD_HIT_RATE } from '../../verification/gpu-cases/cases.ts';
import { giga, percent, size } from './figures.ts';
import { rateOfPoint, type CaseReport, type GpuReport, type Point } from './report.ts';
import { judgeFirstCalls, judgeFlatness, judgeTargets } from './targets.ts';

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
        'H200 or H100, 4 M pairs or more, inputs resident',
        'at least G pairs/s',
        'aim',
        'own bodies',
        'shared bodies',
        'limit',
        'verdict',
      ],
      targets.map(({ case: name, least, aim, own, shared, verdict }) => [
        name,
        giga(least),
        giga(aim),
        pointRate(own),
        pointRate(shared),
        limitText((own ?? shared)!),
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

function pointRate(point: Point | null): string {
  return point ? `${giga(rateOfPoint(point))} at ${size(point.pairs)}` : '–';
}

export function limitText({ limit }: Pick<Point, 'limit'>): string {
  return `${giga(limit.rate)} by ${limit.by}`;
}
