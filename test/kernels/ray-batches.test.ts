/** Batches that cast rays, beside `rayCasts` over the same bodies. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester, NO_BODY, Status } from '../../src/node.ts';
import type { BatchOf } from '../../src/api/batch.ts';
import type { RayHits, Rays, Tester } from '../../src/api/types.ts';
import { layouts } from '../../src/wgsl.ts';
import { broadPhaseScene } from '../../verification/families/broad-phase-scenes.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { submit } from '../helpers/batch.ts';
import { planarScene } from '../helpers/planar-scene.ts';

const SEED = 20_261_135;
const BODIES = 400;
const RAYS = 1000;
const ROOM = { maxBodies: 500, maxRays: 1200, maxPairs: 40_000 };

const { shapes, bodies } = broadPhaseScene('halfspaces', BODIES, SEED);

let tester: Tester;
let batch: BatchOf<'rayCasts'>;
beforeAll(async () => {
  tester = await createTester({ backend: 'webgpu' });
  for (const shape of shapes) tester.addShape(shape);
  batch = await tester.createBatch({ query: 'rayCasts', ...ROOM });
});
afterAll(() => tester?.dispose());

function makeRays(count: number, seed = SEED): Required<Rays> {
  const random = createRandom(seed);
  const numbers = (length: number, low: number, high: number): Float32Array =>
    Float32Array.from({ length }, () => uniform(random, low, high));
  return {
    origins: numbers(3 * count, -2, 9),
    directions: numbers(3 * count, -1, 1),
    maxTimes: numbers(count, 0, 20),
    radii: numbers(count, -0.2, 0.2).map((radius) => Math.max(radius, 0)),
    groups: Uint32Array.from({ length: count }, (_, ray) => (ray % 4 === 0 ? 0x0001_0001 : 0xffff_ffff)),
  };
}

/** Without the z of each vector. */
function flat(vectors: Float32Array | Float64Array): Float32Array {
  return Float32Array.from(vectors.filter((_, i) => i % 3 < 2));
}

/** All arrays of the hits. */
function arraysOf({ count, time, body, normal, point, status, statusCounts }: RayHits): object {
  return { count, time, body, normal, point, status, statusCounts };
}

describe('a batch of rays', () => {
  test('has the hits of rayCasts, frame by frame', async () => {
    for (const [frame, count] of [RAYS, 7, 1200].entries()) {
      const rays = makeRays(count, SEED + frame);
      const groups = Uint32Array.from({ length: BODIES }, (_, i) => (i % 3 === 0 ? 0x0002_0003 : 0xffff_ffff));
      const given = { ...bodies, groups, positions: bodies.positions.map((x) => x + 0.1 * frame) };
      batch.write({ bodies: given, rays });
      submit(batch);
      const [hits, counts] = await Promise.all([batch.read(), batch.readCounts()]);
      const expected = await tester.rayCasts(given, rays);
      expect(expected.statusCounts[Status.Overlapping]).toBeGreaterThan(0.2 * count);
      expect(arraysOf(hits), `seed ${SEED}`).toEqual(arraysOf(expected));
      expect(counts).toMatchObject({ pairOverflow: 0, invalidBodies: 0, statusCounts: expected.statusCounts });
      expect(counts.hits).toBe(expected.body.filter((body) => body !== NO_BODY).length);
      expect(counts.candidates).toBe(counts.pairs);
    }
  });

  test('reads the fields that are asked for, and writes a target again', async () => {
    const rays = makeRays(RAYS);
    batch.write({ bodies, rays });
    submit(batch);
    const all = await batch.read();
    const some = await batch.read({ fields: ['body', 'time'] });
    expect(Object.keys(some)).not.toContain('normal');
    expect(some.body).toEqual(all.body);
    const again = await batch.read({ target: all });
    expect(again.time).toBe(all.time);
  });

  test('marks rays without room for their pairs, and keeps the others', async () => {
    const rays = makeRays(RAYS);
    using narrow = await tester.createBatch({ query: 'rayCasts', ...ROOM, maxPairs: 3000 });
    narrow.write({ bodies, rays });
    submit(narrow);
    const [hits, counts, expected] = [
      await narrow.read(),
      await narrow.readCounts(),
      await tester.rayCasts(bodies, rays),
    ];
    const first = hits.status.indexOf(Status.CapacityExceeded);
    expect(first).toBeGreaterThan(10);
    expect(counts.pairs).toBe(3000);
    expect(counts.pairOverflow).toBe(counts.candidates! - 3000);
    for (let ray = 0; ray < RAYS; ray++) {
      if (hits.status[ray] !== Status.CapacityExceeded) {
        expect(hits.body[ray]).toBe(expected.body[ray]);
        expect(hits.time[ray]).toBe(expected.time[ray]);
      } else {
        expect([hits.body[ray], hits.time[ray], hits.normal[3 * ray]]).toEqual([NO_BODY, 0, 0]);
      }
    }
    // A ray after the first without room has none, unless it meets no box.
    expect(
      hits.status.subarray(first).every((s, i) => s === Status.CapacityExceeded || hits.body[first + i] === NO_BODY),
    ).toBe(true);
    expect(counts.statusCounts[Status.CapacityExceeded]).toBe(hits.status.filter((s) => s === 4).length);
  });

  test('takes the caller’s own buffers, and marks rays that can’t be cast', async () => {
    const { device } = batch;
    const words = layouts.RayCast.size / 4;
    const records = new Float32Array(words * 5);
    const integers = new Uint32Array(records.buffer);
    for (let ray = 0; ray < 5; ray++) {
      records.set([3, 3, -40, Infinity, 0, 0, 1, 0.1], words * ray);
      integers[words * ray + layouts.RayCast.fields.groups.offset / 4] = 0xffff_ffff;
    }
    records[words * 1] = NaN;
    records[words * 2 + 3] = -1;
    records[words * 3 + 7] = -0.5;
    const usage = 0x80 | 0x8 | 0x4;
    const own = device.createBuffer({ size: records.byteLength, usage });
    const count = device.createBuffer({ size: 4, usage });
    device.queue.writeBuffer(own, 0, records);
    device.queue.writeBuffer(count, 0, Uint32Array.of(5));
    using given = await tester.createBatch({ query: 'rayCasts', ...ROOM, maxRays: 5, rays: own, rayCount: count });
    given.write({ bodies });
    expect(() => given.write({ rays: makeRays(1) })).toThrow('the buffers of rays are yours');
    submit(given);
    const hits = await given.read();
    expect([...hits.status]).toEqual([1, 3, 3, 3, 1]);
    expect(hits.body[0]).not.toBe(NO_BODY);
    expect(hits.body[1]).toBe(NO_BODY);
    expect(hits.time[4]).toBe(hits.time[0]);
    own.destroy();
    count.destroy();
  });

  test('meets shapes that are added later, and compounds are invalid', async () => {
    using other = await createTester({ backend: 'webgpu' });
    const ball = other.addShape({ type: 'sphere', radius: 1 });
    using cast = await other.createBatch({ query: 'rayCasts', maxBodies: 2, maxRays: 2, maxPairs: 8 });
    const rays = { origins: Float32Array.of(0, 0, -9, 50, 0, -9), directions: Float32Array.of(0, 0, 1, 0, 0, 1) };
    const place = (ids: number[]): void =>
      cast.write({
        bodies: {
          shapes: Uint32Array.from(ids),
          positions: Float32Array.of(0, 0, 0, 50, 0, 0),
          quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
        },
        rays,
      });
    const box = other.addShape({ type: 'box', halfExtents: [1, 1, 2] });
    const pair = other.addShape({ type: 'compound', parts: [{ shape: { type: 'sphere', radius: 1 } }] });
    await cast.prepare();
    place([ball, box]);
    submit(cast);
    expect([...(await cast.read()).time]).toEqual([8, 7]);
    place([pair, box]);
    submit(cast);
    expect([...(await cast.read()).status]).toEqual([Status.InvalidInput, Status.Overlapping]);
  });

  test('casts none where there are no bodies or no rays', async () => {
    using empty = await tester.createBatch({ query: 'rayCasts', ...ROOM });
    submit(empty);
    expect((await empty.read()).count).toBe(0);
    const none = { shapes: new Uint32Array(0), positions: new Float32Array(0), quaternions: new Float32Array(0) };
    empty.write({ bodies: none, rays: makeRays(3) });
    submit(empty);
    const hits = await empty.read();
    expect([...hits.body]).toEqual([NO_BODY, NO_BODY, NO_BODY]);
    expect([...hits.time]).toEqual([Infinity, Infinity, Infinity]);
  });
});

test('a batch of rays in the plane has the hits of rayCasts', async () => {
  using planar = await createTester({ backend: 'webgpu', dimension: 2 });
  const scene = planarScene(BODIES, SEED);
  for (const shape of scene.shapes) planar.addShape(shape);
  const { origins, directions, maxTimes, radii } = makeRays(RAYS);
  const rays = { origins: flat(origins), directions: flat(directions), maxTimes, radii };
  using cast = await planar.createBatch({ query: 'rayCasts', ...ROOM });
  cast.write({ bodies: scene.bodies, rays });
  submit(cast);
  const expected = await planar.rayCasts(scene.bodies, rays);
  expect(expected.statusCounts[Status.Overlapping]).toBeGreaterThan(0.2 * RAYS);
  expect(arraysOf((await cast.read()) as never)).toEqual(arraysOf(expected as never));
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
  expect((bodiesMore - few) / 2 ** 14).toBeCloseTo(193, -0.5);
  expect((raysMore - few) / 2 ** 14).toBeCloseTo(208, -0.5);
});

test('rays of a batch are f32, and no more than there is room for', () => {
  const rays = makeRays(2);
  expect(() => batch.write({ rays: { ...rays, origins: new Float64Array(6) } })).toThrow('Float32Array');
  expect(() => batch.write({ rays: makeRays(1201) })).toThrow('at most maxRays, which is 1200');
  expect(() => batch.write({ pairs: new Uint32Array(2) } as never)).toThrow('data.pairs');
  expect(() => batch.write({ rays: { ...rays, directions: new Float32Array(3) } })).toThrow('rays.directions.length');
});
