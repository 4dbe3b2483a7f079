/** What kernels may take on RDNA 3, so that no change makes one slow unseen. */
import type { Kernel } from './compile.ts';

export interface Limit {
  registers: number;
  /** Bytes per lane. */
  scratch: number;
}

/** Of kernels without a limit of their own. None may spill. */
const USUAL: Limit = { registers: 160, scratch: 0 };

const LIMITS: Readonly<Record<string, Limit>> = {};

export function limitOf({ name }: Pick<Kernel, 'name'>): Limit {
  return LIMITS[name] ?? USUAL;
}

/** What a kernel takes beyond its limit; undefined if it keeps it. */
export function excessOf(kernel: Kernel): string | undefined {
  const { registers, scratch } = limitOf(kernel);
  const faults = [
    kernel.spilled > 0 && `${kernel.spilled} registers spilled`,
    kernel.registers > registers && `${kernel.registers} registers, expected at most ${registers}`,
    kernel.scratch > scratch && `${kernel.scratch} bytes of scratch memory per lane, expected at most ${scratch}`,
  ].filter(Boolean);
  if (faults.length === 0) return undefined;
  return `${kernel.name} ${kernel.constants} (${kernel.case}): ${faults.join('; ')}`;
}
