/**
 * A device whose kernels count their own instructions: the text of each is replaced before it is compiled, and each
 * dispatch gets a buffer for its counts.
 */

import { LIMITS, within } from '../../../verification/gpu-cases/timeout.ts';
import { splitPasses } from '../split-passes.ts';
import { countOf, type StageCount } from './counts.ts';
import { instrument, type Instrumented } from './instrument.ts';

/** A dispatch of the query, in order. */
export interface CountedStage extends StageCount {
  kernel: string;
}

export interface Counter {
  /** Drops what was recorded so far. */
  forget(): void;
  /** Of the last of so many equal runs since the last call. */
  read(runs: number, pairs: number): Promise<CountedStage[]>;
}

interface Dispatched {
  kernel: string;
  counts: GPUBuffer;
  /** Counts at the end that stay 0 if there was room for all. */
  spare: number;
}

/** Bits of `GPUBufferUsage`, `GPUMapMode` and `GPUShaderStage`, which Node has no globals for. */
const MAP_READ = 1;
const COPY_SRC = 4;
const COPY_DST = 8;
const STORAGE = 128;
const COMPUTE = 4;

/** Counts take a storage buffer more than kernels do. */
export const COUNTING_LIMIT = 'maxStorageBuffersPerShaderStage';

/** Room for the counts of a dispatch whose size the device decides. */
const INDIRECT_BYTES = 2 ** 26;

/** Before any kernel is compiled. */
export function makeCount(device: GPUDevice): Counter {
  const instrumented = new Map<string, Instrumented>();
  const layout = device.createBindGroupLayout({
    label: 'count.layout',
    entries: [{ binding: 0, visibility: COMPUTE, buffer: { type: 'storage' } }],
  });
  let dispatched: Dispatched[] = [];

  const createShaderModule = device.createShaderModule.bind(device);
  device.createShaderModule = (descriptor) => {
    const { code, ...kernel } = instrument(descriptor.code);
    instrumented.set(descriptor.label!, { code, ...kernel });
    return createShaderModule({ ...descriptor, code });
  };
  const createPipelineLayout = device.createPipelineLayout.bind(device);
  device.createPipelineLayout = (descriptor) =>
    createPipelineLayout({ ...descriptor, bindGroupLayouts: [...descriptor.bindGroupLayouts, layout] });
  const createCommandEncoder = device.createCommandEncoder.bind(device);
  device.createCommandEncoder = (descriptor) =>
    splitPasses(createCommandEncoder(descriptor), {
      onDispatch({ kernel, size: workgroups }) {
        const { width, height } = workgroups ?? { width: undefined, height: 1 };
        if (height > 1) throw new Error(`${kernel} has ${height} rows of workgroups, which are not counted`);
        const { segments, workgroupSize } = instrumented.get(`kernels.${kernel}`)!;
        const bytes = 4 * workgroupSize * segments.length;
        const size = bytes * (width ?? Math.floor(INDIRECT_BYTES / bytes));
        const counts = device.createBuffer({ label: 'count.runs', size, usage: STORAGE | COPY_SRC });
        dispatched.push({ kernel, counts, spare: width === undefined ? bytes / 4 : 0 });
        const entries = [{ binding: 0, resource: { buffer: counts } }];
        const group = device.createBindGroup({ label: 'count.group', layout, entries });
        return { prepare: (pass) => pass.setBindGroup(1, group) };
      },
    });

  function forget(): void {
    for (const { counts } of dispatched) counts.destroy();
    dispatched = [];
  }

  return {
    forget,
    async read(runs, pairs) {
      const last = dispatched.slice(dispatched.length - dispatched.length / runs);
      const stages: CountedStage[] = [];
      for (const { kernel, counts, spare } of last) {
        const { segments } = instrumented.get(`kernels.${kernel}`)!;
        const runCounts = await copyOf(counts);
        if (spare > 0 && runCounts.subarray(-spare).some((n) => n > 0)) {
          throw new Error(`${kernel} has more workgroups than ${INDIRECT_BYTES} bytes of counts have room for`);
        }
        stages.push({ kernel, ...countOf(runCounts, segments, pairs) });
      }
      forget();
      return stages;
    },
  };

  async function copyOf(buffer: GPUBuffer): Promise<Uint32Array> {
    const { size } = buffer;
    const staging = device.createBuffer({ label: 'count.staging', size, usage: MAP_READ | COPY_DST });
    const encoder = createCommandEncoder({ label: 'count.copy' });
    encoder.copyBufferToBuffer(buffer, 0, staging, 0, size);
    device.queue.submit([encoder.finish()]);
    await within(staging.mapAsync(MAP_READ), LIMITS.work, 'reading counts');
    const copy = new Uint32Array(staging.getMappedRange().slice(0));
    staging.destroy();
    return copy;
  }
}
