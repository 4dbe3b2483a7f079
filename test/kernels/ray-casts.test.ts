/**
 * Ray casts in both dimensions, on the GPU and on the CPU, against the reference's impacts, ray by ray and body by body.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CURVED_TOLERANCE, TOLERANCE, UNIT_TOLERANCE } from '../../src/shapes/tolerances.ts';
import { Status, type Bodies, type RayHits, type Rays, type Tester } from '../../src/api/types.ts';
import { atNight } from '../helpers/night.ts';
import { mixFamilyShapes, randomSolids } from '../helpers/ray-scenes.ts';
import { manyRays } from '../helpers/many-rays.ts';
import { answersOf } from '../helpers/planar-tester.ts';
import {
  dimensions,
  type AnyDescription,
  type AnyPose,
  type BodyArrays,
  type Dimension,
} from '../helpers/dimensions.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';

const RAYS = atNight(300, 4000);
/** Rays that are compared with the reference, body by body. */
const JUDGED = atNight(100, 800);
const NO_BODY = 0xffff_ffff;
const CURVED = new Set(['cylinder', 'cone', 'ellipsoid']);

/** What differs between the dimensions. */
interface Scene {
  seed: number;
  descriptions: AnyDescription[];
  bodies: Required<BodyArrays>;
  /** Half the edge of the region in which rays start. */
  extent: number;
  /** Greatest duration of a ray that ends. */
  longest: number;
  /** Least shares of the rays that start inside a body, and that end before they hit. */
  inside: number;
  late: number;
  /** Moves bodies and rays. */
  far: number[];
}

const SCENES: Record<Dimension['name'], Scene> = {
  '3-D': { ...randomSolids(20_261_122), extent: 10, longest: 3, inside: 0.007, late: 0.02, far: [1e6, 0, 0] },
  '2-D': { ...mixFamilyShapes(20_261_313), extent: 14.4, longest: 2, inside: 0.05, late: 0.02, far: [1e7, -2e7] },
};

function zerosOf(axes: number): number[] {
  return Array.from({ length: axes }, () => 0);
}

function makeRays(
  { axes }: Dimension,
  { seed, extent, longest }: Scene,
): Required<Omit<Rays, 'groups'>> & {
  origins: Float32Array;
} {
  const random = createRandom(seed + 1);
  const directions = new Float32Array(axes * RAYS);
  for (let i = 0; i < RAYS; i++)
    directions.set(
      unitVector(random, zerosOf(axes)).map((x) => x * uniform(random, 0.1, 10)),
      axes * i,
    );
  return {
    origins: Float32Array.from({ length: axes * RAYS }, () => uniform(random, -extent, extent)),
    directions,
    radii: Float32Array.from({ length: RAYS }, (_, i) => (i % 2 ? uniform(random, 0, 0.4) : 0)),
    maxTimes: Float32Array.from({ length: RAYS }, (_, i) => (i % 3 ? Infinity : uniform(random, 0, longest))),
  };
}

describe.each(dimensions)('$name', (dimension) => {
  const { axes, identity, vector } = dimension;
  const scene = SCENES[dimension.name];
  const { seed, descriptions } = scene;
  const rays = makeRays(dimension, scene);
  const shapes = descriptions.map((description) => dimension.createShape(description));
  const bodies = dimension.makeBodies(scene.bodies);
  const zeros = zerosOf(axes);

  const ofSlot = <Numbers extends Float32Array | Float64Array>(array: Numbers, slot: number): Numbers =>
    array.subarray(axes * slot, axes * slot + axes) as Numbers;
  const flat = (...vectors: [number, number][]): Float32Array =>
    Float32Array.from(vectors.flatMap(([x, y]) => vector(x, y)));
  const firstRays = (count: number): Rays & { origins: Float32Array } => ({
    origins: rays.origins.subarray(0, axes * count),
    directions: rays.directions.subarray(0, axes * count),
  });

  function poseOf(body: number): Required<Omit<AnyPose, 'linearVelocity'>> {
    const width = identity.length;
    return {
      position: ofSlot(scene.bodies.positions, body),
      rotation: scene.bodies.rotations.subarray(width * body, width * body + width),
      scale: scene.bodies.scales[body],
    };
  }

  /** The first body that a ray hits, and when, by the reference. */
  function firstOf(ray: number): { time: number; body: number } {
    const ball = dimension.createShape(dimension.ball(rays.radii[ray]));
    const from = {
      position: ofSlot(rays.origins, ray),
      rotation: identity,
      linearVelocity: ofSlot(rays.directions, ray),
    };
    let first = { time: Infinity, body: NO_BODY };
    shapes.forEach((shape, body) => {
      const time = dimension.timeOfImpact(shape, poseOf(body), ball, from, rays.maxTimes[ray]);
      if (time < first.time) first = { time, body };
    });
    return first;
  }

  /** Tolerance of the distance between a body and a ray's ball. */
  function toleranceOf(body: number, ray: number): number {
    const { position, scale } = poseOf(body);
    const between = Math.hypot(...zeros.map((_, k) => position[k] - rays.origins[axes * ray + k]));
    const isCurved = CURVED.has(descriptions[body].type);
    return (
      (isCurved ? CURVED_TOLERANCE.kernels.apart : TOLERANCE.kernels) *
      Math.max(shapes[body].boundingRadius * scale + rays.radii[ray], between)
    );
  }

  /** Signed distance between a body and a ball. */
  function distanceFrom(body: number, position: ArrayLike<number>, radius: number): number {
    const ball = dimension.createShape(dimension.ball(radius));
    return dimension.distance(shapes[body], poseOf(body), ball, { position, rotation: identity });
  }

  /** Signed distance between a body and a ray's ball, or one of another radius, at some time. */
  function distanceAt(body: number, ray: number, time: number, radius = rays.radii[ray]): number {
    const position = zeros.map((_, k) => rays.origins[axes * ray + k] + rays.directions[axes * ray + k] * time);
    return distanceFrom(body, position, radius);
  }

  /** Its minimum over time, by golden sections: signed distances of convex bodies are convex in time. */
  function leastDistance(body: number, ray: number): number {
    let [low, high] = [0, Math.min(rays.maxTimes[ray], 1e3)];
    for (let i = 0; i < 100; i++) {
      const [a, b] = [low + 0.382 * (high - low), low + 0.618 * (high - low)];
      if (distanceAt(body, ray, a) < distanceAt(body, ray, b)) high = b;
      else low = a;
    }
    return distanceAt(body, ray, low);
  }

  const moved = (array: ArrayLike<number>): Float64Array => Float64Array.from(array, (x, i) => x + scene.far[i % axes]);

  let gpu: Tester;
  let cpu: Tester;
  beforeAll(async () => {
    gpu = await dimension.createTester({ backend: 'webgpu' });
    cpu = await dimension.createTester({ backend: 'cpu' });
    for (const tester of [gpu, cpu]) dimension.useShapes(tester, descriptions);
  });
  afterAll(() => {
    gpu?.dispose();
    cpu?.dispose();
  });

  describe.each(['cpu', 'webgpu'] as const)('on %s', (backend) => {
    let found: RayHits;
    let tester: Tester;

    beforeAll(async () => {
      tester = backend === 'cpu' ? cpu : gpu;
      expect(tester.backend).toBe(backend);
      found = await tester.rayCasts(bodies, rays);
    });

    /** The hits of a few rays by themselves, and among so many that the backend answers. */
    async function fewAndMany(
      at: Bodies,
      few: Rays,
    ): Promise<Pick<RayHits, 'body' | 'time' | 'status' | 'normal' | 'point'>[]> {
      const count = few.origins.length / axes;
      const { body, time, status, normal, point } = await tester.rayCasts(at, manyRays(axes, few));
      const [first, ofSpace] = [count, axes * count];
      const many = {
        body: body.slice(0, first),
        time: time.slice(0, first),
        status: status.slice(0, first),
        normal: normal.slice(0, ofSpace),
        point: point.slice(0, ofSpace),
      };
      return [await tester.rayCasts(at, few), many];
    }

    test('each ray hits the body that the reference hits first, at that time', () => {
      let hits = 0;
      let inside = 0;
      let different = 0;
      let late = 0;
      for (let ray = 0; ray < JUDGED; ray++) {
        const label = `seed ${seed}, ray ${ray}`;
        const { time, body } = firstOf(ray);
        if (found.body[ray] !== body) {
          different++;
          // Of two bodies hit at the same time, either may be first, and a body that is grazed may be missed.
          const isLater = found.body[ray] === NO_BODY || found.time[ray] > time;
          const [other, when] = isLater ? [body, found.time[ray]] : [found.body[ray], time];
          const isTie = when < Infinity && Math.abs(distanceAt(other, ray, when)) <= toleranceOf(other, ray);
          expect(isTie || Math.abs(leastDistance(other, ray)) <= toleranceOf(other, ray), label).toBe(true);
          continue;
        }
        if (body === NO_BODY) {
          expect([found.time[ray], found.status[ray]], label).toEqual([Infinity, Status.Separated]);
          expect([...ofSlot(found.normal, ray), ...ofSlot(found.point, ray)], label).toEqual([...zeros, ...zeros]);
          if (rays.maxTimes[ray] < Infinity) late++;
          continue;
        }
        hits++;
        expect(found.status[ray], label).toBe(Status.Overlapping);
        expect(found.time[ray], label).toBeLessThanOrEqual(rays.maxTimes[ray]);
        if (time === 0) {
          inside++;
          expect(found.time[ray], label).toBe(0);
          continue;
        }
        expect(Math.abs(distanceAt(body, ray, found.time[ray])), label).toBeLessThanOrEqual(toleranceOf(body, ray));
      }
      expect(different).toBeLessThan(0.01 * JUDGED);
      expect(hits).toBeGreaterThan(0.3 * JUDGED);
      expect(inside).toBeGreaterThan(scene.inside * JUDGED);
      expect(JUDGED - hits).toBeGreaterThan(0.1 * JUDGED);
      expect(late).toBeGreaterThan(scene.late * JUDGED);
    });

    test('normals are unit and against the ray, points lie on the body', () => {
      let judged = 0;
      for (let ray = 0; ray < JUDGED; ray++) {
        const body = found.body[ray];
        if (body === NO_BODY || found.time[ray] === 0) continue;
        judged++;
        const normal = ofSlot(found.normal, ray);
        const against = normal.reduce((sum, x, k) => sum + x * rays.directions[axes * ray + k], 0);
        expect(Math.abs(Math.hypot(...normal) - 1), `ray ${ray}`).toBeLessThanOrEqual(UNIT_TOLERANCE);
        expect(against, `ray ${ray}`).toBeLessThan(0);
        const distance = distanceFrom(body, ofSlot(found.point, ray), 0);
        expect(Math.abs(distance), `ray ${ray}`).toBeLessThanOrEqual(2 * toleranceOf(body, ray));
      }
      expect(judged).toBeGreaterThan(0.3 * JUDGED);
    });

    test.each(atNight<('cast' | 'velocity-epa')[]>(['cast'], ['cast', 'velocity-epa']))(
      "algorithm '%s' gives the same except for grazing rays",
      async (algorithm) => {
        const other = await tester.rayCasts(bodies, rays, { algorithm });
        let different = 0;
        for (let ray = 0; ray < RAYS; ray++) {
          if (other.body[ray] === found.body[ray] && other.time[ray] === found.time[ray]) continue;
          const { body, time } = other.body[ray] === NO_BODY ? found : other;
          if (other.body[ray] !== found.body[ray]) different++;
          if (time[ray] > 0)
            expect(Math.abs(distanceAt(body[ray], ray, time[ray])), `ray ${ray}`).toBeLessThanOrEqual(
              toleranceOf(body[ray], ray),
            );
        }
        expect(different).toBeLessThan(0.002 * RAYS);
      },
    );

    test('a repeated call gives the same bits, into the arrays of the first', async () => {
      const before = answersOf(found);
      const again = await tester.rayCasts(bodies, rays, { target: found });
      for (const name of ['time', 'body', 'normal', 'point'] as const) expect(again[name], name).toBe(found[name]);
      expect(answersOf(again)).toEqual(before);
      expect(again.statusCounts.reduce((sum, n) => sum + n, 0)).toBe(RAYS);
      expect([...again][7]).toEqual({
        ray: 7,
        status: again.status[7],
        time: again.time[7],
        body: again.body[7],
        normal: Array.from(ofSlot(again.normal, 7)),
        point: Array.from(ofSlot(again.point, 7)),
      });
    });

    test('status counts leave out slots that only a longer target has', async () => {
      const target = await tester.rayCasts(bodies, rays);
      const { count, statusCounts } = await tester.rayCasts(bodies, firstRays(10), { target });
      expect(count).toBe(10);
      expect(statusCounts.reduce((sum, n) => sum + n, 0)).toBe(10);
    });

    test('a ray alone has the answer that it has among others, with and without default radii and times', async () => {
      const few = 50;
      const cut = firstRays(few);
      const whole = await tester.rayCasts(bodies, cut);
      const defaults = await tester.rayCasts(bodies, {
        ...cut,
        radii: new Float32Array(few),
        maxTimes: new Float32Array(few).fill(Infinity),
      });
      expect(answersOf(defaults)).toEqual(answersOf(whole));
      for (let ray = 0; ray < few; ray += 7) {
        const one = await tester.rayCasts(bodies, {
          origins: ofSlot(cut.origins, ray),
          directions: ofSlot(rays.directions, ray),
        });
        expect([...one]).toEqual([{ ...[...whole][ray], ray: 0 }]);
      }
    });

    test('64-bit origins far out are as good as near ones', async () => {
      const out = await tester.rayCasts({ ...bodies, positions: moved(scene.bodies.positions) } as Bodies, {
        ...rays,
        origins: moved(rays.origins),
      });
      expect(out.point).toBeInstanceOf(Float64Array);
      let same = 0;
      for (let ray = 0; ray < RAYS; ray++) {
        if (out.body[ray] !== found.body[ray]) continue;
        same++;
        const body = found.body[ray];
        if (body !== NO_BODY && found.time[ray] > 0 && ray < JUDGED)
          expect(Math.abs(distanceAt(body, ray, out.time[ray])), `ray ${ray}`).toBeLessThanOrEqual(
            toleranceOf(body, ray),
          );
      }
      expect(same).toBeGreaterThan(0.998 * RAYS);
    });

    test('a ray 1e11 sizes away leaves the others their tolerance', async () => {
      const wide = { ...bodies, positions: Float64Array.from(scene.bodies.positions) } as Bodies;
      const { origins, directions } = firstRays(JUDGED);
      const near = await tester.rayCasts(bodies, { origins, directions });
      const spread = await tester.rayCasts(wide, {
        origins: Float64Array.from([...origins, ...vector(1e11, 0)]),
        directions: rays.directions.subarray(0, axes * (JUDGED + 1)),
      });
      let same = 0;
      for (let ray = 0; ray < JUDGED; ray++) {
        if (spread.body[ray] !== near.body[ray]) continue;
        same++;
        if (near.body[ray] !== NO_BODY && near.time[ray] > 0)
          expect(Math.abs(distanceAt(near.body[ray], ray, spread.time[ray], 0)), `ray ${ray}`).toBeLessThanOrEqual(
            toleranceOf(near.body[ray], ray),
          );
      }
      expect(same).toBeGreaterThan(0.99 * JUDGED);
    });

    test('a ray into a row of equal boxes hits the nearest, at exactly its face', async () => {
      const box = tester.addShape(dimension.box(0.5) as never);
      const positions = flat(...Array.from({ length: 100 }, (_, i): [number, number] => [2 * i + 2, 0]));
      const row = dimension.makeBodies({ shapes: new Uint32Array(100).fill(box), positions });
      const alongRow = {
        origins: flat([0, 0.25], [300, 0.25], [0, 5], [3, 0]),
        directions: flat([1, 0], [-2, 0], [0, 1], [0, 0]),
      };
      for (const hit of await fewAndMany(row, alongRow)) {
        expect(Array.from(hit.body)).toEqual([0, 99, NO_BODY, NO_BODY]);
        expect(Array.from(hit.time)).toEqual([1.5, 49.75, Infinity, Infinity]);
        flat([-1, 0], [1, 0], [0, 0], [0, 0]).forEach((x, i) => expect(hit.normal[i]).toBeCloseTo(x, 6));
        flat([1.5, 0.25], [200.5, 0.25], [0, 0], [0, 0]).forEach((x, i) => expect(hit.point[i]).toBeCloseTo(x, 4));
      }
      tester.removeShape(box);
    });

    test('of bodies hit at the same time the lowest index wins, also among those around the start', async () => {
      const ball = tester.addShape(dimension.ball(1) as never);
      const box = tester.addShape(dimension.box(1) as never);
      const row = (ids: number[], positions = flat([5, 0], [5, 0], [5, 0], [5, 0])): Bodies =>
        dimension.makeBodies({ shapes: ids, positions });
      const toSide = { origins: flat([0, 0], [5, 9], [5.25, 0.25]), directions: flat([1, 0], [0, -2], [1, 0]) };
      // Two of each in one place. Faces of the boxes are where the balls begin, up to rounding.
      for (const hit of await fewAndMany(row([ball, box, box, ball]), toSide)) {
        expect(hit.time[0]).toBeCloseTo(4, 5);
        expect(hit.time[1]).toBeCloseTo(4, 5);
        expect([hit.time[2], hit.body[2]]).toEqual([0, 0]);
      }
      for (const ids of [
        [box, box, box, box],
        [ball, ball, ball, ball],
      ]) {
        for (const { body } of await fewAndMany(row(ids), toSide)) expect(Array.from(body)).toEqual([0, 0, 0]);
        const others = row(ids, flat([99, 99], [5, 0], [5, 0], [5, 0]));
        for (const { body } of await fewAndMany(others, toSide)) expect(Array.from(body)).toEqual([1, 1, 1]);
      }
      tester.removeShape(ball);
      tester.removeShape(box);
    });

    test('a ray ends at its greatest time: it hits what it reaches by then, and nothing later', async () => {
      const box = tester.addShape(dimension.box(1) as never);
      const one = dimension.makeBodies({ shapes: [box], positions: flat([5, 0]) });
      const times = [0, 1, 1.99, 2, 2.01, Infinity];
      const toBox = {
        origins: flat(...times.map((): [number, number] => [0, 0])),
        directions: flat(...times.map((): [number, number] => [2, 0])),
        maxTimes: Float32Array.from(times),
      };
      for (const hit of await fewAndMany(one, toBox)) {
        expect(Array.from(hit.body)).toEqual([NO_BODY, NO_BODY, NO_BODY, 0, 0, 0]);
        expect(Array.from(hit.time)).toEqual([Infinity, Infinity, Infinity, 2, 2, 2]);
      }
      // A ball hits it earlier, by its radius.
      const balls = {
        origins: flat([0, 0], [0, 1.5], [0, 1.51]),
        directions: flat([2, 0], [2, 0], [2, 0]),
        radii: Float32Array.of(0.5, 0.505, 0.5),
        maxTimes: Float32Array.of(1.75, 9, 9),
      };
      for (const hit of await fewAndMany(one, balls)) {
        expect(Array.from(hit.body)).toEqual([0, 0, NO_BODY]);
        expect(hit.time[0]).toBe(1.75);
      }
      // From inside it hits at once, even without a direction.
      const inside = {
        origins: flat([5.5, 0], [5.5, 0]),
        directions: flat([0, 0], [1, 0]),
        maxTimes: new Float32Array(2),
      };
      for (const { body, time, status } of await fewAndMany(one, inside))
        expect([Array.from(body), Array.from(time), Array.from(status)]).toEqual([
          [0, 0],
          [0, 0],
          [Status.Overlapping, Status.Overlapping],
        ]);
      tester.removeShape(box);
    });
  });

  test('both backends hit the same bodies except for grazing rays', async () => {
    const [a, b] = [await gpu.rayCasts(bodies, rays), await cpu.rayCasts(bodies, rays)];
    let different = 0;
    for (let ray = 0; ray < RAYS; ray++) if (a.body[ray] !== b.body[ray]) different++;
    expect(different).toBeLessThan(0.002 * RAYS);
  });
});
