/** Inputs for numbers: a slider with a field beside it, or a row of fields. */

import { create } from '../common/dom.ts';

export interface NumberRow {
  element: HTMLElement;
  /** Shows values; a field that the user types in keeps its text. */
  set(values: readonly number[]): void;
}

export interface Range {
  least: number;
  most: number;
}

function numberInput(label: string, { least, most }: Range, onInput: (value: number) => void): HTMLInputElement {
  const input = create('input', 'number');
  Object.assign(input, { type: 'number', step: '0.01', min: String(least), max: String(most) });
  input.setAttribute('aria-label', label);
  input.addEventListener('input', () => {
    const value = input.valueAsNumber;
    if (value >= least && value <= most) onInput(value);
  });
  return input;
}

function show(input: HTMLInputElement, value: number): void {
  if (document.activeElement === input && input.type === 'number') return;
  input.value = String(Math.round(value * 1e4) / 1e4);
}

/** One number from `least` to `most` on the slider; the field takes any from `least`. */
export function sliderRow(owner: string, label: string, range: Range, onInput: (value: number) => void): NumberRow {
  const slider = create('input', 'slider');
  Object.assign(slider, { type: 'range', step: '0.01', min: String(range.least), max: String(range.most) });
  slider.setAttribute('aria-label', `${owner}: ${label}`);
  slider.addEventListener('input', () => onInput(slider.valueAsNumber));
  const field = numberInput(
    `${owner}: ${label}, number`,
    { least: Math.min(range.least, 0) < 0 ? -1000 : 0, most: 1000 },
    onInput,
  );
  return {
    element: create('div', 'slider-row', create('span', 'label', label), slider, field),
    set([value]) {
      show(slider, value);
      show(field, value);
    },
  };
}

/** A vector, one field per axis. */
export function vectorRow(
  owner: string,
  label: string,
  axes: readonly string[],
  onInput: (axis: number, value: number) => void,
): NumberRow {
  const fields = axes.map((axis, i) =>
    numberInput(`${owner}: ${label} ${axis}`.trim(), { least: -1e6, most: 1e6 }, (value) => onInput(i, value)),
  );
  return {
    element: create('div', 'vector-row', create('span', 'label', label), ...fields),
    set: (values) => fields.forEach((field, i) => show(field, values[i])),
  };
}
