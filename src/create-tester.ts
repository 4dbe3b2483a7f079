import type { Backend } from './backend.ts';
import { createCpuBackend } from './cpu/backend.ts';
import { NarrowphaseError, invalidInput } from './errors.ts';
import { createGpuBackend } from './gpu/backend.ts';
import { openDevice } from './gpu/device.ts';
import type { Rest } from './rest.ts';
import { makeTester } from './tester.ts';
import type { Tester, TesterOptions } from './types.ts';

/** `createTester` for a platform where `openBackend` finds WebGPU. */
export async function createTesterWith(
  options: TesterOptions,
  openBackend: (options: TesterOptions) => Promise<Backend>,
): Promise<Tester> {
  if (typeof options !== 'object' || options === null) invalidInput('options', options, 'an object');
  const { backend = 'auto', dimension = 3, device, gpu, powerPreference } = options;
  if (device !== undefined && typeof device?.createBuffer !== 'function') invalidInput('options.device', device, 'a GPUDevice');
  if (gpu !== undefined && typeof gpu?.requestAdapter !== 'function') invalidInput('options.gpu', gpu, 'a GPU');
  if (![undefined, 'low-power', 'high-performance'].includes(powerPreference)) {
    invalidInput('options.powerPreference', powerPreference, "'low-power' or 'high-performance'");
  }
  if (!['auto', 'webgpu', 'cpu'].includes(backend)) invalidInput('options.backend', backend, "'auto', 'webgpu' or 'cpu'");
  if (dimension !== 3) invalidInput('options.dimension', dimension, '3');
  if (backend === 'cpu') return makeTester(createCpuBackend());
  try {
    return makeTester(await openBackend(options));
  } catch (error) {
    const isMissing = error instanceof NarrowphaseError && error.code === 'WEBGPU_UNAVAILABLE';
    if (backend === 'webgpu' || !isMissing) throw error;
    return makeTester(createCpuBackend());
  }
}

/** A backend on the caller's device, or on one from `gpu`. `rest` is how the host waits for a software adapter. */
export async function openGpuBackend(gpu: GPU | undefined, options: TesterOptions, rest?: Rest): Promise<Backend> {
  const reopen = options.device ? undefined : () => openDevice(gpu, options);
  return createGpuBackend(await openDevice(gpu, options), options, { reopen, rest });
}
