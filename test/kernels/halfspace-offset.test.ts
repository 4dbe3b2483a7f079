/** Half-spaces with large offsets under small bodies, at 64-bit positions: the error depends on the bodies alone. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contact, createShape, impact } from '../../src/cpu.ts';
import type { ShapeDescription } from '../../src/index.ts';
import { createTester } from '../../src/node.ts';
import { TOLERANCE } from '../../src/shapes/tolerances.ts';
import type { Tester } from '../../src/api/types.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';

const SEED = 20_261_124;
const PAIRS = 200;
const FEW = 20;
/** Half extents 0.01, as f32 has them. */
const BOX: ShapeDescription = { type: 'box', halfExtents: [0.01, 0.005, 0.0075].map(Math.fround) };
const SIZE = 0.0135;
const SCALE = 1.5;
/** Radius of the spheres that are cast. */
const RADIUS = 0.0078125;
const STILL = [0, 0, 0];

/** A turned half-space, body 0, and boxes that its plane runs through or passes closely. */
function makeScene(offset: number) {
  const random = createRandom(SEED);
  const plane: ShapeDescription = { type: 'halfspace', normal: [0.25, 1, -0.5], offset };
  const quaternions = new Float32Array(4 * (PAIRS + 1));
  const positions = new Float64Array(3 * (PAIRS + 1));
  for (let body = 0; body <= PAIRS; body++) quaternions.set(unitVector(random, [0, 0, 0, 0]), 4 * body);
  positions.set([12.5, -3.25, 7], 0);
  const poseA = { position: [...positions.subarray(0, 3)], quaternion: quaternions.subarray(0, 4), scale: SCALE };
  // The point of the plane under its body's origin, and the way out.
  const origin = { position: poseA.position, quaternion: [0, 0, 0, 1] };
  const dot = createShape({ type: 'sphere', radius: 0 });
  const { pointA, normal } = contact(createShape(plane), poseA, dot, origin, { margin: Infinity });
  for (let body = 1; body <= PAIRS; body++) {
    const aside = unitVector(random, [0, 0, 0]);
    const height = uniform(random, -SIZE, 3 * SIZE);
    const along = aside.map((x, k) => x - normal[k] * aside.reduce((sum, y, j) => sum + y * normal[j], 0));
    for (let k = 0; k < 3; k++) positions[3 * body + k] = pointA[k] + normal[k] * height + SIZE * along[k];
  }
  return { plane, positions, quaternions, scales: new Float32Array(PAIRS + 1).fill(1).fill(SCALE, 0, 1), normal };
}

type Scene = ReturnType<typeof makeScene>;

function poseOf({ positions, quaternions, scales }: Scene, body: number) {
  const vector = (array: ArrayLike<number>, width: number): number[] => {
    return Array.from({ length: width }, (_, k) => array[width * body + k]);
  };
  return { position: vector(positions, 3), quaternion: vector(quaternions, 4), scale: scales[body] };
}

/** Its half-space first and second by turns. */
const pairs = Uint32Array.from({ length: 2 * PAIRS }, (_, i) => ((i >> 1) % 2 === i % 2 ? 0 : (i >> 1) + 1));

/** Tolerance for bodies that are this near to the point of the plane where the half-space is. */
const T = TOLERANCE.kernels * 3 * SIZE;

describe.each(['webgpu', 'cpu'] as const)('%s', (backend) => {
  let tester: Tester;

  beforeAll(async () => {
    tester = await createTester({ backend });
  });
  afterAll(() => tester?.dispose());

  test.each([1, 1e3, 1e5, -1e7])('offset %d: contacts, impacts and sphere casts have the tolerance', async (offset) => {
    const scene = makeScene(offset);
    const shapes = new Uint32Array(PAIRS + 1).fill(tester.addShape(BOX)).fill(tester.addShape(scene.plane), 0, 1);
    const bodies = { shapes, positions: scene.positions, quaternions: scene.quaternions, scales: scene.scales };
    const [plane, box] = [createShape(scene.plane), createShape(BOX)];
    const found = await tester.contacts(bodies, pairs, { margin: Infinity });
    expect(found.statusCounts[0]).toBeGreaterThan(PAIRS / 10);
    expect(found.statusCounts[1]).toBeGreaterThan(PAIRS / 10);
    // Towards the plane by 1 per second.
    const linearVelocities = new Float32Array(3 * (PAIRS + 1));
    for (let i = 3; i < linearVelocities.length; i++) linearVelocities[i] = -scene.normal[i % 3];
    const met = await tester.impacts({ ...bodies, linearVelocities }, pairs, { duration: 1 });
    const origins = scene.positions.subarray(3);
    const { positions, quaternions, scales } = scene;
    const alone = {
      shapes: shapes.slice(0, 1),
      positions: positions.slice(0, 3),
      quaternions: quaternions.slice(0, 4),
      scales: scales.slice(0, 1),
    };
    const rays = { origins, directions: linearVelocities.slice(3), radii: new Float32Array(PAIRS).fill(RADIUS) };
    const hits = await tester.rayCasts(alone, rays);
    // So few are cast on the CPU.
    const few = await tester.rayCasts(alone, {
      origins: origins.subarray(0, 3 * FEW),
      directions: rays.directions.subarray(0, 3 * FEW),
      radii: rays.radii.subarray(0, FEW),
    });
    for (let pair = 0; pair < PAIRS; pair++) {
      const label = `seed ${SEED}, offset ${offset}, pair ${pair}`;
      const [poseA, poseB] = [poseOf(scene, 0), poseOf(scene, pair + 1)];
      const { distance, pointA, pointB } = contact(plane, poseA, box, poseB, { margin: Infinity });
      const isFirst = pairs[2 * pair] === 0;
      // Doubles have a 1e-16th of the offset.
      const t = T + 1e-15 * Math.abs(offset);
      expect(Math.abs(found.distance[pair] - distance), `${label}: distance for ${distance}`).toBeLessThan(t);
      const onPlane = isFirst ? found.pointA : found.pointB;
      const leap = Math.hypot(...pointA.map((x, k) => onPlane[3 * pair + k] - x));
      expect(leap, `${label}: point on the plane`).toBeLessThan(3 * SIZE);
      const height = (point: ArrayLike<number>, at: number): number => {
        return scene.normal.reduce((sum, n, k) => sum + n * (point[at + k] - pointA[k]), 0);
      };
      expect(Math.abs(height(onPlane, 3 * pair)), `${label}: point on the plane`).toBeLessThan(t);
      const onBox = isFirst ? found.pointB : found.pointA;
      expect(Math.abs(height(onBox, 3 * pair) - height(pointB, 0)), `${label}: point on the box`).toBeLessThan(t);
      expect(Math.abs(met.unclampedTime[pair] - distance), `${label}: time for ${distance}`).toBeLessThan(t);
      expect(Math.abs(height(met.point, 3 * pair)), `${label}: point of the impact`).toBeLessThan(t);
      const ray = contact(plane, poseA, createShape({ type: 'sphere', radius: RADIUS }), poseB, { margin: Infinity });
      for (const { time, point } of pair < FEW ? [hits, few] : [hits]) {
        expect(Math.abs(time[pair] - Math.max(ray.distance, 0)), `${label}: sphere cast`).toBeLessThan(t);
        expect(Math.abs(height(point, 3 * pair)), `${label}: point of the sphere cast`).toBeLessThan(t);
      }
    }
  });

  test('a half-space that turns does so about its position, not about its plane', async () => {
    const plane: ShapeDescription = { type: 'halfspace', normal: [0, 1, 0], offset: -2 };
    const ball: ShapeDescription = { type: 'sphere', radius: 0.5 };
    const positions = new Float64Array([0, 0, 0, 3, 0, 0]);
    const quaternions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1);
    const spin = [0, 0, 0.25];
    const { time } = await tester.impacts(
      {
        shapes: Uint32Array.of(tester.addShape(plane), tester.addShape(ball)),
        positions,
        quaternions,
        linearVelocities: new Float32Array(6),
        angularVelocities: Float32Array.of(...spin, 0, 0, 0),
      },
      Uint32Array.of(0, 1),
      { duration: 8 },
    );
    const still = { quaternion: [0, 0, 0, 1], linearVelocity: STILL };
    const turning = { ...still, position: STILL, angularVelocity: spin };
    const standing = { ...still, position: [3, 0, 0] };
    const expected = impact(createShape(plane), turning, createShape(ball), standing, { duration: 8 });
    expect(expected.time).toBeCloseTo(Math.asin(1.5 / 3) / 0.25, 6);
    expect(time[0]).toBeCloseTo(expected.time, 4);
  });
});
