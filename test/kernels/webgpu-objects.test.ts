/** What callers bring in place of WebGPU's objects is refused by name before anything is done with it. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { submit } from '../helpers/batch.ts';
import { ballPairs, balls, ballShapes } from '../helpers/balls.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { openDefaultDevice } from '../helpers/gpu.ts';

let device: GPUDevice;
beforeAll(async () => {
  device = await openDefaultDevice('objects.device');
});
afterAll(() => device?.destroy());

const nothing = (): void => {};

/** A device by its members, some of which are other ones. */
function deviceWith(changes: object): GPUDevice {
  const names = [
    'createBuffer',
    'createBindGroup',
    'createBindGroupLayout',
    'createPipelineLayout',
    'createShaderModule',
    'createComputePipelineAsync',
    'createCommandEncoder',
    'createQuerySet',
    'pushErrorScope',
    'popErrorScope',
  ] as const;
  const methods = Object.fromEntries(names.map((name) => [name, nothing]));
  return {
    ...methods,
    queue: device.queue,
    features: device.features,
    limits: device.limits,
    lost: device.lost,
    ...changes,
  } as unknown as GPUDevice;
}

describe('a device', () => {
  const cases: [string, unknown, string][] = [
    ['a number', 5, 'options.device'],
    ['null', null, 'options.device'],
    ['nothing but createBuffer', { createBuffer: nothing }, 'options.device'],
    ['no popErrorScope', { popErrorScope: undefined }, 'options.device'],
    ['no queue', { queue: undefined }, 'options.device.queue'],
    ['a queue without writeBuffer', { queue: { submit: nothing } }, 'options.device.queue'],
    ['no limits', { limits: undefined }, 'options.device.limits'],
    ['no features', { features: {} }, 'options.device.features'],
    ['no word of its loss', { lost: undefined }, 'options.device.lost'],
  ];
  test.each(cases)('%s', async (_, value, field) => {
    const isWhole = typeof value !== 'object' || value === null || 'createBuffer' in value;
    const given = (isWhole ? value : deviceWith(value)) as GPUDevice;
    for (const backend of ['auto', 'webgpu'] as const) {
      await expect(createTester({ device: given, backend })).rejects.toMatchObject({
        name: 'NarrowphaseError',
        code: 'INVALID_INPUT',
        message: expect.stringMatching(new RegExp(`^${field.replaceAll('.', '\\.')} is .*, expected `)),
      });
    }
  });

  test('a wrapped one is taken', async () => {
    const wrapped = new Proxy(device, {
      get: (target, name) =>
        typeof Reflect.get(target, name, target) === 'function'
          ? Reflect.get(target, name, target).bind(target)
          : Reflect.get(target, name, target),
    });
    const tester = await createTester({ device: wrapped });
    expect(tester.backend).toBe('webgpu');
    tester.dispose();
  });
});

test.each([
  {},
  undefined,
  null,
  5,
  'encoder',
  { beginComputePass: nothing },
  { copyBufferToBuffer: nothing, clearBuffer: nothing },
])('batch.encode(%o)', async (encoder) => {
  const tester = await createTester({ device });
  useShapes(tester, ballShapes);
  const batch = await tester.createBatch({ query: 'contacts', maxBodies: balls.shapes.length, maxPairs: 10 });
  batch.write({ bodies: balls, pairs: ballPairs(10) });
  expect(() => batch.encode(encoder as never)).toThrow(
    expect.objectContaining({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^encoder is .*, expected a GPUCommandEncoder/),
    }),
  );
  submit(batch);
  expect((await batch.read()).count).toBe(10);
  tester.dispose();
});
