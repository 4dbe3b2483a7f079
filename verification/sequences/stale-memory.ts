/**
 * Makes stale memory visible: fills the buffers that kernels write with zeros, as a first query finds them, or with words
 * that look like records, counts and lists of earlier queries.
 */

import { below, type Random } from '../families/random.ts';
import { USAGE } from '../../src/gpu/buffers.ts';

/**
 * Buffers that kernels write before they read them, by the end of their labels. What a query or a batch is given, and what
 * stays from one to the next by design, is not among them.
 */
const WRITTEN = new RegExp(
  String.raw`^(buffers|batch\.\w+)\.(results|contacts|list|workLists|blockSums|gathered|counts|firstImpacts|first|` +
    String.raw`arrays(\.\d+)?|foundPairs|(broadPhase|tree|rays|joined)\.\w+)$`,
);

/** Words of all kinds: status and pending bits, numbers of pairs, -1, and numbers as f32. */
const WORDS = [0xffff_ffff, 0x0000_1f82, 0x0000_0600, 0x0003_0901, 1, 2, 7, 1_000_003, 0x3f80_0000, 0x7f80_0000];

export interface StaleMemory {
  gpu: GPU;
  /** The errors of all devices outside of error scopes. */
  errors: string[];
  /** Fills all written buffers. Nothing may be in flight. */
  fill(words: 'zeros' | 'stale', random: Random): void;
}

/** Looks on as devices of `given` create buffers. */
export function watchMemory(given: GPU): StaleMemory {
  const buffers = new Set<GPUBuffer>();
  const devices = new Map<GPUBuffer, GPUDevice>();
  const errors: string[] = [];

  function watch(device: GPUDevice): void {
    device.addEventListener('uncapturederror', ({ error }) => errors.push(error.message));
    const create = device.createBuffer.bind(device);
    device.createBuffer = (descriptor) => {
      const buffer = create(descriptor);
      if (!(descriptor.usage & USAGE.STORAGE) || !WRITTEN.test(descriptor.label ?? '')) return buffer;
      buffers.add(buffer);
      devices.set(buffer, device);
      const destroy = buffer.destroy.bind(buffer);
      buffer.destroy = () => {
        buffers.delete(buffer);
        destroy();
      };
      return buffer;
    };
  }

  const gpu = {
    async requestAdapter(options?: GPURequestAdapterOptions) {
      const adapter = await given.requestAdapter(options);
      if (!adapter) return adapter;
      const { features, limits, info } = adapter;
      const requestDevice = async (descriptor?: GPUDeviceDescriptor): Promise<GPUDevice> => {
        const device = await adapter.requestDevice(descriptor);
        watch(device);
        return device;
      };
      return { features, limits, info, requestDevice };
    },
  } as unknown as GPU;

  return {
    gpu,
    errors,
    fill(words, random) {
      for (const buffer of buffers) {
        const data = new Uint32Array(buffer.size / 4);
        if (words === 'stale') for (let i = 0; i < data.length; i++) data[i] = WORDS[below(random, WORDS.length)];
        devices.get(buffer)!.queue.writeBuffer(buffer, 0, data);
      }
    },
  };
}
