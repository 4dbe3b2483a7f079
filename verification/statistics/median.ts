/** Numbers of several runs. */

/** The median: the mean of the middle two for an even number of values; NaN for none. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export interface Ratio {
  median: number;
  least: number;
  greatest: number;
}

/**
 * How many times faster `a` is than `b`: the median of the ratios round by round, so that what slows a whole round down
 * cancels out. Rates are pairs per millisecond of each round.
 */
export function ratioOf(a: readonly number[], b: readonly number[]): Ratio {
  const ratios = a.slice(0, Math.min(a.length, b.length)).map((rate, round) => rate / b[round]);
  return { median: median(ratios), least: Math.min(...ratios), greatest: Math.max(...ratios) };
}
