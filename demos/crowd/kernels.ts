/** Pipelines and bind groups of the demo's own kernels. */

import type { PlanarBatchOf } from 'narrowphase';

/** The bindings of each kernel, by their numbers in wgsl/bindings.wgsl, and how many invocations it takes. */
const BATCH_OUTPUT = ['contacts', 'counts', 'pairs', 'impacts', 'hits', 'first'];
const BINDINGS = [
  'params',
  'poses',
  'velocities',
  'persons',
  'forces',
  'field',
  'groupsNear',
  'groupsWalls',
  'entries',
  'totals',
  'leafTargets',
  ...BATCH_OUTPUT,
];

type KernelName = 'begin' | 'advance' | 'near' | 'tallyNear' | 'steer' | 'settle' | 'enter' | 'tally';
type BatchName = 'contacts' | 'impacts' | 'overlaps';

interface Kernel {
  bindings: string[];
  /** Whose output it reads. */
  batch?: BatchName;
  /** Bytes per invocation of the buffer over which it runs; none: one invocation. */
  over?: { buffer: string; bytes: number } | 'records';
}

const OVER_BODIES = { buffer: 'poses', bytes: 16 };

const KERNELS: Record<KernelName, Kernel> = {
  begin: {
    bindings: ['params', 'poses', 'velocities', 'persons', 'forces', 'totals', 'leafTargets'],
    over: OVER_BODIES,
  },
  advance: {
    bindings: ['params', 'poses', 'velocities', 'totals', 'counts', 'pairs', 'impacts', 'hits', 'first'],
    batch: 'impacts',
    over: OVER_BODIES,
  },
  near: {
    bindings: ['params', 'persons', 'forces', 'totals', 'contacts', 'counts', 'pairs'],
    batch: 'contacts',
    over: 'records',
  },
  tallyNear: { bindings: ['totals', 'counts'], batch: 'contacts' },
  steer: { bindings: ['params', 'poses', 'velocities', 'persons', 'forces', 'field'], over: OVER_BODIES },
  settle: {
    bindings: ['params', 'poses', 'persons', 'field', 'groupsNear', 'groupsWalls', 'entries', 'totals'],
    over: OVER_BODIES,
  },
  enter: {
    bindings: ['params', 'poses', 'persons', 'groupsNear', 'groupsWalls', 'entries', 'totals'],
    over: { buffer: 'entries', bytes: 48 },
  },
  tally: { bindings: ['totals', 'counts'], batch: 'overlaps' },
};

const WORKGROUP = 64;

export interface Kernels {
  /** Records a pass in which these kernels run one after the other. */
  run(encoder: GPUCommandEncoder, clock: GPUComputePassTimestampWrites | undefined, names: readonly KernelName[]): void;
}

type Batches = {
  contacts: PlanarBatchOf<'contacts'>;
  impacts: PlanarBatchOf<'impacts'>;
  overlaps: PlanarBatchOf<'intersects'>;
};

export async function createKernels(
  device: GPUDevice,
  code: string,
  resources: Batches & Record<string, GPUBuffer | PlanarBatchOf<'contacts' | 'impacts' | 'intersects'>>,
): Promise<Kernels> {
  const module = device.createShaderModule({ label: 'Crowd.steps', code });
  const made = await Promise.all(
    (Object.keys(KERNELS) as KernelName[]).map(async (entryPoint) => {
      const { bindings, batch, over } = KERNELS[entryPoint];
      const output = batch && resources[batch].output;
      const bufferOf = (name: string): GPUBuffer => {
        if (!BATCH_OUTPUT.includes(name)) return resources[name] as GPUBuffer;
        const key = name === 'contacts' || name === 'impacts' ? 'records' : name;
        return output![key as 'records' | 'counts' | 'pairs' | 'hits' | 'first']!;
      };
      const pipeline = await device.createComputePipelineAsync({
        label: `Crowd.${entryPoint}`,
        layout: 'auto',
        compute: { module, entryPoint },
      });
      const group = device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: bindings.map((name) => ({ binding: BINDINGS.indexOf(name), resource: { buffer: bufferOf(name) } })),
      });
      const dispatch = (pass: GPUComputePassEncoder): void => {
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        if (over === 'records') pass.dispatchWorkgroupsIndirect(output!.dispatch, 0);
        else pass.dispatchWorkgroups(over ? Math.ceil(bufferOf(over.buffer).size / over.bytes / WORKGROUP) : 1);
      };
      return [entryPoint, dispatch] as const;
    }),
  );
  const dispatches = Object.fromEntries(made) as Record<KernelName, (pass: GPUComputePassEncoder) => void>;
  return {
    run(encoder, timestampWrites, names) {
      const pass = encoder.beginComputePass({ label: `Crowd.${names.join(', ')}`, timestampWrites });
      for (const name of names) dispatches[name](pass);
      pass.end();
    },
  };
}
