/**
 * Testers that open a device of their own get the same one in all test files of a worker, so that a kernel which one file
 * compiled is there for the next: a new device takes more than half a second of processor time before its first answer,
 * even with all kernels in Mesa's cache. A shared device is never destroyed. Files that lose devices call `useOwnDevices`.
 */
import { afterAll, beforeAll } from 'vitest';
import { globals } from 'webgpu';

interface Sharing {
  devices: Map<string, Promise<GPUDevice>>;
  isPaused: boolean;
}

/** The label of testers' own devices (src/gpu/device.ts). */
const LABEL = 'narrowphase.device';

/** Files of a worker may load this module again. */
const worker = globalThis as { sharing?: Sharing };

/** Begins to share devices in this worker. */
export function shareDevices(): void {
  if (worker.sharing) return;
  const sharing: Sharing = (worker.sharing = { devices: new Map(), isPaused: false });
  const { prototype } = (globals as unknown as { GPUAdapter: { prototype: GPUAdapter } }).GPUAdapter;
  const request = prototype.requestDevice;
  prototype.requestDevice = function (this: GPUAdapter, descriptor = {}) {
    if (sharing.isPaused || descriptor.label !== LABEL) return request.call(this, descriptor);
    const { requiredLimits = {}, requiredFeatures = [] } = descriptor;
    const { vendor, architecture, description } = this.info;
    const key = JSON.stringify([vendor, architecture, description, requiredLimits, [...requiredFeatures]]);
    const device = sharing.devices.get(key) ?? request.call(this, descriptor).then(keepKernels);
    sharing.devices.set(key, device);
    return device;
  };
}

/** Testers of the file that calls this have devices of their own. */
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
    destroy() {},
  });
}
