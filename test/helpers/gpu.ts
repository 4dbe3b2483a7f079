/** Devices of the tests' own, as a caller has one, on the driver that `narrowphase/node` would take. */

import { create } from 'webgpu';
import { OWN_DEVICE } from './shared-devices.ts';
import { listVulkanDrivers, withVulkanDriver } from '../../src/node/vulkan.ts';

/** Dawn crashes when an instance is collected while its devices live. */
const instances: GPU[] = [];

/** An adapter of an instance of its own, which gives one device. Fails where there is none. */
async function openAdapter(): Promise<GPUAdapter> {
  for (const driver of listVulkanDrivers()) {
    const gpu = create([]);
    instances.push(gpu);
    const adapter = await withVulkanDriver(driver, () => gpu.requestAdapter());
    if (adapter) return adapter;
  }
  throw new Error('no driver gave Dawn an adapter');
}

/** A device with the default limits and no features. Fails where there is no adapter. */
export async function openDefaultDevice(label: string): Promise<GPUDevice> {
  return (await openAdapter()).requestDevice({ label });
}

/** As `openDefaultDevice`, for tests that lose it. */
export function openOwnDevice(): Promise<GPUDevice> {
  return openDefaultDevice(OWN_DEVICE);
}

export interface KeptDevices {
  gpu: GPU;
  devices: GPUDevice[];
  /** Adapters asked for so far. */
  requests(): number;
  /** What adapters and devices are from now on other than those of the driver. */
  change(changes: AdapterChanges): void;
}

export interface AdapterChanges {
  /** The device may be the one of other tests (shared-devices.ts): it is never lost. */
  isShared?: true;
  info?: Partial<GPUAdapterInfo>;
  limits?: Partial<GPUSupportedLimits>;
  /** In place of the adapter that there is. */
  requestAdapter?: () => Promise<GPUAdapter | null>;
  requestDevice?: () => Promise<GPUDevice>;
  /** What is done to a device before the tester gets it. */
  spoil?: (device: GPUDevice) => void;
}

/** Information of an adapter that is none of the software ones. */
export const HARDWARE: AdapterChanges = {
  info: { vendor: 'acme', architecture: 'anvil', device: '', description: 'Acme Anvil 3', isFallbackAdapter: false },
};

/** What goes in a tester's option `gpu`: keeps the devices that the tester opens, in order. */
export function keepDevices(changes: AdapterChanges = {}): KeptDevices {
  const devices: GPUDevice[] = [];
  let requests = 0;
  const requestAdapter = async (): Promise<GPUAdapter | null> => {
    requests++;
    if (changes.requestAdapter) return changes.requestAdapter();
    const adapter = await openAdapter();
    const requestDevice = async (descriptor?: GPUDeviceDescriptor): Promise<GPUDevice> => {
      if (changes.requestDevice) return changes.requestDevice();
      const label = changes.isShared ? 'tests.shared' : OWN_DEVICE;
      const device = await adapter.requestDevice({ ...descriptor, label });
      devices.push(device);
      changes.spoil?.(device);
      return device;
    };
    const { features, limits, info } = adapter;
    const changed = { info: changes.info ?? info, limits: withLimits(limits, changes.limits ?? {}) };
    return { features, ...changed, requestDevice } as unknown as GPUAdapter;
  };
  return {
    gpu: { requestAdapter } as unknown as GPU,
    devices,
    requests: () => requests,
    change: (next) => void (changes = next),
  };
}

/** The limits, but for those that `lower` has. */
export function withLimits(limits: GPUSupportedLimits, lower: Partial<GPUSupportedLimits>): GPUSupportedLimits {
  return new Proxy(limits, { get: (target, name) => Reflect.get(name in lower ? lower : target, name) as unknown });
}

/** What `use` gives; fails if the device reported an error meanwhile. */
export async function withoutErrors<Result>(device: GPUDevice, use: () => Promise<Result>): Promise<Result> {
  const filters = ['validation', 'internal', 'out-of-memory'] as const;
  for (const filter of filters) device.pushErrorScope(filter);
  const outcome = await Promise.allSettled([use()]);
  const errors = await Promise.all(filters.map(() => device.popErrorScope()));
  const messages = errors.flatMap((error) => (error ? [error.message] : []));
  if (messages.length > 0) throw new Error(messages.join('; '));
  if (outcome[0].status === 'rejected') throw outcome[0].reason;
  return outcome[0].value;
}
