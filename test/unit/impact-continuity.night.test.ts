/**
 * Times of impact of bodies that hardly turn: what slides, rests, grazes, parts or lands without turning does so with
 * any turn that moves nothing by more than the slack, and every answer is one that the oracle allows.
 */

import { describe, expect, test } from 'vitest';
import { createShape, impact, planar, type CpuMovingPose } from '../../src/cpu.ts';
import { arrangements, planarArrangements } from '../../verification/families/arrangements-on-tiles.ts';
import { judgeImpact, movingPair } from '../../verification/oracle/motion.ts';
import { judgePlanarImpact, type PlanarMover } from '../../verification/oracle/planar-motion.ts';
import { oraclePlanarShape } from '../../verification/oracle/planar.ts';

/** CI tries every other axis and every other of the least spins, the night all. */
const EVERY = 1;
const isTried = (_: unknown, i: number): boolean => i % EVERY === EVERY - 1;

/** Radians per second. */
const SPINS = [1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3];
/** Up to these nothing moves by more than a tenth of the reference's slack, which is 1e-10 of the size. */
const LEAST_SPINS = SPINS.slice(0, 4).filter(isTried);
const SCALES = [1e-3, 1, 1e3];

const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [-1, 0, 0],
  [0, 0, -1],
  [0.6, -0.48, 0.64],
].filter(isTried);
const WHO = ['A', 'B', 'both', 'both, against each other'] as const;

function spinsOf(who: (typeof WHO)[number], spin: number): [a: number, b: number] {
  return [who === 'B' ? 0 : spin, who === 'A' ? 0 : who === 'both' ? spin : -spin];
}

describe.each(arrangements)('$name', ({ a, b, position, velocity, duration, time }) => {
  const [shapeA, shapeB] = [createShape(a), createShape(b)];

  const ask = (scale: number, axis: readonly number[], spinA: number, spinB: number) => {
    const poseOf = (at: readonly number[], moves: readonly number[], spin: number): CpuMovingPose => ({
      position: at.map((x) => scale * x),
      quaternion: [0, 0, 0, 1],
      scale,
      linearVelocity: moves.map((x) => scale * x),
      angularVelocity: axis.map((x) => spin * x),
    });
    const [poseA, poseB] = [poseOf([0, 0, 0], [0, 0, 0], spinA), poseOf(position, velocity, spinB)];
    return {
      said: impact(shapeA, poseA, shapeB, poseB, { duration }),
      pair: movingPair({ shape: a, pose: poseA }, { shape: b, pose: poseB }, shapeA, shapeB),
    };
  };

  test.each(SCALES)('the least turns change nothing, in units of %s', (scale) => {
    const straight = ask(scale, AXES[0], 0, 0).said;
    expect(straight.time).toBeCloseTo(time ?? Infinity, 9);
    for (const axis of AXES) {
      for (const who of WHO) {
        for (const spin of LEAST_SPINS) {
          const { said } = ask(scale, axis, ...spinsOf(who, spin));
          const label = `${who} by ${spin} about ${axis.join()}`;
          expect(said.status, label).toBe(straight.status);
          expect(said.time, label).toBeCloseTo(straight.time, 8);
          if (straight.hit) expect(said.normal, label).toEqual(straight.normal.map((x) => expect.closeTo(x, 6)));
        }
      }
    }
  });

  test('turns of any size end as the oracle has it', () => {
    for (const axis of AXES.slice(0, 4)) {
      for (const spin of SPINS.filter((_, i) => i % 2 === 1)) {
        const { said, pair } = ask(1, axis, ...spinsOf('both, against each other', spin));
        const { outcome, faults } = judgeImpact(pair, said, { precision: 'reference', duration });
        expect(faults, `${spin} about ${axis.join()}`).toEqual([]);
        expect(outcome).not.toBe('open');
      }
    }
  });
});

describe.each(planarArrangements)('in the plane $name', ({ a, b, position, velocity, duration, time }) => {
  const [shapeA, shapeB] = [planar.createShape(a), planar.createShape(b)];

  const ask = (scale: number, spinA: number, spinB: number) => {
    const poseOf = (at: readonly number[], moves: readonly number[], angularVelocity: number): PlanarMover => ({
      position: at.map((x) => scale * x),
      angle: 0,
      scale,
      linearVelocity: moves.map((x) => scale * x),
      angularVelocity,
    });
    const [poseA, poseB] = [poseOf([0, 0], [0, 0], spinA), poseOf(position, velocity, spinB)];
    return { said: planar.impact(shapeA, poseA, shapeB, poseB, { duration }), poseA, poseB };
  };

  test.each(SCALES)('the least turns change nothing, in units of %s', (scale) => {
    const straight = ask(scale, 0, 0).said;
    expect(straight.time).toBeCloseTo(time ?? Infinity, 9);
    for (const who of WHO) {
      for (const spin of LEAST_SPINS.flatMap((x) => [x, -x])) {
        const { said } = ask(scale, ...spinsOf(who, spin));
        expect(said.status, `${who} by ${spin}`).toBe(straight.status);
        expect(said.time, `${who} by ${spin}`).toBeCloseTo(straight.time, 8);
        if (straight.hit) expect(said.normal).toEqual(straight.normal.map((x) => expect.closeTo(x, 6)));
      }
    }
  });

  test('turns of any size end as the oracle has it', () => {
    for (const spin of SPINS.flatMap((x) => [x, -x])) {
      const { said, poseA, poseB } = ask(1, ...spinsOf('both, against each other', spin));
      const moving = { a: oraclePlanarShape(a), b: oraclePlanarShape(b), poseA, poseB, duration };
      const { outcome, faults } = judgePlanarImpact(moving, said, { tolerance: 1e-9, rounding: 1e-15 });
      expect(faults, `${spin}`).toEqual([]);
      expect(outcome).not.toBe('open');
    }
  });
});
