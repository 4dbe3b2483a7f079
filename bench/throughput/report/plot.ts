/**
 * Throughput over batch size as an SVG: a panel for each query (across) and workload (down), a line for each engine,
 * and the peers' rates as dashed lines, since a peer's loop does not care how many pairs there are. Both axes are
 * logarithmic.
 */

import type { Curve } from '../run/curves.ts';
import { QUERIES, type Query } from '../../../verification/workloads/query.ts';
import { logScale, spreadLabels, type Scale } from './axes.ts';
import { ratesOf, type BenchReport, type CaseReport } from './report.ts';

const PANEL = { width: 330, height: 300, left: 52, right: 190, top: 40, bottom: 44 };
const HEADER = 78;
const LABEL_GAP = 12.5;

/** Distinct in print and for the colour-blind (Okabe and Ito). */
const COLOURS: Record<string, string> = {
  dawn: '#000000',
  'dawn-lavapipe': '#0072b2',
  'dawn-swiftshader': '#56b4e9',
  chrome: '#009e73',
  firefox: '#d55e00',
  cpu: '#cc79a7',
};
const PEER_COLOUR = '#777777';

/** Short names for the edge of a panel. */
const CALLS: Record<string, string> = {
  'rapier:intersectsShape': 'rapier intersectsShape',
  'rapier:contactShape': 'rapier contactShape',
  'rapier:contactShape-far': 'rapier contactShape',
  'rapier:raw-intersects': 'rapier RawShape',
  'rapier:contactCollider': 'rapier contactCollider',
  'rapier:contactCollider-far': 'rapier contactCollider',
  'rapier:step-moved': 'rapier step, new poses',
  'rapier:step-still': 'rapier step, same poses',
  'jolt:OverlapsOrientedBox': 'jolt OrientedBox',
  'jolt:CollideShape-any': 'jolt CollideShape',
  'jolt:CollideShape': 'jolt CollideShape',
  'jolt:CollideShape-far': 'jolt CollideShape',
  'physx:overlap': 'physx overlap',
  'physx:proximityInfo': 'physx proximityInfo',
  'physx:proximityInfo-far': 'physx proximityInfo',
  'physx:sweep-mtd': 'physx sweep',
  'three:intersectsOBB': 'three OBB',
  'cannon:findSeparatingAxis': 'cannon SAT',
  'cannon:clipAgainstHull': 'cannon contacts',
};

interface Line {
  name: string;
  colour: string;
  /** Pairs and M pairs/s; one point is a rate whatever the size. */
  points: [number, number][];
  isPeer: boolean;
}

export function throughputPlot(report: BenchReport): string {
  const { curves, machine, date } = report;
  const workloads = [...new Set(curves.map(({ workload }) => workload))];
  const queries = QUERIES.filter((query) => curves.some((curve) => curve.query === query));
  const full = { width: PANEL.left + PANEL.width + PANEL.right, height: PANEL.top + PANEL.height + PANEL.bottom };
  const width = queries.length * full.width;
  const height = HEADER + workloads.length * full.height;
  const sizes = curves.flatMap(({ points }) => points.map(({ pairs }) => pairs));
  const panels = workloads.flatMap((workload, row) =>
    queries.map((query, column) => {
      const lines = linesOf(report, workload, query);
      const x = column * full.width + PANEL.left;
      const y = HEADER + row * full.height + PANEL.top;
      return panel(`${workload}, ${query}`, lines, x, y, Math.min(...sizes), Math.max(...sizes));
    }),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ` +
      `${height}" font-family="system-ui, sans-serif" font-size="11">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text(PANEL.left, 24, 'Throughput over batch size', { size: 17, weight: 600 }),
    ...[
      'Million pairs a second over pairs in a batch, half of them overlapping.',
      'Solid: narrowphase, inputs resident. Dashed: peers, one thread; ✗ answers differ.',
      `${machine.cpu}, ${machine.cores} cores; ${date}.`,
    ].map((line, k) => text(PANEL.left, 42 + 15 * k, line, { fill: '#444444' })),
    ...panels.flat(),
    '</svg>',
    '',
  ].join('\n');
}

function linesOf({ curves, cases }: BenchReport, workload: string, query: Query): Line[] {
  const engines = curves.filter((curve) => curve.workload === workload && curve.query === query).map(engineLine);
  const found = cases.find(({ name }) => name === `${workload}/${query}/50`);
  return [...engines, ...(found ? peerLines(found) : [])].filter(({ points }) => points.length > 0);
}

function engineLine({ engine, points }: Curve): Line {
  const timed = points.flatMap(({ pairs, ms }): [number, number][] =>
    ms === null ? [] : [[pairs, pairs / ms / 1000]],
  );
  return { name: engine, colour: COLOURS[engine] ?? '#000000', points: timed, isPeer: false };
}

function peerLines(found: CaseReport): Line[] {
  return found.subjects
    .filter(({ kind }) => kind === 'peer')
    .flatMap(({ id, verdict }): Line[] => {
      const rates = ratesOf(found, id);
      const name = `${verdict === 'differs' ? '✗ ' : ''}${CALLS[id] ?? id}`;
      return rates ? [{ name, colour: PEER_COLOUR, points: [[found.pairs, rates.median]], isPeer: true }] : [];
    });
}

function panel(title: string, lines: Line[], left: number, top: number, least: number, most: number): string[] {
  const right = left + PANEL.width;
  const bottom = top + PANEL.height;
  const rates = lines.flatMap(({ points }) => points.map(([, value]) => value));
  if (rates.length === 0) return [text(left, top - 10, `${title}: nothing measured`, { weight: 600 })];
  const x = logScale(least, most, left, right, 4, 8);
  const y = logScale(Math.min(...rates), Math.max(...rates), bottom, top, 10, 7);
  const ends = lines.map(({ points }) => y.at(points[points.length - 1][1]));
  const labels = spreadLabels(ends, LABEL_GAP, top, bottom);
  return [
    text(left, top - 12, title, { size: 13, weight: 600 }),
    ...grid(x, y, left, right, top, bottom),
    text((left + right) / 2, bottom + 34, 'pairs', { anchor: 'middle', fill: '#444444' }),
    ...lines.flatMap((line, i) => drawLine(line, x, y, left, right, ends[i], labels[i])),
  ];
}

function grid(x: Scale, y: Scale, left: number, right: number, top: number, bottom: number): string[] {
  return [
    ...x.ticks.flatMap((value) => [
      stroke(
        [
          [x.at(value), top],
          [x.at(value), bottom],
        ],
        '#e4e4e4',
      ),
      text(x.at(value), bottom + 16, sizeText(value), { anchor: 'middle', fill: '#444444' }),
    ]),
    ...y.ticks.flatMap((value) => [
      stroke(
        [
          [left, y.at(value)],
          [right, y.at(value)],
        ],
        '#e4e4e4',
      ),
      text(left - 6, y.at(value) + 4, rateText(value), { anchor: 'end', fill: '#444444' }),
    ]),
    stroke(
      [
        [left, top],
        [left, bottom],
        [right, bottom],
      ],
      '#444444',
    ),
  ];
}

function drawLine(
  { name, colour, points, isPeer }: Line,
  x: Scale,
  y: Scale,
  left: number,
  right: number,
  end: number,
  label: number,
): string[] {
  const path = isPeer
    ? [
        [left, end],
        [right, end],
      ]
    : points.map(([pairs, value]) => [x.at(pairs), y.at(value)]);
  const [lastX] = path[path.length - 1];
  return [
    stroke(path, colour, isPeer ? 'stroke-dasharray="5 4" stroke-width="1"' : 'stroke-width="2"'),
    ...(isPeer ? [] : path.map(([cx, cy]) => `<circle cx="${n(cx)}" cy="${n(cy)}" r="2.6" fill="${colour}"/>`)),
    // From the line's end to its label, which may have been moved.
    stroke(
      [
        [lastX, end],
        [right, end],
        [right + 12, label],
      ],
      colour,
      'stroke-width="0.7" stroke-opacity="0.6"',
    ),
    text(right + 16, label + 4, `${name} ${points[points.length - 1][1].toPrecision(2)}`, {
      fill: colour,
      weight: isPeer ? 400 : 600,
    }),
  ];
}

function stroke(points: number[][], colour: string, more = 'stroke-width="1"'): string {
  return `<polyline points="${points.map((point) => point.map(n).join(',')).join(' ')}" fill="none" stroke="${colour}" ${more}/>`;
}

interface TextOptions {
  anchor?: 'start' | 'middle' | 'end';
  size?: number;
  weight?: number;
  fill?: string;
}

function text(
  x: number,
  y: number,
  content: string,
  { anchor = 'start', size = 11, weight = 400, fill = '#000000' }: TextOptions = {},
): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return (
    `<text x="${n(x)}" y="${n(y)}" text-anchor="${anchor}" font-size="${size}" font-weight="${weight}" ` +
    `fill="${fill}">${escaped}</text>`
  );
}

/** Tenths of a pixel. */
function n(value: number): string {
  return String(Math.round(10 * value) / 10);
}

function sizeText(pairs: number): string {
  return pairs >= 2 ** 20 ? `${pairs / 2 ** 20} Mi` : pairs >= 1024 ? `${pairs / 1024} Ki` : String(pairs);
}

function rateText(value: number): string {
  return value >= 0.01 ? String(Number(value.toPrecision(1))) : value.toExponential(0);
}
