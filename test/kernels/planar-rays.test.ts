/**
 * Ray casts in the plane on the GPU and on the CPU against the reference's impacts, ray by ray and body by body.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planar } from '../../src/cpu.ts';
import { createTester } from '../../src/node.ts';
import { TOLERANCE, UNIT_TOLERANCE } from '../../src/shapes/tolerances.ts';
import {
  Status,
  type PlanarBodies,
  type PlanarRays,
  type PlanarTester,
  type PlanarVector,
  type RayHits,
} from '../../src/api/types.ts';
import { planarTypePairNames } from '../../verification/families/planar-families.ts';
import { below, createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { answersOf, mixPlanarTypes, usePlanarShapes } from '../helpers/planar-tester.ts';

const SEED = 20_261_313;
const RAYS = 4000;
/** Rays whose answers are looked for body by body. */
const JUDGED = 800;
const BODIES = 60;
const ROOM = 12;
const NO_BODY = 0xffff_ffff;

let gpu: PlanarTester;
let cpu: PlanarTester;

beforeAll(async () => {
  gpu = await createTester({ dimension: 2, backend: 'webgpu' });
  cpu = await createTester({ dimension: 2, backend: 'cpu' });
});

afterAll(() => {
  gpu?.dispose();
  cpu?.dispose();
});

/** Bodies of all types, each about a unit across, in a square. */
function makeScene(): { descriptions: ReturnType<typeof mixPlanarTypes>['shapes']; bodies: Required<PlanarBodies> } {
  const random = createRandom(SEED);
  const { shapes } = mixPlanarTypes(planarTypePairNames, 1, SEED);
  const descriptions = Array.from({ length: BODIES }, () => shapes[below(random, shapes.length)]);
  return {
    descriptions,
    bodies: {
      shapes: Uint32Array.from({ length: BODIES }, (_, body) => body),
      positions: Float32Array.from({ length: 2 * BODIES }, () => uniform(random, -ROOM, ROOM)),
      angles: Float32Array.from({ length: BODIES }, () => uniform(random, -100, 100)),
      scales: Float32Array.from(
        descriptions,
        (description) => uniform(random, 0.5, 1.5) / planar.createShape(description).boundingRadius,
      ),
    },
  };
}

function makeRays(): Required<PlanarRays> & { origins: Float32Array } {
  const random = createRandom(SEED + 1);
  const directions = new Float32Array(2 * RAYS);
  for (let i = 0; i < RAYS; i++)
    directions.set(
      unitVector(random, [0, 0]).map((x) => x * uniform(random, 0.1, 10)),
      2 * i,
    );
  return {
    origins: Float32Array.from({ length: 2 * RAYS }, () => uniform(random, -1.2 * ROOM, 1.2 * ROOM)),
    directions,
    radii: Float32Array.from({ length: RAYS }, (_, i) => (i % 2 ? uniform(random, 0, 0.4) : 0)),
    maxTimes: Float32Array.from({ length: RAYS }, (_, i) => (i % 3 ? Infinity : uniform(random, 0, 2))),
  };
}

const { descriptions, bodies } = makeScene();
const rays = makeRays();
const shapes = descriptions.map((description) => planar.createShape(description));

function poseOf(body: number): { position: ArrayLike<number>; angle: number; scale: number } {
  return {
    position: bodies.positions.subarray(2 * body, 2 * body + 2),
    angle: bodies.angles[body],
    scale: bodies.scales[body],
  };
}

const STILL = [0, 0];

/** What a ray meets first, by the reference. */
function firstOf(ray: number): { time: number; body: number } {
  const circle = planar.createShape({ type: 'circle', radius: rays.radii[ray] });
  const from = {
    position: rays.origins.subarray(2 * ray, 2 * ray + 2),
    angle: 0,
    linearVelocity: rays.directions.subarray(2 * ray, 2 * ray + 2),
  };
  let first = { time: Infinity, body: NO_BODY };
  shapes.forEach((shape, body) => {
    const { hit, time } = planar.impact(shape, { ...poseOf(body), linearVelocity: STILL }, circle, from, {
      duration: rays.maxTimes[ray],
    });
    if (hit && time < first.time) first = { time, body };
  });
  return first;
}

/** By how much the distance of a body from a ray's circle may be off. */
function toleranceOf(body: number, ray: number): number {
  const { position, scale } = poseOf(body);
  const between = Math.hypot(position[0] - rays.origins[2 * ray], position[1] - rays.origins[2 * ray + 1]);
  return TOLERANCE.kernels * Math.max(shapes[body].boundingRadius * scale + rays.radii[ray], between);
}

/** Signed distance of a body from a circle at a place. */
function distanceFrom(body: number, position: ArrayLike<number>, radius: number): number {
  return planar.contact(
    shapes[body],
    poseOf(body),
    planar.createShape({ type: 'circle', radius }),
    { position, angle: 0 },
    { margin: Infinity },
  ).distance;
}

/** The same of a ray's circle at some time. */
function distanceAt(body: number, ray: number, time: number): number {
  return distanceFrom(
    body,
    [0, 1].map((k) => rays.origins[2 * ray + k] + rays.directions[2 * ray + k] * time),
    rays.radii[ray],
  );
}

/** The least of that on the way, by golden sections: signed distances of convex bodies are convex in time. */
function leastDistance(body: number, ray: number): number {
  let [low, high] = [0, Math.min(rays.maxTimes[ray], 1e3)];
  for (let i = 0; i < 100; i++) {
    const [a, b] = [low + 0.382 * (high - low), low + 0.618 * (high - low)];
    if (distanceAt(body, ray, a) < distanceAt(body, ray, b)) high = b;
    else low = a;
  }
  return distanceAt(body, ray, low);
}

function farOut(positions: ArrayLike<number>): Float64Array {
  return Float64Array.from(positions, (x, i) => x + (i % 2 === 0 ? 1e7 : -2e7));
}

describe.each(['cpu', 'webgpu'] as const)('on %s', (backend) => {
  let found: RayHits<PlanarVector>;
  let tester: PlanarTester;

  beforeAll(async () => {
    tester = backend === 'cpu' ? cpu : gpu;
    expect(tester.backend).toBe(backend);
    usePlanarShapes(tester, descriptions);
    found = await tester.rayCasts(bodies, rays);
  });

  test('each ray meets what the reference meets first, when it does', () => {
    let hits = 0;
    let inside = 0;
    let different = 0;
    let late = 0;
    for (let ray = 0; ray < JUDGED; ray++) {
      const label = `seed ${SEED}, ray ${ray}`;
      const { time, body } = firstOf(ray);
      if (found.body[ray] !== body) {
        different++;
        // What is met at the same time may be taken for the first, and what grazes for none.
        const isLater = found.body[ray] === NO_BODY || found.time[ray] > time;
        const [other, when] = isLater ? [body, found.time[ray]] : [found.body[ray], time];
        const isTie = when < Infinity && Math.abs(distanceAt(other, ray, when)) <= toleranceOf(other, ray);
        expect(isTie || Math.abs(leastDistance(other, ray)) <= toleranceOf(other, ray), label).toBe(true);
        continue;
      }
      if (body === NO_BODY) {
        expect([found.time[ray], found.status[ray]], label).toEqual([Infinity, Status.Separated]);
        expect(
          Array.from([...found.normal.subarray(2 * ray, 2 * ray + 2), ...found.point.subarray(2 * ray, 2 * ray + 2)]),
          label,
        ).toEqual([0, 0, 0, 0]);
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
    expect(inside).toBeGreaterThan(0.05 * JUDGED);
    expect(JUDGED - hits).toBeGreaterThan(0.1 * JUDGED);
    expect(late).toBeGreaterThan(0.02 * JUDGED);
  });

  test('normals are unit and against the ray, points lie on the body', () => {
    let judged = 0;
    for (let ray = 0; ray < JUDGED; ray++) {
      const body = found.body[ray];
      if (body === NO_BODY || found.time[ray] === 0) continue;
      judged++;
      const [x, y] = found.normal.subarray(2 * ray, 2 * ray + 2);
      expect(Math.abs(Math.hypot(x, y) - 1), `ray ${ray}`).toBeLessThanOrEqual(UNIT_TOLERANCE);
      expect(x * rays.directions[2 * ray] + y * rays.directions[2 * ray + 1], `ray ${ray}`).toBeLessThan(0);
      expect(
        Math.abs(distanceFrom(body, found.point.subarray(2 * ray, 2 * ray + 2), 0)),
        `ray ${ray}`,
      ).toBeLessThanOrEqual(2 * toleranceOf(body, ray));
    }
    expect(judged).toBeGreaterThan(0.3 * JUDGED);
  });

  test('by GJK and by velocity EPA they are the same but for what grazes', async () => {
    for (const algorithm of ['gjk', 'epa'] as const) {
      const other = await tester.rayCasts(bodies, rays, { algorithm });
      let different = 0;
      for (let ray = 0; ray < RAYS; ray++) {
        if (other.body[ray] === found.body[ray] && other.time[ray] === found.time[ray]) continue;
        const [body, time] =
          other.body[ray] === NO_BODY ? [found.body[ray], found.time[ray]] : [other.body[ray], other.time[ray]];
        if (other.body[ray] !== found.body[ray]) different++;
        if (time > 0)
          expect(Math.abs(distanceAt(body, ray, time)), `by ${algorithm}, ray ${ray}`).toBeLessThanOrEqual(
            toleranceOf(body, ray),
          );
      }
      expect(different).toBeLessThan(0.002 * RAYS);
    }
  });

  test('a repeated call gives the same bits, into the arrays of the first', async () => {
    const before = answersOf(found);
    const again = await tester.rayCasts(bodies, rays, { target: found });
    expect(again.time).toBe(found.time);
    expect(answersOf(again)).toEqual(before);
    expect(again.statusCounts.reduce((sum, n) => sum + n, 0)).toBe(RAYS);
    expect([...again][7]).toEqual({
      pair: 7,
      status: again.status[7],
      time: again.time[7],
      body: again.body[7],
      normal: Array.from(again.normal.subarray(14, 16)),
      point: Array.from(again.point.subarray(14, 16)),
    });
  });

  test('rays alone have what they have among others, by a part of the options as well', async () => {
    const few = 50;
    const cut = { origins: rays.origins.subarray(0, 2 * few), directions: rays.directions.subarray(0, 2 * few) };
    const whole = await tester.rayCasts(bodies, cut);
    const zeros = await tester.rayCasts(bodies, {
      ...cut,
      radii: new Float32Array(few),
      maxTimes: new Float32Array(few).fill(Infinity),
    });
    expect(answersOf(zeros)).toEqual(answersOf(whole));
    for (let ray = 0; ray < few; ray += 7) {
      const one = await tester.rayCasts(bodies, {
        origins: cut.origins.subarray(2 * ray, 2 * ray + 2),
        directions: cut.directions.subarray(2 * ray, 2 * ray + 2),
      });
      expect([...one]).toEqual([{ ...[...whole][ray], pair: 0 }]);
    }
  });

  test('64-bit origins far out are as good as near ones', async () => {
    const moved = await tester.rayCasts(
      { ...bodies, positions: farOut(bodies.positions) },
      { ...rays, origins: farOut(rays.origins) },
    );
    expect(moved.point).toBeInstanceOf(Float64Array);
    let same = 0;
    for (let ray = 0; ray < RAYS; ray++) {
      if (moved.body[ray] !== found.body[ray]) continue;
      same++;
      const body = found.body[ray];
      if (body !== NO_BODY && found.time[ray] > 0 && ray < JUDGED)
        expect(Math.abs(distanceAt(body, ray, moved.time[ray])), `ray ${ray}`).toBeLessThanOrEqual(
          toleranceOf(body, ray),
        );
    }
    expect(same).toBeGreaterThan(0.998 * RAYS);
  });

  test('a ray into a row of equal squares meets the nearest, at exactly its side', async () => {
    const square = tester.addShape({ type: 'rectangle', halfExtents: [0.5, 0.5] });
    const row: PlanarBodies = {
      shapes: new Uint32Array(100).fill(square),
      positions: Float32Array.from({ length: 200 }, (_, i) => (i % 2 ? 0 : i + 2)),
      angles: new Float32Array(100),
    };
    const hit = await tester.rayCasts(row, {
      origins: Float32Array.of(0, 0.25, 300, 0.25, 0, 5, 3, 0),
      directions: Float32Array.of(1, 0, -2, 0, 1, 0, 0, 0),
    });
    expect(Array.from(hit.body)).toEqual([0, 99, NO_BODY, NO_BODY]);
    expect(Array.from(hit.time)).toEqual([1.5, 49.75, Infinity, Infinity]);
    [-1, 0, 1, 0, 0, 0, 0, 0].forEach((x, i) => expect(hit.normal[i]).toBeCloseTo(x, 6));
    [1.5, 0.25, 200.5, 0.25, 0, 0, 0, 0].forEach((x, i) => expect(hit.point[i]).toBeCloseTo(x, 4));
    tester.removeShape(square);
  });

  test('of bodies met at the same time it is the lower, of those around its start as well', async () => {
    const disc = tester.addShape({ type: 'circle', radius: 1 });
    const square = tester.addShape({ type: 'rectangle', halfExtents: [1, 1] });
    // Two of each in one place, in whatever order.
    const row: PlanarBodies = {
      shapes: Uint32Array.of(disc, square, square, disc),
      positions: Float32Array.of(5, 0, 5, 0, 5, 0, 5, 0),
      angles: new Float32Array(4),
    };
    const toSide = { origins: Float32Array.of(0, 0, 5, 9, 5.25, 0.25), directions: Float32Array.of(1, 0, 0, -2, 1, 0) };
    const hit = await tester.rayCasts(row, toSide);
    // The squares' sides are where the discs begin, but for rounding.
    expect(hit.time[0]).toBeCloseTo(4, 5);
    expect(hit.time[1]).toBeCloseTo(4, 5);
    expect([hit.time[2], hit.body[2]]).toEqual([0, 0]);
    for (const shapesOf of [
      [square, square, square, square],
      [disc, disc, disc, disc],
    ]) {
      const equal = await tester.rayCasts({ ...row, shapes: Uint32Array.from(shapesOf) }, toSide);
      expect(Array.from(equal.body)).toEqual([0, 0, 0]);
      // And of those that are there.
      const rest = await tester.rayCasts(
        { ...row, shapes: Uint32Array.from(shapesOf), positions: Float32Array.of(99, 99, 5, 0, 5, 0, 5, 0) },
        toSide,
      );
      expect(Array.from(rest.body)).toEqual([1, 1, 1]);
    }
    tester.removeShape(disc);
    tester.removeShape(square);
  });

  test('a ray ends at its greatest time: what it would meet later it misses, what it meets then it does not', async () => {
    const square = tester.addShape({ type: 'rectangle', halfExtents: [1, 1] });
    const one: PlanarBodies = {
      shapes: Uint32Array.of(square),
      positions: Float32Array.of(5, 0),
      angles: new Float32Array(1),
    };
    const times = [0, 1, 1.99, 2, 2.01, Infinity];
    const hit = await tester.rayCasts(one, {
      origins: new Float32Array(2 * times.length),
      directions: Float32Array.from(times.flatMap(() => [2, 0])),
      maxTimes: Float32Array.from(times),
    });
    expect(Array.from(hit.body)).toEqual([NO_BODY, NO_BODY, NO_BODY, 0, 0, 0]);
    expect(Array.from(hit.time)).toEqual([Infinity, Infinity, Infinity, 2, 2, 2]);
    // A circle meets it earlier, by its radius.
    const round = await tester.rayCasts(one, {
      origins: Float32Array.of(0, 0, 0, 1.5, 0, 1.51),
      directions: Float32Array.of(2, 0, 2, 0, 2, 0),
      radii: Float32Array.of(0.5, 0.505, 0.5),
      maxTimes: Float32Array.of(1.75, 9, 9),
    });
    expect(Array.from(round.body)).toEqual([0, 0, NO_BODY]);
    expect(round.time[0]).toBe(1.75);
    // Inside it does at once, even of a ray that goes nowhere.
    const inside = await tester.rayCasts(one, {
      origins: Float32Array.of(5.5, 0, 5.5, 0),
      directions: Float32Array.of(0, 0, 1, 0),
      maxTimes: new Float32Array(2),
    });
    expect([Array.from(inside.body), Array.from(inside.time), Array.from(inside.status)]).toEqual([
      [0, 0],
      [0, 0],
      [Status.Overlapping, Status.Overlapping],
    ]);
    tester.removeShape(square);
  });
});

test('both backends meet the same bodies but for what grazes', async () => {
  for (const tester of [gpu, cpu]) usePlanarShapes(tester, descriptions);
  const [a, b] = [await gpu.rayCasts(bodies, rays), await cpu.rayCasts(bodies, rays)];
  let different = 0;
  for (let ray = 0; ray < RAYS; ray++) if (a.body[ray] !== b.body[ray]) different++;
  expect(different).toBeLessThan(0.002 * RAYS);
});
