/** Logarithmic axes of a plot. */

export interface Scale {
  /** Position of a value. */
  at(value: number): number;
  /** Values to draw lines at. */
  ticks: number[];
}

/**
 * From `low` to `high`, both above 0, over the positions `from` to `to`; `base` between two ticks, at most `most` of
 * them.
 */
export function logScale(low: number, high: number, from: number, to: number, base: number, most: number): Scale {
  const first = Math.floor(Math.log(low) / Math.log(base) + 1e-9);
  const last = Math.max(first + 1, Math.ceil(Math.log(high) / Math.log(base) - 1e-9));
  const [start, end] = [base ** first, base ** last].map(Math.log);
  const step = Math.ceil((last - first) / most);
  const ticks: number[] = [];
  for (let power = first; power <= last; power += step) ticks.push(base ** power);
  return { at: (value) => from + ((Math.log(value) - start) / (end - start)) * (to - from), ticks };
}

/**
 * Moves labels apart: gives positions at least `gap` apart within `from` to `to`, in the order of the wanted ones, with
 * the least sum of squared moves as long as all fit. Labels that touch form a group, which stands at its mean; groups
 * that would overlap are joined (isotonic regression by pooling adjacent violators).
 */
export function spreadLabels(wanted: readonly number[], gap: number, from: number, to: number): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
  const groups: { mean: number; size: number }[] = [];
  order.forEach((label, rank) => {
    let group = { mean: wanted[label] - rank * gap, size: 1 };
    for (let last = groups.at(-1); last && last.mean >= group.mean; last = groups.at(-1)) {
      groups.pop();
      const size = last.size + group.size;
      group = { mean: (last.mean * last.size + group.mean * group.size) / size, size };
    }
    groups.push(group);
  });
  const most = to - (wanted.length - 1) * gap;
  const placed = [...wanted];
  const means = groups.flatMap(({ mean, size }) => Array<number>(size).fill(Math.max(from, Math.min(most, mean))));
  order.forEach((label, rank) => (placed[label] = means[rank] + rank * gap));
  return placed;
}
