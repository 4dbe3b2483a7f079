import { NarrowphaseError } from '../api/errors.ts';
import type { AdapterDescription, TesterOptions } from '../api/types.ts';
import { expectLimits, tryDevice } from './trial.ts';

/** A device and what is known of it. */
export interface DeviceHandle {
  device: GPUDevice;
  adapter: AdapterDescription;
  /** Destroys the device if it is ours. */
  release(): void;
}

/**
 * Which adapters are taken: any, or hardware only. Software adapters compile for many seconds before the first answer;
 * the CPU backend compiles nothing.
 */
export type AdapterChoice = 'any' | 'hardware';

/** Limits worth asking an adapter for: sizes and counts that bound a query. */
const WANTED_LIMITS = ['maxBufferSize', 'maxStorageBufferBindingSize', 'maxComputeWorkgroupsPerDimension'] as const;

/** An adapter or device that takes longer than this will not come: software adapters answer in milliseconds. */
const REQUEST_TIMEOUT_MS = 20_000;

/**
 * The caller's device, whichever adapter it is of, or a device of our own from `gpu`. Throws `WEBGPU_UNAVAILABLE` with
 * the reason where no device can be used.
 */
export async function openDevice(
  gpu: GPU | undefined,
  options: TesterOptions,
  choice: AdapterChoice = 'any',
): Promise<DeviceHandle> {
  const { device: given } = options;
  if (given) {
    await attempt("options.device can't be used", () => tryDevice(given));
    return { device: given, adapter: describe(given.adapterInfo), release: () => {} };
  }
  const adapter = await requestAdapter(gpu, options);
  const description = describe(adapter.info);
  if (choice === 'hardware' && description.isSoftware) {
    const found = `only a software one (${adapterName(description)})`;
    throw new NarrowphaseError('WEBGPU_UNAVAILABLE', `WebGPU offers no hardware adapter, ${found}`);
  }
  await attempt("the adapter can't be used", async () => expectLimits(adapter.limits));
  const device = await attempt(
    'requestDevice failed',
    () => requestDevice(adapter),
    (late) => late.destroy(),
  );
  try {
    await attempt("the adapter's device can't be used", () => tryDevice(device));
  } catch (error) {
    // A broken adapter may return something that is not a device.
    device?.destroy?.();
    throw error;
  }
  return { device, adapter: description, release: () => device.destroy() };
}

/** Throws `WEBGPU_UNAVAILABLE` where there is no adapter. */
export async function requestAdapter(
  gpu: GPU | undefined,
  { powerPreference }: Pick<TesterOptions, 'powerPreference'> = {},
): Promise<GPUAdapter> {
  if (!gpu) throw new NarrowphaseError('WEBGPU_UNAVAILABLE', 'there is no WebGPU here: navigator.gpu is missing');
  const adapter = await attempt('requestAdapter failed', () => gpu.requestAdapter({ powerPreference }));
  if (!adapter) throw new NarrowphaseError('WEBGPU_UNAVAILABLE', 'WebGPU offers no adapter');
  return adapter;
}

function requestDevice(adapter: GPUAdapter): Promise<GPUDevice> {
  return adapter.requestDevice({
    label: 'narrowphase.device',
    requiredLimits: Object.fromEntries(WANTED_LIMITS.map((name) => [name, adapter.limits[name]])),
    requiredFeatures: adapter.features.has('timestamp-query') ? ['timestamp-query'] : [],
  });
}

function describe(info: GPUAdapterInfo | undefined): AdapterDescription {
  const text = [info?.vendor, info?.architecture, info?.device, info?.description].join(' ');
  return {
    vendor: info?.vendor ?? '',
    architecture: info?.architecture ?? '',
    description: info?.description || info?.device || '',
    isSoftware:
      (info?.isFallbackAdapter ?? false) || /swiftshader|llvmpipe|lavapipe|softpipe|basic render|software/i.test(text),
  };
}

function adapterName({ vendor, architecture, description }: AdapterDescription): string {
  return [vendor, architecture, description].filter(Boolean).join(', ') || 'without a name';
}

/**
 * The outcome of `run`. Throws `WEBGPU_UNAVAILABLE`, with the error as its cause, where `run` throws or takes too long.
 * `discard` gets an answer that comes too late.
 */
async function attempt<T>(failure: string, run: () => Promise<T>, discard?: (late: T) => void): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${REQUEST_TIMEOUT_MS / 1000} s`)), REQUEST_TIMEOUT_MS);
  });
  let outcome: Promise<T> | undefined;
  try {
    outcome = run();
    return await Promise.race([outcome, expired]);
  } catch (cause) {
    if (discard) outcome?.then(discard, () => {});
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NarrowphaseError('WEBGPU_UNAVAILABLE', `${failure}: ${reason}`, { cause });
  } finally {
    clearTimeout(timer);
  }
}
