/** Devices of the tests' own, as a caller has one, on the driver that `narrowphase/node` would take. */

import { create } from 'webgpu';
import { listVulkanDrivers, withVulkanDriver } from '../src/gpu/vulkan.ts';

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

/** What goes in a tester's option `gpu`: keeps the devices that the tester opens, in order. */
export function keepDevices(): { gpu: GPU; devices: GPUDevice[] } {
  const devices: GPUDevice[] = [];
  const requestAdapter = async (): Promise<GPUAdapter> => {
    const adapter = await openAdapter();
    const requestDevice = async (descriptor?: GPUDeviceDescriptor): Promise<GPUDevice> => {
      const device = await adapter.requestDevice(descriptor);
      devices.push(device);
      return device;
    };
    return { features: adapter.features, limits: adapter.limits, info: adapter.info, requestDevice } as unknown as GPUAdapter;
  };
  return { gpu: { requestAdapter } as unknown as GPU, devices };
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
