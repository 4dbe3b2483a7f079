/** What a clash means for the check: whether it fails it, or why not. */

import type { Category, Verdict } from './categories.ts';

/** A clash of the baseline. */
export interface KnownClash {
  category: Category;
  distance: number;
}

/** A gap is milder than touching, and touching than everything else. */
const SEVERITY: Record<Category, number> = { overlap: 2, contained: 2, duplicate: 2, touching: 1, clearance: 0 };

export interface Grounds {
  category: Category;
  distance: number;
  /** Of the pair's rule. */
  tolerance: number;
  isAllowed: boolean;
  failOn: ReadonlySet<Category>;
  /** The clash of the same bodies in the baseline. */
  known: KnownClash | undefined;
}

export function verdictOf({ category, distance, tolerance, isAllowed, failOn, known }: Grounds): Verdict {
  if (isAllowed) return 'allowed';
  if (!failOn.has(category)) return 'pass';
  if (known === undefined) return 'fail';
  const isMilder = category === known.category || SEVERITY[category] < SEVERITY[known.category];
  return isMilder && distance >= known.distance - tolerance ? 'known' : 'fail';
}
