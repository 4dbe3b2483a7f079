/** The order of a table's slots, by several columns of numbers. */
import { allocate } from './arrays.ts';
import { createPace, type Work } from './turns.ts';

/** Slots per step. */
const AT_ONCE = 2 ** 11;

/** Up to so many slots, comparing takes less time than counting digits. */
const FEW = 2 ** 10;

const DIGIT_BITS = 11;
const DIGITS = 2 ** DIGIT_BITS;

/**
 * The slots in ascending order by the first column, then by the next, and so on; undefined if they are in that order already.
 * Equal slots keep their order. All columns are as long as the first. A radix sort, the last column first.
 */
export function* sortSlots(...columns: Uint32Array[]): Work<Uint32Array | undefined> {
  const { length } = columns[0];
  const compare = (i: number, j: number): number => {
    for (const column of columns) if (column[i] !== column[j]) return column[i] - column[j];
    return 0;
  };
  const isDue = createPace();
  let sorted = 1;
  for (; sorted < length && compare(sorted - 1, sorted) <= 0; sorted++) if (isDue(4)) yield;
  if (sorted >= length) return undefined;
  let order = allocate('the order of slots', Uint32Array, length);
  for (let slot = 0; slot < length; slot++) order[slot] = slot;
  if (length <= FEW) return order.sort(compare);
  let other = allocate('the order of slots', Uint32Array, length);
  for (const column of columns.reverse()) {
    let greatest = 0;
    for (let slot = 0; slot < length; slot++) greatest = Math.max(greatest, column[slot]);
    if (isDue(length)) yield;
    for (let shift = 0; shift < 32 && greatest >>> shift > 0; shift += DIGIT_BITS) {
      yield* sortByDigit(column, shift, order, other, isDue);
      [order, other] = [other, order];
    }
  }
  return order;
}

function* sortByDigit(
  column: Uint32Array,
  shift: number,
  from: Uint32Array,
  to: Uint32Array,
  isDue: (steps: number) => boolean,
): Work<void> {
  const places = new Uint32Array(DIGITS + 1);
  for (let first = 0; first < from.length; first += AT_ONCE) {
    const end = Math.min(first + AT_ONCE, from.length);
    for (let i = first; i < end; i++) places[((column[i] >>> shift) & (DIGITS - 1)) + 1]++;
    if (isDue(AT_ONCE)) yield;
  }
  for (let digit = 0; digit < DIGITS; digit++) places[digit + 1] += places[digit];
  for (let first = 0; first < from.length; first += AT_ONCE) {
    const end = Math.min(first + AT_ONCE, from.length);
    for (let i = first; i < end; i++) to[places[(column[from[i]] >>> shift) & (DIGITS - 1)]++] = from[i];
    if (isDue(4 * AT_ONCE)) yield;
  }
}

/** The numbers of a column in an order. */
export function* inOrder(column: Uint32Array, order: Uint32Array): Work<Uint32Array> {
  const isDue = createPace();
  const to = allocate('a column in order', Uint32Array, order.length);
  for (let first = 0; first < order.length; first += AT_ONCE) {
    const end = Math.min(first + AT_ONCE, order.length);
    for (let i = first; i < end; i++) to[i] = column[order[i]];
    if (isDue(4 * AT_ONCE)) yield;
  }
  return to;
}
