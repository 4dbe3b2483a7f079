/** The panel: the proof, figures, choices, doors. */

import { byId, create, fillRows, swatched } from '../common/dom.ts';
import type { Report } from './crowd.ts';
import { AMOUNTS } from './pace.ts';
import { palette } from './palette.ts';
import type { ReferenceCheck } from './reference-check.ts';
import { RULES } from './rules.ts';
import { SCENES } from './scenes.ts';
import type { Scene } from './scenes.ts';

export interface PanelEvents {
  pause(): void;
  step(): void;
  reset(): void;
  choose(scene: string, people: number): void;
  toggleDoor(door: number): void;
}

const count = (value: number): string => value.toLocaleString('en');

export function createPanel(events: PanelEvents): void {
  byId('pause').addEventListener('click', () => events.pause());
  byId('step').addEventListener('click', () => events.step());
  byId('reset').addEventListener('click', () => events.reset());
  const [scene, amount] = [byId<HTMLSelectElement>('scene'), byId<HTMLSelectElement>('amount')];
  for (const [name, make] of Object.entries(SCENES)) scene.append(new Option(make().title, name));
  const choose = (): void => events.choose(scene.value, Number(amount.value));
  scene.addEventListener('change', choose);
  amount.addEventListener('change', choose);
  byId('doors').addEventListener('click', ({ target }) => {
    const button = (target as Element).closest('button');
    if (button) events.toggleDoor(Number(button.dataset.door));
  });
}

export function showRunning(isRunning: boolean): void {
  byId('pause').textContent = isRunning ? 'Pause' : 'Run';
}

/** Shows a plan: choices, zones and doors. */
export function showPlan(scene: Scene, name: string, people: number): void {
  byId<HTMLSelectElement>('scene').value = name;
  const amounts = [...new Set([...AMOUNTS, people])].sort((a, b) => a - b);
  byId('amount').replaceChildren(...amounts.map((value) => new Option(count(value), String(value))));
  byId<HTMLSelectElement>('amount').value = String(people);
  byId('doors').replaceChildren(
    ...scene.doors.map(({ name: label }, k) => {
      const button = create('button', 'button', label, create('span', ''));
      button.type = 'button';
      button.dataset.door = String(k);
      return button;
    }),
  );
  showZones(scene);
}

export function showZones({ zones }: Scene): void {
  fillRows(
    byId('zones'),
    zones.map(({ name }, k) => [swatched(palette().zones[k], name), '']),
  );
}

export function showDoors(isOpen: readonly boolean[]): void {
  for (const [k, button] of byId('doors').querySelectorAll('button').entries()) {
    button.setAttribute('aria-pressed', String(isOpen[k]));
    button.querySelector('span')!.textContent = isOpen[k] ? 'open' : 'closed';
  }
}

export function showReport({ totals }: Report, stepsPerSecond: number | undefined): void {
  byId('in-walls').textContent = count(totals.inWalls);
  byId('checks').textContent = count(totals.checks);
  document.querySelector('.proof')!.classList.toggle('failed', totals.inWalls > 0);
  const minutes = (totals.steps * RULES.STEP) / 60;
  fillRows(byId('figures'), [
    ['People in the plan', count(totals.present)],
    ['Walking', count(totals.moving)],
    ['Pairs of people that touch', count(totals.touching)],
    ['Arrived', count(totals.arrived)],
    ['Arrived per minute', minutes > 0 ? count(Math.round(totals.arrived / minutes)) : '–'],
    ['Pairs near each other', count(totals.nearPairs)],
    ['Steps', count(totals.steps)],
    ['Steps per second', stepsPerSecond === undefined ? '–' : stepsPerSecond.toFixed(0)],
    ...problemRows(totals),
  ]);
}

/** Rows for problems that occurred; none if all is well. */
function problemRows({ nearOverflow, wallOverflow, invalid }: Report['totals']): [string, string][] {
  const rows: [string, number][] = [
    ['Neighbours left out (no room)', nearOverflow],
    ['Wall pairs left out (nobody moved)', wallOverflow],
    ['Pairs that queries refused', invalid],
  ];
  return rows.filter(([, value]) => value > 0).map(([label, value]) => [label, count(value)]);
}

export function showReference({ checks, inWalls }: ReferenceCheck): void {
  fillRows(byId('reference'), [
    ['Checks', count(checks)],
    ['In walls', count(inWalls)],
  ]);
}
