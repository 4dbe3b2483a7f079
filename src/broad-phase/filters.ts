/** Which bodies can form pairs, apart from where they are. */
import type { CollisionFilters } from '../api/bodies.ts';

/** The groups of bodies and rays without any: a member of all groups, which meets all groups. */
export const ALL_GROUPS = 0xffffffff;

/** Whether each one's membership, the high 16 bits, shares a bit with the other's filter, the low 16. */
export function groupsMeet(a: number, b: number): boolean {
  return ((a >>> 16) & b) !== 0 && ((b >>> 16) & a) !== 0;
}

/** Whether the filters let bodies a and b form a pair. */
export function arePaired({ groups, fixed }: CollisionFilters, a: number, b: number): boolean {
  if (groups && !groupsMeet(groups[a], groups[b])) return false;
  return !(fixed && fixed[a] !== 0 && fixed[b] !== 0);
}
