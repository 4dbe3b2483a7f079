/** The arrays of a batch's result in several buffers, where one has no room for them. */
import { layOutArrays, type WrittenFields } from './result-arrays.ts';

/** Groups of arrays that take at most `limit` bytes each, as far as a single array does. */
export function groupArrays(fields: WrittenFields, slotCount: number, limit: number): WrittenFields[] {
  const groups: WrittenFields[] = [];
  for (const [name, shape] of Object.entries(fields)) {
    const extended = { ...groups.at(-1), [name]: shape };
    if (groups.length > 0 && layOutArrays(extended, slotCount).bytes <= limit) groups[groups.length - 1] = extended;
    else groups.push({ [name]: shape });
  }
  return groups;
}
