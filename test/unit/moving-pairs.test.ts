/** `findPairs` with velocities and a duration: every pair that can meet on the way, against samples and `impacts`. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Bodies, MovingBodies, Tester, Velocities } from '../../src/api/types.ts';
import { makeFamily } from '../../verification/families/families.ts';
import { multiply } from '../../verification/families/arrangements.ts';
import { turnOf } from '../../verification/families/moving-family.ts';
import { below, createRandom, uniform, unitVector, type Random } from '../../verification/families/random.ts';
import { dimensions, type AnyDescription, type Dimension } from '../helpers/dimensions.ts';

const COUNT = 120;
const DURATION = 0.75;
const SAMPLES = 24;

const SOLIDS: AnyDescription[] = [
  { type: 'sphere', radius: 0.5 },
  { type: 'box', halfExtents: [1, 0.25, 0.1] },
  { type: 'capsule', halfHeight: 1, radius: 0.1 },
  { type: 'cylinder', halfHeight: 1, radius: 0.25 },
  { type: 'cone', halfHeight: 0.5, radius: 0.5 },
  { type: 'ellipsoid', radii: [0.25, 0.5, 1] },
  ...makeFamily('rounded-box-hull', 1, 3).shapes,
];
const FLAT: AnyDescription[] = [
  { type: 'circle', radius: 0.5 },
  { type: 'rectangle', halfExtents: [1, 0.2] },
  { type: 'segment', points: [-1, 0, 2, 1] },
  { type: 'capsule', halfHeight: 1, radius: 0.1 },
  { type: 'polygon', points: [2, 0, 3, 0, 2, 1] },
];

/** Bodies of any of the shapes in a cube or square, with velocities. The first ones do not turn. */
function crowd({ axes, identity, makeBodies }: Dimension, shapeCount: number, random: Random): Bodies & Velocities {
  const room = axes === 3 ? 5 : 14;
  const width = axes === 3 ? 3 : 1;
  const numbers = (count: number, most: number): Float32Array =>
    Float32Array.from({ length: count }, () => uniform(random, -most, most));
  const rotations = new Float32Array(identity.length * COUNT);
  for (let i = 0; i < COUNT; i++)
    rotations.set(axes === 3 ? unitVector(random, [0, 0, 0, 0]) : [uniform(random, -9, 9)], identity.length * i);
  const bodies = makeBodies.call({ identity } as Dimension, {
    shapes: Array.from({ length: COUNT }, () => below(random, shapeCount)),
    positions: numbers(axes * COUNT, room),
    rotations,
    scales: Float32Array.from({ length: COUNT }, () => uniform(random, 0.5, 1.5)),
  });
  return {
    ...bodies,
    linearVelocities: numbers(axes * COUNT, 4).fill(0, 0, axes * 10),
    angularVelocities: numbers(width * COUNT, 8).fill(0, 0, (width * COUNT) / 2),
  };
}

/** The bodies after some seconds. */
function after(moving: Bodies & Velocities, seconds: number, axes: number): Bodies {
  const { linearVelocities: linear, angularVelocities: angular, ...bodies } = moving;
  const positions = bodies.positions!.map((x, i) => x + linear[i] * seconds) as Float32Array;
  if (axes === 2) {
    const planar = bodies as unknown as { angles: Float32Array };
    return { ...bodies, positions, angles: planar.angles.map((angle, i) => angle + angular![i] * seconds) } as never;
  }
  const quaternions = bodies.quaternions!.slice();
  for (let i = 0; i < COUNT; i++) {
    const turn = turnOf(angular!.subarray(3 * i, 3 * i + 3), seconds);
    quaternions.set(multiply(turn, quaternions.subarray(4 * i, 4 * i + 4)), 4 * i);
  }
  return { ...bodies, positions, quaternions } as Bodies;
}

const keysOf = (pairs: Uint32Array): string[] =>
  Array.from({ length: pairs.length / 2 }, (_, i) => `${pairs[2 * i]},${pairs[2 * i + 1]}`);

function everyPair(count: number): Uint32Array {
  const pairs: number[] = [];
  for (let a = 0; a < count; a++) for (let b = a + 1; b < count; b++) pairs.push(a, b);
  return Uint32Array.from(pairs);
}

describe.each(dimensions)('$name', (dimension) => {
  const { axes, vector } = dimension;
  const shapes = axes === 3 ? SOLIDS : FLAT;
  let tester: Tester;
  beforeEach(async () => {
    tester = await dimension.createTester({ backend: 'cpu', threads: 1 });
    dimension.useShapes(tester, shapes);
  });
  afterEach(() => tester.dispose());

  /** Two balls of radius 1/2 at rest and `gap` apart along x, with these velocities along x and y. */
  function two(gap: number, velocityA: number[], velocityB: number[], spin?: number[]): MovingBodies {
    return {
      ...dimension.makeBodies({
        shapes: [0, 0],
        positions: Float32Array.from([...vector(0, 0), ...vector(1 + gap, 0)]),
      }),
      linearVelocities: Float32Array.from([
        ...vector(velocityA[0], velocityA[1]),
        ...vector(velocityB[0], velocityB[1]),
      ]),
      ...(spin && { angularVelocities: Float32Array.from(spin.flatMap((w) => (axes === 3 ? [0, 0, w] : [w]))) }),
    };
  }

  const countIn = async (bodies: MovingBodies, duration: number): Promise<number> =>
    (await tester.findPairs(bodies, { duration })).length / 2;

  const refusalIn = async (bodies: unknown, duration: number): Promise<string> =>
    tester.findPairs(bodies as Bodies, { duration }).then(
      () => 'nothing is wrong',
      (error: Error) => error.message,
    );

  test.each([0, 0.2])('no pair is lost that is near at any time, or that impacts report, margin %d', async (margin) => {
    for (let seed = 1; seed <= 3; seed++) {
      const moving = crowd(dimension, shapes.length, createRandom(seed));
      const found = keysOf(await tester.findPairs(moving, { margin, duration: DURATION }));
      const known = new Set(found);
      const sampled = new Set<string>();
      for (let i = 0; i <= SAMPLES; i++) {
        const near = await tester.findPairs(after(moving, (DURATION * i) / SAMPLES, axes), { margin });
        for (const key of keysOf(near)) sampled.add(key);
      }
      // Boxes at rest that turn are bounded by balls, whose boxes hold theirs; both have the same tolerance.
      expect(
        [...sampled].filter((key) => !known.has(key)),
        `seed ${seed}`,
      ).toEqual([]);
      expect(sampled.size).toBeGreaterThan(100);
      const all = everyPair(COUNT);
      const { pair } = await tester.impacts(moving, all, { margin, duration: DURATION, results: 'hits' });
      const met = Array.from(pair, (p) => `${all[2 * p]},${all[2 * p + 1]}`);
      expect(met.length).toBeGreaterThan(20);
      expect(
        met.filter((key) => !known.has(key)),
        `seed ${seed}`,
      ).toEqual([]);
      expect(found.length).toBeLessThan(0.4 * (all.length / 2));
    }
  });

  test('boxes that move along a line are enclosed tightly', async () => {
    expect(await countIn(two(2, [1, 0], [-1, 0]), 1)).toBe(1);
    expect(await countIn(two(2.001, [1, 0], [-1, 0]), 1)).toBe(0);
    expect(await countIn(two(2, [0.9, 0], [-1, 0]), 1)).toBe(0);
    expect(await countIn(two(2, [-1, 0], [1, 0]), 1)).toBe(0);
    expect(await countIn(two(0, [-1, 0], [1, 0]), 1)).toBe(1);
    expect(await countIn(two(0.001, [0, 9], [0, -9]), 1)).toBe(0);
    // A ball that turns about its centre stays where it is.
    expect(await countIn(two(0.001, [0, 0], [0, 0], [5, 5]), 1)).toBe(0);
    expect((await tester.findPairs(two(2.5, [1, 0], [-1, 0]), { duration: 1, margin: 0.5 })).length).toBe(2);
    expect((await tester.findPairs(two(2.51, [1, 0], [-1, 0]), { duration: 1, margin: 0.5 })).length).toBe(0);
  });

  test('for ever', async () => {
    expect(await countIn(two(1e6, [1e-3, 0], [0, 0]), Infinity)).toBe(1);
    expect(await countIn(two(1e6, [0, 0], [0, 0]), Infinity)).toBe(0);
    expect(await countIn(two(1, [-1, 0], [0, 0]), Infinity)).toBe(0);
    expect(await countIn(two(1e6, [1, 1], [-1, 1]), Infinity)).toBe(1);
    expect(await countIn(two(1, [0, 1], [0, 1]), Infinity)).toBe(0);
  });

  test('without a duration the bodies are at rest, and a handle may have velocities', async () => {
    const bodies = two(2, [1, 0], [-1, 0]);
    expect((await tester.findPairs(bodies)).length).toBe(0);
    const handle = tester.createBodies(bodies);
    expect((await tester.findPairs(handle, { duration: 0.9 })).length).toBe(0);
    expect((await tester.findPairs(handle, { duration: 1 })).length).toBe(2);
    handle.write({ linearVelocities: new Float32Array(2 * axes) });
    expect((await tester.findPairs(handle, { duration: 1 })).length).toBe(0);
  });

  test.each<[string, unknown, RegExp]>([
    ['negative', -1, /^options\.duration is -1, expected a number of seconds of at least 0$/],
    ['NaN', NaN, /^options\.duration is NaN, expected a number of seconds of at least 0$/],
    ['no number', '1', /^options\.duration is .*, expected a number of seconds of at least 0$/],
    ['null', null, /^options\.duration is null, expected a number of seconds of at least 0$/],
  ])('a duration that is %s is refused', async (_, duration, message) => {
    await expect(tester.findPairs(two(1, [0, 0], [0, 0]), { duration: duration as number })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(message),
    });
  });

  test('so are velocities that are missing, or not numbers', async () => {
    const { linearVelocities, ...still } = two(1, [0, 0], [0, 0]);
    expect(await refusalIn(still, 1)).toMatch(/^bodies\.linearVelocities is undefined, expected a Float32Array$/);
    const short = { ...still, linearVelocities: linearVelocities.subarray(1) };
    expect(await refusalIn(short, 1)).toMatch(/^bodies\.linearVelocities\.length is/);
    expect(await refusalIn(two(1, [NaN, 0], [0, 0]), 1)).toMatch(/^bodies\.linearVelocities\[0\] is NaN/);
    expect(await refusalIn(two(1, [0, 0], [0, 0], [0, Infinity]), 1)).toMatch(/^bodies\.angularVelocities\[.*finite/);
  });
});

describe('half-spaces that move', () => {
  const [space] = dimensions.filter(({ axes }) => axes === 3);
  const FLOOR = { type: 'halfspace', normal: [0, 1, 0], offset: 0 } as const;

  async function pairsOf(height: number, floorVelocity: number[], velocity: number[], spin: number): Promise<number> {
    const tester = await space.createTester({ backend: 'cpu', threads: 1 });
    space.useShapes(tester, [FLOOR, space.ball(0.5)]);
    const found = await tester.findPairs(
      {
        ...space.makeBodies({ shapes: [0, 1], positions: Float32Array.of(0, 0, 0, 3, height + 0.5, 0) }),
        linearVelocities: Float32Array.of(...floorVelocity, ...velocity),
        angularVelocities: Float32Array.of(0, 0, spin, 0, 0, 0),
      },
      { duration: 2 },
    );
    tester.dispose();
    return found.length / 2;
  }

  test.each([
    ['a ball that falls on it', 2, [0, 0, 0], [0, -1, 0], 0, 1],
    ['a ball that falls short of it', 2.01, [0, 0, 0], [0, -1, 0], 0, 0],
    ['one that rises to a ball', 2, [0, 1, 0], [0, 0, 0], 0, 1],
    ['one that does not rise far enough', 2.01, [0, 1, 0], [0, 0, 0], 0, 0],
    ['one that sinks below a ball', 0, [0, -1, 0], [0, 0, 0], 0, 1],
    ['one that slides', 0.01, [9, 0, 9], [0, 0, 0], 0, 0],
    ['one that turns', 2, [0, 0, 0], [0, 0, 0], 1, 1],
  ])('%s', async (_, height, floorVelocity, velocity, spin, expected) => {
    expect(await pairsOf(height, floorVelocity, velocity, spin)).toBe(expected);
  });
});
