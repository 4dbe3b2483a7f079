/** The tables: who answers what, and all fields of the reference's and the kernels' answers side by side. */

import type { CpuPlanarResults, CpuResults } from 'narrowphase/cpu';
import { create } from '../common/dom.ts';
import type { Answer } from './answers.ts';
import { number } from './describe-step.ts';

export interface Answers {
  reference: (CpuResults | CpuPlanarResults)[keyof CpuResults];
  captured: Answer;
  /** Where the captured answer is from. */
  source: string;
  /** The kernels' answer, or why there is none; undefined until it arrives. */
  gpu?: { answer: Answer; name: string } | { reason: string };
  oracle?: { distance: number } | { time: number };
  /** Another engine's distance; null: it gave none. */
  other?: { engine: string; distance: number | null; overlaps: boolean };
}

export function fillAnswers(table: HTMLElement, answers: Answers): void {
  const { reference, captured, source, gpu, oracle, other } = answers;
  const truth = oracle && ('time' in oracle ? oracle.time : oracle.distance);
  const name = 'time' in reference ? 'time' : 'distance';
  const row = (title: string, value: number | undefined | null, text?: string): HTMLElement =>
    create(
      'tr',
      '',
      create('th', '', title),
      create('td', '', text ?? (value === undefined || value === null ? '–' : digits(value))),
      create('td', '', difference(value, truth)),
    );
  const rows = [
    row('Reference, f64', mainOf(reference as unknown as Answer, name), flagText(reference as unknown as Answer, name)),
    gpu && 'answer' in gpu
      ? row('Kernels, f32', mainOf(gpu.answer, name), flagText(gpu.answer, name))
      : row('Kernels, f32', undefined, gpu ? 'no GPU here' : '…'),
    row(`Captured, ${source}`, mainOf(captured, name), flagText(captured, name)),
    row('Oracle', truth, oracle ? undefined : 'none for this query'),
  ];
  if (other)
    rows.push(
      row(
        other.engine,
        other.distance,
        other.distance === null ? `no depth, ${other.overlaps ? 'overlap' : 'apart'}` : undefined,
      ),
    );
  const heads = ['', name === 'time' ? 'Seconds' : 'Distance', 'Off the oracle by'].map((text) =>
    create('th', '', text),
  );
  table.replaceChildren(create('thead', '', create('tr', '', ...heads)), create('tbody', '', ...rows));
}

/** An item's `contactDistance` is what the reference calls `distance`. */
function mainOf(answer: Answer, name: string): number | undefined {
  const value = answer[name] ?? answer.contactDistance;
  return value === undefined ? undefined : Number(value);
}

/** `intersects` says yes or no. */
function flagText(answer: Answer, name: string): string | undefined {
  if (mainOf(answer, name) !== undefined || !('hit' in answer)) return undefined;
  return answer.hit ? 'overlap' : 'apart';
}

function difference(value: number | null | undefined, truth: number | undefined): string {
  if (value === undefined || value === null || truth === undefined) return '';
  if (value === truth) return '0';
  return (value - truth).toExponential(1).replace('-', '−').replace('e−', 'e−').replace('e-', 'e−');
}

function digits(value: number): string {
  return Number.isFinite(value) ? value.toPrecision(9).replace('-', '−') : number(value);
}

const ORDER =
  'status hit distance time unclampedTime lower upper normal pointA pointB point featureA featureB iterations points'.split(
    ' ',
  );

/** One row per field; vectors have a line per component. */
export function fillFields(table: HTMLElement, { reference, captured, gpu }: Answers): void {
  const item = gpu && 'answer' in gpu ? gpu.answer : captured;
  const other = 'contactDistance' in item ? { ...item, distance: item.contactDistance } : item;
  const left = reference as unknown as Answer;
  const names = ORDER.filter((name) => name in left && (name !== 'hit' || name in other));
  const rows = names.map((name) =>
    create(
      'tr',
      '',
      create('th', '', name),
      create('td', '', fieldText(left[name])),
      create('td', '', fieldText(other[name])),
    ),
  );
  const heads = ['', 'f64', gpu && 'answer' in gpu ? 'f32' : 'captured'].map((text) => create('th', '', text));
  table.replaceChildren(create('thead', '', create('tr', '', ...heads)), create('tbody', '', ...rows));
}

function fieldText(value: unknown): string {
  if (value === undefined) return '–';
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : value.toPrecision(8);
  if (!Array.isArray(value)) return String(value);
  return value
    .map((each: unknown) =>
      typeof each === 'object' && each !== null
        ? pointText(each as { position: number[]; distance: number })
        : fieldText(each),
    )
    .join('\n');
}

function pointText({ position, distance }: { position: number[]; distance: number }): string {
  return `${position.map((x) => Number(x).toPrecision(3)).join(' ')}\n  ${Number(distance).toPrecision(5)}`;
}
