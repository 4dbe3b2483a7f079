/** Timestamps of the GPU, in nanoseconds. Some devices that have the feature write zeros (gfx-rs/wgpu#9414). */

/** Milliseconds from one stamp to another. Throws where the device did not write them. `of` names the stretch. */
export function millisecondsBetween(begin: bigint, end: bigint, of: string): number {
  if (begin === 0n || end < begin)
    throw new Error(`timestamps of ${of} are ${begin} and ${end}, expected some above 0, ascending`);
  return Number(end - begin) / 1e6;
}

/**
 * Milliseconds from each stamp to the next. Throws where the device did not write them, or, unless they are rounded,
 * wrote the same before and after a kernel. `names` are those of the stretches, the first of which has no kernel and may
 * take no time.
 */
export function stageTimes(stamps: BigUint64Array, names: readonly string[], areRounded = false): number[] {
  return names.map((name, i) => {
    const ms = millisecondsBetween(stamps[i], stamps[i + 1], name);
    if (i > 0 && ms === 0 && !areRounded) throw new Error(`${name} took 0 ms: both timestamps are ${stamps[i]}`);
    return ms;
  });
}
