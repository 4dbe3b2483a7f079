/** Which kernels the page's devices have compiled, by the labels of their pipelines. */

const compiled = new Map<string, number>();

/** From now on every compute pipeline is noted once it is there. */
export function recordCompiling(): void {
  const { createComputePipelineAsync } = GPUDevice.prototype;
  GPUDevice.prototype.createComputePipelineAsync = async function (descriptor) {
    const start = performance.now();
    const pipeline = await createComputePipelineAsync.call(this, descriptor);
    compiled.set(descriptor.label ?? '', performance.now() - start);
    return pipeline;
  };
}

/** Labels and milliseconds until the pipeline came, those of others compiled at the same time included. */
export function compiledKernels(): [label: string, milliseconds: number][] {
  return [...compiled];
}
