/**
 * Ray casts on the GPU and on the CPU against the reference's impacts, ray by ray and body by body.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contact, createShape, impact, type CpuShape } from '../../src/cpu.ts';
import { createTester } from '../../src/node.ts';
import { CURVED_TOLERANCE, TOLERANCE, UNIT_TOLERANCE } from '../../src/shapes/tolerances.ts';
import { Status, type Bodies, type RayHits, type Rays, type Tester } from '../../src/api/types.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import {
  randomBox,
  randomCapsule,
  randomEllipsoid,
  randomHull,
  randomRoundedBox,
  randomSphere,
  randomTriangle,
  randomUpright,
} from '../../verification/families/random-shapes.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';

const SEED = 20_261_122;
const RAYS = 4000;
/** Rays whose answers are looked for body by body. */
const JUDGED = 700;
const NO_BODY = 0xffff_ffff;

let gpu: Tester;
let cpu: Tester;

beforeAll(async () => {
  gpu = await createTester({ backend: 'webgpu' });
  cpu = await createTester({ backend: 'cpu' });
});

afterAll(() => {
  gpu?.dispose();
  cpu?.dispose();
});

interface Scene {
  descriptions: ShapeDescription[];
  positions: Float32Array;
  quaternions: Float32Array;
  scales: Float32Array;
}

/** Nine bodies of each kind but half-spaces in a cube of edge 16, and one half-space below them. */
function makeScene(): Scene {
  const random = createRandom(SEED);
  const descriptions: ShapeDescription[] = [];
  for (let i = 0; i < 9; i++) {
    descriptions.push(
      randomSphere(random),
      randomBox(random, i, 1),
      randomRoundedBox(random, i),
      randomCapsule(random),
      randomHull(random),
      randomTriangle(random, 1),
      randomUpright('cylinder', random, i, 1),
      randomUpright('cone', random, i, 1),
      randomEllipsoid(random, i, 1),
    );
  }
  const count = descriptions.length + 1;
  descriptions.push({ type: 'halfspace', normal: [0, 1, 0], offset: -9 });
  const positions = Float32Array.from({ length: 3 * count }, (_, i) =>
    i >= 3 * count - 3 ? 0 : uniform(random, -8, 8),
  );
  const quaternions = new Float32Array(4 * count);
  for (let i = 0; i < count; i++)
    quaternions.set(i === count - 1 ? [0, 0, 0, 1] : unitVector(random, [0, 0, 0, 0]), 4 * i);
  return {
    descriptions,
    positions,
    quaternions,
    scales: Float32Array.from({ length: count }, (_, i) => (i === count - 1 ? 1 : uniform(random, 0.5, 1.5))),
  };
}

function makeRays(): Required<Rays> {
  const random = createRandom(SEED + 1);
  const directions = new Float32Array(3 * RAYS);
  for (let i = 0; i < RAYS; i++)
    directions.set(
      unitVector(random, [0, 0, 0]).map((x) => x * uniform(random, 0.1, 10)),
      3 * i,
    );
  return {
    origins: Float32Array.from({ length: 3 * RAYS }, () => uniform(random, -10, 10)),
    directions,
    radii: Float32Array.from({ length: RAYS }, (_, i) => (i % 2 ? uniform(random, 0, 0.4) : 0)),
    maxTimes: Float32Array.from({ length: RAYS }, (_, i) => (i % 3 ? Infinity : uniform(random, 0, 3))),
  };
}

const scene = makeScene();
const rays = makeRays();
const shapes = scene.descriptions.map((description) => createShape(description));

function load(tester: Tester): Bodies {
  const { descriptions, positions, quaternions, scales } = scene;
  return {
    shapes: Uint32Array.from(descriptions, (description) => tester.addShape(description)),
    positions,
    quaternions,
    scales,
  };
}

function poseOf(body: number): { position: Float32Array; quaternion: Float32Array; scale: number } {
  return {
    position: scene.positions.subarray(3 * body, 3 * body + 3),
    quaternion: scene.quaternions.subarray(4 * body, 4 * body + 4),
    scale: scene.scales[body],
  };
}

const STILL = [0, 0, 0];
const UPRIGHT = [0, 0, 0, 1];

/** What a ray meets first, by the reference. */
function firstOf(ray: number): { time: number; body: number } {
  const ball = createShape({ type: 'sphere', radius: rays.radii[ray] });
  const from = {
    position: rays.origins.subarray(3 * ray, 3 * ray + 3),
    quaternion: UPRIGHT,
    linearVelocity: rays.directions.subarray(3 * ray, 3 * ray + 3),
  };
  let first = { time: Infinity, body: NO_BODY };
  shapes.forEach((shape: CpuShape, body) => {
    const { hit, time } = impact(shape, { ...poseOf(body), linearVelocity: STILL }, ball, from, {
      duration: rays.maxTimes[ray],
    });
    if (hit && time < first.time) first = { time, body };
  });
  return first;
}

/** By how much the distance of a body from a ray's sphere may be off. */
function toleranceOf(body: number, ray: number): number {
  const { position, scale } = poseOf(body);
  const between = Math.hypot(...[0, 1, 2].map((k) => position[k] - rays.origins[3 * ray + k]));
  const isCurved = ['cylinder', 'cone', 'ellipsoid'].includes(scene.descriptions[body].type);
  return (
    (isCurved ? CURVED_TOLERANCE.kernels.apart : TOLERANCE.kernels) *
    Math.max(shapes[body].boundingRadius * scale + rays.radii[ray], between)
  );
}

/** Signed distance of a body from a ray's sphere, or one of another radius, at some time. */
function distanceAt(body: number, ray: number, time: number, radius = rays.radii[ray]): number {
  const at = [0, 1, 2].map((k) => rays.origins[3 * ray + k] + rays.directions[3 * ray + k] * time);
  return contact(
    shapes[body],
    poseOf(body),
    createShape({ type: 'sphere', radius }),
    { position: at, quaternion: UPRIGHT },
    { margin: Infinity },
  ).distance;
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

describe.each(['cpu', 'webgpu'] as const)('on %s', (backend) => {
  let found: RayHits;
  let tester: Tester;
  let bodies: Bodies;

  beforeAll(async () => {
    tester = backend === 'cpu' ? cpu : gpu;
    bodies = load(tester);
    found = await tester.rayCasts(bodies, rays);
  });

  test('each ray meets what the reference meets first, when it does', () => {
    let hits = 0;
    let inside = 0;
    let different = 0;
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
        expect(found.time[ray], label).toBe(Infinity);
        expect(found.status[ray], label).toBe(Status.Separated);
        continue;
      }
      hits++;
      expect(found.status[ray], label).toBe(Status.Overlapping);
      if (time === 0) {
        inside++;
        expect(found.time[ray], label).toBe(0);
        continue;
      }
      expect(Math.abs(distanceAt(body, ray, found.time[ray])), label).toBeLessThanOrEqual(toleranceOf(body, ray));
    }
    expect(different).toBeLessThan(0.01 * JUDGED);
    expect(hits).toBeGreaterThan(0.3 * JUDGED);
    expect(inside).toBeGreaterThan(5);
    expect(JUDGED - hits).toBeGreaterThan(0.1 * JUDGED);
  });

  test('normals are unit and against the ray, points lie on the body', () => {
    for (let ray = 0; ray < JUDGED; ray++) {
      const body = found.body[ray];
      if (body === NO_BODY || found.time[ray] === 0) continue;
      const normal = found.normal.subarray(3 * ray, 3 * ray + 3);
      const direction = rays.directions.subarray(3 * ray, 3 * ray + 3);
      expect(Math.abs(Math.hypot(...normal) - 1), `ray ${ray}`).toBeLessThanOrEqual(UNIT_TOLERANCE);
      expect(normal[0] * direction[0] + normal[1] * direction[1] + normal[2] * direction[2], `ray ${ray}`).toBeLessThan(
        0,
      );
      const point = { position: found.point.subarray(3 * ray, 3 * ray + 3), quaternion: UPRIGHT };
      const { distance } = contact(shapes[body], poseOf(body), createShape({ type: 'sphere', radius: 0 }), point, {
        margin: Infinity,
      });
      expect(Math.abs(distance), `ray ${ray}`).toBeLessThanOrEqual(2 * toleranceOf(body, ray));
    }
  });

  test('velocity EPA gives the same', async () => {
    const other = await tester.rayCasts(bodies, rays, { algorithm: 'epa' });
    let different = 0;
    for (let ray = 0; ray < RAYS; ray++) {
      if (other.body[ray] === found.body[ray] && other.time[ray] === found.time[ray]) continue;
      const body = other.body[ray] === NO_BODY ? found.body[ray] : other.body[ray];
      const time = other.body[ray] === NO_BODY ? found.time[ray] : other.time[ray];
      if (other.body[ray] !== found.body[ray]) different++;
      if (time > 0)
        expect(Math.abs(distanceAt(body, ray, time)), `ray ${ray}`).toBeLessThanOrEqual(toleranceOf(body, ray));
    }
    expect(different).toBeLessThan(0.002 * RAYS);
  });

  test('a repeated call gives the same bits, into the arrays of the first', async () => {
    const before = {
      time: found.time.slice(),
      body: found.body.slice(),
      normal: found.normal.slice(),
      point: found.point.slice(),
    };
    const again = await tester.rayCasts(bodies, rays, { target: found });
    expect(again.time).toBe(found.time);
    for (const name of ['time', 'body', 'normal', 'point'] as const) expect(again[name], name).toEqual(before[name]);
    expect(again.statusCounts.reduce((sum, n) => sum + n, 0)).toBe(RAYS);
  });

  test('status counts leave out slots that only a longer target has', async () => {
    const few: Rays = { origins: rays.origins.slice(0, 30), directions: rays.directions.slice(0, 30) };
    const target = await tester.rayCasts(bodies, rays);
    const { count, statusCounts } = await tester.rayCasts(bodies, few, { target });
    expect(count).toBe(10);
    expect(statusCounts.reduce((sum, n) => sum + n, 0)).toBe(10);
  });

  test('64-bit origins far out are as good as near ones', async () => {
    const far = 1e6;
    const move = (array: ArrayLike<number>): Float64Array =>
      Float64Array.from(array, (x, i) => x + (i % 3 === 0 ? far : 0));
    const moved = await tester.rayCasts({ ...bodies, positions: move(scene.positions) } as Bodies, {
      ...rays,
      origins: move(rays.origins),
    });
    let same = 0;
    for (let ray = 0; ray < RAYS; ray++) if (moved.body[ray] === found.body[ray]) same++;
    expect(same).toBeGreaterThan(0.998 * RAYS);
    expect(moved.point).toBeInstanceOf(Float64Array);
  });

  test('a ray 1e11 sizes away leaves the others their tolerance', async () => {
    const wide = { ...bodies, positions: Float64Array.from(scene.positions) } as Bodies;
    const origins = Float64Array.from([...rays.origins.subarray(0, 3 * JUDGED), 1e11, 0, 0]);
    const near = await tester.rayCasts(bodies, {
      origins: rays.origins.subarray(0, 3 * JUDGED),
      directions: rays.directions.subarray(0, 3 * JUDGED),
    });
    const spread = await tester.rayCasts(wide, { origins, directions: rays.directions.subarray(0, 3 * JUDGED + 3) });
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

  test('a ray into a row of equal boxes meets the nearest, at exactly its face', async () => {
    const box = tester.addShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    const row: Bodies = {
      shapes: new Uint32Array(100).fill(box),
      positions: Float32Array.from({ length: 300 }, (_, i) => (i % 3 ? 0 : 2 * (i / 3) + 2)),
      quaternions: Float32Array.from({ length: 400 }, (_, i) => (i % 4 === 3 ? 1 : 0)),
    };
    const hit = await tester.rayCasts(row, {
      origins: Float32Array.of(0, 0.25, 0, 300, 0, 0.25, 0, 5, 0, 3, 0, 0),
      directions: Float32Array.of(1, 0, 0, -2, 0, 0, 1, 0, 0, 0, 0, 0),
    });
    expect(Array.from(hit.body)).toEqual([0, 99, NO_BODY, NO_BODY]);
    expect(Array.from(hit.time)).toEqual([1.5, 49.75, Infinity, Infinity]);
    [-1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0].forEach((x, i) => expect(hit.normal[i]).toBeCloseTo(x, 6));
    tester.removeShape(box);
  });
});
