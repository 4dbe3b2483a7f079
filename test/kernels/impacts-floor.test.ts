/**
 * What times of impact are for: bodies that slide fast over a floor of tiles are held up by it and never stopped by a
 * tile's side, and none falls through; bullets that fly many times their length in a step miss no plate.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { Status, type MovingBodies, type Tester, type TesterOptions } from '../../src/api/types.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { rotate, rotationMatrix } from '../../verification/oracle/shape.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_307;
const TILES = 200;
const STEPS = atNight(20, 40);
const STEP = 1 / 60;
const GRAVITY = 9.81;
/** Impacts that a body may have in a step before it is left where it is. */
const MOST_IMPACTS = 8;
const NOTHING = 0xffff_ffff;

const testers: Partial<Record<'webgpu' | 'cpu', Tester>> = {};

beforeAll(async () => {
  for (const backend of ['webgpu', 'cpu'] satisfies TesterOptions['backend'][])
    testers[backend] = await createTester({ backend });
});

afterAll(() => {
  for (const tester of Object.values(testers)) tester.dispose();
});

interface Slider {
  label: string;
  shape: number;
  position: number[];
  quaternion: number[];
  velocity: number[];
}

interface Floor {
  /** Tiles are that wide along x. */
  width: number;
  /** Height of their upper faces. */
  top: number;
}

/** What a body went through. */
interface Ride {
  impacts: number;
  /** Least share of a normal that points up. */
  leastUp: number;
  /** Lowest and highest that the body's origin was over the floor. */
  lowest: number;
  highest: number;
  /** Steps at whose end some of the way was left. */
  stuck: number;
  /** Units along x. */
  way: number;
}

/**
 * Each body moves to its first impact, or back to it, loses its velocity along the normal and goes on with the rest of
 * the step. All of them do so in one query, which has their ways within what is left of the step as velocities and 1 as
 * the duration.
 */
async function slide(tester: Tester, sliders: readonly Slider[], { width, top }: Floor, tile: number): Promise<Ride[]> {
  const count = sliders.length;
  const bodies = {
    shapes: new Uint32Array(TILES + count).fill(tile, 0, TILES),
    positions: new Float32Array(3 * (TILES + count)),
    quaternions: Float32Array.from({ length: 4 * (TILES + count) }, (_, i) => (i % 4 === 3 ? 1 : 0)),
    linearVelocities: new Float32Array(3 * (TILES + count)),
  } satisfies MovingBodies;
  for (let i = 0; i < TILES; i++) bodies.positions.set([i * width, top - 0.5, 0], 3 * i);
  sliders.forEach(({ shape, position, quaternion }, i) => {
    bodies.shapes[TILES + i] = shape;
    bodies.positions.set(position, 3 * (TILES + i));
    bodies.quaternions.set(quaternion, 4 * (TILES + i));
  });
  const velocities = sliders.map(({ velocity }) => velocity.slice());
  const rides = sliders.map((): Ride => ({
    impacts: 0,
    leastUp: 1,
    lowest: Infinity,
    highest: -Infinity,
    stuck: 0,
    way: 0,
  }));
  const at = (i: number): Float32Array => bodies.positions.subarray(3 * (TILES + i), 3 * (TILES + i) + 3);
  for (let step = 0; step < STEPS; step++) {
    const left = sliders.map(() => STEP);
    velocities.forEach((velocity, i) => {
      velocity[1] -= GRAVITY * STEP;
      // To and fro.
      const ahead = at(i)[0] + velocity[0] * STEP;
      if (ahead < 5 * width || ahead > (TILES - 6) * width) velocity[0] *= -1;
    });
    for (let impact = 0; impact <= MOST_IMPACTS; impact++) {
      const pairs: number[] = [];
      velocities.forEach((velocity, i) => {
        for (let k = 0; k < 3; k++) bodies.linearVelocities[3 * (TILES + i) + k] = velocity[k] * left[i];
        if (left[i] === 0) return;
        const [from, to] = [at(i)[0], at(i)[0] + velocity[0] * left[i]].sort((p, q) => p - q);
        const first = Math.max(0, Math.floor((from - 2) / width));
        const last = Math.min(TILES - 1, Math.ceil((to + 2) / width));
        // In either order of the bodies.
        for (let n = first; n <= last; n++) pairs.push(...(n % 2 === 0 ? [TILES + i, n] : [n, TILES + i]));
      });
      if (pairs.length === 0) break;
      const list = Uint32Array.from(pairs);
      const found = await tester.impacts(bodies, list, { duration: 1, results: 'earliest' });
      expect(found.statusCounts.slice(2)).toEqual([0, 0, 0]);
      for (let i = 0; i < count; i++) {
        if (left[i] === 0) continue;
        const slot = found.first![TILES + i];
        // What has sunk in by rounding goes back to where it touches.
        const share = slot === NOTHING ? 1 : Math.max(found.unclampedTime[slot], -1);
        const velocity = velocities[i];
        for (let k = 0; k < 3; k++) at(i)[k] += velocity[k] * left[i] * share;
        rides[i].way += Math.abs(velocity[0] * left[i] * share);
        rides[i].lowest = Math.min(rides[i].lowest, at(i)[1] - top);
        rides[i].highest = Math.max(rides[i].highest, at(i)[1] - top);
        left[i] = slot === NOTHING ? 0 : left[i] * (1 - Math.max(share, 0));
        if (slot === NOTHING) continue;
        const normal = found.normal.subarray(3 * slot, 3 * slot + 3);
        const along = velocity.reduce((sum, x, k) => sum + x * normal[k], 0);
        for (let k = 0; k < 3; k++) velocity[k] -= along * normal[k];
        rides[i].impacts++;
        rides[i].leastUp = Math.min(rides[i].leastUp, Math.abs(normal[1]));
        if (impact === MOST_IMPACTS) {
          rides[i].stuck++;
          left[i] = 0;
        }
      }
    }
  }
  return rides;
}

/** Shapes with how far each reaches below its origin. */
const kinds: { name: string; shape: ShapeDescription; below: number; quaternion?: number[] }[] = [
  { name: 'a box', shape: { type: 'box', halfExtents: [0.5, 0.25, 0.25] }, below: 0.25 },
  {
    name: 'a box turned about the vertical',
    shape: { type: 'box', halfExtents: [0.5, 0.25, 0.25] },
    below: 0.25,
    quaternion: [0, Math.sin(0.2), 0, Math.cos(0.2)],
  },
  { name: 'a sphere', shape: { type: 'sphere', radius: 0.25 }, below: 0.25 },
  {
    name: 'a wedge',
    shape: {
      type: 'hull',
      points: [
        -0.5, -0.125, -0.25, 0.5, -0.125, -0.25, -0.5, -0.125, 0.25, 0.5, -0.125, 0.25, -0.5, 0.25, -0.25, -0.5, 0.25,
        0.25,
      ],
    },
    below: 0.125,
  },
  { name: 'a rounded box', shape: { type: 'box', halfExtents: [0.375, 0.125, 0.125], radius: 0.125 }, below: 0.25 },
  { name: 'an upright cylinder', shape: { type: 'cylinder', halfHeight: 0.25, radius: 0.25 }, below: 0.25 },
];

/** Widths of tiles a step. */
const SPEEDS = [0.1, 0.37, 1, 2.5, 7.25, 20, 50];

describe.each(['webgpu', 'cpu'] as const)('on %s', (backend) => {
  // In quarters all of a tile's faces are numbers of f32; at 0.3 and 7.1 they overlap each other, or leave gaps, of as
  // much as those are rounded by.
  describe.each([
    { width: 1, top: 0 },
    { width: 0.3, top: 7.1 },
  ])('tiles of $width, their tops at $top', (floor) => {
    test.each(kinds)(
      '$name slides over them, and is never stopped by a side nor falls through',
      async ({ name, shape, below, quaternion = [0, 0, 0, 1] }) => {
        const tester = testers[backend]!;
        useShapes(tester, [{ type: 'box', halfExtents: [0.5 * floor.width, 0.5, 2] }, shape]);
        const random = createRandom(SEED);
        const { width, top } = floor;
        // With the middle over a tile's middle or edge, with the front on an edge, anywhere; lying on the floor, over
        // it, or let fall.
        const offsets = [0, 0.5, 0.5 - 0.5 / width, 0.25, uniform(random, -0.5, 0.5)];
        const heights = [0, 0, 1e-6, 1e-3, 0.01];
        const sliders = SPEEDS.flatMap((speed) =>
          offsets.map((offset, i): Slider => ({
            label: `${name} at ${speed} tiles a step from ${offset} of one, ${heights[i]} over the floor`,
            shape: 1,
            position: [(20 + offset) * width, top + below + heights[i], 0],
            quaternion,
            velocity: [(speed * width) / STEP, 0, 0],
          })),
        );
        const rides = await slide(tester, sliders, floor, 0);
        // Round bodies touch a tile's edge, or the next one's, by as little as they are off the top.
        const least = shape.type === 'sphere' ? 0.99 : 0.999;
        for (const [i, { label, velocity }] of sliders.entries()) {
          const { impacts, leastUp, lowest, highest, stuck, way } = rides[i];
          expect(leastUp, `${label}: a sideways normal`).toBeGreaterThan(least);
          expect(lowest, `${label}: falls`).toBeGreaterThan(below - 2e-5 * Math.max(1, top));
          expect(highest, `${label}: is thrown up`).toBeLessThan(below + 0.0101);
          expect(stuck, `${label}: is stuck`).toBe(0);
          // Nothing takes from the speed along the floor; what they go back by is counted, too.
          expect(way / (STEPS * STEP * velocity[0]), `${label}: is held up`).toBeCloseTo(1, 2);
          expect(impacts, `${label}: flies`).toBeGreaterThan(STEPS / 4);
        }
      },
    );
  });

  test('a wall at the end of the floor does stop them, with a sideways normal', async () => {
    const tester = testers[backend]!;
    useShapes(tester, [
      { type: 'box', halfExtents: [0.5, 0.5, 2] },
      { type: 'box', halfExtents: [0.25, 0.25, 0.25] },
    ]);
    const bodies: MovingBodies = {
      shapes: Uint32Array.of(0, 0, 0, 0, 0, 1),
      positions: Float32Array.of(0, -0.5, 0, 1, -0.5, 0, 2, -0.5, 0, 3, -0.5, 0, 4, 0.5, 0, 0, 0.25, 0),
      quaternions: Float32Array.from({ length: 24 }, (_, i) => (i % 4 === 3 ? 1 : 0)),
      linearVelocities: Float32Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0),
    };
    const found = await tester.impacts(bodies, Uint32Array.of(5, 0, 5, 1, 5, 2, 5, 3, 5, 4), {
      duration: 1,
      results: 'earliest',
    });
    const slot = found.first![5];
    expect(found.pair[slot]).toBe(4);
    expect(found.time[slot]).toBeCloseTo(0.325, 5);
    expect(Array.from(found.normal.subarray(3 * slot, 3 * slot + 3))).toEqual([
      expect.closeTo(1, 5),
      expect.closeTo(0, 5),
      expect.closeTo(0, 5),
    ]);
  });
});

describe('bullets of 1 cm at 1000 m/s against plates of 1 mm at 60 Hz', () => {
  const BATCH = atNight(20_000, 100_000);
  const HALF_PLATE = [0.5, 0.0005, 0.5];
  const HALF_BULLET = 0.005;
  const SPEED = 1000;

  const bodies = {
    shapes: Uint32Array.from({ length: 2 * BATCH }, (_, i) => i % 2),
    positions: new Float32Array(6 * BATCH),
    quaternions: new Float32Array(8 * BATCH),
    linearVelocities: new Float32Array(6 * BATCH),
  } satisfies MovingBodies;
  const pairs = Uint32Array.from({ length: 2 * BATCH }, (_, i) => i);
  /** When each bullet is to meet its plate, and how steeply. */
  const times = new Float64Array(BATCH);
  const cosines = new Float64Array(BATCH);
  const distances = new Float64Array(BATCH);

  /**
   * Plates anywhere in a hall of 20 m, bullets aimed at a point of each, up to 80 degrees off its normal; no bullet
   * gets farther than the step takes it.
   */
  function load(random: () => number, reachOf: (axis: number[], quaternion: Float32Array) => number): void {
    for (let i = 0; i < BATCH; i++) {
      const [plate, bullet] = [2 * i, 2 * i + 1];
      const q = unitVector(random, [0, 0, 0, 0]);
      bodies.quaternions.set(q, 4 * plate);
      bodies.quaternions.set(unitVector(random, [0, 0, 0, 0]), 4 * bullet);
      const turn = rotationMatrix(bodies.quaternions.subarray(4 * plate, 4 * plate + 4));
      const normal = rotate(turn, [0, 1, 0]);
      const angle = uniform(random, 0, (80 * Math.PI) / 180);
      const around = uniform(random, 0, 2 * Math.PI);
      const back = rotate(turn, [
        Math.sin(angle) * Math.cos(around),
        Math.cos(angle),
        Math.sin(angle) * Math.sin(around),
      ]);
      // Far enough from the plate's edges that its face is what is met.
      const aim = rotate(turn, [uniform(random, -0.4, 0.4), HALF_PLATE[1], uniform(random, -0.4, 0.4)]);
      const way = uniform(random, 0.1, 16);
      for (let k = 0; k < 3; k++) {
        const at = uniform(random, -10, 10);
        bodies.positions[3 * plate + k] = at;
        bodies.positions[3 * bullet + k] = at + aim[k] + way * back[k];
        bodies.linearVelocities[3 * bullet + k] = -SPEED * back[k];
      }
      // Computed from the rounded numbers.
      const offset = [0, 1, 2].map((k) => bodies.positions[3 * bullet + k] - bodies.positions[3 * plate + k]);
      const velocity = [0, 1, 2].map((k) => bodies.linearVelocities[3 * bullet + k]);
      const closing = -normal.reduce((sum, x, k) => sum + x * velocity[k], 0);
      const height =
        normal.reduce((sum, x, k) => sum + x * offset[k], 0) -
        HALF_PLATE[1] -
        reachOf(normal, bodies.quaternions.subarray(4 * bullet, 4 * bullet + 4));
      times[i] = height / closing;
      cosines[i] = closing;
      distances[i] = Math.hypot(...offset);
    }
  }

  const bullets: {
    name: string;
    shape: ShapeDescription;
    batches: number;
    reachOf: (normal: number[], quaternion: Float32Array) => number;
  }[] = [
    { name: 'spheres', shape: { type: 'sphere', radius: HALF_BULLET }, batches: 5, reachOf: () => HALF_BULLET },
    {
      name: 'cubes',
      shape: { type: 'box', halfExtents: [HALF_BULLET, HALF_BULLET, HALF_BULLET] },
      batches: 5,
      reachOf(normal, quaternion) {
        const turn = rotationMatrix(quaternion);
        const half = Math.fround(HALF_BULLET);
        return [0, 1, 2].reduce(
          (sum, axis) => sum + half * Math.abs([0, 1, 2].reduce((dot, k) => dot + normal[k] * turn[3 * k + axis], 0)),
          0,
        );
      },
    },
  ];

  test.each(bullets)(`no miss in $batches times ${BATCH} $name`, async ({ name, shape, batches, reachOf }) => {
    const tester = testers.webgpu!;
    useShapes(tester, [{ type: 'box', halfExtents: HALF_PLATE }, shape]);
    for (let batch = 0; batch < batches; batch++) {
      const seed = SEED + batch;
      load(createRandom(seed), reachOf);
      const found = await tester.impacts(bodies, pairs, { duration: STEP });
      expect(found.statusCounts, `${name}, seed ${seed}`).toEqual([0, BATCH, 0, 0, 0]);
      let wrong = '';
      for (let i = 0; i < BATCH && wrong === ''; i++) {
        const off = Math.abs(found.time[i] - times[i]) * cosines[i];
        const up = Math.abs(Math.hypot(found.normal[3 * i], found.normal[3 * i + 1], found.normal[3 * i + 2]) - 1);
        if (!(found.status[i] === Status.Overlapping && off <= 5e-6 * distances[i] && up <= 1e-5))
          wrong = `pair ${i}: ${found.time[i]}, expected ${times[i]}, off by ${off}`;
      }
      expect(wrong, `${name}, seed ${seed}`).toBe('');
    }
  });
});
