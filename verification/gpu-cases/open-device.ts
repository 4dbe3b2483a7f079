/** What a measurement runs on. */

import type { Tester } from '../../src/api/types.ts';

/** A tester of either dimension and its device. */
export interface OpenDevice {
  tester: Tester;
  device: GPUDevice;
  facts: { limits: Pick<GPUSupportedLimits, 'maxBufferSize' | 'maxStorageBufferBindingSize'> };
}
