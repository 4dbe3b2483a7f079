/** A device of Dawn in Node with the limits of its adapter, for the programs that run the simulation without a page. */

import { create } from 'webgpu';

/** Dawn ends when its GPU object is collected. */
const gpu = create([]);

export async function openDawn(): Promise<{ device: GPUDevice; name: string }> {
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) throw new Error('Dawn offers no adapter');
  const { maxBufferSize, maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage } = adapter.limits;
  const device = await adapter.requestDevice({
    requiredLimits: { maxBufferSize, maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage },
    requiredFeatures: adapter.features.has('timestamp-query') ? ['timestamp-query'] : [],
  });
  device.addEventListener('uncapturederror', (event) => {
    console.error((event as GPUUncapturedErrorEvent).error.message);
    process.exitCode = 1;
  });
  return { device, name: adapter.info.description || adapter.info.vendor };
}
