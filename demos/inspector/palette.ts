/** Colours of the drawings, from the page's theme. */

export interface Palette {
  a: string;
  b: string;
  difference: string;
  /** The step at hand: its support, its face. */
  mark: string;
  normal: string;
  good: string;
  ink: string;
  muted: string;
  line: string;
  stage: string;
}

const NAMES = ['a', 'b', 'difference', 'mark', 'normal', 'good', 'ink', 'muted', 'line', 'stage'] as const;

export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(
    NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]),
  ) as unknown as Palette;
}

/** A colour of the form #rrggbb, towards black (below 0) or white (above 0). */
export function shaded(color: string, amount: number): string {
  const target = amount < 0 ? 0 : 255;
  const share = Math.abs(amount);
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return `rgb(${parts.map((part) => Math.round(part + share * (target - part))).join(' ')})`;
}
