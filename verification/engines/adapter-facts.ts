import type { AdapterFacts } from './engine.ts';

/** Limits that affect queries: see `gpu/device.ts` and the kernels' bindings. */
const LIMITS = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupsPerDimension',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupStorageSize',
] as const satisfies (keyof GPUSupportedLimits)[];

export function adapterFacts(adapter: GPUAdapter): AdapterFacts {
  return {
    features: [...adapter.features].sort(),
    limits: Object.fromEntries(LIMITS.map((name) => [name, adapter.limits[name]])),
  };
}
