/** The table of rates: this device beside a stored report. */

import { create } from '../common/dom.ts';
import type { CaseResult } from './messages.ts';
import { storedRate, type StoredReport } from './stored.ts';

/** Pairs per second at both ends of a bar, which is logarithmic. */
const SCALE = { least: 1e3, most: 1e11 };

function millions(rate: number): string {
  const value = rate / 1e6;
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}

export function pairsText(pairs: number): string {
  if (pairs >= 2 ** 20) return `${pairs / 2 ** 20} M`;
  return pairs >= 1024 ? `${Math.round(pairs / 1024)} k` : String(pairs);
}

function bar(rate: number, kind: 'own' | 'stored'): HTMLElement {
  const inner = create('i', kind);
  const share = Math.log(rate / SCALE.least) / Math.log(SCALE.most / SCALE.least);
  inner.style.width = `${Math.min(100, Math.max(0.5, 100 * share))}%`;
  return create('span', 'bar-track', inner);
}

/** A row of a finished case. */
export function resultRow(result: CaseResult, stored: StoredReport | undefined): HTMLTableRowElement {
  const { name, pairs, rate, answers } = result;
  const other = stored && storedRate(stored, name, pairs);
  const bars = create('td', 'bars', bar(rate.median, 'own'), ...(other ? [bar(other.rate, 'stored')] : []));
  const row = create(
    'tr',
    '',
    rowHead(name),
    create('td', 'number', pairsText(pairs)),
    create('td', 'number strong', millions(rate.median)),
    create('td', 'number', other ? `${millions(other.rate)} at ${pairsText(other.pairs)}` : '–'),
    bars,
    create('td', '', answers ? `${answers.compared.toLocaleString('en')} agree` : 'is the reference'),
  );
  row.dataset.case = name;
  row.dataset.rate = String(rate.median);
  const clock = result.clock === 'wall' ? 'the wall clock' : 'timestamps';
  const range = `from ${millions(rate.least)} to ${millions(rate.greatest)} M pairs/s`;
  row.title = `${result.ms.toPrecision(4)} ms per run by ${clock}, ${range}`;
  return row;
}

function rowHead(name: string): HTMLTableCellElement {
  const head = create('th', '', name);
  head.scope = 'row';
  return head;
}

export function failureRow(name: string, reason: string): HTMLTableRowElement {
  const cell = create('td', 'failure', reason);
  cell.colSpan = 5;
  const row = create('tr', '', rowHead(name), cell);
  row.dataset.case = name;
  return row;
}
