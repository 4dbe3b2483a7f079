/**
 * `stopAtPenetration: false` of the reference: bodies that overlap or touch to begin with are hits only where they
 * close in.
 */

import { describe, expect, test } from 'vitest';
import { createShape, impact, planar, Status, type CpuImpact, type CpuImpactOptions } from '../../src/cpu.ts';
import {
  DURATION,
  overlappingPairs,
  overlappingPlanarPairs,
  partingFault,
} from '../../verification/families/overlapping-movers.ts';

const SEED = 20_261_340;
const ALGORITHMS = ['auto', 'cast', 'velocity-epa'] as const;

const CUBE = createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
const STILL = { position: [0, 0, 0], quaternion: [0, 0, 0, 1], linearVelocity: [0, 0, 0] };

describe.each(ALGORITHMS)("by hand, '%s'", (algorithm) => {
  const ask = (position: number[], linearVelocity: number[], options: Partial<CpuImpactOptions> = {}): CpuImpact =>
    impact(
      CUBE,
      STILL,
      CUBE,
      { ...STILL, position, linearVelocity },
      { duration: 1, algorithm, stopAtPenetration: false, ...options },
    );

  test('a cube that is sunk into another leaves it by the side that it is nearest to, slides along that or goes deeper', () => {
    for (const [velocity, hit] of [
      [[1, 0, 0], false],
      [[0, 1, 0], false],
      [[1, -5, 2], false],
      [[-1, 0, 0], true],
      [[-0.01, 5, 0], true],
    ] as const) {
      const parted = ask([0.9, 0.1, 0], [...velocity]);
      expect(parted.hit, velocity.join()).toBe(hit);
      const stopped = ask([0.9, 0.1, 0], [...velocity], { stopAtPenetration: true });
      expect(stopped).toMatchObject({ hit: true, time: 0 });
      // Where they close in the answer is the same.
      if (hit) expect(parted).toEqual({ ...stopped, iterations: parted.iterations });
      else
        expect(parted).toMatchObject({
          status: Status.Separated,
          time: Infinity,
          unclampedTime: Infinity,
          normal: [0, 0, 0],
          point: [0, 0, 0],
        });
    }
  });

  test('what touches is a hit where it closes in, and none where it parts, slides or rests', () => {
    for (const [velocity, hit] of [
      [[1, 0, 0], false],
      [[0, 1, 0], false],
      [[0, 0, 0], false],
      [[-1, 0, 0], true],
      [[-0.01, 5, 0], true],
    ] as const) {
      expect(ask([1, 0.1, 0], [...velocity]).hit, velocity.join()).toBe(hit);
    }
    expect(ask([0.9, 0.1, 0], [0, 0, 0]).hit).toBe(false);
    expect(ask([0.9, 0.1, 0], [0, 0, 0], { stopAtPenetration: true }).hit).toBe(true);
  });

  test('bodies that are apart meet as ever, and a margin counts as their size', () => {
    expect(ask([3, 0, 0], [-4, 0, 0]).time).toBeCloseTo(0.5, 12);
    expect(ask([3, 0, 0], [4, 0, 0]).hit).toBe(false);
    expect(ask([1.2, 0, 0], [1, 0, 0], { margin: 0.5 }).hit).toBe(false);
    expect(ask([1.2, 0, 0], [-1, 0, 0], { margin: 0.5 })).toMatchObject({ hit: true, time: 0 });
  });
});

test('a blade that leaves a post on one side comes back to it from the other', () => {
  const blade = createShape({ type: 'box', halfExtents: [1, 0.1, 0.1] });
  const post = createShape({ type: 'sphere', radius: 0.1 });
  const options = { duration: 4, stopAtPenetration: false };
  // 0.05 deep to begin with, and sooner or later half a turn on, where the other end meets it.
  const turning = { ...STILL, angularVelocity: [0, 0, 1] };
  const said = impact(blade, turning, post, { ...STILL, position: [0.8, -0.15, 0] }, options);
  const reach = Math.asin(0.2 / Math.hypot(0.8, 0.15));
  expect(said.status).toBe(Status.Overlapping);
  expect(said.time).toBeCloseTo(Math.PI - Math.atan(0.15 / 0.8) - reach, 6);
  expect(impact(blade, turning, post, { ...STILL, position: [0.8, 0.15, 0] }, options)).toMatchObject({
    hit: true,
    time: 0,
  });
});

function askStill(given: unknown): CpuImpact {
  return impact(CUBE, STILL, CUBE, STILL, { duration: 1, stopAtPenetration: given as boolean });
}

test.each([undefined, true, false])('anything else than a boolean is refused, %s is taken', (stopAtPenetration) => {
  expect(askStill(stopAtPenetration).hit).toBe(stopAtPenetration !== false);
  expect(() => askStill('no')).toThrow(/options\.stopAtPenetration is "no", expected a boolean/);
});

describe.each([false, true])('random pairs that overlap, turning: %s', (isTurning) => {
  const pairs = overlappingPairs(300, SEED, isTurning);
  const planarPairs = overlappingPlanarPairs(300, SEED, isTurning);

  test('all courses are among them', () => {
    for (const list of [pairs, planarPairs]) {
      const count = (course: string): number => list.filter((pair) => pair.course === course).length;
      expect(count('closing')).toBeGreaterThan(60);
      expect(count('parting')).toBeGreaterThan(60);
      expect(count('returning')).toBeGreaterThan(isTurning ? 3 : -1);
      expect(count('unclear')).toBeLessThan(60);
    }
  });

  test.each(ALGORITHMS)("in space, by '%s'", (algorithm) => {
    const faults = pairs.flatMap((pair, i) => {
      const said = impact(createShape(pair.shapeA), pair.a, createShape(pair.shapeB), pair.b, {
        duration: DURATION,
        algorithm,
        stopAtPenetration: false,
      });
      const fault = partingFault(pair, said);
      return fault ? [`seed ${SEED}, ${i}, ${pair.shapeA.type} and ${pair.shapeB.type}: ${fault}`] : [];
    });
    expect(faults).toEqual([]);
  });

  test.each(ALGORITHMS)("in the plane, by '%s'", (algorithm) => {
    const faults = planarPairs.flatMap((pair, i) => {
      const [a, b] = [pair.shapeA, pair.shapeB].map((shape) => planar.createShape(shape));
      const fault = partingFault(
        pair,
        planar.impact(a, pair.a, b, pair.b, { duration: DURATION, algorithm, stopAtPenetration: false }),
      );
      return fault ? [`seed ${SEED}, ${i}, ${pair.shapeA.type} and ${pair.shapeB.type}: ${fault}`] : [];
    });
    expect(faults).toEqual([]);
  });
});
