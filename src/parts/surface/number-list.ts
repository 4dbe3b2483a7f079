/** Numbers in one growing typed array. */
import { allocate } from '../../util/arrays.ts';

export interface NumberList {
  count: number;
  values: Float64Array;
}

export function createNumberList(): NumberList {
  return { count: 0, values: new Float64Array(64) };
}

/** Makes room for `more` numbers after the last one. */
function makeRoom(list: NumberList, more: number): void {
  const needed = list.count + more;
  if (needed <= list.values.length) return;
  const grown = allocate('surface of the mesh', Float64Array, Math.max(2 * list.values.length, needed));
  grown.set(list.values.subarray(0, list.count));
  list.values = grown;
}

export function pushNumbers(list: NumberList, numbers: readonly number[]): void {
  makeRoom(list, numbers.length);
  for (const number of numbers) list.values[list.count++] = number;
}

/** Appends the four numbers of a piece of an edge. */
export function pushPiece(list: NumberList, first: number, last: number, least: number, greatest: number): void {
  makeRoom(list, 4);
  const { values } = list;
  values[list.count++] = first;
  values[list.count++] = last;
  values[list.count++] = least;
  values[list.count++] = greatest;
}

/** The numbers, in an array of their own. */
export function numbersOf({ values, count }: NumberList): Float64Array {
  return values.slice(0, count);
}
