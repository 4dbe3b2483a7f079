/** A tester with the kernels of graphics cards on any adapter. */

import type { DimensionParts } from '../../src/dimension/parts.ts';
import type { Tester } from '../../src/api/types.ts';
import { onFirstDriver, withDawn } from '../../src/node/dawn.ts';
import type { Backend } from '../../src/request/backend.ts';
import { openGpuBackend } from '../../src/tester/create-tester.ts';
import { openCpu } from '../../src/tester/open-cpu.ts';
import { makeTester } from '../../src/tester/tester.ts';
import { asHardware } from '../engines/as-hardware.ts';
import { watchMemory, type StaleMemory } from './stale-memory.ts';

export interface CardTester extends Pick<StaleMemory, 'fill' | 'errors'> {
  tester: Tester;
}

/** Searches for pairs and rays always run on the device. Fails without an adapter. */
export async function openCardTester(parts: DimensionParts): Promise<CardTester> {
  const { memory, backend } = await onFirstDriver('any', (driver) =>
    withDawn(driver, async (gpu) => {
      const watched = watchMemory(asHardware(gpu));
      return { memory: watched, backend: await openGpuBackend(watched.gpu, {}, parts) };
    }),
  );
  const forced = Object.create(backend, {
    leastOnDevice: { get: () => ({ findPairs: 0, castRays: 0 }) },
  }) as Backend;
  return {
    tester: makeTester(forced, parts.dimension, parts.loadReference, () => openCpu(parts.loadReference, 1)),
    fill: memory.fill,
    errors: memory.errors,
  };
}
