/** Parts that the tables of `run` and `clash` have in common. */

import type { CallTimings } from '../../verification/engines/engine.ts';
import { adapterText, counted, engineText, integer, labelled, printable } from '../terminal-text.ts';
import type { ReportHeader, ReportEngine } from './report-header.ts';

const LABEL_WIDTH = 11;

export type Line = [label: string, text: string];

/** Milliseconds of the parts of a run. */
export interface RunTimings {
  /** Reading and checking the scene. */
  load: number;
  /** Making the candidate pairs. */
  pairs: number;
  /** Starting the engine and passing the shapes to it. */
  start: number;
  query: CallTimings;
}

/** A title and lines with labels, wrapped to `width` columns. */
export function titled(name: string, lines: readonly Line[], width: number): string[] {
  const title = [printable(name), '='.repeat(Math.min(width, [...name].length))];
  return title.concat(lines.flatMap(([label, text]) => labelled(label, text, width, LABEL_WIDTH)));
}

type Asked = Pick<ReportHeader, 'scene' | 'candidatePairs' | 'shard'>;

/** Number of pairs that were asked about. */
export function askedPairs({ shard, candidatePairs }: Asked): number {
  return shard?.pairs ?? candidatePairs;
}

/** Scene, candidate pairs and shard. `origin` says where the pairs come from. */
export function sceneLines({ scene, candidatePairs, shard }: Asked, origin: string): Line[] {
  const shapes = Object.values(scene.shapesByType).reduce((sum, n) => sum + n, 0);
  const lines: Line[] = [
    ['scene', printable(scene.file)],
    ['bodies', countsText(scene.bodies, scene.bodiesByType)],
    ['shapes', countsText(shapes, scene.shapesByType)],
    ['candidates', `${counted(candidatePairs, 'pair')}, ${origin}`],
  ];
  if (shard) lines.push(['shard', shardText(shard)]);
  return lines;
}

export function engineLines(engine: ReportEngine): Line[] {
  return [
    ['engine', printable(engineText(engine, engine.fallback))],
    ['adapter', printable(adapterText(engine))],
  ];
}

function shardText({ index, count, firstPair, pairs }: NonNullable<ReportHeader['shard']>): string {
  const range = pairs === 0 ? '' : `, from pair ${integer(firstPair)} on`;
  return `${integer(index)} of ${integer(count)}: ${counted(pairs, 'pair')}${range}`;
}

export function timingLines(asked: number, { load, pairs, start, query }: RunTimings): Line[] {
  return [
    ['', ''],
    ['load', milliseconds(load)],
    ['pairs', milliseconds(pairs)],
    ['start', milliseconds(start)],
    ['compile', milliseconds(query.compile)],
    ['kernels', milliseconds(query.kernels)],
    ['read-back', milliseconds(query.readBack)],
    ['query time', `${milliseconds(query.total)}, ${rateText((1000 * asked) / query.total)}`],
    ['total', milliseconds(load + pairs + start + query.total)],
  ];
}

function rateText(pairsPerSecond: number): string {
  if (pairsPerSecond < 1e4) return `${integer(Number(pairsPerSecond.toPrecision(2)))} pairs/s`;
  return `${Number((pairsPerSecond / 1e6).toPrecision(2))} M pairs/s`;
}

/** Header and cells, padded to the same length. */
export function column(header: string, cells: string[], side: 'left' | 'right'): string[] {
  const width = cells.reduce((most, cell) => Math.max(most, cell.length), header.length);
  return [header, ...cells].map((cell) => (side === 'left' ? cell.padEnd(width) : cell.padStart(width)));
}

/** Cut in the middle: names that begin alike often differ at their ends. */
export function shorten(text: string, width: number): string {
  if (text.length <= width) return text;
  const end = Math.floor((width - 1) / 2);
  return `${text.slice(0, width - 1 - end)}~${text.slice(text.length - end)}`;
}

function countsText(total: number, byType: Record<string, number>): string {
  const parts = Object.entries(byType).map(([type, n]) => counted(n, type));
  return parts.length > 0 ? `${integer(total)}: ${parts.join(', ')}` : integer(total);
}

function milliseconds(ms: number): string {
  return `${ms.toFixed(1).padStart(9)} ms`;
}

export function measure(x: number): string {
  const size = Math.abs(x);
  return x === 0 || (size >= 1e-4 && size < 1e5) ? x.toFixed(5) : x.toExponential(2);
}
