/** Which pairs the stages of a query in 3-D take, and the capacities of EPA. */
import { CORE_BOX, CORE_HALFSPACE, CORE_HULL } from '../generated/constants.ts';
import type { KernelName } from '../generated/kernel-table.ts';
import type { LeadStage } from '../request/backend.ts';
import type { KindPair } from './classes.ts';

/**
 * The kernels of EPA on compact polytopes, by number of vertices. The memory of a polytope costs time on a graphics card;
 * so most pairs should have a small one. On a software adapter it does not, and every kernel takes seconds to compile.
 */
export function compactKernels(isHardware: boolean, areSmall: boolean): KernelName[] {
  if (!isHardware) return [areSmall ? 'contacts-epa-32' : 'contacts-epa-64'];
  return areSmall ? ['contacts-epa-16', 'contacts-epa-32'] : ['contacts-epa-12', 'contacts-epa-20', 'contacts-epa-32'];
}

/** Whether pairs of these kinds go through the lead stage. */
export function isLeadPair(leadStage: LeadStage, [a, b]: KindPair): boolean {
  if (leadStage === 'sat') return a === CORE_BOX && b === CORE_BOX;
  return (
    (leadStage === 'newton' && Math.max(a, b) <= CORE_BOX) || (leadStage === 'mpr' && Math.max(a, b) < CORE_HALFSPACE)
  );
}

/** Whether pairs of these kinds have a Gauss map's arcs: both are polytopes, and one has faces. */
export function isArcsPair([a, b]: KindPair): boolean {
  return Math.max(a, b) <= CORE_HULL && Math.max(a, b) >= CORE_BOX;
}
