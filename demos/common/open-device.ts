/**
 * One WebGPU device for a page: the tester and the renderer share it, so that no buffer is copied between them. Workers can
 * open one too.
 */

import type { BackendChoice } from './choose-backend.ts';

export interface PageDevice {
  device: GPUDevice;
  /** Vendor, architecture and description of the adapter, as far as the browser tells. */
  name: string;
  isSoftware: boolean;
}

/** Limits that decide how many bodies fit. */
const WANTED_LIMITS = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupsPerDimension',
] as const;

const OPTIONAL_FEATURES = ['timestamp-query', 'subgroups'] as const;

const TIMEOUT_MS = 20_000;

/**
 * A device of the browser's adapter with the adapter's own limits, or the reason why there is none. With `'auto'` a
 * software adapter is a reason too: the CPU backend is faster there.
 */
export async function openDevice(choice: BackendChoice): Promise<PageDevice | { reason: string }> {
  if (choice === 'cpu') return { reason: 'The address asks for the CPU' };
  if (!navigator.gpu) {
    const advice = isSecureContext ? '' : '. Browsers offer it on https addresses and on localhost only';
    const place = 'document' in globalThis ? 'this browser' : "this browser's workers";
    return { reason: `There is no WebGPU in ${place}${advice}` };
  }
  const adapter = await withTimeout(navigator.gpu.requestAdapter({ powerPreference: 'high-performance' }));
  if (!adapter) return { reason: 'WebGPU offers no adapter' };
  const { vendor, architecture, description, isFallbackAdapter } = adapter.info;
  const name = [vendor, architecture, description].filter(Boolean).join(', ') || 'adapter without a name';
  const isSoftware = isFallbackAdapter || /swiftshader|llvmpipe|lavapipe|basic render|software/i.test(name);
  if (choice === 'auto' && isSoftware) return { reason: `WebGPU offers only a software adapter (${name})` };
  const device = await withTimeout(
    adapter.requestDevice({
      requiredLimits: Object.fromEntries(WANTED_LIMITS.map((limit) => [limit, adapter.limits[limit]])),
      requiredFeatures: OPTIONAL_FEATURES.filter((feature) => adapter.features.has(feature)),
    }),
  );
  return { device, name, isSoftware };
}

/** Calls `tell` with the reason when the browser takes the device away, but not after `device.destroy()`. */
export function whenLost({ device }: PageDevice, tell: (reason: string) => void): void {
  void device.lost.then(({ reason, message }) => {
    if (reason !== 'destroyed') tell(message || 'The browser gives no reason');
  });
}

/** Some drivers never answer. */
function withTimeout<T>(answer: Promise<T>): Promise<T> {
  const expired = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`the adapter did not answer within ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS);
  });
  return Promise.race([answer, expired]);
}
