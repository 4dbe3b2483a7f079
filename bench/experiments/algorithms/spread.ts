/** How a number spreads over many pairs. */

export interface Spread {
  mean: number;
  median: number;
  /** 99 of 100 are at most this. */
  most: number;
  greatest: number;
}

export function spreadOf(values: Float64Array): Spread {
  const sorted = values.slice().sort();
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
  return {
    mean: sorted.reduce((sum, x) => sum + x, 0) / sorted.length,
    median: at(0.5),
    most: at(0.99),
    greatest: at(1),
  };
}

/** As columns of a table, in per cent. */
export function percentages({ mean, median, most, greatest }: Spread): string[] {
  return [mean, median, most, greatest].map(percentage);
}

export function percentage(share: number): string {
  const percent = 100 * share;
  // What rounding leaves, and less than anybody can see.
  if (percent < 5e-4) return '0';
  return percent < 9.995 ? percent.toFixed(3 - Math.max(0, Math.floor(Math.log10(percent)) + 1)) : percent.toFixed(0);
}
