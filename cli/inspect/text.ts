/** A capture as text: shapes, poses, the steps of each algorithm in a table, and both answers. */

import type { Capture } from '../../src/api/types.ts';
import type { PlanarTraceStep, TraceStep } from '../../src/cpu.ts';
import { exactJson } from '../exact-json.ts';
import { aligned, labelled, printable } from '../terminal-text.ts';

export interface Inspection {
  capture: Capture;
  /** The reference's steps: for compounds and meshes those of the parts that decide. */
  steps: (TraceStep | PlanarTraceStep)[];
  /** The reference's answer. */
  reference: Record<string, unknown>[];
}

const LABEL_WIDTH = 8;
const WIDTH = 100;
/** Characters of a shape's description. */
const LONGEST = 600;

export function inspectText(file: string, { capture, steps, reference }: Inspection): string {
  const { query, algorithm, dimension, shapes, poses, options, backend, adapter } = capture;
  // Answers for bodies of parts are those of the CPU backend, which rounds them.
  const isOfParts = shapes.some(({ type }) => type === 'compound' || type === 'mesh' || type === 'chain');
  const isExact = steps.length > 0 && !isOfParts;
  const ran = [backend, adapter.vendor, adapter.architecture, adapter.description].filter(Boolean).join(', ');
  const facts: [string, string][] = [
    ['query', `${query}, algorithm ${algorithm}, ${dimension}-D`],
    ['options', fieldsText(options)],
    ['ran on', ran],
  ];
  for (const [i, name] of ['A', 'B'].entries()) {
    facts.push([`shape ${name}`, shortened(fieldsText(shapes[i]))]);
    facts.push([`pose ${name}`, fieldsText(poses[i])]);
  }
  const lines = [
    printable(`Capture ${file}`),
    ...facts.flatMap(([label, text]) => labelled(label, printable(text), WIDTH, LABEL_WIDTH)),
    '',
    ...stepLines(steps),
    ...answerLines(capture, reference, isExact),
  ];
  return `${lines.join('\n')}\n`;
}

function fieldsText(fields: object): string {
  const shown = Object.entries(fields).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : exactJson(value)}`,
  );
  return shown.join(', ') || 'none';
}

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}... (${text.length} characters)`;
}

/** Consecutive steps of one type share a table. */
function stepLines(steps: Inspection['steps']): string[] {
  const searches = steps.filter(({ type }) => type !== 'result');
  if (searches.length === 0) return steps.length > 0 ? ['No search was needed.', ''] : ['This pair has no steps.', ''];
  const lines = [`Steps (${searches.length}): A's frame, the caller's unit`];
  for (let first = 0, end = 0; first < searches.length; first = end) {
    while (end < searches.length && searches[end].type === searches[first].type) end++;
    const cells = searches.slice(first, end).map((step) => cellsOf(step));
    const columns = [...new Set(cells.flatMap((row) => [...row.keys()]))];
    const rows = cells.map((row, i) => [String(first + i + 1), ...columns.map((column) => row.get(column) ?? '')]);
    lines.push('', searches[first].type, ...aligned([['#', ...columns], ...rows]).map((line) => `  ${line}`));
  }
  return [...lines, ''];
}

/**
 * A number or word per column. Vectors have a column per component, supports those of their point in the difference. Lists
 * of other things are counted. The JSON has everything.
 */
function cellsOf(step: object): Map<string, string> {
  const cells = new Map<string, string>();
  for (const [name, value] of Object.entries(step)) if (name !== 'type') addCells(name, value, cells);
  return cells;
}

/** Lists of indices, in one column. */
const INDICES = ['face', 'edge', 'ends', 'vertices'];

function addCells(name: string, value: unknown, to: Map<string, string>): void {
  if (typeof value === 'object' && value !== null && 'point' in value) addCells(name, value.point, to);
  else if (!Array.isArray(value)) to.set(name, typeof value === 'number' ? numberText(value) : String(value));
  else if (!value.every((each) => typeof each === 'number')) to.set(name, String(value.length));
  else if (INDICES.includes(name)) to.set(name, value.join(' '));
  else if (value.length === 2 || value.length === 3)
    value.forEach((x, k) => to.set(`${name}.${'xyz'[k]}`, numberText(x)));
  else if (!name.startsWith('rotation')) to.set(name, String(value.length));
}

function numberText(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(7);
}

/** The fields that both answers have. */
function answerLines(
  { query, result, backend }: Capture,
  reference: Record<string, unknown>[],
  isExact: boolean,
): string[] {
  const captured = [result].flat() as unknown as Record<string, unknown>[];
  const lines: string[] = [];
  captured.forEach((item, i) => {
    const other = reference[i] ?? {};
    const rows = Object.entries(item).flatMap(([name, value]) => {
      if (name === 'pair') return [];
      const inReference = query === 'manifolds' && name === 'contactDistance' && isExact ? other.distance : other[name];
      return comparisons(name, value, inReference);
    });
    const header = ['result', `captured (${backend})`, isExact ? 'reference (f64)' : 'reference (f32)', 'difference'];
    lines.push(captured.length > 1 ? `Answer ${i + 1} of ${captured.length}` : 'Answer', ...aligned([header, ...rows]));
  });
  if (captured.length === 0) lines.push('No pair of parts was captured.');
  if (reference.length !== captured.length)
    lines.push(`The reference has ${reference.length} answers, the capture ${captured.length}.`);
  return lines;
}

function comparisons(name: string, captured: unknown, reference: unknown): string[][] {
  if (Array.isArray(captured)) {
    const others = Array.isArray(reference) ? (reference as unknown[]) : [];
    return captured.flatMap((value, k) => comparisons(`${name}[${k}]`, value, others[k]));
  }
  if (typeof captured === 'object' && captured !== null)
    return Object.entries(captured).flatMap(([field, value]) =>
      comparisons(`${name}.${field}`, value, (reference as Record<string, unknown> | undefined)?.[field]),
    );
  const [a, b] = [Number(captured), Number(reference)];
  const difference =
    reference === undefined || typeof captured === 'boolean' ? '' : a === b ? '0' : (a - b).toExponential(2);
  return [[name, String(captured), reference === undefined ? '' : String(reference), difference]];
}
