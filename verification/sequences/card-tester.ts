/** A tester with the kernels of graphics cards on any adapter, whose queries take the ways of large ones now and then. */

import type { DimensionParts } from '../../src/dimension/parts.ts';
import type { Tester } from '../../src/api/types.ts';
import { onFirstDriver, withDawn } from '../../src/node/dawn.ts';
import { usesFixedPoint } from '../../src/records/bodies.ts';
import type { Backend } from '../../src/request/backend.ts';
import { namesPart } from '../../src/records/result-fields.ts';
import { openGpuBackend } from '../../src/tester/create-tester.ts';
import { makeTester } from '../../src/tester/tester.ts';
import { asHardware } from '../engines/as-hardware.ts';
import { watchMemory, type StaleMemory } from './stale-memory.ts';

export interface CardTester extends Pick<StaleMemory, 'fill' | 'errors'> {
  tester: Tester;
  /** Whether the device packs and checks the input of the queries to come, and writes their arrays, as for large ones. */
  takeLarge(isLarge: boolean): void;
}

/** Searches for pairs and rays always run on the device. Fails without an adapter. */
export async function openCardTester(parts: DimensionParts): Promise<CardTester> {
  const { memory, backend } = await onFirstDriver('any', (driver) =>
    withDawn(driver, async (gpu) => {
      const watched = watchMemory(asHardware(gpu));
      return { memory: watched, backend: await openGpuBackend(watched.gpu, {}, parts) };
    }),
  );
  let isLarge = false;
  const forced = Object.create(backend, {
    leastOnDevice: { get: () => ({ findPairs: 0, castRays: 0 }) },
    run: {
      async value(request, sink) {
        // As makeRequest has it: the host moves the bodies of half-spaces at 64-bit positions.
        const isMoved = usesFixedPoint(request.bodies) && request.shapes.centredHalfspaces!.size > 0;
        const isOfHost = request.hasParts || request.escalates || request.earliestOnly || isMoved;
        if (!isLarge || isOfHost || request.fields?.some(namesPart)) return backend.run(request, sink);
        // The host has checked the input, so the device finds it valid too.
        return backend.run({ ...request, check: () => {}, takesArrays: sink.writeArrays !== undefined }, sink);
      },
    } satisfies { value: Backend['run'] },
  }) as Backend;
  return {
    tester: makeTester(forced, parts.dimension, parts.loadReference),
    fill: memory.fill,
    errors: memory.errors,
    takeLarge: (next) => void (isLarge = next),
  };
}
