/**
 * Adapters and devices that can't be used, on real devices that are spoilt in one way or another: `'auto'` takes the
 * CPU and says why, `'webgpu'` fails with WEBGPU_UNAVAILABLE. The tests' adapters are software: one poses as hardware
 * by what it tells of itself.
 */

import { afterEach, describe, expect, test, vi } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { Tester, TesterOptions, WarmStart } from '../../src/api/types.ts';
import { ballDistance, ballPairs, balls, ballShapes, overlappingBalls } from '../helpers/balls.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { HARDWARE, keepDevices, openOwnDevice, withLimits, type AdapterChanges } from '../helpers/gpu.ts';

const PAIRS = 500;
const pairs = ballPairs(PAIRS);
const room = { query: 'contacts', maxBodies: 1, maxPairs: 1 } as const;

async function ballTester(options: TesterOptions & { dimension?: 3 }): Promise<Tester> {
  const tester = await createTester(options);
  useShapes(tester, ballShapes);
  return tester;
}

async function expectAnswers(tester: Tester, warmStart?: WarmStart): Promise<void> {
  const { distance } = await tester.contacts(balls, pairs, { margin: Infinity, warmStart });
  expect(Math.max(...distance.map((value, pair) => Math.abs(value - ballDistance(pairs, pair))))).toBeLessThan(1e-5);
}

describe('which adapter is taken', () => {
  test("'auto' takes a hardware adapter, and has no fallback to tell of", async () => {
    const { gpu, devices } = keepDevices(HARDWARE);
    const tester = await ballTester({ gpu });
    const adapter = { vendor: 'acme', isSoftware: false };
    expect(tester).toMatchObject({ backend: 'webgpu', fallback: undefined, adapter });
    await expectAnswers(tester);
    expect(devices).toHaveLength(1);
    tester.dispose();
  });

  test("'auto' takes no software adapter but the CPU, names the adapter, and opens no device", async () => {
    const { gpu, devices } = keepDevices();
    for (const options of [{ gpu }, { gpu, backend: 'auto' }, {}] as const) {
      const tester = await ballTester(options);
      expect(tester.backend).toBe('cpu');
      expect(tester.fallback).toMatch(/no hardware adapter, only a software one \(.*(llvmpipe|swiftshader).*\)/i);
      await expectAnswers(tester);
    }
    expect(devices).toHaveLength(0);
  });

  test('an adapter that calls itself a fallback is software, whatever its name', async () => {
    const { gpu } = keepDevices({ info: { ...HARDWARE.info, isFallbackAdapter: true } });
    const { backend, fallback } = await ballTester({ gpu });
    expect(backend).toBe('cpu');
    expect(fallback).toContain('acme, anvil, Acme Anvil 3');
  });

  test("'webgpu' takes a software adapter, as does 'auto' the caller's device of one", async () => {
    const { gpu } = keepDevices();
    const device = await openOwnDevice();
    for (const options of [{ gpu, backend: 'webgpu' }, { device }, { device, backend: 'auto' }] as const) {
      const tester = await ballTester(options);
      expect(tester).toMatchObject({ backend: 'webgpu', fallback: undefined, adapter: { isSoftware: true } });
      await expectAnswers(tester);
      tester.dispose();
    }
    device.destroy();
  });
});

const refused = async (): Promise<never> => {
  throw new DOMException('the driver is blocked', 'OperationError');
};

/** Ways in which a device is of no use, and a word of the reason. */
type Spoilt = [name: string, changes: AdapterChanges, reason: string];
const spoilt: Spoilt[] = [
  ['an adapter that is refused', { requestAdapter: refused }, 'requestAdapter failed: the driver is blocked'],
  ['a device that is refused', { requestDevice: refused }, 'requestDevice failed: the driver is blocked'],
  lowLimit('maxStorageBuffersPerShaderStage', 4, 8),
  lowLimit('maxComputeInvocationsPerWorkgroup', 128, 256),
  lowLimit('maxComputeWorkgroupSizeX', 64, 256),
  ['a device that is lost at once', { spoil: (device) => device.destroy() }, 'lost'],
  ['a device that is lost while it is tried', { spoil: (device) => void setTimeout(() => device.destroy()) }, 'lost'],
  ['a device that compiles nothing', { spoil: compilingNothing }, 'did not compile: the driver is blocked'],
  ['a device that refuses the kernels', { spoil: refusingKernels }, 'kernel count-statuses did not compile'],
  ['a device that refuses commands', { spoil: refusingCommands }, 'the device rejected a command'],
  ['a device that computes nothing', { spoil: computingNothing }, 'kernel count-statuses: counts[0] is 0, expected 3'],
  [
    'a device whose workgroup arrays have no length',
    { spoil: withoutWorkgroupArrays },
    'kernel compact-scatter: list[32] is 2, expected 0',
  ],
  ['a device that reads nothing back', { spoil: readingNothing }, 'the driver is blocked'],
];

function lowLimit(name: keyof GPUSupportedLimits & string, value: number, needed: number): Spoilt {
  const reason = `limits.${name} is ${value}, expected at least ${needed}`;
  return [`${name} of ${value}`, { limits: { [name]: value } }, reason];
}

function compilingNothing(device: GPUDevice): void {
  device.createComputePipelineAsync = refused;
}

function computingNothing({ queue }: GPUDevice): void {
  queue.submit = () => undefined;
}

function refusingKernels(device: GPUDevice): void {
  const createShaderModule = device.createShaderModule.bind(device);
  device.createShaderModule = (descriptor) => createShaderModule({ ...descriptor, code: 'no WGSL' });
}

function refusingCommands(device: GPUDevice): void {
  const createBindGroup = device.createBindGroup.bind(device);
  device.createBindGroup = (descriptor) => createBindGroup({ ...descriptor, entries: [] });
}

/** As of WebKit, where a length depended on an override of an override: nothing is stored, and what is read is 0. */
function withoutWorkgroupArrays(device: GPUDevice): void {
  const createShaderModule = device.createShaderModule.bind(device);
  device.createShaderModule = (descriptor) => {
    if (descriptor.label !== 'kernels.compact-scatter') return createShaderModule(descriptor);
    const element = String.raw`\b(?:counts|rowCounts)\[[^\]]*\]`;
    const code = descriptor.code.replace(RegExp(`${element} \\+?= [^;]*;`, 'g'), '');
    return createShaderModule({ ...descriptor, code: code.replace(RegExp(element, 'g'), '0u') });
  };
}

function readingNothing(device: GPUDevice): void {
  const createBuffer = device.createBuffer.bind(device);
  device.createBuffer = (descriptor) => {
    const buffer = createBuffer(descriptor);
    buffer.mapAsync = refused;
    return buffer;
  };
}

describe('what can’t be used', () => {
  const title = "%s: 'auto' takes the CPU and says why, 'webgpu' fails with the cause";

  test.each(spoilt)(title, async (_, changes, reason) => {
    const { gpu, devices } = keepDevices({ ...HARDWARE, ...changes });
    const onDeviceLost = vi.fn();
    const tester = await ballTester({ gpu, onDeviceLost });
    expect(tester).toMatchObject({ backend: 'cpu', fallback: expect.stringContaining(reason) });
    await expectAnswers(tester);
    const failure = { name: 'NarrowphaseError', code: 'WEBGPU_UNAVAILABLE', message: expect.stringContaining(reason) };
    const making = createTester({ gpu, backend: 'webgpu', onDeviceLost });
    await expect(making).rejects.toMatchObject({ ...failure, cause: expect.any(Error) });
    // None of them is left open.
    for (const device of devices) await device.lost;
    expect(onDeviceLost).not.toHaveBeenCalled();
  });

  test('a device of the caller’s that is lost or lacks limits: the same, and the device stays open', async () => {
    const lost = await openOwnDevice();
    lost.destroy();
    const { backend, fallback } = await ballTester({ device: lost });
    expect(backend).toBe('cpu');
    expect(fallback).toMatch(/^options\.device can't be used: .*lost/);
    const making = createTester({ device: lost, backend: 'webgpu' });
    await expect(making).rejects.toMatchObject({ code: 'WEBGPU_UNAVAILABLE', cause: { code: 'DEVICE_LOST' } });

    const device = await openOwnDevice();
    const limits = withLimits(device.limits, { maxStorageBuffersPerShaderStage: 4 });
    const poor = new Proxy(device, {
      get(target, name) {
        const value = (name === 'limits' ? limits : Reflect.get(target, name)) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    expect((await ballTester({ device: poor })).fallback).toContain('maxStorageBuffersPerShaderStage is 4');
    const tester = await ballTester({ device });
    expect(tester.backend).toBe('webgpu');
    await expectAnswers(tester);
    device.destroy();
  });
});

describe('a lost device that can’t be had again', () => {
  const gone: Spoilt[] = [
    ['there is no adapter any more', { requestAdapter: async () => null }, 'WebGPU offers no adapter'],
    ['its adapter is refused', { requestAdapter: refused }, 'requestAdapter failed: the driver is blocked'],
    ['the next one is lost at once', { ...HARDWARE, spoil: (device) => device.destroy() }, 'lost'],
    ['there is a software adapter alone', {}, 'no hardware adapter'],
  ];

  const title = "%s: with 'auto' the CPU answers the next query and all later ones, with shapes and warm starts";

  test.each(gone)(title, async (_, changes, reason) => {
    const { gpu, devices, requests, change } = keepDevices(HARDWARE);
    const onDeviceLost = vi.fn();
    const tester = await ballTester({ gpu, onDeviceLost });
    const warmStart = tester.createWarmStart(PAIRS);
    await expectAnswers(tester, warmStart);
    const { limits } = tester;
    change(changes);
    devices[0].destroy();
    await vi.waitFor(() => expect(onDeviceLost).toHaveBeenCalledOnce());
    expect(tester).toMatchObject({ backend: 'webgpu', fallback: undefined });
    await expectAnswers(tester, warmStart);
    expect(tester.backend).toBe('cpu');
    expect(tester.fallback).toContain(reason);
    expect(tester.adapter.description).toContain('CPU');
    expect(tester.limits).not.toEqual(limits);
    expect(tester.timings).toMatchObject({ compile: 0, readBack: 0 });
    expect(requests()).toBe(2);
    await expectAnswers(tester, warmStart);
    expect((await tester.contacts(balls, pairs, { results: 'hits' })).count).toBe(overlappingBalls(pairs).length);
    tester.addShape({ type: 'box', halfExtents: [1, 1, 1] });
    await expectAnswers(tester, warmStart);
    expect(requests()).toBe(2);
    await expect(tester.createBatch(room)).rejects.toMatchObject({ code: 'WEBGPU_UNAVAILABLE' });
    warmStart.dispose();
    tester.dispose();
    await expect(tester.contacts(balls, pairs)).rejects.toMatchObject({ code: 'DISPOSED' });
    expect(onDeviceLost).toHaveBeenCalledOnce();
  });

  test("with 'webgpu' each query fails with WEBGPU_UNAVAILABLE until there is one again", async () => {
    const { gpu, devices, change } = keepDevices(HARDWARE);
    const tester = await ballTester({ gpu, backend: 'webgpu' });
    await expectAnswers(tester);
    change({ requestAdapter: refused });
    devices[0].destroy();
    await devices[0].lost;
    for (let round = 0; round < 2; round++) {
      const cause = { message: 'the driver is blocked' };
      await expect(tester.contacts(balls, pairs)).rejects.toMatchObject({ code: 'WEBGPU_UNAVAILABLE', cause });
      expect(tester).toMatchObject({ backend: 'webgpu', fallback: undefined });
    }
    change(HARDWARE);
    await expectAnswers(tester);
    tester.dispose();
  });

  test('a query is answered while a batch asked for at the same time is refused, after one request', async () => {
    const { gpu, devices, requests, change } = keepDevices(HARDWARE);
    const tester = await ballTester({ gpu });
    change({ requestAdapter: refused });
    devices[0].destroy();
    await devices[0].lost;
    const [answered, made] = await Promise.allSettled([tester.contacts(balls, pairs), tester.createBatch(room)]);
    expect(answered).toMatchObject({ status: 'fulfilled', value: { count: PAIRS } });
    expect(made).toMatchObject({ status: 'rejected', reason: { code: 'WEBGPU_UNAVAILABLE' } });
    expect(tester.backend).toBe('cpu');
    expect(requests()).toBe(2);
  });

  test('disposing of the tester meanwhile ends the query with DISPOSED', async () => {
    const { gpu, devices, change } = keepDevices(HARDWARE);
    const tester = await ballTester({ gpu });
    change({ requestAdapter: () => new Promise((resolve) => setTimeout(resolve, 50, null)) });
    devices[0].destroy();
    await devices[0].lost;
    const running = expect(tester.contacts(balls, pairs)).rejects.toMatchObject({ code: 'DISPOSED' });
    setTimeout(() => tester.dispose(), 10);
    await running;
    expect(tester).toMatchObject({ backend: 'webgpu', fallback: undefined });
  });
});

describe('onDeviceLost that fails', () => {
  afterEach(() => void vi.restoreAllMocks());

  test.each([
    [
      'throws',
      () => {
        throw new Error('no display');
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('no display');
      },
    ],
    [
      'throws no error',
      () => {
        throw 'no display';
      },
    ],
  ])('and %s is reported, and the next query has another device', async (_, onDeviceLost: () => unknown) => {
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { gpu, devices } = keepDevices();
    const tester = await ballTester({ gpu, backend: 'webgpu', onDeviceLost: onDeviceLost as () => void });
    devices[0].destroy();
    await vi.waitFor(() => expect(reported).toHaveBeenCalledOnce());
    expect(String(reported.mock.calls[0])).toContain('no display');
    await expectAnswers(tester);
    expect(devices).toHaveLength(2);
    tester.dispose();
  });
});
