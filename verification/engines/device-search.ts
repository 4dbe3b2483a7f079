/** A tester that leaves every search for pairs of parts to its device, whatever their number and the adapter. */
import type { AdapterDescription, Tester } from '../../src/api/types.ts';
import { dim3 } from '../../src/dimension/dim3.ts';
import { createGpuBackend } from '../../src/gpu/backend.ts';
import { IS_OPEN } from '../../src/generated/constants.ts';
import type { Backend } from '../../src/request/backend.ts';
import type { PartPairsRequest } from '../../src/request/part-pairs.ts';
import { makeTester } from '../../src/tester/tester.ts';

export interface DeviceSearchTester {
  tester: Tester;
  /** How often the device was asked, and how many pairs of parts it has left open. */
  asked(): number;
  open(): number;
}

/** On a device of the caller's own, which the tester destroys with itself if `ownsDevice`. */
export function searchOnDevice(device: GPUDevice, adapter: AdapterDescription, ownsDevice = false): DeviceSearchTester {
  const release = (): void => void (ownsDevice && device.destroy());
  return alwaysOnDevice(createGpuBackend({ device, adapter, release }, {}, dim3.dimension, dim3.planner));
}

export function alwaysOnDevice(backend: Backend): DeviceSearchTester {
  let asked = 0;
  let open = 0;
  const forced = Object.create(backend, {
    leastOnDevice: { get: () => ({ ...backend.leastOnDevice, findPartPairs: 0 }) },
    findPartPairs: {
      async value(request: PartPairsRequest) {
        asked++;
        const found = await backend.findPartPairs!(request);
        for (const part of found?.partsA ?? []) if (part >= IS_OPEN) open++;
        return found;
      },
    },
  }) as Backend;
  return { tester: makeTester(forced, dim3.dimension, dim3.loadReference), asked: () => asked, open: () => open };
}
