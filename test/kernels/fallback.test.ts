/**
 * Adapters and devices that can't be used, on real devices that are spoilt in one way or another: `'auto'` takes the CPU and says why, `'webgpu'` fails with
 * WEBGPU_UNAVAILABLE. The tests' adapters are software: one poses as hardware by what it tells of itself.
 */

import { afterEach, describe, expect, test, vi } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { Tester, TesterOptions } from '../../src/types.ts';
import { ballDistance, ballPairs, balls, ballShapes } from '../support-balls.ts';
import { useShapes } from '../support-families.ts';
import { HARDWARE, keepDevices, openDefaultDevice, type AdapterChanges } from '../support-gpu.ts';

const PAIRS = 500;
const pairs = ballPairs(PAIRS);

async function ballTester(options: TesterOptions): Promise<Tester> {
  const tester = await createTester(options);
  useShapes(tester, ballShapes);
  return tester;
}

async function expectAnswers(tester: Tester, options: { warmStart?: ReturnType<Tester['createWarmStart']> } = {}): Promise<void> {
  const { distance } = await tester.contacts(balls, pairs, { margin: Infinity, ...options });
  expect(Math.max(...distance.map((value, pair) => Math.abs(value - ballDistance(pairs, pair))))).toBeLessThan(1e-5);
}

describe('which adapter is taken', () => {
  test("'auto' takes a hardware adapter, and has no fallback to tell of", async () => {
    const { gpu, devices } = keepDevices(HARDWARE);
    const tester = await ballTester({ gpu });
    expect(tester).toMatchObject({ backend: 'webgpu', fallback: undefined, adapter: { vendor: 'acme', isSoftware: false } });
    await expectAnswers(tester);
    expect(devices).toHaveLength(1);
    tester.dispose();
  });

  test("'auto' takes no software adapter but the CPU, names the adapter, and opens no device", async () => {
    const { gpu, devices } = keepDevices();
    for (const options of [{ gpu }, { gpu, backend: 'auto' }, {}] as TesterOptions[]) {
      const tester = await ballTester(options);
      expect(tester).toMatchObject({ backend: 'cpu', fallback: expect.stringMatching(/no hardware adapter, only a software one \(.*(llvmpipe|swiftshader).*\)/i) });
      await expectAnswers(tester);
    }
    expect(devices).toHaveLength(0);
  });

  test('an adapter that calls itself a fallback is software, whatever its name', async () => {
    const { gpu } = keepDevices({ info: { ...HARDWARE.info, isFallbackAdapter: true } });
    expect(await ballTester({ gpu })).toMatchObject({ backend: 'cpu', fallback: expect.stringContaining('acme, anvil, Acme Anvil 3') });
  });

  test("'webgpu' takes a software adapter, as does 'auto' the caller's device of one", async () => {
    const { gpu } = keepDevices();
    const device = await openDefaultDevice('fallback.given');
    for (const options of [{ gpu, backend: 'webgpu' }, { device }, { device, backend: 'auto' }] as TesterOptions[]) {
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
const spoilt: [name: string, changes: AdapterChanges, reason: string][] = [
  ['an adapter that is refused', { requestAdapter: refused }, 'requestAdapter failed: the driver is blocked'],
  ['a device that is refused', { requestDevice: refused }, 'requestDevice failed: the driver is blocked'],
  ['too few storage buffers', { limits: { maxStorageBuffersPerShaderStage: 4 } }, 'limits.maxStorageBuffersPerShaderStage is 4, expected at least 8'],
  ['small workgroups', { limits: { maxComputeInvocationsPerWorkgroup: 128 } }, 'limits.maxComputeInvocationsPerWorkgroup is 128, expected at least 256'],
  ['narrow workgroups', { limits: { maxComputeWorkgroupSizeX: 64 } }, 'limits.maxComputeWorkgroupSizeX is 64, expected at least 256'],
  ['a device that is lost at once', { spoil: (device) => device.destroy() }, 'lost'],
  ['a device that is lost while it is tried', { spoil: (device) => void setTimeout(() => device.destroy()) }, 'lost'],
  ['a device that compiles nothing', { spoil: (device) => void (device.createComputePipelineAsync = refused) }, 'did not compile: the driver is blocked'],
  ['a device that refuses the kernels', { spoil: refusingKernels }, 'kernel tally did not compile'],
  ['a device that refuses commands', { spoil: refusingCommands }, 'the device rejected a command'],
  ['a device that computes nothing', { spoil: (device) => void (device.queue.submit = () => undefined) }, 'counts 0, 0, 0, 0, expected 3, 1, 2, 1'],
  ['a device that reads nothing back', { spoil: readingNothing }, 'the driver is blocked'],
];

function refusingKernels(device: GPUDevice): void {
  const createShaderModule = device.createShaderModule.bind(device);
  device.createShaderModule = (descriptor) => createShaderModule({ ...descriptor, code: 'no WGSL' });
}

function refusingCommands(device: GPUDevice): void {
  const createBindGroup = device.createBindGroup.bind(device);
  device.createBindGroup = (descriptor) => createBindGroup({ ...descriptor, entries: [] });
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
  test.each(spoilt)("%s: 'auto' takes the CPU and says why, 'webgpu' fails with the cause", async (_, changes, reason) => {
    const { gpu, devices } = keepDevices({ ...HARDWARE, ...changes });
    const onDeviceLost = vi.fn();
    const tester = await ballTester({ gpu, onDeviceLost });
    expect(tester).toMatchObject({ backend: 'cpu', fallback: expect.stringContaining(reason) });
    await expectAnswers(tester);
    await expect(createTester({ gpu, backend: 'webgpu', onDeviceLost })).rejects.toMatchObject({
      name: 'NarrowphaseError', code: 'WEBGPU_UNAVAILABLE', message: expect.stringContaining(reason), cause: expect.any(Error),
    });
    // None of them is left open.
    for (const device of devices) await device.lost;
    expect(onDeviceLost).not.toHaveBeenCalled();
  });

  test('a device of the caller’s that is lost or lacks limits: the same, and the device stays open', async () => {
    const lost = await openDefaultDevice('fallback.lost');
    lost.destroy();
    expect(await ballTester({ device: lost })).toMatchObject({ backend: 'cpu', fallback: expect.stringMatching(/^options\.device can't be used: .*lost/) });
    await expect(createTester({ device: lost, backend: 'webgpu' })).rejects.toMatchObject({ code: 'WEBGPU_UNAVAILABLE', cause: { code: 'DEVICE_LOST' } });

    const device = await openDefaultDevice('fallback.poor');
    const limits = new Proxy(device.limits, { get: (target, name) => (name === 'maxStorageBuffersPerShaderStage' ? 4 : (Reflect.get(target, name) as unknown)) });
    const poor = new Proxy(device, {
      get(target, name) {
        const value = (name === 'limits' ? limits : Reflect.get(target, name)) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    expect(await ballTester({ device: poor })).toMatchObject({ backend: 'cpu', fallback: expect.stringContaining('maxStorageBuffersPerShaderStage is 4') });
    const tester = await ballTester({ device });
    expect(tester.backend).toBe('webgpu');
    await expectAnswers(tester);
    device.destroy();
  });
});

describe('a lost device that can’t be had again', () => {
  const gone: [name: string, changes: AdapterChanges, reason: string][] = [
    ['there is no adapter any more', { requestAdapter: async () => null }, 'WebGPU offers no adapter'],
    ['its adapter is refused', { requestAdapter: refused }, 'requestAdapter failed: the driver is blocked'],
    ['the next one is lost at once', { ...HARDWARE, spoil: (device) => device.destroy() }, 'lost'],
    ['there is a software adapter alone', {}, 'no hardware adapter'],
  ];

  test.each(gone)("%s: with 'auto' the next query, and all later ones, are the CPU's, with shapes and warm starts", async (_, changes, reason) => {
    const { gpu, devices, requests, change } = keepDevices(HARDWARE);
    const onDeviceLost = vi.fn();
    const tester = await ballTester({ gpu, onDeviceLost });
    const warmStart = tester.createWarmStart(PAIRS);
    await expectAnswers(tester, { warmStart });
    const { limits } = tester;
    change(changes);
    devices[0].destroy();
    await vi.waitFor(() => expect(onDeviceLost).toHaveBeenCalledOnce());
    expect(tester).toMatchObject({ backend: 'webgpu', fallback: undefined });
    await expectAnswers(tester, { warmStart });
    expect(tester).toMatchObject({ backend: 'cpu', fallback: expect.stringContaining(reason), adapter: { description: expect.stringContaining('CPU') } });
    expect(tester.limits).not.toEqual(limits);
    expect(tester.timings).toMatchObject({ compile: 0, readBack: 0 });
    expect(requests()).toBe(2);
    await expectAnswers(tester, { warmStart });
    expect((await tester.contacts(balls, pairs, { results: 'hits' })).count).toBe(Array.from({ length: PAIRS }, (__, pair) => ballDistance(pairs, pair)).filter((d) => d <= 0).length);
    tester.addShape({ type: 'box', halfExtents: [1, 1, 1] });
    await expectAnswers(tester, { warmStart });
    expect(requests()).toBe(2);
    await expect(tester.createBatch({ query: 'contacts', maxBodies: 1, maxPairs: 1 })).rejects.toMatchObject({ code: 'WEBGPU_UNAVAILABLE' });
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
      await expect(tester.contacts(balls, pairs)).rejects.toMatchObject({ code: 'WEBGPU_UNAVAILABLE', cause: { message: 'the driver is blocked' } });
      expect(tester).toMatchObject({ backend: 'webgpu', fallback: undefined });
    }
    change(HARDWARE);
    await expectAnswers(tester);
    tester.dispose();
  });

  test('a query and a batch that ask at the same time: the query is answered, the batch is refused, both without a second request', async () => {
    const { gpu, devices, requests, change } = keepDevices(HARDWARE);
    const tester = await ballTester({ gpu });
    change({ requestAdapter: refused });
    devices[0].destroy();
    await devices[0].lost;
    const batch = tester.createBatch({ query: 'contacts', maxBodies: 1, maxPairs: 1 });
    const [answered, , made] = await Promise.allSettled([tester.contacts(balls, pairs), tester.intersects(balls, pairs), batch]);
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
    ['throws', () => { throw new Error('no display'); }],
    ['rejects', async () => { throw new Error('no display'); }],
    ['throws no error', () => { throw 'no display'; }],
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
