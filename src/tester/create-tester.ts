import type { AnswerPair } from '../cpu/asked-pairs.ts';
import type { Backend } from '../request/backend.ts';
import { invalidInput } from '../api/errors.ts';
import { createGpuBackend } from '../gpu/backend.ts';
import { openDevice, type AdapterChoice, type DeviceHandle } from '../gpu/device.ts';
import { expectDevice } from '../gpu/expect.ts';
import type { Throttle } from '../gpu/session.ts';
import type { DimensionParts } from '../dimension/parts.ts';
import { TESTER_OPTIONS } from '../request/options.ts';
import { door } from '../util/door.ts';
import { expectKnown } from '../util/known.ts';
import { openCpu } from './open-cpu.ts';
import { makeTester } from './tester.ts';
import type { PlanarTester, Tester, TesterOptions } from '../api/types.ts';

/**
 * Type of `createTester`. It is one signature without overloads, so that a wrong option gives one error, at that
 * option. If the dimension is wrong, TypeScript infers the whole constraint for `D`, `'none'` included; the result is
 * then a `Tester`.
 */
export type CreateTester = <D extends 2 | 3 | 'none' = 3>(
  options?: TesterOptions & { dimension?: D },
) => Promise<TesterIn<D>>;

/** The tester of a dimension; a union if the dimension is known only at run time. */
export type TesterIn<D> = 'none' extends D ? Tester : D extends 2 ? PlanarTester : Tester;

/** What differs by platform. */
export interface Platform {
  /** Which adapters are accepted; default `'any'`. */
  choice?: AdapterChoice;
  /** Throttles the host while it waits for a software adapter. */
  throttle?: Throttle;
}

/** `createTester` for a platform. `openWebGpu` opens its WebGPU or throws `WEBGPU_UNAVAILABLE`. */
export async function createTesterWith(
  options: TesterOptions,
  openWebGpu: (parts: DimensionParts, choice: AdapterChoice) => Promise<Backend>,
): Promise<Tester> {
  expectOptions(options);
  const { backend = 'auto', threads, dimension = 3 } = options;
  const workerUrl = workerUrlOf(options);
  const parts = await (dimension === 2 ? loadDim2() : loadDim3());
  const reference = (): Promise<AnswerPair> => loadReference(parts);
  const createCpu = (): Promise<Backend> => openCpu(reference, threads, workerUrl);
  const open: Record<typeof backend, () => Promise<Backend>> = {
    cpu: createCpu,
    webgpu: () => openWebGpu(parts, 'any'),
    auto: async () => (await loadAuto())(() => openWebGpu(parts, 'hardware'), createCpu),
  };
  return makeTester(await open[backend](), parts.dimension, reference, createCpu);
}

const loadDim2 = door('2-D', async () => (await import('../dimension/dim2.ts')).dim2);
const loadDim3 = door('3-D', async () => (await import('../dimension/dim3.ts')).dim3);
const loadAuto = door('choice of a backend', async () => (await import('./auto-backend.ts')).openAutoBackend);
const loadReference = door('CPU reference', (parts: DimensionParts) => parts.loadReference());

/** Throws `INVALID_INPUT` for invalid options. */
function expectOptions(options: TesterOptions): void {
  if (typeof options !== 'object' || options === null) invalidInput('options', options, 'an object');
  expectKnown(options, 'options', TESTER_OPTIONS);
  const { backend = 'auto', threads, dimension = 3, device, gpu, powerPreference, onDeviceLost } = options;
  if (device !== undefined) expectDevice('options.device', device);
  if (gpu !== undefined && typeof gpu?.requestAdapter !== 'function') invalidInput('options.gpu', gpu, 'a GPU');
  if (![undefined, 'low-power', 'high-performance'].includes(powerPreference)) {
    invalidInput('options.powerPreference', powerPreference, "'low-power' or 'high-performance'");
  }
  if (!['undefined', 'function'].includes(typeof onDeviceLost)) {
    invalidInput('options.onDeviceLost', onDeviceLost, 'a function');
  }
  if (!['auto', 'webgpu', 'cpu'].includes(backend)) {
    invalidInput('options.backend', backend, "'auto', 'webgpu' or 'cpu'");
  }
  if (threads !== undefined && !(Number.isInteger(threads) && threads >= 1)) {
    invalidInput('options.threads', threads, 'a whole number of at least 1');
  }
  if (dimension !== 2 && dimension !== 3) invalidInput('options.dimension', dimension, '2 or 3');
}

/** The absolute URL of the workers' script, if the options have one. Throws `INVALID_INPUT` for anything but a URL. */
function workerUrlOf({ workerUrl }: TesterOptions): URL | undefined {
  if (workerUrl === undefined) return undefined;
  // Of the page, or of the worker that this runs in. Node has none.
  const base = globalThis.document?.baseURI ?? globalThis.location?.href;
  try {
    if (workerUrl instanceof URL || (typeof workerUrl === 'string' && workerUrl.trim() !== ''))
      return new URL(workerUrl, base);
  } catch {
    // It can't be parsed.
  }
  invalidInput('options.workerUrl', workerUrl, base === undefined ? 'an absolute URL' : 'a URL');
}

/** A backend for one dimension, on the caller's device or on one from `gpu`. */
export async function openGpuBackend(
  gpu: GPU | undefined,
  options: TesterOptions,
  { dimension, planners }: DimensionParts,
  { choice, throttle }: Platform = {},
): Promise<Backend> {
  const open = (): Promise<DeviceHandle> => openDevice(gpu, options, choice);
  const reopen = options.device ? undefined : open;
  return createGpuBackend(await open(), options, dimension, planners, { reopen, throttle });
}
