/** Compute pipelines, compiled when first needed, and the bind groups that go with them. */
import { NarrowphaseError } from '../api/errors.ts';
import type { AdapterClass } from './adapter-class.ts';
import type { BufferPool } from './buffers.ts';
import { scoped } from './error-scopes.ts';
import { kernels, type KernelName } from '../generated/kernel-table.ts';
import { kernelCode } from './kernel-code.ts';

/** A kernel with its overridable constants. */
export interface KernelVariant {
  kernel: KernelName;
  constants?: Readonly<Record<string, number>>;
}

/** A dispatch that can be recorded any number of times. */
export interface Dispatch {
  pipeline: GPUComputePipeline;
  bindGroup: GPUBindGroup;
  /** Workgroups in a row, and rows. */
  width: number;
  height: number;
  /** If the number of workgroups grows with the number of pairs: how many pairs each takes. */
  pairsPerWorkgroup?: number;
  /** Where the size is, if it is in a buffer. */
  indirect?: { buffer: GPUBuffer; offset: number };
}

/** Invocations for this many pairs: so many for each, which may be a fraction. */
export interface PairInvocations {
  pairs: number;
  each: number;
}

export interface Kernels {
  readonly adapter: AdapterClass;
  /** Compiles what is not compiled yet; throws `SHADER`. */
  prepare(variants: readonly KernelVariant[]): Promise<void>;
  /** Whether all of these are compiled. */
  has(variants: readonly KernelVariant[]): boolean;
  /**
   * A dispatch of at least `invocations` invocations, or of fewer if the kernel is strided, on these buffers, which are
   * named as in WGSL. A pool keeps bind groups for the next dispatch with the same parameters buffer and the same other buffers.
   */
  bind(
    variant: KernelVariant,
    buffers: Readonly<Record<string, GPUBuffer | GPUBufferBinding>>,
    invocations: number | PairInvocations,
    pool?: Pick<BufferPool, 'bindGroup'>,
  ): Dispatch;
}

/**
 * Workgroups per row of a dispatch of `workgroups`. If they exceed the limit of one dimension, the grid has several rows
 * of equal length: so few workgroups are idle. On a software adapter an idle workgroup costs as much as one step of
 * another.
 */
export function gridWidth(
  device: { limits: Pick<GPUSupportedLimits, 'maxComputeWorkgroupsPerDimension'> },
  workgroups: number,
): number {
  const rows = Math.ceil(workgroups / device.limits.maxComputeWorkgroupsPerDimension);
  return Math.max(1, Math.ceil(workgroups / Math.max(1, rows)));
}

/** Workgroups that `invocations` of a kernel take. */
export function workgroupsFor(kernel: KernelName, invocations: number): number {
  return Math.ceil(invocations / kernels[kernel].workgroupSize);
}

/** Workgroups per row for these invocations of a kernel that is not strided. */
export function widthFor(
  device: Parameters<typeof gridWidth>[0],
  kernel: KernelName,
  invocations: number | PairInvocations,
): number {
  return gridWidth(device, workgroupsFor(kernel, invocationCount(invocations)));
}

function invocationCount(of: number | PairInvocations): number {
  return typeof of === 'number' ? of : Math.ceil(of.pairs * of.each);
}

export function record(pass: GPUComputePassEncoder, dispatches: readonly Dispatch[]): void {
  for (const { pipeline, bindGroup, width, height, indirect } of dispatches) {
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bindGroup);
    if (indirect) pass.dispatchWorkgroupsIndirect(indirect.buffer, indirect.offset);
    else pass.dispatchWorkgroups(width, height);
  }
}

/** The entry point of a kernel, and whether it is strided. */
function entryPointOf(kernel: KernelName, { stridesAll }: AdapterClass): { entryPoint: string; isStrided: boolean } {
  const { strided } = kernels[kernel] as { strided?: string };
  const isStrided = strided === 'main' || (strided !== undefined && stridesAll);
  return { entryPoint: isStrided ? strided : 'main', isStrided };
}

export function createKernels(device: GPUDevice, adapter: AdapterClass): Kernels {
  const pipelines = new Map<string, GPUComputePipeline>();
  const layouts = new Map<KernelName, GPUBindGroupLayout>();
  const modules = new Map<KernelName, GPUShaderModule>();
  /** Compilations in progress, shared by all calls that need them. */
  const compiling = new Map<string, Promise<void>>();

  async function compile({ kernel, constants }: KernelVariant): Promise<void> {
    const label = variantKey({ kernel, constants });
    // Before the error scopes, between which nothing may wait.
    const code = await kernelCode(kernel);
    const { entryPoint } = entryPointOf(kernel, adapter);
    const started = scoped(device, () => {
      const layout = layouts.get(kernel) ?? bindGroupLayout(device, kernel);
      layouts.set(kernel, layout);
      const module = modules.get(kernel) ?? device.createShaderModule({ label: `kernels.${kernel}`, code });
      modules.set(kernel, module);
      const pipeline = device.createComputePipelineAsync({
        label: `kernels.${label}`,
        layout: device.createPipelineLayout({ label: `kernels.${kernel}.layout`, bindGroupLayouts: [layout] }),
        compute: { module, entryPoint, constants },
      });
      return { module, pipeline };
    }).result;
    try {
      pipelines.set(label, await started.pipeline);
    } catch (cause) {
      const { messages } = await started.module.getCompilationInfo();
      const details = messages.map((message) => `${message.lineNum}: ${message.message}`).join('; ');
      throw new NarrowphaseError('SHADER', `kernel ${label} did not compile: ${details || (cause as Error).message}`, {
        cause,
      });
    }
  }

  return {
    adapter,

    async prepare(variants) {
      const missing = new Map(variants.map((variant) => [variantKey(variant), variant]));
      for (const [key, variant] of missing) {
        if (pipelines.has(key) || compiling.has(key)) continue;
        compiling.set(
          key,
          compile(variant).finally(() => compiling.delete(key)),
        );
      }
      await Promise.all(Array.from(missing.keys(), (key) => compiling.get(key)));
    },

    has(variants) {
      return variants.every((variant) => pipelines.has(variantKey(variant)));
    },

    bind(variant, buffers, invocations, pool) {
      const { kernel } = variant;
      const pipeline = pipelines.get(variantKey(variant));
      const layout = layouts.get(kernel);
      if (!pipeline || !layout) throw new NarrowphaseError('SHADER', `kernel ${variantKey(variant)} was not prepared`);
      const bindings = Object.entries(kernels[kernel].bindings);
      const resources = bindings.map(([name]) => asBinding(buffers[name]));
      const make = (): GPUBindGroup =>
        device.createBindGroup({
          label: `kernels.${kernel}.bindings`,
          layout,
          entries: bindings.map(([, { binding }], i) => ({ binding, resource: resources[i] })),
        });
      // A kernel may be bound several times, each with parameters of its own.
      const name = `${kernel} ${asBinding(buffers.parameters).buffer.label}`;
      const bindGroup = pool ? pool.bindGroup(name, resources, make) : make();
      const { isStrided } = entryPointOf(kernel, adapter);
      const most = isStrided ? adapter.mostStrided : Infinity;
      const workgroups = workgroupsFor(kernel, Math.min(invocationCount(invocations), most));
      const width = gridWidth(device, workgroups);
      const height = Math.ceil(workgroups / width);
      const pairsPerWorkgroup =
        isStrided || typeof invocations === 'number'
          ? undefined
          : Math.max(1, Math.floor(kernels[kernel].workgroupSize / invocations.each));
      return { pipeline, bindGroup, width, height, pairsPerWorkgroup };
    },
  };
}

function asBinding(buffer: GPUBuffer | GPUBufferBinding): GPUBufferBinding {
  return 'buffer' in buffer ? buffer : { buffer };
}

/** Identifies a variant, also in labels. */
export function variantKey({ kernel, constants = {} }: KernelVariant): string {
  const values = Object.entries(constants).map(([name, value]) => `${name}=${value}`);
  return [kernel, ...values.sort()].join(' ');
}

function bindGroupLayout(device: GPUDevice, kernel: KernelName): GPUBindGroupLayout {
  return device.createBindGroupLayout({
    label: `kernels.${kernel}.bindGroupLayout`,
    entries: Object.values(kernels[kernel].bindings).map(({ binding, type }) => ({
      binding,
      visibility: 4 /* GPUShaderStage.COMPUTE, which Node has no global for */,
      buffer: { type },
    })),
  });
}
