/** Sorted names and patterns. With these, a pattern is compared only with names that it may match. */

/** The literal start that all names matched by a pattern share, or, if that is longer, their literal end. */
export interface Anchor {
  text: string;
  isEnd: boolean;
}

export function hasWildcards(pattern: string): boolean {
  return /[*?]/.test(pattern);
}

/** The part before a pattern's first wildcard or the part after its last, whichever is longer. */
export function anchorOf(pattern: string): Anchor {
  const start = /^[^*?]*/.exec(pattern)![0];
  const end = /[^*?]*$/.exec(pattern)![0];
  return end.length > start.length ? { text: end, isEnd: true } : { text: start, isEnd: false };
}

/** Items of a list from `start` up to but not including `end`. */
export interface Slice<Item> {
  items: readonly Item[];
  start: number;
  end: number;
}

/** A function that returns the items whose names have an anchor. */
export function createNameIndex<Item extends { readonly name: string }>(
  items: readonly Item[],
): (anchor: Anchor) => Slice<Item> {
  // Each order is made when it is first needed: there may be a million names.
  const orders: (Order<Item> | undefined)[] = [undefined, undefined];
  return ({ text, isEnd }) => {
    const order = (orders[Number(isEnd)] ??= orderOf(items, isEnd));
    const { keys } = order;
    const from = isEnd ? reversed(text) : text;
    const start = firstOf(keys.length, 0, (i) => keys[i] >= from);
    return { items: order.items, start, end: firstOf(keys.length, start, (i) => !keys[i].startsWith(from)) };
  };
}

interface Order<Item> {
  keys: string[];
  items: Item[];
}

function orderOf<Item extends { readonly name: string }>(items: readonly Item[], isEnd: boolean): Order<Item> {
  const keyed = items.map((item) => ({ key: isEnd ? reversed(item.name) : item.name, item }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  return { keys: keyed.map(({ key }) => key), items: keyed.map(({ item }) => item) };
}

/** Reverses UTF-16 units. The result is compared only with other reversed text. */
function reversed(text: string): string {
  return text.split('').reverse().join('');
}

/** The first number from `start` up to `count` for which `holds` is true. It must be true for all later numbers too. */
function firstOf(count: number, start: number, holds: (i: number) => boolean): number {
  let [low, high] = [start, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A function that returns the patterns whose anchors a name has. */
export function createPatternIndex<Pattern extends { readonly pattern: string }>(
  patterns: readonly Pattern[],
): (name: string) => Pattern[] {
  const sides = [false, true].map((isEnd) => {
    const byAnchor = new Map<string, Pattern[]>();
    for (const each of patterns) {
      const anchor = anchorOf(each.pattern);
      if (anchor.isEnd !== isEnd) continue;
      const others = byAnchor.get(anchor.text);
      if (others) others.push(each);
      else byAnchor.set(anchor.text, [each]);
    }
    return { isEnd, byAnchor, lengths: new Set([...byAnchor.keys()].map(({ length }) => length)) };
  });
  return (name) =>
    sides.flatMap(({ isEnd, byAnchor, lengths }) =>
      [...lengths].flatMap((length) => {
        if (length > name.length) return [];
        return byAnchor.get(isEnd ? name.slice(name.length - length) : name.slice(0, length)) ?? [];
      }),
    );
}
