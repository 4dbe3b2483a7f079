/** The panel: facts of the device, and what to measure and to compare with. */

import { CASES } from '../../verification/gpu-cases/cases.ts';
import { byId, create, fillRows } from '../common/dom.ts';
import type { AdapterFacts } from './messages.ts';
import { FIRST_CASES, sizesFor } from './settings.ts';
import type { StoredReport } from './stored.ts';
import { pairsText } from './table.ts';

export function showFacts(adapter: AdapterFacts | null): void {
  fillRows(
    byId('facts'),
    adapter
      ? [
          ['Adapter', adapter.name],
          ['Timestamps', adapter.hasTimestamps ? 'yes' : 'no: wall clock'],
          ['Subgroups', adapter.hasSubgroups ? 'yes' : 'no'],
          ['Largest buffer', `${Math.round(adapter.largestBuffer / 2 ** 20).toLocaleString('en')} MiB`],
        ]
      : [
          ['Backend', 'CPU, double precision'],
          ['Threads', String(Math.min(8, navigator.hardwareConcurrency))],
        ],
  );
}

export function showCases(): void {
  byId('cases').replaceChildren(
    ...CASES.map(({ name }) => {
      const box = create('input', '');
      Object.assign(box, { type: 'checkbox', value: name, checked: FIRST_CASES.includes(name) });
      return create('label', '', box, name);
    }),
  );
}

/** The names of the chosen cases. */
export function chosenCases(): string[] {
  return Array.from(byId('cases').querySelectorAll<HTMLInputElement>(':checked'), (box) => box.value);
}

/** Keeps the chosen size if this adapter has it too. */
export function showSizes(adapter: AdapterFacts | null): void {
  const { all, first } = sizesFor(adapter);
  const list = byId<HTMLSelectElement>('pairs');
  const chosen = Number(list.value);
  list.replaceChildren(...all.map((pairs) => new Option(pairsText(pairs), String(pairs))));
  list.value = String(all.includes(chosen) ? chosen : first);
}

export function chosenPairs(): number {
  return Number(byId<HTMLSelectElement>('pairs').value);
}

export function showStored(reports: readonly StoredReport[]): void {
  byId('stored').replaceChildren(
    ...reports.map(({ adapter, generator, date }, i) => new Option(`${adapter}, ${date}, ${generator}`, String(i))),
  );
}

/** The index of the report to compare with. */
export function chosenStored(): number {
  return Number(byId<HTMLSelectElement>('stored').value);
}
