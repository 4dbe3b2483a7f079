/** Clashes in words. */

import type { Clash } from './clash-report.ts';

/** Bodies and category. */
export function titleOf(clash: Clash): string {
  const { category, inside } = clash;
  const [a, b] = namesOf(clash);
  switch (category) {
    case 'overlap':
      return `${a} overlaps ${b}`;
    case 'contained':
      return inside === 'a' ? `${a} is inside ${b}` : `${b} is inside ${a}`;
    case 'duplicate':
      return `${a} duplicates ${b}`;
    case 'touching':
      return `${a} touches ${b}`;
    case 'clearance':
      return `${a} is too near to ${b}`;
  }
}

/** Both names, with a number where other bodies have the same name. */
export function namesOf({ a, copyA, b, copyB }: Clash): [string, string] {
  return [copyA === undefined ? a : `${a} (${copyA})`, copyB === undefined ? b : `${b} (${copyB})`];
}

/** `depth 0.02 (exact)`, `depth at least 0.02 (bound)`, `gap 0.01 (exact)`. */
export function distanceText({ distance, source }: Pick<Clash, 'distance' | 'source'>): string {
  if (distance > 0) return `gap ${sixDigits(distance)} (${source})`;
  return `depth ${source === 'bound' ? 'at least ' : ''}${sixDigits(-distance)} (${source})`;
}

/** For readers. JSON and CSV have all digits. */
function sixDigits(x: number): string {
  return String(Number(x.toPrecision(6)) + 0);
}

const DIGITS = 8;

/** The numbers of a vector, to eight digits of the largest: a millimetre in 10 km. */
export function componentsOf(v: readonly number[]): string[] {
  const largest = Math.max(...v.map(Math.abs));
  const unit = 10 ** (Math.floor(Math.log10(largest)) + 1 - DIGITS);
  if (!(unit > 0)) return v.map(String);
  return v.map((x) => String(Number((Math.round(x / unit) * unit).toPrecision(DIGITS)) + 0));
}

/** Everything about a clash except its title. */
export function describeClash(clash: Clash): string {
  const { point, normal, rule } = clash;
  const parts = [
    distanceText(clash),
    `at ${componentsOf(point).join(' ')}`,
    `normal ${componentsOf(normal).join(' ')}`,
  ];
  if (rule !== undefined) parts.push(`rule ${rule}`);
  return parts.join(', ');
}
