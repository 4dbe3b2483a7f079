/** Figures as the reports write them. */

import { digits } from '../markdown.ts';

/** Thousands of millions. */
export function giga(rate: number): string {
  return digits(rate / 1e9);
}

export function percent(share: number): string {
  return `${digits(100 * share)} %`;
}

export function size(pairs: number): string {
  if (pairs % 2 ** 20 === 0) return `${pairs / 2 ** 20} M`;
  return pairs % 2 ** 10 === 0 ? `${pairs / 2 ** 10} k` : String(pairs);
}
