/** Result arrays as a device writes them, and their way into the caller's arrays. */
import type { QueryResult } from '../api/queries.ts';
import type { Numbers } from '../util/arrays.ts';
import type { MutableResult } from './create-result.ts';

/** Some slots of a result's arrays. */
export interface ArrayChunk {
  firstPair: number;
  count: number;
  /** Elements by array. `pair` is missing if there is a slot per pair. */
  arrays: Readonly<Record<string, Numbers>>;
}

/** The chunk with a copy of its arrays. */
export function ownArrays({ arrays, ...slots }: ArrayChunk): ArrayChunk {
  const copies = Object.entries(arrays).map(([name, elements]) => [name, elements.slice()]);
  return { ...slots, arrays: Object.fromEntries(copies) };
}

/** Copies a chunk into the arrays that the result has, from `slot` on. */
export function copyArrays(result: QueryResult, slot: number, { firstPair, count, arrays }: ArrayChunk): void {
  const to = result as unknown as MutableResult;
  for (const [name, elements] of Object.entries(arrays)) to[name]?.set(elements, (elements.length / count) * slot);
  if (to.pair && !arrays.pair) for (let i = 0; i < count; i++) to.pair[slot + i] = firstPair + i;
}
