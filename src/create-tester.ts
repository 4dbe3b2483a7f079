import type { Backend } from './backend.ts';
import { createCpuBackend } from './cpu/backend.ts';
import { NarrowphaseError, invalidInput } from './errors.ts';
import { createGpuBackend } from './gpu/backend.ts';
import { openDevice } from './gpu/device.ts';
import type { Rest } from './rest.ts';
import { planar } from './space/planar.ts';
import type { Space } from './space/space.ts';
import { spatial } from './space/spatial.ts';
import { makeTester } from './tester.ts';
import type { PlanarTester, Tester, TesterOptions } from './types.ts';

/** What makes testers: of space, or with `dimension: 2` of the plane. */
export interface CreateTester {
  (options: TesterOptions & { dimension: 2 }): Promise<PlanarTester>;
  (options?: TesterOptions & { dimension?: 3 }): Promise<Tester>;
  (options?: TesterOptions): Promise<Tester | PlanarTester>;
}

/** `createTester` for a platform where `openBackend` finds WebGPU. */
export async function createTesterWith(
  options: TesterOptions,
  openBackend: (space: Space) => Promise<Backend>,
): Promise<Tester> {
  if (typeof options !== 'object' || options === null) invalidInput('options', options, 'an object');
  const { backend = 'auto', dimension = 3, device, gpu, powerPreference } = options;
  if (device !== undefined && typeof device?.createBuffer !== 'function') invalidInput('options.device', device, 'a GPUDevice');
  if (gpu !== undefined && typeof gpu?.requestAdapter !== 'function') invalidInput('options.gpu', gpu, 'a GPU');
  if (![undefined, 'low-power', 'high-performance'].includes(powerPreference)) {
    invalidInput('options.powerPreference', powerPreference, "'low-power' or 'high-performance'");
  }
  if (!['auto', 'webgpu', 'cpu'].includes(backend)) invalidInput('options.backend', backend, "'auto', 'webgpu' or 'cpu'");
  if (dimension !== 2 && dimension !== 3) invalidInput('options.dimension', dimension, '2 or 3');
  const space = dimension === 2 ? planar : spatial;
  if (backend === 'cpu') return makeTester(createCpuBackend(), space);
  try {
    return makeTester(await openBackend(space), space);
  } catch (error) {
    const isMissing = error instanceof NarrowphaseError && error.code === 'WEBGPU_UNAVAILABLE';
    if (backend === 'webgpu' || !isMissing) throw error;
    return makeTester(createCpuBackend(), space);
  }
}

/** A backend on the caller's device, or on one from `gpu`, for bodies of a space. `rest` is how the host waits for a software adapter. */
export async function openGpuBackend(gpu: GPU | undefined, options: TesterOptions, space: Space, rest?: Rest): Promise<Backend> {
  const reopen = options.device ? undefined : () => openDevice(gpu, options);
  return createGpuBackend(await openDevice(gpu, options), options, space, { reopen, rest });
}
