/** Checks the list of hits of a chunk against the answer for all its pairs, and the status counts of both. */

import { F32_ROUNDING } from '../../src/shapes/tolerances.ts';
import { Status } from '../../src/api/types.ts';
import type { Answer } from '../../verification/engines/engine.ts';
import { CommandError, ExitCode } from '../exit.ts';

/**
 * The slot of each pair of a chunk among the hits; -1 if it is not listed. Throws if the list contains other pairs or
 * is not ascending.
 */
export function hitSlots({ count, pair }: Answer, pairCount: number): Int32Array {
  const slots = new Int32Array(pairCount).fill(-1);
  for (let slot = 0; slot < count; slot++) {
    if (pair[slot] >= pairCount || (slot > 0 && pair[slot] <= pair[slot - 1])) {
      const after = slot > 0 ? ` after ${pair[slot - 1]}` : '';
      throw new CommandError(
        ExitCode.CheckFailed,
        `narrowphase: the engine lists pair ${pair[slot]}${after} as a hit, of ${pairCount} pairs asked`,
      );
    }
    slots[pair[slot]] = slot;
  }
  return slots;
}

/**
 * Whether the list of hits agrees with the answer for all pairs about one pair: on whether it is a hit, and on its
 * numbers. A pair is a hit if its distance is at most the margin. If the two differ by less than their rounding to f32,
 * both answers are accepted.
 */
export function isSame(all: Answer, slot: number, hits: Answer, hitSlot: number, margin: number): boolean {
  const isListed = hitSlot >= 0;
  if (all.hit && (all.hit[slot] === 1) !== isListed) return false;
  if (all.distance && all.status[slot] < Status.InvalidInput) {
    const distance = all.distance[slot];
    const isClear = !(Math.abs(distance - margin) <= 2 * F32_ROUNDING * margin);
    if (isClear && distance <= margin !== isListed) return false;
  }
  if (!isListed) return true;
  return SLOT_FIELDS.every(([field, width]) => {
    const [there, here] = [all[field], hits[field]];
    if (!there || !here) return there === here;
    for (let i = 0; i < width; i++) if (!Object.is(there[width * slot + i], here[width * hitSlot + i])) return false;
    return true;
  });
}

const SLOT_FIELDS = [
  ['status', 1],
  ['distance', 1],
  ['normal', 3],
  ['pointA', 3],
  ['pointB', 3],
  ['featureA', 1],
  ['featureB', 1],
  ['iterations', 1],
  ['lower', 1],
  ['upper', 1],
] as const satisfies [keyof Answer, number][];

/**
 * Describes what is wrong with the status counts of a chunk; null if they are right. The counts of a query for hits
 * cover all pairs, too.
 */
export function miscount(all: Answer, hits: Answer, pairCount: number): string | null {
  const counts = [0, 0, 0, 0, 0];
  for (let slot = 0; slot < Math.min(all.count, pairCount); slot++) counts[all.status[slot]]++;
  for (const [name, { statusCounts }] of [
    ['all pairs', all],
    ['the hits', hits],
  ] as const) {
    if (statusCounts.length !== 5 || counts.some((n, status) => n !== statusCounts[status])) {
      return `the answer of ${name} counts statuses ${statusCounts.join(' ')}, the slots of all pairs have ${counts.join(' ')}`;
    }
  }
  return null;
}
