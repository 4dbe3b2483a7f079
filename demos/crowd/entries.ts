/** Places of entry as records of the shader: 12 words each. */

import { THROWN } from './world.ts';
import type { World } from './world.ts';

export const ENTRY_WORDS = 12;
/** Words of a record. */
export const ENTRY = { x: 0, y: 1, angle: 2, zone: 3, first: 4, end: 5, stride: 6, cursor: 7, mode: 8, isTaken: 9 };
export const CLOSED = 0;
export const OPEN = 1;
export const OPEN_ONCE = 2;
/** The zone of visitors, who may go anywhere. */
const NO_ZONE = 0xffffffff;

/** The plan's places share its people; the places of visitors come after them and are closed. */
export function makeEntries({ entries, walkers, people }: World): { words: Uint32Array; count: number } {
  const count = entries.length + THROWN;
  const words = new Uint32Array(ENTRY_WORDS * count);
  const floats = new Float32Array(words.buffer);
  for (let k = 0; k < count; k++) {
    const at = ENTRY_WORDS * k;
    const isVisitors = k >= entries.length;
    const first = isVisitors ? walkers + k - entries.length : k;
    floats.set(isVisitors ? [0, 0, 0] : [entries[k].x, entries[k].y, entries[k].angle], at);
    words[at + ENTRY.zone] = isVisitors ? NO_ZONE : entries[k].zone;
    words[at + ENTRY.first] = first;
    words[at + ENTRY.cursor] = first;
    words[at + ENTRY.end] = isVisitors ? people : Math.max(walkers, first);
    words[at + ENTRY.stride] = isVisitors ? THROWN : entries.length;
    words[at + ENTRY.mode] = isVisitors ? CLOSED : OPEN;
  }
  return { words, count };
}
