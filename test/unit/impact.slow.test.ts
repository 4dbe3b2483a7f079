/**
 * Times of impact of the reference against brute force: signed distances of bodies that the oracle moves, bisected.
 * Then what `impact` refuses. Degenerate pairs: impact-degenerate.test.ts.
 */

import { describe, expect, test } from 'vitest';
import {
  createShape,
  impact,
  NarrowphaseError,
  Status,
  type CpuImpactOptions,
  type CpuMovingPose,
} from '../../src/cpu.ts';
import { firstWithin, gapAt } from '../../verification/oracle/motion.ts';
import { askReference, movingPairsOf } from '../../verification/judges/moving-pairs.ts';
import { judgeReference, movingFamily, shapePairNames } from '../helpers/impacts.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_301;
const PAIRS = atNight(48, 60);
const ALGORITHMS = ['auto', 'cast', 'velocity-epa'] as const;
/** In CI every other pair of types, those that test/kernels/impacts.test.ts takes. */
const NAMES = atNight(
  shapePairNames.filter((_, i) => i % 2 === 0),
  shapePairNames,
);

describe.each(NAMES)('%s', (name) => {
  test('bodies in straight motion meet when the oracle says, by each algorithm', () => {
    for (const algorithm of ALGORITHMS) {
      const { missed, met, overlapped, stood, open } = judgeReference(name, PAIRS, SEED, false, { algorithm });
      expect(Math.min(missed, met), algorithm).toBeGreaterThan(PAIRS / 12);
      expect(overlapped).toBeGreaterThan(PAIRS / 30);
      expect(stood).toBeGreaterThan(0);
      expect(open).toBe(0);
    }
  });

  test('bodies that turn meet when the oracle says', () => {
    const { missed, met, overlapped, open } = judgeReference(name, PAIRS, SEED, true);
    expect(Math.min(missed, met, overlapped)).toBeGreaterThan(PAIRS / 30);
    expect(open).toBeLessThan(PAIRS / 20);
  });

  test('with a margin they meet at that distance', () => {
    for (const isTurning of [false, true]) {
      const { missed, met, overlapped } = judgeReference(name, 30, SEED, isTurning, { margin: 0.25 });
      expect(missed + met).toBeGreaterThan(1);
      expect(overlapped).toBeGreaterThan(1);
    }
  });
});

describe('the time found by bisection', () => {
  const family = movingFamily('box/hull', 400, SEED + 7, {});
  const pairs = movingPairsOf(family);

  test('is the one that is given, wherever bodies do more than graze', () => {
    let compared = 0;
    for (const [index, pair] of pairs.entries()) {
      const { duration } = family;
      const { hit, time } = askReference(pair, { duration });
      const found = firstWithin(pair, 0, duration, 1e-9 * pair.size);
      expect(hit, `seed ${SEED + 7}, pair ${index}`).toBe(found !== undefined);
      if (!hit || found === undefined || found === 0) continue;
      const { normal } = gapAt(pair, found);
      const closing = -normal.reduce((sum, x, k) => sum + x * pair.velocity[k], 0);
      if (closing < 1e-3 * Math.hypot(...pair.velocity)) continue;
      compared++;
      expect(Math.abs(time - found) * closing, `seed ${SEED + 7}, pair ${index}`).toBeLessThanOrEqual(2e-9 * pair.size);
    }
    expect(compared).toBeGreaterThan(100);
  });
});

function still(x: number, y: number, z: number): CpuMovingPose {
  return { position: [x, y, z], quaternion: [0, 0, 0, 1], linearVelocity: [0, 0, 0] };
}

function moving(x: number, y: number, z: number, ...linearVelocity: number[]): CpuMovingPose {
  return { ...still(x, y, z), linearVelocity };
}

describe('by hand', () => {
  const ball = createShape({ type: 'sphere', radius: 0.5 });
  const cube = createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const ground = createShape({ type: 'halfspace', normal: [0, 1, 0], offset: 0 });

  test('a ball that flies 3 to a ball 4 away meets it after 3 of 5 seconds', () => {
    const found = impact(ball, moving(0, 0, 0, 1, 0, 0), ball, still(4, 0, 0), { duration: 5 });
    expect(found).toMatchObject({
      status: Status.Overlapping,
      hit: true,
      time: 3,
      unclampedTime: 3,
      normal: [1, 0, 0],
      point: [3.5, 0, 0],
    });
  });

  test('that it meets 2 seconds later is no impact within 2.5', () => {
    const found = impact(ball, moving(0, 0, 0, 1, 0, 0), ball, still(4, 0, 0), { duration: 2.5 });
    expect(found).toMatchObject({
      status: Status.Separated,
      hit: false,
      time: Infinity,
      unclampedTime: Infinity,
      normal: [0, 0, 0],
      point: [0, 0, 0],
    });
    expect(impact(ball, moving(0, 0, 0, 1, 0, 0), ball, still(4, 0, 0), { duration: 3 }).hit).toBe(true);
  });

  test('a cube that falls onto the ground meets it with its lower face, whichever comes first', () => {
    const down = impact(ground, still(0, 0, 0), cube, moving(0, 2.5, 0, 1, -4, 0), { duration: 1 });
    expect(down).toMatchObject({ time: 0.5, normal: [0, 1, 0] });
    expect(down.point[1]).toBe(0);
    const swapped = impact(cube, moving(0, 2.5, 0, 1, -4, 0), ground, still(0, 0, 0), { duration: 1 });
    expect([swapped.time, ...swapped.normal.map((x) => x + 0)]).toEqual([0.5, 0, -1, 0]);
  });

  test('cubes that overlap by a quarter met an eighth of a second ago at 2 a second', () => {
    const found = impact(cube, still(0, 0, 0), cube, moving(0.75, 0.25, 0, -2, 0, 0), { duration: 1 });
    expect(found).toMatchObject({ status: Status.Overlapping, time: 0, unclampedTime: -0.125, normal: [1, 0, 0] });
  });

  test('a plank that turns about its middle strikes the ball above its end after a quarter turn', () => {
    const plank = createShape({ type: 'box', halfExtents: [2, 0.25, 0.25] });
    const found = impact(plank, { ...still(0, 0, 0), angularVelocity: [0, 0, Math.PI / 2] }, ball, still(0, 2.5, 0), {
      duration: 4,
    });
    // The corner at the front is r from the middle, ahead of the plank's axis, and 0.5 from the ball's centre before it
    // points there.
    const r = Math.hypot(2, 0.25);
    const ahead = Math.asin(0.25 / r);
    const left = Math.acos((r * r + 2.5 * 2.5 - 0.5 * 0.5) / (2 * r * 2.5));
    expect(found.time).toBeCloseTo(1 - (ahead + left) / (Math.PI / 2), 9);
    expect(found.status).toBe(Status.Overlapping);
  });
});

function good(): CpuMovingPose {
  return { ...still(0, 0, 0), angularVelocity: [0, 0, 1] };
}

function far(): CpuMovingPose {
  return { ...moving(5, 0, 0, -1, 0, 0), angularVelocity: [0, 0, 1] };
}

describe('bad input', () => {
  const box = createShape({ type: 'box', halfExtents: [1, 1, 1] });
  const ground = createShape({ type: 'halfspace', normal: [0, 1, 0], offset: 0 });
  const poses: [what: string, change: object, field: string, expected: RegExp][] = [
    ['no position', { position: undefined }, 'position', /3 numbers/],
    ['two coordinates', { position: [0, 0] }, 'position', /3 numbers/],
    ['a NaN coordinate', { position: [0, NaN, 0] }, 'position[1]', /finite/],
    ['an endless coordinate', { position: [0, 0, -Infinity] }, 'position[2]', /1e30/],
    ['three numbers of a quaternion', { quaternion: [0, 0, 0] }, 'quaternion', /4 numbers/],
    ['a zero quaternion', { quaternion: [0, 0, 0, 0] }, 'quaternion', /1e-6/],
    ['a NaN quaternion', { quaternion: [0, NaN, 0, 1] }, 'quaternion', /finite/],
    ['scale 0', { scale: 0 }, 'scale', /above 0/],
    ['no linear velocity', { linearVelocity: undefined }, 'linearVelocity', /3 numbers/],
    ['a linear velocity of two numbers', { linearVelocity: [0, 1] }, 'linearVelocity', /3 numbers/],
    ['a NaN linear velocity', { linearVelocity: [NaN, 0, 0] }, 'linearVelocity[0]', /finite/],
    ['an infinite linear velocity', { linearVelocity: [0, 0, Infinity] }, 'linearVelocity[2]', /1e30/],
    ['a linear velocity beyond 1e30', { linearVelocity: [0, -2e30, 0] }, 'linearVelocity[1]', /1e30/],
    ['an angular velocity of four numbers', { angularVelocity: [0, 0, 0, 1] }, 'angularVelocity', /3 numbers/],
    ['a NaN angular velocity', { angularVelocity: [0, NaN, 0] }, 'angularVelocity', /finite/],
    ['an infinite angular velocity', { angularVelocity: [0, -Infinity, 0] }, 'angularVelocity', /finite/],
    ['an angular velocity of null', { angularVelocity: null }, 'angularVelocity', /3 numbers/],
  ];

  test.each(poses)('%s is refused on either side', (_, change, field, expected) => {
    for (const side of ['poseA', 'poseB'] as const) {
      const [poseA, poseB] = side === 'poseA' ? [{ ...good(), ...change }, far()] : [good(), { ...far(), ...change }];
      const error = errorOf(() => impact(box, poseA as CpuMovingPose, box, poseB as CpuMovingPose, { duration: 1 }));
      expect(error).toEqual({ field: `${side}.${field}`, expected: expect.stringMatching(expected) });
    }
  });

  const options: [what: string, options: unknown, field: string, expected: RegExp][] = [
    ['no options', undefined, 'options', /duration/],
    ['null', null, 'options', /duration/],
    ['no duration', {}, 'options.duration', /seconds/],
    ['a negative duration', { duration: -1e-3 }, 'options.duration', /at least 0/],
    ['a NaN duration', { duration: NaN }, 'options.duration', /at least 0/],
    ['a duration in words', { duration: '1' }, 'options.duration', /number/],
    ['a negative margin', { duration: 1, margin: -1 }, 'options.margin', /at least 0/],
    ['a NaN margin', { duration: 1, margin: NaN }, 'options.margin', /at least 0/],
    ['an endless margin', { duration: 1, margin: Infinity }, 'options.margin', /a finite number of at least 0/],
    ["'sat'", { duration: 1, algorithm: 'sat' }, 'options.algorithm', /'auto'/],
    ["'mpr'", { duration: 1, algorithm: 'mpr' }, 'options.algorithm', /'auto'/],
  ];

  test.each(options)('%s: refused', (_, given, field, expected) => {
    const error = errorOf(() => impact(box, good(), box, far(), given as CpuImpactOptions));
    expect(error).toEqual({ field, expected: expect.stringMatching(expected) });
  });

  test('shapes that are none, and two half-spaces, are refused', () => {
    expect(errorOf(() => impact(undefined as never, good(), box, far(), { duration: 1 })).field).toBe('a');
    expect(errorOf(() => impact(box, good(), {} as never, far(), { duration: 1 })).field).toBe('b');
    expect(errorOf(() => impact(ground, good(), ground, far(), { duration: 1 }))).toEqual({
      field: 'b',
      expected: expect.stringContaining('bounded'),
    });
  });

  test('a turn of more than 32 radians is invalid, of either body', () => {
    for (const [angular, duration] of [
      [[0, 33, 0], 1],
      [[1e-6, 0, 0], Infinity],
    ] as const) {
      const turning = { ...good(), angularVelocity: angular };
      const expected = { status: Status.InvalidInput, hit: false, time: 0, unclampedTime: 0, normal: [0, 0, 0] };
      expect(impact(box, turning, box, far(), { duration })).toMatchObject(expected);
      expect(impact(box, far(), box, turning, { duration })).toMatchObject(expected);
    }
  });

  test('32 radians are taken, and any turning in no time', () => {
    expect(
      impact(box, { ...good(), angularVelocity: [0, 32, 0] }, box, far(), { duration: 1 }).status,
    ).toBeLessThanOrEqual(Status.Overlapping);
    expect(impact(box, { ...good(), angularVelocity: [0, 1e6, 0] }, box, far(), { duration: 0 }).status).toBe(
      Status.Separated,
    );
  });

  test('an endless duration is taken of bodies that do not turn', () => {
    const straight = { ...far(), angularVelocity: [0, 0, 0] };
    expect(impact(box, { ...good(), angularVelocity: undefined }, box, straight, { duration: Infinity }).time).toBe(3);
    expect(
      impact(
        box,
        { ...good(), angularVelocity: undefined },
        box,
        { ...straight, linearVelocity: [1, 0, 0] },
        { duration: Infinity },
      ).time,
    ).toBe(Infinity);
    expect(
      impact(
        box,
        { ...good(), angularVelocity: undefined },
        box,
        { ...straight, linearVelocity: [0, 0, 0] },
        { duration: Infinity },
      ).time,
    ).toBe(Infinity);
  });
});

/** The parts of a message "FIELD is VALUE, expected EXPECTATION". */
function errorOf(ask: () => unknown): { field: string; expected: string } {
  try {
    ask();
  } catch (error) {
    expect(error).toBeInstanceOf(NarrowphaseError);
    expect(error).toMatchObject({ code: 'INVALID_INPUT' });
    const [, field, expected] = /^(.*?) is .*, expected (.+)$/s.exec((error as Error).message) ?? [];
    return { field, expected };
  }
  throw new Error('nothing was refused');
}
