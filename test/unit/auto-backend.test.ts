/** Which backend `createTester` takes where there is no GPU, and why; a backend of `'auto'` whose WebGPU is made up. */

import { afterEach, describe, expect, test, vi } from 'vitest';
import { openAutoBackend } from '../../src/tester/auto-backend.ts';
import type { Backend } from '../../src/request/backend.ts';
import { answerPair } from '../../src/cpu/answer-pair.ts';
import { createCpuBackend } from '../../src/cpu/backend.ts';
import { NarrowphaseError } from '../../src/api/errors.ts';
import { createTester } from '../../src/index.ts';
import { createTester as createNodeTester } from '../../src/node.ts';

const refused = async (): Promise<never> => {
  throw new TypeError('blocked by policy');
};

function adapterWith(properties: object): GPU {
  const adapter = { features: new Set(), limits: {}, info: { vendor: 'acme' }, requestDevice: refused, ...properties };
  return gpuWith(async () => adapter);
}

function gpuWith(requestAdapter: () => unknown): GPU {
  return { requestAdapter } as GPU;
}

function throwing(): never {
  throw new TypeError('blocked by policy');
}

const unavailable = (): NarrowphaseError => new NarrowphaseError('WEBGPU_UNAVAILABLE', 'no adapter');

const createCpu = (): Backend => createCpuBackend(answerPair);

/** A backend by the name of webgpu that does all else as the CPU does. */
function madeUp(changes: Partial<Backend> = {}): Backend {
  return { ...createCpu(), name: 'webgpu', ...changes };
}

const broken: [name: string, gpu: GPU | undefined, reason: RegExp][] = [
  ['no navigator.gpu', undefined, /^there is no WebGPU here: navigator\.gpu is missing$/],
  ['an adapter that is refused', gpuWith(refused), /^requestAdapter failed: blocked by policy$/],
  ['a requestAdapter that throws', gpuWith(throwing), /^requestAdapter failed: blocked by policy$/],
  ['no adapter', gpuWith(async () => null), /^WebGPU offers no adapter$/],
  ['a device that is refused', adapterWith({}), /^requestDevice failed: blocked by policy$/],
  [
    'low limits',
    adapterWith({ limits: { maxStorageBuffersPerShaderStage: 4 } }),
    /^the adapter can't be used: limits\.maxStorageBuffersPerShaderStage is 4, expected at least 8$/,
  ],
  ['a device that is none', adapterWith({ requestDevice: async () => ({}) }), /^the adapter's device can't be used: ./],
  ['null for a device', adapterWith({ requestDevice: async () => null }), /^the adapter's device can't be used: ./],
  ['an adapter that is none', gpuWith(async () => ({})), /^the adapter can't be used: ./],
];

describe('where WebGPU can’t be used', () => {
  test.each(broken)("%s: 'auto' takes the CPU and says why", async (_, gpu, reason) => {
    for (const options of [{ gpu }, { gpu, backend: 'auto' }, { gpu, dimension: 2 }] as const) {
      const tester = await createTester(options);
      expect(tester.backend).toBe('cpu');
      expect(tester.fallback).toMatch(reason);
    }
  });

  test.each(broken)("%s: 'webgpu' fails with WEBGPU_UNAVAILABLE and the reason", async (_, gpu, reason) => {
    await expect(createTester({ gpu, backend: 'webgpu' })).rejects.toMatchObject({
      name: 'NarrowphaseError',
      code: 'WEBGPU_UNAVAILABLE',
      message: expect.stringMatching(reason),
    });
  });

  test('an error of the browser’s is the cause', async () => {
    const making = createTester({ gpu: adapterWith({}), backend: 'webgpu' });
    await expect(making).rejects.toMatchObject({ cause: { name: 'TypeError', message: 'blocked by policy' } });
  });

  test("'cpu' asks for no adapter and has no fallback to tell of", async () => {
    const requestAdapter = vi.fn(refused);
    const tester = await createTester({ backend: 'cpu', gpu: gpuWith(requestAdapter) });
    expect(tester).toMatchObject({ backend: 'cpu', fallback: undefined });
    expect(requestAdapter).not.toHaveBeenCalled();
  });

  describe('as nothing ever answers', () => {
    afterEach(() => void vi.useRealTimers());

    test("'auto' takes the CPU after 20 seconds, and a device that comes later is destroyed", async () => {
      vi.useFakeTimers();
      const destroy = vi.fn();
      const requestDevice = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 30_000, { destroy }));
      const never = gpuWith(() => new Promise(() => {}));
      const testers = [never, adapterWith({ requestDevice })].map((gpu) => createTester({ gpu }));
      await vi.advanceTimersByTimeAsync(20_000);
      expect((await testers[0]).fallback).toBe('requestAdapter failed: no answer within 20 s');
      expect((await testers[1]).fallback).toBe('requestDevice failed: no answer within 20 s');
      await vi.advanceTimersByTimeAsync(10_000);
      expect(destroy).toHaveBeenCalledOnce();
    });
  });
});

const entries = [createTester, createNodeTester];

test.each(entries)('onDeviceLost that is no function is refused by every backend', async (create) => {
  for (const backend of ['cpu', 'auto', 'webgpu'] as const) {
    for (const [onDeviceLost, value] of [
      [5, '5'],
      ['alert', '"alert"'],
      [null, 'null'],
      [{}, '{}'],
    ] as const) {
      await expect(create({ backend, onDeviceLost: onDeviceLost as never })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: `options.onDeviceLost is ${value}, expected a function`,
      });
    }
  }
});

describe('a backend of auto', () => {
  test('joins why it is not WebGPU and what the CPU has to say of itself', async () => {
    const quiet = await openAutoBackend(
      async () => madeUp(),
      async () => createCpu(),
    );
    expect(quiet.fallback).toBeUndefined();
    const plain = await openAutoBackend(
      () => Promise.reject(unavailable()),
      async () => createCpu(),
    );
    expect(plain.fallback).toBe('no adapter');
    const alone = { ...createCpu(), fallback: 'no worker can be made' };
    const threadless = await openAutoBackend(
      () => Promise.reject(unavailable()),
      async () => alone,
    );
    expect(threadless.fallback).toBe('no adapter; no worker can be made');
  });

  const ofQueries = ['INVALID_INPUT', 'DEVICE_LOST', 'OUT_OF_MEMORY', 'ABORTED', 'SHADER'] as const;

  test.each(ofQueries)('%s of WebGPU is the caller’s: no other backend answers', async (code) => {
    const failed = new NarrowphaseError(code, 'it failed');
    const fallBack = vi.fn(async () => createCpu());
    await expect(openAutoBackend(() => Promise.reject(failed), fallBack)).rejects.toBe(failed);
    const fail = (): Promise<never> => Promise.reject(failed);
    const backend = await openAutoBackend(async () => madeUp({ run: fail, createBatch: fail }), fallBack);
    await expect(backend.run({} as never, {} as never)).rejects.toBe(failed);
    await expect(backend.createBatch!({} as never)).rejects.toBe(failed);
    expect(backend.name).toBe('webgpu');
    expect(fallBack).not.toHaveBeenCalled();
  });

  test('a batch that no device can be had for leaves the CPU, and disposes of WebGPU once', async () => {
    const dispose = vi.fn();
    const gone = madeUp({ dispose, createBatch: () => Promise.reject(unavailable()) });
    const backend = await openAutoBackend(
      async () => gone,
      async () => createCpu(),
    );
    const { createBatch } = backend;
    await expect(createBatch!({} as never)).rejects.toMatchObject({ code: 'WEBGPU_UNAVAILABLE' });
    expect(backend).toMatchObject({ name: 'cpu', fallback: 'no adapter', createBatch: undefined });
    await expect(createBatch!({} as never)).rejects.toMatchObject({ code: 'WEBGPU_UNAVAILABLE' });
    backend.dispose();
    expect(dispose).toHaveBeenCalledOnce();
  });
});
