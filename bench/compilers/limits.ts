/** What kernels may take on RDNA 3, so that no change makes one slow unseen. */
import type { Kernel } from './compile.ts';

export type Limit = Pick<Kernel, 'registers' | 'spilled' | 'scratch'>;

/** Of kernels without a limit of their own. */
const USUAL: Limit = { registers: 128, spilled: 0, scratch: 0 };

/**
 * What these take at present. Scratch memory has arrays that are indexed by variables, such as the polytope of EPA or the corners
 * of a contact face. A kernel gets at most 256 registers; what exceeds them is spilled.
 */
const LIMITS: Readonly<Record<string, Limit>> = {
  'contacts-arcs': { registers: 192, spilled: 0, scratch: 0 },
  'contacts-epa': { registers: 144, spilled: 0, scratch: 3024 },
  'contacts-epa-compact': { registers: 132, spilled: 0, scratch: 3764 },
  'contacts-outside': { registers: 144, spilled: 0, scratch: 0 },
  'contacts-refine': { registers: 192, spilled: 0, scratch: 6096 },
  'impacts-cast': { registers: 192, spilled: 0, scratch: 0 },
  'impacts-parting': { registers: 192, spilled: 0, scratch: 3024 },
  'impacts-rotating': { registers: 252, spilled: 0, scratch: 0 },
  'impacts-rotating-surfaces': { registers: 252, spilled: 0, scratch: 0 },
  manifolds: { registers: 144, spilled: 0, scratch: 3904 },
  'manifolds-boxes': { registers: 120, spilled: 0, scratch: 0 },
  'part-pairs/accept-impacts': { registers: 144, spilled: 0, scratch: 0 },
  'part-pairs/propose': { registers: 252, spilled: 0, scratch: 0 },
  'planar/impacts': { registers: 156, spilled: 0, scratch: 0 },
  'planar/impacts-rotating-surfaces': { registers: 144, spilled: 0, scratch: 0 },
};

export function limitOf({ name }: Pick<Kernel, 'name'>): Limit {
  return LIMITS[name] ?? USUAL;
}

/** What a kernel takes beyond its limit; undefined if it keeps it. */
export function excessOf(kernel: Kernel): string | undefined {
  const limit = limitOf(kernel);
  const names = { registers: 'registers', spilled: 'registers spilled', scratch: 'bytes of scratch memory per lane' };
  const faults = (Object.keys(names) as (keyof Limit)[])
    .filter((key) => kernel[key] > limit[key])
    .map((key) => `${kernel[key]} ${names[key]}, expected at most ${limit[key]}`);
  if (faults.length === 0) return undefined;
  return `${kernel.name} ${kernel.constants} (${kernel.case}): ${faults.join('; ')}`;
}
