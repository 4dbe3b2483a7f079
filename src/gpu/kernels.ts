/** Compute pipelines, compiled when first needed, and the bind groups that go with them. */
import { NarrowphaseError } from '../errors.ts';
import { scoped } from './error-scopes.ts';
import { kernelCode, kernels, type KernelName } from '../generated/kernels.ts';

/** A kernel with its overridable constants fixed. */
export interface KernelVariant {
  kernel: KernelName;
  /** Works on the pairs in `waiting` instead of all. */
  isListed?: boolean;
}

export interface Kernels {
  /** Compiles what is not compiled yet; throws `SHADER`. */
  prepare(variants: readonly KernelVariant[]): Promise<void>;
  /** Records a dispatch of at least `invocations` invocations. */
  dispatch(pass: GPUComputePassEncoder, variant: KernelVariant, buffers: Record<string, GPUBuffer>, invocations: number): void;
}

/** Workgroups in a row of the grid for so many; more than fit one dimension go into rows. */
export function gridWidth(device: GPUDevice, workgroups: number): number {
  return Math.min(Math.max(workgroups, 1), device.limits.maxComputeWorkgroupsPerDimension);
}

/** Workgroups that `invocations` of a kernel take. */
export function workgroupsFor(kernel: KernelName, invocations: number): number {
  return Math.ceil(invocations / kernels[kernel].workgroupSize);
}

export function createKernels(device: GPUDevice): Kernels {
  const pipelines = new Map<string, GPUComputePipeline>();
  const layouts = new Map<KernelName, GPUBindGroupLayout>();

  async function compile({ kernel, isListed }: KernelVariant): Promise<void> {
    const label = keyOf({ kernel, isListed });
    const started = scoped(device, () => {
      const layout = bindGroupLayout(device, kernel);
      layouts.set(kernel, layout);
      const module = device.createShaderModule({ label: `kernels.${kernel}`, code: kernelCode(kernel) });
      const pipeline = device.createComputePipelineAsync({
        label: `kernels.${label}`,
        layout: device.createPipelineLayout({ label: `kernels.${kernel}.layout`, bindGroupLayouts: [layout] }),
        compute: { module, entryPoint: 'main', constants: isListed ? { IS_LISTED: 1 } : {} },
      });
      return { module, pipeline };
    }).result;
    try {
      pipelines.set(label, await started.pipeline);
    } catch (cause) {
      const { messages } = await started.module.getCompilationInfo();
      const details = messages.map((message) => `${message.lineNum}: ${message.message}`).join('; ');
      throw new NarrowphaseError('SHADER', `kernel ${label} did not compile: ${details || (cause as Error).message}`, { cause });
    }
  }

  return {
    async prepare(variants) {
      await Promise.all(variants.filter((variant) => !pipelines.has(keyOf(variant))).map(compile));
    },

    dispatch(pass, variant, buffers, invocations) {
      const { kernel } = variant;
      const pipeline = pipelines.get(keyOf(variant));
      const layout = layouts.get(kernel);
      if (!pipeline || !layout) throw new NarrowphaseError('SHADER', `kernel ${keyOf(variant)} was not prepared`);
      pass.setPipeline(pipeline);
      pass.setBindGroup(
        0,
        device.createBindGroup({
          label: `kernels.${kernel}.bindings`,
          layout,
          entries: Object.entries(kernels[kernel].bindings).map(([name, { binding }]) => ({
            binding,
            resource: { buffer: buffers[name] },
          })),
        }),
      );
      const workgroups = workgroupsFor(kernel, invocations);
      const width = gridWidth(device, workgroups);
      pass.dispatchWorkgroups(width, Math.ceil(workgroups / width));
    },
  };
}

function keyOf({ kernel, isListed }: KernelVariant): string {
  return isListed ? `${kernel}.listed` : kernel;
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
