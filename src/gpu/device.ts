import { NarrowphaseError } from '../errors.ts';
import type { AdapterDescription, TesterOptions } from '../types.ts';

/** A device and what is known of it. */
export interface DeviceHandle {
  device: GPUDevice;
  adapter: AdapterDescription;
  /** Destroys the device if it is ours. */
  release(): void;
}

/** Limits worth asking an adapter for: sizes and counts that bound a query. */
const WANTED_LIMITS = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxComputeWorkgroupsPerDimension',
] as const;

/** An adapter or device that takes longer than this will not come: software adapters answer in milliseconds. */
const REQUEST_TIMEOUT_MS = 20_000;

/** The caller's device, or one of our own from `gpu`. Throws `WEBGPU_UNAVAILABLE` with the reason. */
export async function openDevice(gpu: GPU | undefined, options: TesterOptions): Promise<DeviceHandle> {
  if (options.device) {
    return { device: options.device, adapter: describe(options.device.adapterInfo), release: () => {} };
  }
  if (!gpu) throw new NarrowphaseError('WEBGPU_UNAVAILABLE', 'there is no WebGPU here: navigator.gpu is missing');
  const adapter = await withTimeout(gpu.requestAdapter({ powerPreference: options.powerPreference }), 'requestAdapter');
  if (!adapter) throw new NarrowphaseError('WEBGPU_UNAVAILABLE', 'WebGPU offers no adapter');
  try {
    const device = await withTimeout(
      adapter.requestDevice({
        label: 'narrowphase.device',
        requiredLimits: Object.fromEntries(WANTED_LIMITS.map((name) => [name, adapter.limits[name]])),
        requiredFeatures: adapter.features.has('timestamp-query') ? ['timestamp-query'] : [],
      }),
      'requestDevice',
      (late) => late.destroy(),
    );
    return { device, adapter: describe(adapter.info), release: () => device.destroy() };
  } catch (cause) {
    if (cause instanceof NarrowphaseError) throw cause;
    throw new NarrowphaseError('WEBGPU_UNAVAILABLE', `requestDevice failed: ${(cause as Error).message}`, { cause });
  }
}

function describe(info: GPUAdapterInfo | undefined): AdapterDescription {
  const text = [info?.vendor, info?.architecture, info?.device, info?.description].join(' ');
  return {
    vendor: info?.vendor ?? '',
    architecture: info?.architecture ?? '',
    description: info?.description || info?.device || '',
    isSoftware: (info?.isFallbackAdapter ?? false) || /swiftshader|llvmpipe|lavapipe|softpipe|basic render|software/i.test(text),
  };
}

/** `discard` gets an answer that comes too late. */
async function withTimeout<T>(promise: Promise<T>, what: string, discard?: (late: T) => void): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      if (discard) promise.then(discard, () => {});
      reject(new NarrowphaseError('WEBGPU_UNAVAILABLE', `${what} did not answer within ${REQUEST_TIMEOUT_MS / 1000} s`));
    }, REQUEST_TIMEOUT_MS);
  });
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
  }
}
