/**
 * The adapter that is measured: the first that is no software renderer, or else the first there is. Testers open their
 * devices as they do for every caller; the stand-in for `navigator.gpu` that they are given only looks on, and keeps
 * the time that compiling takes.
 */

import { create } from 'webgpu';
import { listVulkanDrivers, withVulkanDriver, type VulkanDriver } from '../../src/node/vulkan.ts';
import { createTester } from '../../src/node.ts';
import { asHardware } from '../../verification/engines/as-hardware.ts';
import type { Tester, TesterOptions } from '../../src/api/types.ts';
import type { AdapterFacts, Compiling } from './facts.ts';
import { COUNTING_LIMIT, makeCount, type Counter } from './count/counting-device.ts';
import { LIMITS, within } from '../../verification/gpu-cases/timeout.ts';

/** Timestamps as the GPU has them: they are rounded to 0.1 ms otherwise, against curious web pages. */
const FLAGS = ['disable-dawn-features=timestamp_quantization'];

export interface OpenAdapter {
  tester: Tester;
  device: GPUDevice;
  facts: AdapterFacts;
  /** Compilation of all pipelines so far. */
  compiling: Compiling[];
  /** What the device complained of, outside of anyone's error scopes. */
  errors: string[];
  /** Of a device whose kernels count their instructions. */
  counter?: Counter;
}

/** What a device is for. */
export interface Opening {
  dimension: 2 | 3;
  counts?: boolean;
}

export interface FoundAdapter {
  facts: AdapterFacts;
  /** A tester on a device of its own. */
  open(opening: Opening): Promise<OpenAdapter>;
}

/** Dawn crashes when an instance is collected while its devices live. */
const instances: GPU[] = [];

/** `log` is told of drivers that give none. `isDisguised`: testers take the adapter for a graphics card. */
export async function findAdapter(log: (line: string) => void, isDisguised = false): Promise<FoundAdapter | undefined> {
  let software: FoundAdapter | undefined;
  for (const driver of listVulkanDrivers()) {
    const gpu = create(FLAGS);
    instances.push(gpu);
    const taken = isDisguised ? asHardware(gpu) : gpu;
    const open = (opening: Opening): Promise<OpenAdapter> => openTester(taken, driver, opening);
    let facts: AdapterFacts;
    try {
      const opened = await openTester(gpu, driver, { dimension: 3 });
      facts = opened.facts;
      opened.tester.dispose();
    } catch (error) {
      log(`${driver.name}: ${(error as Error).message}`);
      continue;
    }
    if (!facts.isSoftware) return { facts, open };
    software ??= { facts, open };
  }
  return software;
}

async function openTester(gpu: GPU, driver: VulkanDriver, { dimension, counts }: Opening): Promise<OpenAdapter> {
  const compiling: Compiling[] = [];
  const errors: string[] = [];
  let seen: { adapter: GPUAdapter; device: GPUDevice; counter?: Counter } | undefined;
  const observed = {
    async requestAdapter(options?: GPURequestAdapterOptions) {
      const adapter = await withVulkanDriver(driver, () => gpu.requestAdapter(options));
      if (adapter) {
        const requestDevice = adapter.requestDevice.bind(adapter);
        adapter.requestDevice = async (descriptor) => {
          const most = { [COUNTING_LIMIT]: adapter.limits[COUNTING_LIMIT] };
          const device = await requestDevice(
            counts ? { ...descriptor, requiredLimits: { ...descriptor?.requiredLimits, ...most } } : descriptor,
          );
          seen = { adapter, device, ...(counts && { counter: makeCount(device) }) };
          return device;
        };
      }
      return adapter;
    },
  } as GPU;
  const opening = createTester({
    dimension,
    backend: 'webgpu',
    gpu: observed,
    powerPreference: 'high-performance',
  } as TesterOptions);
  // Its batches have the same members in both dimensions.
  const tester = (await within(opening, LIMITS.open, 'opening a device')) as Tester;
  const { adapter, device, counter } = seen!;
  // From here on: the tester has compiled a kernel to try the device with, which is no part of a first call.
  watch(device, compiling, errors);
  const { vendor, architecture, device: name, description } = adapter.info;
  const { maxBufferSize, maxStorageBufferBindingSize } = device.limits;
  const facts: AdapterFacts = {
    vendor,
    architecture,
    device: name,
    description,
    isSoftware: tester.adapter.isSoftware,
    driver: driver.file ?? process.env.VK_DRIVER_FILES ?? driver.name,
    limits: { maxBufferSize, maxStorageBufferBindingSize },
    hasTimestamps: device.features.has('timestamp-query'),
  };
  return { tester, device, facts, compiling, errors, counter };
}

function watch(device: GPUDevice, compiling: Compiling[], errors: string[]): void {
  const compile = device.createComputePipelineAsync.bind(device);
  device.createComputePipelineAsync = async (descriptor) => {
    const timed = { begin: performance.now(), end: Infinity };
    compiling.push(timed);
    try {
      return await compile(descriptor);
    } finally {
      timed.end = performance.now();
    }
  };
  device.addEventListener('uncapturederror', ({ error }) => errors.push(error.message));
}
