/** Keeps the worst few of many pairs, in bounded memory. */

export interface Badness {
  pair: number;
  /**
   * A higher rank is worse. Among equal ranks the larger error is worse, and among equal errors the lower pair comes
   * first.
   */
  rank: number;
  error: number;
}

type RankedItem<Item> = Badness & { item: Item };

export interface Worst<Item> {
  wanted: number;
  /** The worst pairs so far, and later ones that have not been compared with them yet. */
  kept: RankedItem<Item>[];
  /** The least bad of the worst pairs, once there are enough: anything better is dropped. */
  least: Badness | null;
}

export function createWorst<Item>(wanted: number): Worst<Item> {
  return { wanted, kept: [], least: null };
}

/** `makeItem` is called only if the pair may be among the worst. */
export function keepWorst<Item>(worst: Worst<Item>, badness: Badness, makeItem: () => Item): void {
  if (worst.wanted === 0 || (worst.least && compare(badness, worst.least) > 0)) return;
  worst.kept.push({ ...badness, item: makeItem() });
  if (worst.kept.length >= 2 * worst.wanted + 100) cut(worst);
}

/** The items, worst first. */
export function worstItems<Item>(worst: Worst<Item>): Item[] {
  cut(worst);
  return worst.kept.map(({ item }) => item);
}

function cut<Item>(worst: Worst<Item>): void {
  worst.kept.sort(compare);
  if (worst.kept.length < worst.wanted) return;
  worst.kept.length = worst.wanted;
  worst.least = worst.kept.at(-1) ?? null;
}

function compare(a: Badness, b: Badness): number {
  return b.rank - a.rank || b.error - a.error || a.pair - b.pair;
}
