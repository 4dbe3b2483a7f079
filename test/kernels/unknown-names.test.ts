/** Batches refuse names that do not exist, with the nearest one that does, and take those that do. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Batch, PlanarBatchOf } from '../../src/api/batch.ts';
import { createTester } from '../../src/node.ts';
import type { Impacts, PlanarTester, Tester } from '../../src/api/types.ts';
import { submit } from '../helpers/batch.ts';
import { openDefaultDevice } from '../helpers/gpu.ts';
import { pairs, twoBodies, twoPlanarBodies } from '../helpers/two-bodies.ts';

let device: GPUDevice;
let tester: Tester;
let plane: PlanarTester;
let batch: Batch<Impacts>;
let planarBatch: PlanarBatchOf<'impacts'>;

const batchOptions = {
  query: 'impacts',
  maxBodies: 2,
  maxPairs: 1,
  algorithm: 'auto',
  mprDepth: undefined,
  margin: 0,
  duration: 1,
  turning: true,
  stopAtPenetration: true,
  results: 'all',
  maxHits: 1,
  workgroupSize: 64,
  warmStart: false,
  poses: undefined,
  shapes: undefined,
  pairs: undefined,
  pairCount: undefined,
  velocities: undefined,
} as const;
const bodies = twoBodies();
const planarBodies = twoPlanarBodies();

beforeAll(async () => {
  device = await openDefaultDevice('unknown-names.device');
  tester = await createTester({ device });
  plane = await createTester({ device, dimension: 2 });
  tester.addShape({ type: 'sphere', radius: 1 });
  plane.addShape({ type: 'circle', radius: 1 });
  batch = await tester.createBatch(batchOptions);
  planarBatch = await plane.createBatch(batchOptions);
  batch.write({ bodies, pairs });
  submit(batch);
});

afterAll(() => {
  tester?.dispose();
  plane?.dispose();
  device?.destroy();
});

type Given = Record<string, unknown>;

const entries: { name: string; field: string; known: Given; call(given: never): unknown }[] = [
  {
    name: 'createBatch',
    field: 'options',
    known: batchOptions,
    call: async (options) => (await tester.createBatch(options)).dispose(),
  },
  {
    name: 'write',
    field: 'data',
    known: { bodies, pairs, duration: 1 },
    call: async (data) => batch.write(data),
  },
  {
    name: "write's bodies",
    field: 'bodies',
    known: bodies,
    call: async (given) => batch.write({ bodies: given }),
  },
  {
    name: "2-D write's bodies",
    field: 'bodies',
    known: planarBodies,
    call: async (given) => planarBatch.write({ bodies: given }),
  },
  {
    name: 'read',
    field: 'options',
    known: { target: undefined, bounds: false, bodies: true, fields: ['time'], signal: undefined },
    call: (options) => batch.read(options),
  },
  {
    name: 'readCounts',
    field: 'options',
    known: { signal: undefined },
    call: (options) => batch.readCounts(options),
  },
];

describe.each(entries)('$name: $field', ({ field, known, call }) => {
  test('all names that exist are taken', async () => {
    await call(known as never);
  });

  test.each(Object.keys(known))('%s misspelt is refused, and meant', async (name) => {
    const wrong = `${name.slice(0, -1)}${name.at(-1)}${name.at(-1)}`;
    await expect(call({ ...known, [wrong]: known[name] } as never)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: `${field}.${wrong} is unknown; did you mean '${name}'?`,
    });
  });
});

test('only undefined stands for no value', async () => {
  for (const name of ['margin', 'maxHits', 'workgroupSize', 'warmStart', 'mprDepth'])
    await expect(tester.createBatch({ ...batchOptions, [name]: null } as never)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(`^options.${name} is null, expected `),
    });
  for (const name of ['target', 'bounds', 'bodies'])
    await expect(batch.read({ [name]: null } as never)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(`^options.${name}`),
    });
});

test('a read keeps the options of its call', async () => {
  const options = { bodies: true };
  const reading = batch.read(options);
  Object.assign(options, { bodies: false, target: {} });
  const { count, a } = await reading;
  expect(count).toBe(1);
  expect(a).toHaveLength(1);
});

test('a query keeps the bodies of its call', async () => {
  const own = twoBodies(1.5);
  const first = tester.contacts(own, pairs);
  const second = tester.contacts(own, pairs);
  own.positions = bodies.positions;
  own.shapes = Uint32Array.of(9, 9);
  expect((await first).distance[0]).toBeCloseTo(-0.5, 5);
  expect((await second).distance[0]).toBeCloseTo(-0.5, 5);
});
