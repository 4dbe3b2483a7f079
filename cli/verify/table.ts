/** The report of `narrowphase verify` as text for a terminal of `width` columns. */

import type { CallTimings } from '../../verification/engines/engine.ts';
import { exactJson } from '../exact-json.ts';
import { adapterText, aligned, counted, engineText, integer, labelled, printable } from '../terminal-text.ts';
import { FAULTS, QUANTITIES } from '../../verification/judges/faults.ts';
import type { VerifyReport } from './report.ts';
import type { Body, PairValues, WorstPair } from './pair-report.ts';

const LABEL_WIDTH = 11;
/** The table cuts descriptions of shapes that are longer than this. */
const LONGEST_SHAPE = 300;

const PAIRS_TEXT = { listed: 'listed in the scene', all: 'all pairs of bodies', 'broad-phase': 'from the broad phase' };

/** The whole table in pieces, with a newline at its end. `replay` is the command that runs the worst pairs again. */
export function* verifyTable(report: VerifyReport, width: number, replay?: string): Generator<string> {
  const title = printable(report.scene.name);
  const facing = [...factLines(report), ['', ''], ...outcomeLines(report), ['', ''], ...timingLines(report)];
  if (replay !== undefined) facing.push(['', ''], ['replay', printable(replay)]);
  const lines = [
    title,
    '='.repeat(Math.min(width, [...title].length)),
    ...facing.flatMap(([label, text]) => labelled(label, text, width, LABEL_WIDTH)),
  ];
  if (report.query.name !== 'intersects') lines.push('', ...histogramLines(report));
  yield `${lines.join('\n')}\n`;
  if (report.worst.length === 0) return;
  yield `\nWorst pairs (${integer(report.worst.length)} of ${integer(report.pairs)})\n`;
  for (const pair of report.worst) yield `${suspectLines(pair, width).join('\n')}\n`;
}

type Line = string[];

function factLines({ scene, query, engine, tolerance, curvedTolerance, rounding }: VerifyReport): Line[] {
  const besides = rounding > 0 ? `, and the rounding of results to f32, ${exponential(rounding)} of each` : '';
  return [
    ['scene', `${printable(scene.file)}: ${counted(scene.shapes, 'shape')}, bodies: ${integer(scene.bodies)}`],
    ['pairs', PAIRS_TEXT[scene.pairs]],
    ['query', `${query.name}, margin ${query.margin ?? 'infinite'}`],
    ['engine', printable(engineText(engine, engine.fallback))],
    ['adapter', printable(adapterText(engine))],
    ['reference', 'the algorithms of narrowphase/cpu in double precision'],
    ['tolerance', `${exponential(tolerance)} of max(s, |B - A|), s being the sum of both bounding radii${besides}`],
    ...(curvedTolerance ? [['', curvedText(curvedTolerance)]] : []),
  ];
}

function curvedText({ apart, overlapping }: { apart: number; overlapping: number }): string {
  const shares =
    apart === overlapping ? exponential(apart) : `${exponential(apart)} apart, ${exponential(overlapping)} overlapping`;
  return `with a cylinder, a cone or an ellipsoid: ${shares}`;
}

function outcomeLines({ pairs, passed, faulty, faults, leftEarly, unanswered, miscounts }: VerifyReport): Line[] {
  const wrong = [];
  if (faulty > 0) wrong.push(`${counted(faulty, 'pair')} with faults`);
  if (unanswered.engine > 0) wrong.push(`${counted(unanswered.engine, 'pair')} unanswered`);
  if (miscounts.calls > 0) wrong.push(`${counted(miscounts.calls, 'call')} with wrong status counts`);
  const early = leftEarly > 0 ? `, of which ${integer(leftEarly)} left early with a lower bound of their distance` : '';
  return [
    ['checked', counted(pairs, 'pair') + early],
    ['outcome', passed ? 'passed: no fault' : `failed: ${wrong.join(', ')}`],
    ...faults.map((fault) => ['', `${integer(fault.pairs)}: ${fault.text}`]),
    ...(miscounts.first === null ? [] : [['', miscounts.first]]),
    [
      'unanswered',
      `${integer(unanswered.engine)} by the engine alone, ${integer(unanswered.reference)} by the reference alone, ` +
        `${integer(unanswered.both)} by both`,
    ],
  ];
}

function timingLines({ pairs, timings }: VerifyReport): Line[] {
  const speed = pairs > 0 ? `, ${(pairs / timings.reference / 1000).toFixed(3)} M pairs/s` : '';
  return [
    ['load', milliseconds(timings.load)],
    ['pairing', milliseconds(timings.pairs)],
    ['start', milliseconds(timings.start)],
    ['engine', `${callText(timings.all)} (all pairs)`],
    ['', `${callText(timings.hits)} (the hits)`],
    ['reference', milliseconds(timings.reference) + speed],
    ['judging', milliseconds(timings.judge)],
  ];
}

function callText({ total, compile, kernels, readBack }: CallTimings): string {
  return `${milliseconds(total)}: compile ${compile.toFixed(1)}, kernels ${kernels.toFixed(1)}, read-back ${readBack.toFixed(1)}`;
}

function histogramLines({ errors, tolerance }: VerifyReport): string[] {
  const columns = QUANTITIES.map((quantity) => errors[quantity]);
  const rows = [
    ['errors', ...QUANTITIES],
    ['0', ...columns.map(({ zeros }) => integer(zeros))],
  ];
  columns[0].histogram.forEach(({ above, upTo }, bin) => {
    const range =
      upTo === null
        ? `above ${exponential(above)}`
        : above === 0
          ? `up to ${exponential(upTo)}`
          : `${exponential(above)} to ${exponential(upTo)}`;
    rows.push([range, ...columns.map(({ histogram }) => integer(histogram[bin].pairs))]);
    if (upTo === tolerance) rows.push([`-- tolerance ${exponential(tolerance)} --`, '', '', '']);
  });
  rows.push(['largest', ...columns.map(({ largest }) => (largest ? largest.error.toExponential(2) : '-'))]);
  rows.push(['of pair', ...columns.map(({ largest }) => (largest ? String(largest.pair) : '-'))]);
  return ['Errors as shares of max(s, |B - A|), number of pairs', ...aligned(rows).map((row) => `  ${row}`)];
}

function suspectLines(pair: WorstPair, width: number): string[] {
  const { engine, reference, faults, a, b } = pair;
  const errors = QUANTITIES.filter((quantity) => pair.errors[quantity] !== null).map(
    (quantity) => `${quantity} ${pair.errors[quantity]!.toExponential(2)}`,
  );
  const found = [...faults.map((kind) => `fault: ${FAULTS[kind]}`), `errors: ${errors.join(', ') || 'none measured'}`];
  const listed = engine?.isListed ? ', listed as a hit' : ', not listed as a hit';
  return [
    ['', ''],
    ...under(`pair ${pair.pair}`, [...found, `max(s, |B - A|) ${pair.size}`]),
    ...under('engine', engine ? saidLines(engine, listed) : ['no answer']),
    ...under('reference', saidLines(reference)),
    ...under('A', bodyLines(a)),
    ...under('B', bodyLines(b)),
  ].flatMap(([label, text]) => labelled(label, text, width - 2, LABEL_WIDTH).map((line) => `  ${line}`.trimEnd()));
}

/** Several lines with a label beside the first. */
function under(label: string, texts: string[]): Line[] {
  return texts.map((text, i) => [i === 0 ? label : '', text]);
}

function saidLines(
  { status, distance, normal, pointA, pointB, lower, upper, featureA, featureB }: PairValues,
  listed = '',
): string[] {
  const lines = [status + listed];
  if (distance !== undefined)
    lines.push(
      `distance ${distance}`,
      `normal ${exactJson(normal)}`,
      `pointA ${exactJson(pointA)}`,
      `pointB ${exactJson(pointB)}`,
    );
  if (lower !== undefined) lines.push(`bounds ${lower} to ${upper}`);
  if (featureA !== undefined) lines.push(`features ${featureText(featureA)} and ${featureText(featureB!)}`);
  return lines;
}

function featureText(feature: number): string {
  return feature === 0 ? 'none' : `${['none', 'vertex', 'edge', 'face'][feature >>> 30]} ${feature & 0x3fff_ffff}`;
}

function bodyLines({ index, name, shape, position, quaternion, scale }: Body): string[] {
  const text = exactJson(shape);
  const shown =
    text.length > LONGEST_SHAPE ? `${text.slice(0, LONGEST_SHAPE)}... (all of it in the JSON report)` : text;
  const label = name === undefined ? `body ${index}` : `body ${index} ${printable(name)}`;
  return [label, `position ${exactJson(position)}`, `quaternion ${exactJson(quaternion)}`, `scale ${scale}`, shown];
}

/** `5e-6`. Numbers that are not round get two digits. */
function exponential(x: number): string {
  const text = x.toExponential();
  return text.length > 6 ? x.toExponential(1) : text;
}

function milliseconds(ms: number): string {
  return `${ms.toFixed(1).padStart(9)} ms`;
}
