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

/** `depth 0.02 (exact)`, `depth at least 0.02 (bound)`, `gap 0.01`. */
export function distanceText({ distance, source }: Pick<Clash, 'distance' | 'source'>): string {
  if (distance > 0) return `gap ${distance} (${source})`;
  return source === 'bound' ? `depth at least ${-distance} (bound)` : `depth ${0 - distance} (exact)`;
}

/** Everything about a clash but its title. */
export function describeClash(clash: Clash): string {
  const { point, normal, rule } = clash;
  const parts = [distanceText(clash), `at ${point.join(' ')}`, `normal ${normal.join(' ')}`];
  if (rule !== undefined) parts.push(`rule ${rule}`);
  return parts.join(', ');
}
