/**
 * Times of impact of the reference in the plane: cases that can be told by hand, then families in motion of all pairs
 * of types, judged by the oracle. Sliding over tiles: test/kernels/planar-floor.test.ts.
 */
import { describe, expect, test } from 'vitest';
import { planar, Status, type CpuImpactOptions } from '../../src/cpu.ts';
import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import { createTester } from '../../src/node.ts';
import { judgePlanarImpact, type PlanarMover, type PlanarOutcome } from '../../verification/oracle/planar-motion.ts';
import {
  makePlanarFamily,
  makePlanarTypeFamily,
  planarFamilyNames,
  planarPairsOf,
  planarTypePairNames,
  type PlanarFamily,
} from '../../verification/families/planar-families.ts';
import { planarMovingPair, setPlanarInMotion } from '../../verification/families/planar-moving-family.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_317;
const TERMS = { tolerance: 1e-9, rounding: 1e-15 };
const PAIRS = atNight(24, 60);
const ALGORITHMS = ['auto', 'cast', 'velocity-epa'] as const;

const SQUARE: PlanarShapeDescription = { type: 'rectangle', halfExtents: [0.5, 0.5] };
const FLOOR: PlanarShapeDescription = { type: 'rectangle', halfExtents: [10, 0.5] };
const DISC: PlanarShapeDescription = { type: 'circle', radius: 0.5 };
const DIAMOND: PlanarShapeDescription = { type: 'polygon', points: [1, 0, 0, 1, -1, 0, 0, -1] };
const PLATE: PlanarShapeDescription = { type: 'segment', points: [-1, 0, 1, 0] };
const STILL: PlanarMover = { position: [0, 0], angle: 0, linearVelocity: [0, 0] };

function at(
  x: number,
  y: number,
  linearVelocity: [number, number] = [0, 0],
  angularVelocity = 0,
  angle = 0,
): PlanarMover {
  return { position: [x, y], angle, linearVelocity, angularVelocity };
}

function impactOf(
  a: PlanarShapeDescription,
  poseA: PlanarMover,
  b: PlanarShapeDescription,
  poseB: PlanarMover,
  options: CpuImpactOptions,
): planar.CpuPlanarImpact {
  return planar.impact(planar.createShape(a), poseA, planar.createShape(b), poseB, options);
}

describe.each(ALGORITHMS)("by hand, '%s'", (algorithm) => {
  const ask = (
    a: PlanarShapeDescription,
    b: PlanarShapeDescription,
    poseB: PlanarMover,
    options: Partial<CpuImpactOptions> = {},
  ): planar.CpuPlanarImpact => impactOf(a, STILL, b, poseB, { duration: 1, algorithm, ...options });

  test('a square flies into a square: the face stops it, in the middle of what they have in common', () => {
    const found = ask(SQUARE, SQUARE, at(3, 0.5, [-4, 0]));
    expect(found).toMatchObject({ status: Status.Overlapping, hit: true });
    expect(found.time).toBeCloseTo(0.5, 12);
    expect(found.unclampedTime).toBe(found.time);
    expect(found.normal).toEqual([expect.closeTo(1, 12), expect.closeTo(0, 12)]);
    expect(found.point[0]).toBeCloseTo(0.5, 12);
    expect(Math.abs(found.point[1] - 0.25)).toBeLessThanOrEqual(0.25);
  });

  test('discs meet off their middles', () => {
    const { time, normal, point } = ask(DISC, DISC, at(3, 0.6, [-1, 0]), { duration: 5 });
    expect(time).toBeCloseTo(2.2, 12);
    expect(normal).toEqual([expect.closeTo(0.8, 12), expect.closeTo(0.6, 12)]);
    expect(point).toEqual([expect.closeTo(0.4, 12), expect.closeTo(0.3, 12)]);
  });

  test('a disc meets a corner of a square, and passes it where it is too far off', () => {
    const { time, normal } = ask(SQUARE, DISC, at(3, 0.8, [-1, 0]), { duration: 5 });
    expect(time).toBeCloseTo(2.1, 12);
    expect(normal).toEqual([expect.closeTo(0.8, 12), expect.closeTo(0.6, 12)]);
    expect(ask(SQUARE, DISC, at(3, 1.01, [-1, 0]), { duration: 5 })).toMatchObject({
      status: Status.Separated,
      time: Infinity,
      unclampedTime: Infinity,
      normal: [0, 0],
      point: [0, 0],
    });
  });

  test('a margin is met before, and the point is on A', () => {
    const { time, point } = ask(SQUARE, SQUARE, at(3, 0, [-4, 0]), { margin: 1 });
    expect(time).toBeCloseTo(0.25, 12);
    expect(point[0]).toBeCloseTo(0.5, 12);
  });

  test('the way ends before they meet, or just then', () => {
    expect(ask(SQUARE, SQUARE, at(3, 0, [-1, 0]), { duration: 1.9 }).hit).toBe(false);
    expect(ask(SQUARE, SQUARE, at(3, 0, [-1, 0]), { duration: 2 })).toMatchObject({ hit: true, time: 2 });
    expect(ask(SQUARE, SQUARE, at(3, 0, [-1, 0]), { duration: Infinity }).time).toBe(2);
  });

  test('squares that overlap met some time ago, whichever way they go', () => {
    const closing = ask(SQUARE, SQUARE, at(0.75, 0.1, [-1, 0]));
    expect(closing).toMatchObject({ status: Status.Overlapping, time: 0 });
    expect(closing.unclampedTime).toBeCloseTo(-0.25, 12);
    expect(closing.normal).toEqual([expect.closeTo(1, 12), expect.closeTo(0, 12)]);
    const parting = ask(SQUARE, SQUARE, at(0.75, 0.1, [1, 0]));
    expect(parting.unclampedTime).toBeCloseTo(-1.75, 12);
    expect(parting.normal).toEqual([expect.closeTo(-1, 12), expect.closeTo(0, 12)]);
  });

  test('without relative motion an overlap has no time, a gap no impact, and what touches rests', () => {
    expect(ask(SQUARE, SQUARE, at(0.75, 0.1))).toMatchObject({
      hit: true,
      time: 0,
      unclampedTime: -Infinity,
      normal: [1, 0],
    });
    expect(ask(SQUARE, SQUARE, at(1, 0.1))).toMatchObject({ hit: true, time: 0, unclampedTime: -Infinity });
    expect(ask(SQUARE, SQUARE, at(1.1, 0.1)).hit).toBe(false);
  });

  test('what touches and parts or slides is no hit, what touches and closes in is one at once', () => {
    for (const [vx, vy, hit] of [
      [0, 1, false],
      [5, 0, false],
      [5, 1, false],
      [0, -1, true],
      [5, -1e-3, true],
    ] as const) {
      const found = ask(FLOOR, SQUARE, at(2, 1, [vx, vy]));
      expect(found.hit, `${vx}, ${vy}`).toBe(hit);
      if (hit) expect(found).toMatchObject({ time: 0, normal: [expect.closeTo(0, 12), expect.closeTo(1, 12)] });
    }
  });

  test('a square that slides over a tile is not stopped by the side of the next', () => {
    for (const sunk of [0, 1e-13, 1e-11, 8e-11]) {
      expect(ask(SQUARE, SQUARE, at(-3, 1 - sunk, [10, 0])).hit, `${sunk} deep`).toBe(false);
      expect(ask(SQUARE, SQUARE, at(-1 - 1e-7, 1 - sunk, [10, -1e-3])).normal, `${sunk} deep`).toEqual([
        expect.closeTo(0, 9),
        expect.closeTo(1, 9),
      ]);
    }
  });

  test('plates without thickness meet side on and across, and slide along each other edge on', () => {
    expect(ask(PLATE, PLATE, at(0.5, 2, [0, -4]))).toMatchObject({
      hit: true,
      time: 0.5,
      normal: [expect.closeTo(0, 12), 1],
    });
    expect(ask(PLATE, PLATE, at(4, 0, [-4, 0])).hit).toBe(false);
    expect(ask(PLATE, PLATE, at(0.5, 2, [0, -4], 0, Math.PI / 2)).time).toBeCloseTo(0.25, 12);
  });

  test('a bullet a thousand times its length away hits a plate of a thousandth of its size', () => {
    const plate: PlanarShapeDescription = { type: 'rectangle', halfExtents: [0.0005, 1] };
    const { time, normal } = ask(plate, { type: 'circle', radius: 0.005 }, at(-8, 0.5, [1000, 0]), {
      duration: 1 / 60,
    });
    expect(time).toBeCloseTo(0.0079945, 12);
    expect(normal).toEqual([-1, 0]);
  });
});

function askTurning(
  a: PlanarShapeDescription,
  poseA: PlanarMover,
  b: PlanarShapeDescription,
  poseB: PlanarMover,
  duration = 1,
  margin = 0,
): planar.CpuPlanarImpact {
  return impactOf(a, poseA, b, poseB, { duration, margin });
}

describe('by hand, of bodies that turn', () => {
  test('a door swings into a post', () => {
    const door: PlanarShapeDescription = { type: 'segment', points: [0, 0, 2, 0] };
    const { time, normal, point } = askTurning(door, at(0, 0, [0, 0], 1), { type: 'circle', radius: 0 }, at(0, 1), 2);
    expect(time).toBeCloseTo(Math.PI / 2, 9);
    expect(normal).toEqual([expect.closeTo(-1, 6), expect.closeTo(0, 6)]);
    expect(point).toEqual([expect.closeTo(0, 9), expect.closeTo(1, 9)]);
  });

  test('a square on its side stands up on its corner into the ceiling', () => {
    // The diagonal's half is 0.7071: turned by 0.2318 radians it reaches 0.6.
    const { time, normal } = askTurning(SQUARE, at(0, 0, [0, 0], 1), FLOOR, at(0, 1.1), 1);
    expect(time).toBeCloseTo(Math.acos(0.6 / Math.SQRT1_2) * -1 + Math.PI / 4, 8);
    expect(normal).toEqual([expect.closeTo(0, 9), expect.closeTo(1, 9)]);
    expect(askTurning(SQUARE, at(0, 0, [0, 0], 1), FLOOR, at(0, 1.21), 1).hit).toBe(false);
  });

  test('a diamond that spins beside a wall hits it where a corner does, and with a margin earlier', () => {
    const turned = at(1.8, 0, [0, 0], 1, Math.PI / 4);
    const wall: PlanarShapeDescription = { type: 'rectangle', halfExtents: [0.9, 3] };
    expect(askTurning(wall, STILL, DIAMOND, turned, 1).time).toBeCloseTo(Math.PI / 4 - Math.acos(0.9), 8);
    expect(askTurning(wall, STILL, DIAMOND, turned, 1, 0.05).time).toBeCloseTo(Math.PI / 4 - Math.acos(0.85), 8);
  });

  test('what touches and parts by its turning is no hit, what turns into the floor is one at once', () => {
    expect(askTurning(FLOOR, STILL, SQUARE, at(0, 1, [0, 3], 1), 0.5).hit).toBe(false);
    expect(askTurning(FLOOR, STILL, SQUARE, at(0, 1, [0, 0], 1), 0.5)).toMatchObject({
      hit: true,
      time: expect.closeTo(0, 8),
    });
    // About a corner, which stays.
    const pivot: PlanarShapeDescription = { type: 'polygon', points: [0, 0, 1, 0, 1, 1, 0, 1] };
    expect(askTurning(FLOOR, STILL, pivot, at(0, 0.5, [0, 0], 1), 1).hit).toBe(false);
    expect(askTurning(FLOOR, STILL, pivot, at(0, 0.5, [0, 0], -1), 1)).toMatchObject({
      hit: true,
      time: expect.closeTo(0, 8),
    });
  });

  test('a disc that spins is one that does not, unless its middle is off its origin', () => {
    const off: PlanarShapeDescription = { type: 'polygon', points: [1, 0], radius: 0.5 };
    expect(askTurning(DISC, at(0, 0, [0, 0], 3), SQUARE, at(1.5, 0, [0, 0]), 10).hit).toBe(false);
    // Its middle comes to (0.5, 0.75 ..): under the square's lower right corner, where it touches the lower side.
    expect(askTurning(off, at(0, 0, [0, 0], 1), SQUARE, at(0.5, 1.75), 2).time).toBeCloseTo(Math.asin(0.75), 8);
  });
});

/** Judges a family's answers and counts what became of them. */
function judge(
  still: PlanarFamily,
  seed: number,
  isTurning: boolean,
  options: Partial<CpuImpactOptions> = {},
): Record<PlanarOutcome | 'unknown', number> {
  const family = setPlanarInMotion(still, seed, isTurning);
  const shapes = family.shapes.map((description) => planar.createShape(description));
  const counts = { hit: 0, start: 0, miss: 0, open: 0, unknown: 0 };
  for (const pair of planarPairsOf(family)) {
    const moving = { ...planarMovingPair(family, pair), margin: options.margin };
    const found = planar.impact(shapes[pair.shapeA], moving.poseA, shapes[pair.shapeB], moving.poseB, {
      duration: family.duration,
      ...options,
    });
    const { outcome, faults, isUnknown } = judgePlanarImpact(moving, found, TERMS);
    expect(faults, `${family.name}, seed ${seed}, pair ${pair.index}, ${JSON.stringify(options)}`).toEqual([]);
    counts[outcome]++;
    if (isUnknown) counts.unknown++;
  }
  return counts;
}

describe.each(planarTypePairNames)('%s', (name) => {
  test('in straight motion they meet when the oracle says, by each algorithm', () => {
    for (const algorithm of ALGORITHMS) {
      const { hit, start, miss, open, unknown } = judge(makePlanarTypeFamily(name, PAIRS, SEED), SEED, false, {
        algorithm,
      });
      expect(Math.min(hit, start, miss), algorithm).toBeGreaterThan(PAIRS / 12);
      expect([open, unknown]).toEqual([0, 0]);
    }
  });

  test('turning they meet when the oracle says', () => {
    const { hit, start, miss, open, unknown } = judge(makePlanarTypeFamily(name, PAIRS, SEED), SEED, true);
    expect(Math.min(hit, start, miss)).toBeGreaterThan(PAIRS / 20);
    expect(open).toBe(0);
    expect(unknown).toBeLessThan(PAIRS / 15);
  });

  test('with a margin they meet at that distance', () => {
    for (const isTurning of [false, true]) {
      const { hit, start, open, unknown } = judge(makePlanarTypeFamily(name, PAIRS / 2, SEED), SEED, isTurning, {
        margin: 0.25,
      });
      expect(Math.min(hit, start)).toBeGreaterThan(PAIRS / 60);
      expect(open).toBe(0);
      expect(unknown).toBeLessThan(isTurning ? PAIRS / 20 : 1);
    }
  });
});

test.each(planarFamilyNames)('pairs that break collision code: %s', (name) => {
  for (const algorithm of ALGORITHMS)
    expect(judge(makePlanarFamily(name, PAIRS, SEED), SEED, false, { algorithm })).toMatchObject({
      open: 0,
      unknown: 0,
    });
  const { open, unknown } = judge(makePlanarFamily(name, PAIRS, SEED), SEED, true);
  expect(open).toBeLessThan(PAIRS / 30);
  expect(unknown).toBeLessThan(PAIRS / 6);
});

test('a body that turns by more than 32 radians makes its pair invalid, and no other', async () => {
  const box = planar.createShape({ type: 'rectangle', halfExtents: [1, 1] });
  const alone = planar.impact(box, { ...STILL, angularVelocity: -33 }, box, at(3, 0), { duration: 1 });
  expect(alone).toMatchObject({ status: Status.InvalidInput, hit: false, time: 0, unclampedTime: 0, normal: [0, 0] });
  const tester = await createTester({ backend: 'cpu', dimension: 2 });
  tester.addShape({ type: 'rectangle', halfExtents: [1, 1] });
  const bodies = {
    shapes: new Uint32Array(4),
    positions: Float32Array.of(0, 0, 3, 0, 6, 0, 9, 0),
    angles: new Float32Array(4),
    linearVelocities: Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0),
    angularVelocities: Float32Array.of(0, 0, -33, 1e30),
  };
  const { status, time } = await tester.impacts(bodies, Uint32Array.of(0, 1, 1, 2), { duration: 1 });
  expect([...status]).toEqual([Status.Overlapping, Status.InvalidInput]);
  expect([...time]).toEqual([1, 0]);
  tester.dispose();
});

test('what cannot be moved is refused', () => {
  const disc = planar.createShape(DISC);
  const ask = (poseA: PlanarMover, options: CpuImpactOptions): unknown =>
    planar.impact(disc, poseA, disc, at(3, 0), options);
  expect(() => ask({ ...STILL, linearVelocity: [0] }, { duration: 1 })).toThrow(/poseA\.linearVelocity/);
  expect(() => ask({ ...STILL, linearVelocity: [0, NaN] }, { duration: 1 })).toThrow(/poseA\.linearVelocity\[1\]/);
  expect(() => ask({ ...STILL, angularVelocity: NaN }, { duration: 1 })).toThrow(/poseA\.angularVelocity/);
  expect(() => ask(STILL, { duration: -1 })).toThrow(/options\.duration/);
  expect(() => ask(STILL, { duration: 1, margin: Infinity })).toThrow(/options\.margin/);
});
