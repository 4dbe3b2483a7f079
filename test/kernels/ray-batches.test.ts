/** Batches that cast rays, beside `rayCasts` over the same bodies. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester, NO_BODY, Status } from '../../src/node.ts';
import type { BatchOf } from '../../src/api/batch.ts';
import type { RayHits, Tester } from '../../src/api/types.ts';
import { broadPhaseScene } from '../../verification/families/broad-phase-scenes.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { submit } from '../helpers/batch.ts';
import { planarScene } from '../helpers/planar-scene.ts';
import { makeRays } from '../helpers/ray-batches.ts';

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
    // Queries of 64 rays or fewer are answered without the device.
    for (const [frame, count] of [RAYS, 70, 1200].entries()) {
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
    const rays = makeRays(RAYS, SEED);
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
    const rays = makeRays(RAYS, SEED);
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

  test('compounds are invalid by every algorithm', async () => {
    using other = await createTester({ backend: 'webgpu' });
    const ball = other.addShape({ type: 'sphere', radius: 1 });
    const pair = other.addShape({ type: 'compound', parts: [{ shape: { type: 'sphere', radius: 1 } }] });
    for (const algorithm of ['auto', 'velocity-epa'] as const) {
      using cast = await other.createBatch({ query: 'rayCasts', algorithm, maxBodies: 2, maxRays: 2, maxPairs: 8 });
      cast.write({
        bodies: {
          shapes: Uint32Array.of(ball, pair),
          positions: Float32Array.of(0, 0, 0, 50, 0, 0),
          quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
        },
        rays: { origins: Float32Array.of(0, 0, -9, 50, 0, -9), directions: Float32Array.of(0, 0, 1, 0, 0, 1) },
      });
      submit(cast);
      expect([...(await cast.read()).status], algorithm).toEqual([Status.Overlapping, Status.InvalidInput]);
    }
  });

  test('reads the rays of the last submission, however many were written since', async () => {
    using cast = await tester.createBatch({ query: 'rayCasts', ...ROOM });
    cast.write({ bodies, rays: makeRays(7, SEED) });
    expect((await cast.read()).count).toBe(0);
    submit(cast);
    cast.write({ rays: makeRays(9, SEED) });
    expect((await cast.read()).count).toBe(7);
  });

  test('a ray that cannot be cast takes no room from others, and a time of -0 is one of 0', async () => {
    using other = await createTester({ backend: 'webgpu' });
    const ground = other.addShape({ type: 'halfspace', normal: [0, 1, 0], offset: 0 });
    // A NaN origin; one above the ground, one below, with a time of -0. Groups are all.
    const records = [NaN, 0, 0, 9, 0, -1, 0, 0, NaN, 0, 0, 0].concat(
      [0, 2, 0, 9, 0, -1, 0, 0, NaN, 0, 0, 0],
      [0, -1, 0, -0, 0, -1, 0, 0, NaN, 0, 0, 0],
    );
    const words = new Uint32Array(Float32Array.from(records).buffer);
    for (let ray = 0; ray < 3; ray++) words[12 * ray + 8] = 0xffff_ffff;
    using cast = await other.createBatch({ query: 'rayCasts', maxBodies: 1, maxRays: 3, maxPairs: 2 });
    cast.write({
      bodies: {
        shapes: Uint32Array.of(ground),
        positions: new Float32Array(3),
        quaternions: Float32Array.of(0, 0, 0, 1),
      },
      rays: makeRays(3, SEED),
    });
    cast.device.queue.writeBuffer(cast.input.rays!, 0, words);
    submit(cast);
    const hits = await cast.read();
    expect([...hits.status]).toEqual([Status.InvalidInput, Status.Overlapping, Status.Overlapping]);
    expect([...hits.time]).toEqual([0, 2, 0]);
    expect((await cast.readCounts()).candidates).toBe(2);
  });

  test('casts none where there are no bodies or no rays', async () => {
    using empty = await tester.createBatch({ query: 'rayCasts', ...ROOM });
    submit(empty);
    expect((await empty.read()).count).toBe(0);
    const none = { shapes: new Uint32Array(0), positions: new Float32Array(0), quaternions: new Float32Array(0) };
    empty.write({ bodies: none, rays: makeRays(3, SEED) });
    submit(empty);
    const hits = await empty.read();
    expect([...hits.body]).toEqual([NO_BODY, NO_BODY, NO_BODY]);
    expect([...hits.time]).toEqual([Infinity, Infinity, Infinity]);
  });
});

/** Three coordinates. */
type Vector = Float32Array | Float64Array;

/** When a ball of radius `reach` about `centre` is entered by a ray, in 64-bit arithmetic; infinite for a miss. */
function entry(origin: Vector, direction: Vector, centre: Vector, reach: number): number {
  let [speed, nearing, distance] = [0, 0, -reach * reach];
  for (let k = 0; k < 3; k++) {
    const gap = origin[k] - centre[k];
    speed += direction[k] * direction[k];
    nearing -= direction[k] * gap;
    distance += gap * gap;
  }
  if (distance <= 0) return 0;
  const root = nearing * nearing - speed * distance;
  return nearing > 0 && root >= 0 ? (nearing - Math.sqrt(root)) / speed : Infinity;
}

test('hits of balls are those that brute force and the CPU backend find', async () => {
  const random = createRandom(SEED);
  const place = (): Float32Array => Float32Array.from({ length: 3 }, () => uniform(random, -2, 9));
  const centres = Array.from({ length: 2 * BODIES }, place);
  const scales = Float32Array.from(centres, () => uniform(random, 0.05, 0.5));
  const balls = {
    shapes: new Uint32Array(centres.length),
    positions: Float32Array.from(centres.flatMap((centre) => [...centre])),
    quaternions: Float32Array.from({ length: 4 * centres.length }, (_, i) => Number(i % 4 === 3)),
    scales,
  };
  const rays = { ...makeRays(RAYS, SEED), groups: undefined };
  using device = await createTester({ backend: 'webgpu' });
  using cpu = await createTester({ backend: 'cpu' });
  for (const each of [device, cpu]) each.addShape({ type: 'sphere', radius: 1 });
  using cast = await device.createBatch({ query: 'rayCasts', ...ROOM, maxBodies: centres.length });
  cast.write({ bodies: balls, rays });
  submit(cast);
  const [found, byCpu] = [await cast.read(), await cpu.rayCasts(balls, rays)];
  let met = 0;
  for (let ray = 0; ray < RAYS; ray++) {
    const [origin, direction] = [rays.origins, rays.directions].map((all) => all.subarray(3 * ray, 3 * ray + 3));
    const times = centres.map((centre, body) => entry(origin, direction, centre, scales[body] + rays.radii[ray]));
    const first = Math.min(...times);
    // Rays that graze a ball or end at it are left to rounding.
    const grazes = centres.some((centre, body) =>
      [0.999, 1.001].some((share) => {
        const time = entry(origin, direction, centre, share * (scales[body] + rays.radii[ray]));
        return time === Infinity ? times[body] < Infinity : times[body] === Infinity;
      }),
    );
    if (grazes || Math.abs(first - rays.maxTimes[ray]) < 1e-3) continue;
    const message = `seed ${SEED}, ray ${ray}`;
    for (const { time, body } of [found, byCpu]) {
      if (first > rays.maxTimes[ray]) {
        expect([body[ray], time[ray]], message).toEqual([NO_BODY, Infinity]);
      } else {
        expect(Math.abs(time[ray] - first), message).toBeLessThan(1e-4 * (1 + first));
        expect(times[body[ray]] - first, message).toBeLessThan(1e-4 * (1 + first));
      }
    }
    met += Number(first <= rays.maxTimes[ray]);
  }
  expect(met).toBeGreaterThan(RAYS / 10);
});

test('a batch of rays in the plane has the hits of rayCasts', async () => {
  using planar = await createTester({ backend: 'webgpu', dimension: 2 });
  const scene = planarScene(BODIES, SEED);
  for (const shape of scene.shapes) planar.addShape(shape);
  const { origins, directions, maxTimes, radii } = makeRays(RAYS, SEED);
  const rays = { origins: flat(origins), directions: flat(directions), maxTimes, radii };
  using cast = await planar.createBatch({ query: 'rayCasts', ...ROOM });
  cast.write({ bodies: scene.bodies, rays });
  submit(cast);
  const expected = await planar.rayCasts(scene.bodies, rays);
  expect(expected.statusCounts[Status.Overlapping]).toBeGreaterThan(0.2 * RAYS);
  expect(arraysOf((await cast.read()) as never)).toEqual(arraysOf(expected as never));
});
