/** Adapters that say that they are graphics cards, so that testers run on them the kernels that cards run. */

/** Of no adapter that is known as a software one. */
const CARD: Partial<GPUAdapterInfo> = {
  vendor: 'acme',
  architecture: 'anvil',
  device: '',
  description: 'Acme Anvil 3',
  isFallbackAdapter: false,
};

/** For a tester's option `gpu`. */
export function asHardware(gpu: GPU): GPU {
  return {
    async requestAdapter(options?: GPURequestAdapterOptions) {
      const adapter = await gpu.requestAdapter(options);
      return adapter && { ...partsOf(adapter), info: CARD };
    },
  } as unknown as GPU;
}

function partsOf(adapter: GPUAdapter): Omit<GPUAdapter, 'info' | '__brand'> {
  const { features, limits } = adapter;
  return { features, limits, requestDevice: (descriptor) => adapter.requestDevice(descriptor) };
}
