/** Result arrays as a device writes them, and their way into the caller's arrays. */
import type { QueryResult } from '../api/queries.ts';
import { copyOf, type Numbers } from '../util/arrays.ts';
import type { MutableResult } from './create-result.ts';

/** Some slots of a result's arrays. */
export interface ArrayChunk {
  firstPair: number;
  count: number;
  /** Elements by array. `pair` is missing if there is a slot per pair. */
  arrays: Readonly<Record<string, Numbers>>;
}

/** The chunk with a copy of its arrays. Throws `OUT_OF_MEMORY` if there is no memory for it. */
export function ownArrays({ arrays, ...slots }: ArrayChunk): ArrayChunk {
  const copies = Object.entries(arrays).map(([name, elements]) => [name, copyOf(`result.${name}`, elements)]);
  return { ...slots, arrays: Object.fromEntries(copies) };
}

/** Copies a chunk into the result's arrays, from `slot` on. Arrays that the result has taken over are left alone. */
export function copyArrays(result: QueryResult, slot: number, { firstPair, count, arrays }: ArrayChunk): void {
  const to = result as unknown as MutableResult;
  for (const [name, elements] of Object.entries(arrays)) {
    if (to[name] !== elements) to[name]?.set(elements, (elements.length / count) * slot);
  }
  if (to.pair && !arrays.pair) writeNumbers(to.pair as Uint32Array, slot, firstPair, count);
}

/** Writes the numbers from `first` on. */
function writeNumbers(array: Uint32Array, slot: number, first: number, count: number): void {
  const offset = first - slot;
  for (let i = slot; i < slot + count; i++) array[i] = i + offset;
}
