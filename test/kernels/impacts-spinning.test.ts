/**
 * Bodies that turn beside a face without coming nearer to it, at every gap: tops, pucks that slide, wheels that roll;
 * and turns at the limits of what is taken.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { Status, type Impacts, type Tester } from '../../src/api/types.ts';
import { multiply } from '../../verification/families/arrangements.ts';
import { turnOf } from '../../verification/families/moving-family.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';

const testers: Partial<Record<'cpu' | 'webgpu', Tester>> = {};

beforeAll(async () => {
  testers.cpu = await createTester({ backend: 'cpu' });
  testers.webgpu = await createTester({ backend: 'webgpu' });
});

afterAll(() => Object.values(testers).forEach((tester) => tester.dispose()));

interface Body {
  shape: ShapeDescription;
  position: readonly number[];
  quaternion?: readonly number[];
  velocity?: readonly number[];
  spin?: readonly number[];
}

/** The first two bodies, the next two, and so on. */
async function askPairs(tester: Tester, bodies: readonly Body[], duration: number): Promise<Impacts> {
  useShapes(
    tester,
    bodies.map(({ shape }) => shape),
  );
  const rows = (of: (body: Body) => readonly number[]): Float32Array =>
    Float32Array.from(bodies.flatMap((body) => [...of(body)]));
  const moving = {
    shapes: Uint32Array.from(bodies, (_, i) => i),
    positions: rows(({ position }) => position),
    quaternions: rows(({ quaternion = [0, 0, 0, 1] }) => quaternion),
    linearVelocities: rows(({ velocity = [0, 0, 0] }) => velocity),
    angularVelocities: rows(({ spin = [0, 0, 0] }) => spin),
  };
  return tester.impacts(
    moving,
    Uint32Array.from(bodies, (_, i) => i),
    { duration },
  );
}

const FLOORS: [name: string, floor: Body][] = [
  ['half-space', { shape: { type: 'halfspace', normal: [0, 1, 0], offset: 0 }, position: [0, 0, 0] }],
  ['tile', { shape: { type: 'box', halfExtents: [5, 0.5, 5] }, position: [0, -0.5, 0] }],
];

const LYING = [Math.SQRT1_2, 0, 0, Math.SQRT1_2];

/** Lowest points at 0, turning about the vertical, or rolling. */
const RIDERS: [
  name: string,
  shape: ShapeDescription,
  height: number,
  quaternion: readonly number[] | undefined,
  axis: readonly number[],
][] = [
  ['a cube', { type: 'box', halfExtents: [0.5, 0.5, 0.5] }, 0.5, undefined, [0, 1, 0]],
  ['a rounded box', { type: 'box', halfExtents: [0.5, 0.4, 0.5], radius: 0.1 }, 0.5, undefined, [0, 1, 0]],
  ['a puck', { type: 'cylinder', halfHeight: 0.1, radius: 0.5 }, 0.1, undefined, [0, 1, 0]],
  ['a wheel', { type: 'cylinder', halfHeight: 0.1, radius: 0.5 }, 0.5, LYING, [0, 0, -1]],
  ['a rolling pin', { type: 'capsule', halfHeight: 0.5, radius: 0.25 }, 0.25, LYING, [0, 0, -1]],
  ['a lens', { type: 'ellipsoid', radii: [0.5, 0.5, 0.2] }, 0.5, undefined, [0, 0, -1]],
];

describe.each(['cpu', 'webgpu'] as const)('%s', (backend) => {
  describe.each(FLOORS)('over a %s', (_floor, floor) => {
    test.each(RIDERS)('%s turns and slides without an impact', async (name, shape, height, quaternion, axis) => {
      const bodies: Body[] = [];
      const expected: string[] = [];
      for (const gap of [1e-4, 1e-3, 1e-2, 0.1]) {
        for (const speed of [1, 10, 30]) {
          for (const velocity of [
            [0, 0, 0],
            [1, 0, 0],
          ]) {
            for (const isFirst of [true, false]) {
              const rider = {
                shape,
                position: [-0.5, height + gap, 0],
                quaternion,
                velocity,
                spin: axis.map((x) => speed * x),
              };
              bodies.push(...(isFirst ? [floor, rider] : [rider, floor]));
              expected.push(`gap ${gap}, spin ${speed}, velocity ${velocity}, first: ${isFirst}`);
            }
          }
        }
      }
      const { status } = await askPairs(testers[backend]!, bodies, 1);
      expect(
        expected.filter((_, i) => status[i] !== Status.Separated),
        name,
      ).toEqual([]);
      expect(status.length).toBe(expected.length);
    });

    test.each(RIDERS.slice(0, 3))(
      '%s that touches slides and turns on',
      async (name, shape, height, quaternion, axis) => {
        const bodies = [1, 10, 30].flatMap((speed) => {
          const rider = {
            shape,
            position: [-0.5, height, 0],
            quaternion,
            velocity: [1, 0, 0],
            spin: axis.map((x) => speed * x),
          };
          return [floor, rider];
        });
        const { status } = await askPairs(testers[backend]!, bodies, 1);
        expect([...status], name).toEqual([Status.Separated, Status.Separated, Status.Separated]);
      },
    );
  });

  test('what turns as it parts from a tile is not stopped, however near they are to begin with', async () => {
    const random = createRandom(20_261_322);
    const bodies: Body[] = [];
    const labels: string[] = [];
    for (const size of [0.2, 2]) {
      const shapes: [ShapeDescription, number][] = [
        [{ type: 'box', halfExtents: [size, size, size] }, size],
        [{ type: 'capsule', halfHeight: 0.5 * size, radius: 0.5 * size }, size],
        [{ type: 'hull', points: [size, -size, 0, -size, -size, 0, 0, -size, size, 0, size, 0] }, size],
        [{ type: 'cylinder', halfHeight: size, radius: size }, size],
      ];
      for (const [shape, height] of shapes) {
        for (let exponent = -13; exponent < -4; exponent += 0.25) {
          for (const speed of [5, 50]) {
            const rider = {
              shape,
              position: [0, height + size * 10 ** exponent, 0],
              velocity: [0, speed * size, 0],
              spin: unitVector(random, [0, 0, 0]),
            };
            const floor = FLOORS[labels.length % 2][1];
            bodies.push(...(labels.length % 3 > 0 ? [floor, rider] : [rider, floor]));
            labels.push(`${shape.type} of ${size}, gap ${10 ** exponent} sizes, speed ${speed}`);
          }
        }
      }
    }
    const { status, time } = await askPairs(testers[backend]!, bodies, 1 / 60);
    expect(labels.filter((_, i) => status[i] !== Status.Separated)).toEqual([]);
    expect(time.every((t) => t === Infinity)).toBe(true);
  });

  test('a cube that tips while it turns over a tile hits it with a corner', async () => {
    const gap = 0.01;
    const cube: Body = {
      shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
      position: [0, 0.5 + gap, 0],
      spin: [0, 5, 1],
    };
    const { status, time, normal } = await askPairs(testers[backend]!, [FLOORS[1][1], cube], 1);
    expect(status[0]).toBe(Status.Overlapping);
    expect(time[0]).toBeGreaterThan(0);
    expect(time[0]).toBeLessThan(0.1);
    expect(normal[1]).toBeGreaterThan(0.99);
  });

  test('turns of 32 radians about any axis are taken', async () => {
    const random = createRandom(20_261_320);
    for (let i = 0; i < 40; i++) {
      const duration = uniform(random, 0.01, 3);
      const spin = Float32Array.from(unitVector(random, new Float64Array(3)), (x) => (32 * x) / duration);
      while (Math.hypot(...spin) * duration > 32) spin.forEach((x, k) => (spin[k] = x * (1 - 2 ** -24)));
      const { status } = await askPairs(
        testers[backend]!,
        [FLOORS[1][1], { shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] }, position: [0, 3, 0], spin: [...spin] }],
        duration,
      );
      expect(status[0], `spin ${spin}, duration ${duration}`).toBe(Status.Separated);
    }
  });

  test('the fastest bodies meet when slow ones do, in less time', async () => {
    // Powers of ten in both: the same way.
    for (const speed of [1, 1e9, 1e18, 1e25]) {
      const cube: ShapeDescription = { type: 'box', halfExtents: [0.5, 0.5, 0.5] };
      const { status, time } = await askPairs(
        testers[backend]!,
        [
          { shape: cube, position: [0, 0, 0], spin: [0, 0, 0.25 * speed] },
          { shape: cube, position: [4, 0, 0], velocity: [-speed, 0, 0] },
        ],
        5 / speed,
      );
      expect(status[0], `speed ${speed}`).toBe(Status.Overlapping);
      // The first cube reaches out to its corner: 0.5 (cos + sin) of what it has turned by then.
      const turned = 0.25 * time[0] * speed;
      const reach = 0.5 * (Math.cos(turned) + Math.sin(turned));
      expect(Math.abs(4 - time[0] * speed - 0.5 - reach)).toBeLessThan(1e-4);
    }
  });
});

/** A quarter turn about the vertical. */
const ACROSS = [0, Math.SQRT1_2, 0, Math.SQRT1_2];

test('edges that cross are approached as fast as faces: few steps for any pair of crossed beams', async () => {
  const random = createRandom(20_261_321);
  const beam: ShapeDescription = { type: 'box', halfExtents: [2, 0.1, 0.1] };
  const bodies: Body[] = [];
  const spin = (): number[] => [...unitVector(random, new Float64Array(3))];
  const rolled = (): number[] => turnOf([uniform(random, 0, Math.PI), 0, 0], 1);
  for (let i = 0; i < 200; i++) {
    bodies.push({ shape: beam, position: [0, 0, 0], quaternion: rolled(), spin: spin() });
    bodies.push({
      shape: beam,
      position: [0, 1.5, 0],
      quaternion: multiply(ACROSS, rolled()),
      velocity: [0, -2, 0],
      spin: spin(),
    });
  }
  for (const tester of Object.values(testers)) {
    const { status, iterations } = await askPairs(tester, bodies, 1);
    expect(status.filter((x) => x === Status.Overlapping).length).toBeGreaterThan(180);
    expect(status.filter((x) => x === Status.NotConverged).length).toBe(0);
    const sorted = [...iterations].sort((a, b) => a - b);
    expect(sorted[100]).toBeLessThan(25);
    expect(sorted[199]).toBeLessThan(80);
  }
});
