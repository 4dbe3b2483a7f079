/** The card of the selected clash, and the label beside its mark. */

import type { Clash } from '../../cli/clash/clash-report.ts';
import { byId, create, swatched } from '../common/dom.ts';
import { clashLabel, lengthText, namesOf, titleOf, vectorText } from './clash-text.ts';
import { currentColors } from './colors.ts';

export interface Selection {
  clash: Clash;
  isMetre: boolean;
  place: { place: number; count: number };
  /** Names of bodies that are not drawn, since the model is missing or has no such body. */
  missing: readonly string[];
}

export function showCard({ clash, isMetre, place, missing }: Selection): void {
  const { a: blue, b: orange } = currentColors();
  const [a, b] = namesOf(clash);
  const { distance, source, point, normal, rule, verdict } = clash;
  byId('card-title').textContent = titleOf(clash);
  const measure = `${source === 'bound' && distance <= 0 ? 'at least ' : ''}${lengthText(distance, isMetre)}, ${source}`;
  const rows: [label: string, value: Node | string, isMinor?: boolean][] = [
    ['A', swatched(blue, a)],
    ['B', swatched(orange, b)],
    [distance > 0 ? 'Gap' : 'Depth', measure],
    ['Point', vectorText(point)],
    ['Normal', vectorText(normal), true],
    ['Verdict', rule === undefined ? verdict : `${verdict}, rule ${rule}`, true],
  ];
  byId('card-rows').replaceChildren(
    ...rows.flatMap(([label, value, isMinor]) => {
      const name = isMinor ? 'minor' : '';
      return [create('dt', name, label), create('dd', name, value)];
    }),
  );
  byId('card-missing').hidden = missing.length === 0;
  byId('card-missing').textContent = `Not drawn, since the model has no such part here: ${missing.join(', ')}`;
  byId('card-place').textContent = place.place > 0 ? `${place.place} of ${place.count}` : '';
  byId('card').hidden = false;
  byId('hint').hidden = true;
  byId('label').textContent = clashLabel(clash, isMetre);
}

export function hideCard(): void {
  byId('card').hidden = true;
  byId('label').hidden = true;
  byId('hint').hidden = false;
}

const OFFSET = 14;

/** Puts the label beside a place of the view. undefined: the mark is out of view. */
export function placeLabel(place: { x: number; y: number } | undefined): void {
  const label = byId('label');
  label.hidden = place === undefined || byId('card').hidden;
  if (!place) return;
  const { clientWidth } = label.parentElement!;
  const x = Math.max(4, Math.min(place.x + OFFSET, clientWidth - label.offsetWidth - 4));
  label.style.transform = `translate(${Math.round(x)}px, ${Math.round(Math.max(4, place.y - label.offsetHeight - OFFSET))}px)`;
}
