/**
 * In test files that share, all who ask for a device get the same one per worker, so that a kernel which one file compiled
 * is there for the next: a new device takes more than half a second of processor time before its first answer, even with all
 * kernels in Mesa's cache. Each gets a front of its own: what a test replaces on it is not seen by others, and to destroy it
 * does nothing. Files that lose devices call `useOwnDevices`, and `openOwnDevice` opens one that nobody shares.
 */
import { afterAll, beforeAll } from 'vitest';
import { globals } from 'webgpu';

interface Sharing {
  devices: Map<string, Promise<GPUDevice>>;
  isPaused: boolean;
}

/** Devices with this label are never shared. */
export const OWN_DEVICE = 'tests.own';

/** Files of a worker may load this module again. */
const worker = globalThis as { sharing?: Sharing };

/** Begins to share devices in this worker. */
export function shareDevices(): void {
  if (worker.sharing) return;
  const sharing: Sharing = (worker.sharing = { devices: new Map(), isPaused: false });
  const { prototype } = (globals as unknown as { GPUAdapter: { prototype: GPUAdapter } }).GPUAdapter;
  const request = prototype.requestDevice;
  prototype.requestDevice = async function (this: GPUAdapter, descriptor = {}) {
    if (sharing.isPaused || descriptor.label === OWN_DEVICE) return request.call(this, descriptor);
    const { requiredLimits = {}, requiredFeatures = [] } = descriptor;
    const { vendor, architecture, description } = this.info;
    const key = JSON.stringify([vendor, architecture, description, requiredLimits, [...requiredFeatures]]);
    const device = sharing.devices.get(key) ?? request.call(this, descriptor).then(keepKernels);
    sharing.devices.set(key, device);
    return frontOf(await device);
  };
}

/** The devices of the file that calls this are not shared. */
export function useOwnDevices(): void {
  beforeAll(() => setPaused(true));
  afterAll(() => setPaused(false));
}

function setPaused(isPaused: boolean): void {
  if (worker.sharing) worker.sharing.isPaused = isPaused;
}

/** Keeps all modules and pipelines: Dawn gives the same one again while it is referenced. */
function keepKernels(device: GPUDevice): GPUDevice {
  const kept = new Map<string, object>();
  const createModule = device.createShaderModule.bind(device);
  const createPipeline = device.createComputePipelineAsync.bind(device);
  return Object.assign(device, {
    createShaderModule(descriptor: GPUShaderModuleDescriptor) {
      const module = createModule(descriptor);
      kept.set(descriptor.code, module);
      return module;
    },
    async createComputePipelineAsync(descriptor: GPUComputePipelineDescriptor) {
      const pipeline = await createPipeline(descriptor);
      kept.set(`${descriptor.label} ${descriptor.compute.entryPoint}`, pipeline);
      return pipeline;
    },
  });
}

function frontOf(device: GPUDevice): GPUDevice {
  return inFrontOf(device, { queue: inFrontOf(device.queue, {}), destroy() {} });
}

/** The object with these properties in place of its own, and with those that are set later. */
function inFrontOf<T extends object>(object: T, own: Partial<T>): T {
  return new Proxy(own, {
    get(target, name) {
      if (name in target) return Reflect.get(target, name) as unknown;
      const value = Reflect.get(object, name, object) as unknown;
      return typeof value === 'function' ? (value.bind(object) as unknown) : value;
    },
    has: (target, name) => name in target || name in object,
  }) as T;
}
