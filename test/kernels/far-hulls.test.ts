/**
 * Hulls and polygons far from their own origin, as parts of a large model are: on both backends as exact as the rotated
 * offset, beside the same bodies with hulls about their origin, at 64-bit positions.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester, NO_BODY } from '../../src/node.ts';
import type { Tester } from '../../src/api/types.ts';
import { createRandom, uniform, type Random } from '../../verification/families/random.ts';
import { frame } from '../helpers/batch.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_127;
const COUNT = atNight(50, 100);
/** In epsilons of f32: the rounding of a hull of size 1 about its origin, and of a rotated offset, which grows with it. */
const NEAR = 8;
const ROTATED = 6;
/** What double precision loses. */
const REFERENCE = 2 ** -44;

type Bodies = Record<string, Uint32Array | Float32Array | Float64Array>;

/** Pairs of bodies near the world's origin. */
interface FarPairs {
  /** With hulls far from their origins. */
  far: Bodies;
  /** The same bodies with hulls about their origins. */
  near: Bodies;
  pairs: Uint32Array;
}

interface Testers {
  device: Tester;
  cpu: Tester;
}

function unitVector(random: Random, axes: number): number[] {
  const v = Array.from({ length: axes }, () => uniform(random, -1, 1));
  return v.map((x) => x / Math.hypot(...v));
}

function cross(a: number[], b: number[]): number[] {
  return [0, 1, 2].map((k) => a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);
}

function rotated(axes: number, rotation: number[], v: number[]): number[] {
  if (axes === 2) {
    const [cosine, sine] = [Math.cos(rotation[0]), Math.sin(rotation[0])];
    return [cosine * v[0] - sine * v[1], sine * v[0] + cosine * v[1]];
  }
  const [x, y, z, w] = rotation;
  const double = 2 / (x * x + y * y + z * z + w * w);
  const once = cross([x, y, z], v);
  const twice = cross([x, y, z], once);
  return v.map((value, k) => value + double * (w * once[k] + twice[k]));
}

/**
 * A hull or polygon about its origin. Some are triangles in 3-D and segments in 2-D. All numbers are on a grid, so that
 * moving is exact.
 */
function corners(random: Random, axes: number, body: number): number[] {
  if (axes === 2 && body % 6 === 1)
    return Array.from({ length: 4 }, () => Math.round(uniform(random, -0.5, 0.5) * 128) / 128);
  if (axes === 2)
    return Array.from({ length: 7 }, (_, i) => [Math.cos((i * 2 * Math.PI) / 7), Math.sin((i * 2 * Math.PI) / 7)])
      .flat()
      .map((x) => Math.round(x * uniform(random, 0.45, 0.5) * 128) / 128);
  const count = body % 6 === 1 ? 3 : 12;
  return Array.from({ length: 3 * count }, () => Math.round(uniform(random, -0.5, 0.5) * 128) / 128);
}

function makePairs({ device, cpu }: Testers, axes: 2 | 3, offset: number, isTurned: boolean): FarPairs {
  const random = createRandom(SEED + offset);
  const ids: { far: number[]; near: number[] } = { far: [], near: [] };
  const places: { far: number[]; near: number[] } = { far: [], near: [] };
  const rotations: number[] = [];
  const add = (description: object): number => {
    cpu.addShape(description as never);
    return device.addShape(description as never);
  };
  for (let body = 0; body < 2 * COUNT; body++) {
    const rotation =
      axes === 2
        ? [Math.fround(isTurned ? uniform(random, -3, 3) : 0)]
        : isTurned
          ? unitVector(random, 4).map(Math.fround)
          : [0, 0, 0, 1];
    rotations.push(...rotation);
    const isBall = body % 8 === 3;
    const away = unitVector(random, axes).map((x) => Math.round(x * offset));
    const points = corners(random, axes, body);
    const hull = (from: number[]): object => ({
      ...typeOf(axes, points),
      points: points.map((x, i) => x + from[i % axes]),
    });
    const ball = { type: axes === 2 ? 'circle' : 'sphere', radius: 0.4 };
    ids.far.push(add(isBall ? ball : hull(away)));
    ids.near.push(add(isBall ? ball : hull([0, 0, 0])));
    const moved = isBall ? away.map(() => 0) : rotated(axes, rotation, away);
    for (const x of moved) {
      const place = Math.fround((body % 2) * uniform(random, 0.2, 0.6) - x);
      places.far.push(place);
      places.near.push(place + x);
    }
  }
  const bodiesOf = (which: 'far' | 'near', positions: Float32Array | Float64Array): Bodies => ({
    shapes: Uint32Array.from(ids[which]),
    positions,
    [axes === 2 ? 'angles' : 'quaternions']: Float32Array.from(rotations),
  });
  return {
    far: bodiesOf('far', Float32Array.from(places.far)),
    near: bodiesOf('near', Float64Array.from(places.near)),
    pairs: Uint32Array.from({ length: 2 * COUNT }, (_, i) => i),
  };
}

function typeOf(axes: number, { length }: number[]): object {
  if (axes === 3) return { type: 'hull' };
  return length === 4 ? { type: 'segment' } : { type: 'polygon', convexify: true };
}

/** The greatest difference of two lists in places that count. */
function greatest(a: ArrayLike<number>, b: ArrayLike<number>, counts: (i: number) => boolean = () => true): number {
  let most = 0;
  for (let i = 0; i < a.length; i++) if (counts(i)) most = Math.max(most, Math.abs(a[i] - b[i]));
  return most;
}

const OFFSETS = atNight([10_000], [0, 10, 100, 1000, 10_000]);

describe.each([3, 2] as const)('%d-D', (axes) => {
  let testers: Testers;

  beforeAll(async () => {
    testers = {
      device: (await createTester({ backend: 'webgpu', dimension: axes })) as Tester,
      cpu: (await createTester({ backend: 'cpu', dimension: axes })) as Tester,
    };
  });

  afterAll(() => {
    testers?.device.dispose();
    testers?.cpu.dispose();
  });

  // Whatever the pose that all parts share, the rotated offset cancels.
  test.each(OFFSETS)('parts of a model that is %d from its origin are as exact as others', async (offset) => {
    const random = createRandom(SEED + offset);
    const rotation = axes === 2 ? [Math.fround(0.7)] : unitVector(random, 4).map(Math.fround);
    const away = unitVector(random, axes).map((x) => Math.round(x * offset));
    const shapes = { far: new Uint32Array(2 * COUNT), near: new Uint32Array(2 * COUNT) };
    for (let body = 0; body < 2 * COUNT; body++) {
      const place = Array.from({ length: axes }, () => Math.round((body % 2) * uniform(random, 0.2, 0.6) * 128) / 128);
      const points = corners(random, axes, body);
      for (const [which, from] of Object.entries({ far: away, near: away.map(() => 0) })) {
        const description = {
          ...typeOf(axes, points),
          points: points.map((x, i) => x + place[i % axes] + from[i % axes]),
        };
        testers.cpu.addShape(description as never);
        shapes[which as 'far' | 'near'][body] = testers.device.addShape(description as never);
      }
    }
    const pose = {
      positions: Float32Array.from({ length: 2 * axes * COUNT }, (_, i) => [3, -2, 7][i % axes]),
      [axes === 2 ? 'angles' : 'quaternions']: Float32Array.from(
        Array.from({ length: 2 * COUNT }, () => rotation).flat(),
      ),
    };
    const pairs = Uint32Array.from({ length: 2 * COUNT }, (_, i) => i);
    const options = { margin: 0.5 };
    const truth = await testers.cpu.contacts({ ...pose, shapes: shapes.near } as never, pairs, options);
    const found = await testers.device.contacts({ ...pose, shapes: shapes.far } as never, pairs, options);
    const most = greatest(found.distance, truth.distance, (pair) => truth.distance[pair] < 0.49);
    expect(most).toBeLessThan(NEAR * 2 ** -23);
  });

  const cases = OFFSETS.flatMap((offset) => [false, true].map((isTurned) => ({ offset, isTurned })));

  describe.each(cases)('$offset from their origin, turned: $isTurned', ({ offset, isTurned }) => {
    let scene: FarPairs;
    const margin = 0.5;
    const most = (NEAR + ROTATED * offset) * 2 ** -23;

    /** The two backends, and how far each may be off. */
    const backends = (): [string, Tester, number][] => [
      ['device', testers.device, most],
      ['cpu', testers.cpu, REFERENCE * (1 + offset)],
    ];

    beforeAll(() => {
      scene = makePairs(testers, axes, offset, isTurned);
    });

    test.each(['contacts', 'distances', 'manifolds'] as const)('%s', async (query) => {
      const { far, near, pairs } = scene;
      const truth = await testers.cpu[query === 'manifolds' ? 'contacts' : query](near as never, pairs, { margin });
      const isNear = (pair: number): boolean => truth.distance[pair] < margin - most;
      expect(Array.from({ length: COUNT }, (_, pair) => pair).filter(isNear).length).toBeGreaterThan(COUNT / 2);
      for (const [name, tester, tolerance] of backends()) {
        const found = (await tester[query](far as never, pairs, { margin })) as unknown as Record<string, Float32Array>;
        const distance = query === 'manifolds' ? found.contactDistance : found.distance;
        expect(greatest(distance, truth.distance, isNear), `${name}, distance`).toBeLessThan(tolerance + 1e-7);
        if (query !== 'manifolds') continue;
        // The first point is the deepest. Corners that are deeper than the contact by up to 1e-4 of the bodies count too.
        for (let pair = 0; pair < COUNT; pair++) {
          if (!isNear(pair)) continue;
          expect(found.pointCount[pair], `${name}, points of pair ${pair}`).toBeGreaterThan(0);
          const off = Math.abs(found.distance[4 * pair] - truth.distance[pair]);
          expect(off, `${name}, first point of pair ${pair}`).toBeLessThan(most + 3e-4);
        }
      }
    });

    test('bounds hold the true distance', async () => {
      const { far, near, pairs } = scene;
      const truth = (await testers.cpu.contacts(near as never, pairs, { margin: Infinity })).distance;
      for (const [name, tester] of backends()) {
        const { lower, upper } = await tester.contacts(far as never, pairs, { margin: Infinity, bounds: true });
        for (let pair = 0; pair < COUNT; pair++) {
          // The truth is an f32.
          const rounding = 2 ** -23 * Math.abs(truth[pair]);
          expect(lower![pair], `${name}, pair ${pair}`).toBeLessThanOrEqual(truth[pair] + rounding);
          expect(upper![pair], `${name}, pair ${pair}`).toBeGreaterThanOrEqual(truth[pair] - rounding);
        }
      }
    });

    test('witness points are on both surfaces', async () => {
      const { far, near, pairs } = scene;
      const truth = await testers.cpu.contacts(near as never, pairs, { margin });
      const speck = testers.cpu.addShape({ type: axes === 2 ? 'circle' : 'sphere', radius: 1e-9 } as never);
      testers.device.addShape({ type: axes === 2 ? 'circle' : 'sphere', radius: 1e-9 } as never);
      const rotation = axes === 2 ? 'angles' : 'quaternions';
      // Both backends store points in f32, from A's position.
      for (const [name, tester] of backends()) {
        const found = await tester.contacts(far as never, pairs, { margin });
        for (const [side, points] of [found.pointA, found.pointB].entries()) {
          const specks = {
            shapes: Uint32Array.from([...near.shapes, ...Array.from({ length: COUNT }, () => speck)]),
            positions: Float64Array.from([...near.positions, ...points]),
            [rotation]: Float32Array.from([
              ...near[rotation],
              ...near[rotation].subarray(0, near[rotation].length / 2),
            ]),
          };
          const ofSpecks = Uint32Array.from({ length: 2 * COUNT }, (_, i) =>
            i % 2 === 0 ? i + side : 2 * COUNT + (i - 1) / 2,
          );
          const { distance } = await testers.cpu.contacts(specks as never, ofSpecks, { margin: Infinity });
          for (let pair = 0; pair < COUNT; pair++)
            if (truth.distance[pair] < margin - most)
              expect(Math.abs(distance[pair]), `${name}, pair ${pair}`).toBeLessThan(most);
        }
      }
    });

    test('impacts of bodies that translate, and of those that rotate about their origins', async () => {
      const { far, near, pairs } = scene;
      const random = createRandom(SEED);
      const bodies = 2 * COUNT;
      const linearVelocities = Float32Array.from({ length: axes * bodies }, () => uniform(random, -1, 1));
      const options = { duration: 1 };
      const truth = await testers.cpu.impacts({ ...near, linearVelocities } as never, pairs, options);
      for (const [name, tester, tolerance] of backends()) {
        const { time } = await tester.impacts({ ...far, linearVelocities } as never, pairs, options);
        let differ = 0;
        for (let pair = 0; pair < COUNT; pair++)
          if (Number.isFinite(time[pair]) !== Number.isFinite(truth.time[pair])) differ++;
          else if (Number.isFinite(time[pair]))
            // Bodies that graze each other meet later by more.
            expect(Math.abs(time[pair] - truth.time[pair]), `${name}, pair ${pair}`).toBeLessThan(
              20 * tolerance + 1e-6,
            );
        expect(differ, name).toBeLessThanOrEqual(name === 'cpu' ? 0 : 1 + offset / 5000);
      }
      const angularVelocities = Float32Array.from({ length: (axes === 3 ? 3 : 1) * bodies }, () =>
        uniform(random, -1, 1),
      );
      // A hull about its own origin would rotate about another point, so the backends are compared with each other.
      const moving = { ...far, linearVelocities, angularVelocities } as never;
      const byCpu = await testers.cpu.impacts(moving, pairs, options);
      const byDevice = await testers.device.impacts(moving, pairs, options);
      let met = 0;
      for (let pair = 0; pair < COUNT; pair++) {
        const [a, b] = [byCpu.time[pair], byDevice.time[pair]];
        if (!Number.isFinite(a) || !Number.isFinite(b)) continue;
        met++;
        expect(Math.abs(a - b), `pair ${pair}`).toBeLessThan(20 * most + 1e-5);
      }
      expect(met).toBeGreaterThan(COUNT / 4);
    });

    test('intersects and findPairs', async () => {
      const { far, near, pairs } = scene;
      const truth = await testers.cpu.contacts(near as never, pairs, { margin: Infinity });
      for (const [name, tester] of backends()) {
        const { hit } = (await tester.intersects(far as never, pairs)) as unknown as { hit: Uint8Array };
        const found = new Set<string>();
        const listed = await tester.findPairs(far as never);
        for (let i = 0; i < listed.length; i += 2) found.add(`${listed[i]} ${listed[i + 1]}`);
        for (let pair = 0; pair < COUNT; pair++) {
          const distance = truth.distance[pair];
          if (Math.abs(distance) > most) expect(Boolean(hit[pair]), `${name}, pair ${pair}`).toBe(distance < 0);
          if (distance < -most) expect(found, name).toContain(`${2 * pair} ${2 * pair + 1}`);
        }
      }
    });

    test('rays', async () => {
      const { far, near } = scene;
      const random = createRandom(SEED);
      const rays = {
        origins: Float32Array.from(
          Array.from({ length: 100 }, () => unitVector(random, axes).map((x) => 4 * x)).flat(),
        ),
        directions: new Float32Array(100 * axes),
      };
      rays.origins.forEach((x, i) => (rays.directions[i] = uniform(random, -0.3, 0.3) - x / 4));
      const truth = await testers.cpu.rayCasts(near as never, rays as never);
      expect(truth.body.filter((body) => body !== NO_BODY).length).toBeGreaterThan(30);
      for (const [name, tester, tolerance] of backends()) {
        const { time, body } = await tester.rayCasts(far as never, rays as never);
        let differ = 0;
        for (let ray = 0; ray < 100; ray++) {
          expect(Number.isFinite(time[ray]), `${name}, ray ${ray}`).toBe(body[ray] !== NO_BODY);
          // Two bodies may be met at all but the same time. A ray that grazes a body may miss it.
          const isSame = time[ray] === truth.time[ray] || Math.abs(time[ray] - truth.time[ray]) < 40 * tolerance + 1e-5;
          if (!isSame) differ++;
          if (body[ray] === truth.body[ray]) expect(isSame, `${name}, ray ${ray}`).toBe(true);
          if (isSame && name === 'cpu') expect(body[ray], `ray ${ray}`).toBe(truth.body[ray]);
        }
        expect(differ, name).toBeLessThanOrEqual(name === 'cpu' ? 0 : 1 + offset / 1000);
      }
    });

    test('a batch that finds its pairs', async () => {
      const { far, near } = scene;
      const truth = await testers.cpu.contacts(near as never, scene.pairs, { margin: Infinity });
      const batch = await testers.device.createBatch({ query: 'pairs', maxBodies: 2 * COUNT, maxPairs: 40_000 });
      const { pairs } = (await frame(batch, { bodies: far } as never)) as unknown as { pairs: Uint32Array };
      batch.dispose();
      const found = new Set<string>();
      for (let i = 0; i < pairs.length; i += 2) found.add(`${pairs[i]} ${pairs[i + 1]}`);
      for (let pair = 0; pair < COUNT; pair++)
        if (truth.distance[pair] < -most) expect(found).toContain(`${2 * pair} ${2 * pair + 1}`);
    });

    test('a batch', async () => {
      const { far, near, pairs } = scene;
      const truth = await testers.cpu.contacts(near as never, pairs, { margin });
      const batch = await testers.device.createBatch({
        query: 'contacts',
        maxBodies: 2 * COUNT,
        maxPairs: COUNT,
        margin,
      });
      const found = (await frame(batch, { bodies: far, pairs } as never)) as unknown as { distance: Float32Array };
      batch.dispose();
      const isNear = (pair: number): boolean => truth.distance[pair] < margin - most;
      expect(greatest(found.distance, truth.distance, isNear)).toBeLessThan(most);
    });
  });
});
