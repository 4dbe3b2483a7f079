/**
 * What invocations of a GPU wait for: 32 of them take every step together, so that each pair takes as long as the
 * slowest of its group does.
 */

const GROUP = 32;

/** Calls `visit` with the greatest value of each group of 32 neighbours in `order`, and how many are in it. */
function eachGroup(
  values: ArrayLike<number>,
  order: ArrayLike<number>,
  visit: (greatest: number, count: number) => void,
): void {
  for (let first = 0; first < order.length; first += GROUP) {
    const end = Math.min(first + GROUP, order.length);
    let greatest = 0;
    for (let i = first; i < end; i++) greatest = Math.max(greatest, values[order[i]]);
    visit(greatest, end - first);
  }
}

/**
 * Mean over groups of `cost` at the greatest value in each; 0 of none. Without `cost`, of the greatest values
 * themselves.
 */
export function lockstepMean(
  values: ArrayLike<number>,
  order: ArrayLike<number>,
  cost: (value: number) => number = (value) => value,
): number {
  let sum = 0;
  let groups = 0;
  eachGroup(values, order, (greatest) => {
    sum += cost(greatest);
    groups++;
  });
  return groups === 0 ? 0 : sum / groups;
}

/** Mean of the values at `order`; 0 of none. */
export function meanOf(values: ArrayLike<number>, order: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < order.length; i++) sum += values[order[i]];
  return order.length === 0 ? 0 : sum / order.length;
}

/** Mean of the greatest of 32 numbers drawn at random from `values`. */
export function meanGreatestOf32(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  let mean = 0;
  let below = 0;
  sorted.forEach((value, i) => {
    const upTo = ((i + 1) / sorted.length) ** GROUP;
    mean += value * (upTo - below);
    below = upTo;
  });
  return mean;
}

/** Indices of pairs as kernels take them: class by class, ascending in each. `classes` are those of the pairs. */
export function orderByClass(classes: ArrayLike<number>): Uint32Array {
  const order = Uint32Array.from({ length: classes.length }, (_, i) => i);
  return order.sort((a, b) => classes[a] - classes[b] || a - b);
}
