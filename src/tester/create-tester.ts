import { openAutoBackend } from './auto-backend.ts';
import type { Backend } from '../request/backend.ts';
import { createCpuBackend } from '../cpu/backend.ts';
import { invalidInput } from '../api/errors.ts';
import { createGpuBackend } from '../gpu/backend.ts';
import { openDevice, type AdapterChoice, type DeviceHandle } from '../gpu/device.ts';
import { expectDevice } from '../gpu/expect.ts';
import type { Throttle } from '../gpu/session.ts';
import { planar } from '../dimension/dim2.ts';
import type { Dimension } from '../request/dimension.ts';
import { spatial } from '../dimension/dim3.ts';
import { makeTester } from './tester.ts';
import type { PlanarTester, Tester, TesterOptions } from '../api/types.ts';

/**
 * Type of `createTester`. It is one signature and no overloads, so that a wrong option is one error, at that option. With
 * a wrong dimension, `D` is everything it can be, `'none'` included, and the tester is a `Tester`.
 */
export type CreateTester = <D extends 2 | 3 | 'none' = 3>(
  options?: TesterOptions & { dimension?: D },
) => Promise<TesterIn<D>>;

/** The tester of a dimension; a union if the dimension is known only at run time. */
export type TesterIn<D> = 'none' extends D ? Tester : D extends 2 ? PlanarTester : Tester;

/** What the platform adds. */
export interface Platform {
  /** Which adapters are taken; default `'any'`. */
  choice?: AdapterChoice;
  /** How the host waits for a software adapter, where it has a better way than to wait. */
  throttle?: Throttle;
}

/** `createTester` for a platform where `openWebGpu` finds WebGPU, or throws `WEBGPU_UNAVAILABLE`. */
export async function createTesterWith(
  options: TesterOptions,
  openWebGpu: (space: Dimension, choice: AdapterChoice) => Promise<Backend>,
): Promise<Tester> {
  if (typeof options !== 'object' || options === null) invalidInput('options', options, 'an object');
  const { backend = 'auto', threads, dimension = 3, device, gpu, powerPreference, onDeviceLost } = options;
  if (device !== undefined) expectDevice('options.device', device);
  if (gpu !== undefined && typeof gpu?.requestAdapter !== 'function') invalidInput('options.gpu', gpu, 'a GPU');
  if (![undefined, 'low-power', 'high-performance'].includes(powerPreference)) {
    invalidInput('options.powerPreference', powerPreference, "'low-power' or 'high-performance'");
  }
  if (!['undefined', 'function'].includes(typeof onDeviceLost)) {
    invalidInput('options.onDeviceLost', onDeviceLost, 'a function');
  }
  if (!['auto', 'webgpu', 'cpu'].includes(backend))
    invalidInput('options.backend', backend, "'auto', 'webgpu' or 'cpu'");
  if (threads !== undefined && !(Number.isInteger(threads) && threads >= 1)) {
    invalidInput('options.threads', threads, 'a whole number of at least 1');
  }
  if (dimension !== 2 && dimension !== 3) invalidInput('options.dimension', dimension, '2 or 3');
  const space = dimension === 2 ? planar : spatial;
  const createCpu = (): Backend => createCpuBackend(threads);
  switch (backend) {
    case 'cpu':
      return makeTester(createCpu(), space);
    case 'webgpu':
      return makeTester(await openWebGpu(space, 'any'), space);
    case 'auto':
      return makeTester(await openAutoBackend(() => openWebGpu(space, 'hardware'), createCpu), space);
  }
}

/** A backend on the caller's device, or on one from `gpu`, for bodies of a space. */
export async function openGpuBackend(
  gpu: GPU | undefined,
  options: TesterOptions,
  space: Dimension,
  { choice, throttle }: Platform = {},
): Promise<Backend> {
  const open = (): Promise<DeviceHandle> => openDevice(gpu, options, choice);
  return createGpuBackend(await open(), options, space, { reopen: options.device ? undefined : open, throttle });
}
