/** What batches that cast rays take and refuse: options, buffers of the caller's, handles of bodies, and their memory. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester, NO_BODY } from '../../src/node.ts';
import type { BatchOf } from '../../src/api/batch.ts';
import type { Tester } from '../../src/api/types.ts';
import { layouts } from '../../src/wgsl.ts';
import { broadPhaseScene } from '../../verification/families/broad-phase-scenes.ts';
import { storageBuffer, submit } from '../helpers/batch.ts';
import { openDefaultDevice } from '../helpers/gpu.ts';
import { makeRays } from '../helpers/ray-batches.ts';

const SEED = 20_261_136;
const ROOM = { maxBodies: 500, maxRays: 1200, maxPairs: 40_000 };

const { shapes, bodies } = broadPhaseScene('halfspaces', 400, SEED);

let tester: Tester;
let batch: BatchOf<'rayCasts'>;
beforeAll(async () => {
  tester = await createTester({ backend: 'webgpu' });
  for (const shape of shapes) tester.addShape(shape);
  batch = await tester.createBatch({ query: 'rayCasts', ...ROOM });
});
afterAll(() => tester?.dispose());

const WORDS = layouts.RayCast.size / 4;

/** Records of rays along z, from far below the bodies. */
function recordsOfRays(count: number): Float32Array<ArrayBuffer> {
  const records = new Float32Array(WORDS * count);
  const integers = new Uint32Array(records.buffer);
  for (let ray = 0; ray < count; ray++) {
    records.set([3, 3, -40, Infinity, 0, 0, 1, 0.1], WORDS * ray);
    integers[WORDS * ray + layouts.RayCast.fields.groups.offset / 4] = 0xffff_ffff;
  }
  return records;
}

describe('buffers of the caller', () => {
  test('hold rays and their number; rays that can’t be cast are marked', async () => {
    const records = recordsOfRays(5);
    records[WORDS] = NaN;
    records[2 * WORDS + 3] = -1;
    records[3 * WORDS + 7] = -0.5;
    const rays = storageBuffer(batch.device, 'test.rays', records);
    const rayCount = storageBuffer(batch.device, 'test.rayCount', Uint32Array.of(5));
    for (const own of [{ rays, rayCount }, { rays }]) {
      using given = await tester.createBatch({ query: 'rayCasts', ...ROOM, maxRays: 5, ...own });
      given.write({ bodies });
      expect(() => given.write({ rays: makeRays(1, SEED) })).toThrow('the buffer of rays is yours');
      submit(given);
      const hits = await given.read();
      expect([...hits.status]).toEqual([1, 3, 3, 3, 1]);
      expect(hits.body[0]).not.toBe(NO_BODY);
      expect([hits.body[1], hits.time[1]]).toEqual([NO_BODY, 0]);
      expect(hits.time[4]).toBe(hits.time[0]);
      expect((await given.readCounts()).statusCounts).toEqual([0, 2, 0, 3, 0]);
    }
    rays.destroy();
    rayCount.destroy();
  });

  test('hold a number of rays that is more than there is room for', async () => {
    const rayCount = storageBuffer(batch.device, 'test.rayCount', Uint32Array.of(1e6));
    using given = await tester.createBatch({ query: 'rayCasts', ...ROOM, maxRays: 3, rayCount });
    given.write({ bodies });
    batch.device.queue.writeBuffer(given.input.rays!, 0, recordsOfRays(3));
    submit(given);
    expect([...(await given.read()).status]).toEqual([1, 1, 1]);
    rayCount.destroy();
  });

  test('have bodies with numbers that can’t be used, which rays miss', async () => {
    batch.write({ bodies, rays: makeRays(1, SEED) });
    batch.device.queue.writeBuffer(batch.input.rays!, 0, recordsOfRays(1));
    const met: number[] = [];
    for (let run = 0; run < 3; run++) {
      submit(batch);
      const [hits, counts] = [await batch.read(), await batch.readCounts()];
      met.push(hits.body[0]);
      expect(counts.invalidBodies).toBe(run);
      if (hits.body[0] === NO_BODY) break;
      // A pose that is no number, and then the id that the shape of rays has, behind those of the tester.
      if (run === 0) batch.device.queue.writeBuffer(batch.input.poses, 32 * met[0], Float32Array.of(NaN));
      else batch.device.queue.writeBuffer(batch.input.shapes, 4 * met[1], Uint32Array.of(shapes.length));
    }
    expect(new Set(met).size).toBe(met.length);
    expect(met.length).toBeGreaterThan(1);
  });

  test('of another device are refused', async () => {
    const other = await openDefaultDevice('test.other');
    const rays = storageBuffer(other, 'test.rays', recordsOfRays(5));
    const asked = { query: 'rayCasts', ...ROOM, maxRays: 5, rays } as const;
    await expect(tester.createBatch(asked)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('options.rays') as string,
    });
    other.destroy();
  });
});

test('bodies of a handle are met where they were written last', async () => {
  const moved = bodies.positions.map((x) => x + 0.5);
  const rays = makeRays(200, SEED);
  using handle = tester.createBodies(bodies);
  using cast = await tester.createBatch({ query: 'rayCasts', maxRays: 200, maxPairs: 40_000, bodies: handle });
  cast.write({ rays });
  for (const positions of [bodies.positions, moved]) {
    handle.write({ positions });
    submit(cast);
    const [hits, expected] = [await cast.read(), await tester.rayCasts({ ...bodies, positions }, rays)];
    expect(hits.body, `seed ${SEED}`).toEqual(expected.body);
    expect(hits.time, `seed ${SEED}`).toEqual(expected.time);
  }
  expect(() => cast.write({ bodies })).toThrow('made with options.bodies');
});

test('a shape that is added while the batch is made is met', async () => {
  using other = await createTester({ backend: 'webgpu' });
  other.addShape({ type: 'sphere', radius: 1 });
  const making = other.createBatch({ query: 'rayCasts', maxBodies: 1, maxRays: 1, maxPairs: 8 });
  const box = other.addShape({ type: 'box', halfExtents: [1, 1, 2] });
  using cast = await making;
  await cast.prepare();
  cast.write({
    bodies: {
      shapes: Uint32Array.of(box),
      positions: new Float32Array(3),
      quaternions: Float32Array.of(0, 0, 0, 1),
    },
    rays: { origins: Float32Array.of(0, 0, -9), directions: Float32Array.of(0, 0, 1) },
  });
  submit(cast);
  expect([...(await cast.read()).time]).toEqual([7]);
});

test('a batch that is disposed refuses calls', async () => {
  const cast = await tester.createBatch({ query: 'rayCasts', ...ROOM });
  cast.dispose();
  expect(() => cast.write({ rays: makeRays(1, SEED) })).toThrow('disposed');
  await expect(cast.read()).rejects.toMatchObject({ code: 'DISPOSED' });
});

test.each([
  [{ maxRays: 0 }, 'options.maxRays'],
  [{ maxRays: undefined }, 'options.maxRays'],
  [{ rays: {} }, 'options.rays'],
  [{ margin: 1 }, 'options.margin'],
  [{ results: 'hits' }, 'options.results'],
  [{ broadPhase: true }, 'options.broadPhase'],
  [{ duration: 1 }, 'options.duration'],
  [{ fixed: {} }, 'options.fixed'],
  [{ algorithm: 'sat' }, 'options.algorithm'],
  [{ query: 'impacts', duration: 1 }, 'options.maxRays'],
  [{ maxBodies: 2 ** 26 }, 'options.maxBodies'],
  [{ maxRays: 2 ** 28 }, 'options.maxRays'],
  [{ workgroupSize: 2 ** 20 }, 'options.workgroupSize'],
  [{ query: 'contacts' }, 'options.maxRays'],
])('a batch of rays with %o is refused', async (options, name) => {
  const asked = { query: 'rayCasts', ...ROOM, ...options } as never;
  await expect(tester.createBatch(asked)).rejects.toThrow(name);
});

test('a batch of rays takes the bytes per body and ray that the docs say', async () => {
  const { device } = batch;
  const bytesFor = async (room: object): Promise<number> => {
    let bytes = 0;
    const createBuffer = device.createBuffer.bind(device);
    device.createBuffer = (descriptor) => {
      bytes += descriptor.size;
      return createBuffer(descriptor);
    };
    using other = await tester.createBatch({ query: 'rayCasts', ...ROOM, ...room });
    device.createBuffer = createBuffer;
    return bytes - other.input.poses.size - other.input.shapes.size;
  };
  const [few, bodiesMore, raysMore] = [
    await bytesFor({ maxBodies: 2 ** 14, maxRays: 2 ** 14 }),
    await bytesFor({ maxBodies: 2 ** 15, maxRays: 2 ** 14 }),
    await bytesFor({ maxBodies: 2 ** 14, maxRays: 2 ** 15 }),
  ];
  // 28 to upload positions and quaternions.
  expect((bodiesMore - few) / 2 ** 14).toBeCloseTo(193 + 28, -0.5);
  expect((raysMore - few) / 2 ** 14).toBeCloseTo(208, -0.5);
});

test('rays of a batch are f32, and no more than there is room for', () => {
  const rays = makeRays(2, SEED);
  expect(() => batch.write({ rays: { ...rays, origins: new Float64Array(6) } })).toThrow('Float32Array');
  expect(() => batch.write({ rays: makeRays(1201, SEED) })).toThrow('at most maxRays, which is 1200');
  expect(() => batch.write({ bodies: null as never })).toThrow('bodies');
  expect(() => batch.write({ pairs: new Uint32Array(2) } as never)).toThrow('data.pairs');
  expect(() => batch.write({ rays: { ...rays, directions: new Float32Array(3) } })).toThrow('rays.directions.length');
});
