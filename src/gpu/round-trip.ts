import { scoped } from './error-scopes.ts';
import { encodeCopies, readCopies, type Region } from './read-back.ts';
import type { Session } from './session.ts';

/** Submits what `encode` records and waits for copies of the regions that it returns. */
export async function roundTrip(
  { device, pool, orLost }: Session,
  label: string,
  encode: (encoder: GPUCommandEncoder) => Region[],
): Promise<ArrayBuffer[]> {
  const { result, verdict } = scoped(device, () => {
    const encoder = device.createCommandEncoder({ label });
    const regions = encode(encoder);
    const staging = encodeCopies(pool, encoder, regions);
    device.queue.submit([encoder.finish()]);
    return { staging, regions };
  });
  await orLost(verdict);
  // To map a destroyed buffer would raise a validation error on the caller's device.
  pool.ensureOpen();
  return orLost(readCopies(result.staging, result.regions));
}
