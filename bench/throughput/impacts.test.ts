/** Impacts in the benchmark: bodies in motion, and how times are judged. */

import { describe, expect, it } from 'vitest';
import { compareAnswers, timeErrors } from '../../verification/judges/compare-answers.ts';
import { leastDistance, type Moment } from './engines/least-distance.ts';
import { makeMovingWorkload } from '../../verification/workloads/make.ts';
import { contact, createShape, impact } from '../../src/cpu.ts';

describe('workloads in motion', () => {
  it.each(['boxes', 'hull32'] as const)(
    'of %s: about half of the pairs meet, one in twenty overlaps at the start, and all bodies move',
    (name) => {
      const { duration, motions, bodies } = motionsOf(makeMovingWorkload(name, 1000, 7));
      const times = motions.map(
        ({ shapes: [a, b], poses: [poseA, poseB] }) => impact(a, poseA, b, poseB, { duration }).time,
      );
      expect(Math.abs(times.filter((time) => time < Infinity).length / 1000 - 0.5)).toBeLessThan(0.05);
      expect(Math.abs(times.filter((time) => time === 0).length / 1000 - 0.05)).toBeLessThan(0.02);
      for (let body = 0; body < 2000; body++)
        expect(Math.hypot(...bodies.linearVelocities.subarray(3 * body, 3 * body + 3))).toBeGreaterThan(0);
    },
  );
});

describe('the least distance on the way', () => {
  it('is that of the middle, of the start of what parts, of the end of what still approaches', () => {
    expect(leastDistance(passing(0.25), 1, 1e-9)).toBeCloseTo(-0.75, 8);
    expect(leastDistance(passing(1.5), 1, 1e-9)).toBeCloseTo(0.5, 8);
    expect(leastDistance((time) => passing(1.5)(time + 0.5), 1, 1e-9)).toBe(0.5);
    expect(leastDistance(passing(0), 0.25, 1e-9)).toBe(0);
  });

  it('is none where a distance is none', () => {
    expect(
      leastDistance((time) => (time > 0 && time < 1 ? { distance: NaN, slope: 0 } : passing(0.25)(time)), 1, 1e-9),
    ).toBeNaN();
    expect(leastDistance((time) => (time > 0 ? { distance: NaN, slope: 0 } : passing(0.25)(time)), 1, 1e-9)).toBeNaN();
  });

  it.each(['boxes', 'hull32'] as const)('is negative for just those pairs of %s that meet', (name) => {
    const { duration, motions } = motionsOf(makeMovingWorkload(name, 300, 3));
    for (const {
      shapes: [a, b],
      poses: [poseA, poseB],
      at,
    } of motions) {
      const least = leastDistance(at, duration, 1e-9);
      expect(least < 0).toBe(impact(a, poseA, b, poseB, { duration }).hit);
      for (let time = 0; time <= duration; time += duration / 16)
        expect(at(time).distance).toBeGreaterThan(least - 1e-8);
    }
  });
});

describe('answers against the reference', () => {
  it('times of impact are judged by how far the pair is from touch then', () => {
    const times = Float64Array.of(0, 0, 0.5, 0.5, 0.5, 0.5, NaN);
    const moments = {
      distance: Float64Array.of(-0.3, 0.2, 0.1, -0.2, -0.1, 0.1, NaN),
      isParting: Uint8Array.of(0, 0, 0, 0, 1, 1, 0),
    };
    const least = {
      distance: Float64Array.of(-0.5, -0.5, -0.5, -0.5, -0.5, -0.5, -0.5),
      size: new Float64Array(7).fill(1),
    };
    // Overlapping at the start; apart at 0; too early; too late, and past the deepest overlap; on the other side; no
    // time.
    expect(Array.from(timeErrors(times, moments, least))).toEqual([0, 0.2, 0.1, 0.2, 0.5, 0.5, NaN]);
    const distance = timeErrors(times, moments, least);
    expect(compareAnswers('impacts', { hit: new Uint8Array(7).fill(1), distance }, least, 1e-5)).toMatchObject({
      compared: 7,
      wrongFlags: 0,
      wrongDistances: 6,
      hitRate: 1,
    });
    // A hit that is none is a wrong flag, whatever its time; pairs that only just touch may be told as hits, at the
    // right time.
    const apart = { distance: Float64Array.of(0.2, 1e-7, 1e-7), size: new Float64Array(3).fill(1) };
    const told = { hit: Uint8Array.of(1, 1, 0), distance: Float64Array.of(0.2, 1e-7, NaN) };
    expect(compareAnswers('impacts', told, apart, 1e-5)).toMatchObject({
      compared: 2,
      wrongFlags: 1,
      wrongDistances: 0,
      farOff: 1,
    });
  });
});

/** A point that passes a sphere of radius 1, its way at `height` and closest to the centre after half a second. */
function passing(height: number): (time: number) => Moment {
  return (time) => {
    const along = 4 * (time - 0.5);
    const apart = Math.hypot(along, height);
    return { distance: apart - 1, slope: (4 * along) / apart };
  };
}

/** Shapes, poses and signed distances of the pairs of a workload in motion. */
function motionsOf({ shapes: descriptions, bodies, pairs, duration }: ReturnType<typeof makeMovingWorkload>) {
  const shapes = descriptions.map((shape) => createShape(shape));
  const { positions, quaternions, linearVelocities } = bodies;
  const poseAt = (body: number, time: number) => {
    const linearVelocity = Array.from(linearVelocities.subarray(3 * body, 3 * body + 3));
    const position = linearVelocity.map((speed, k) => positions[3 * body + k] + time * speed);
    return { position, quaternion: quaternions.subarray(4 * body, 4 * body + 4), linearVelocity };
  };
  const motions = Array.from({ length: pairs.length / 2 }, (_, pair) => {
    const [a, b] = pairs.subarray(2 * pair, 2 * pair + 2);
    const [shapeA, shapeB] = [shapes[bodies.shapes[a]], shapes[bodies.shapes[b]]];
    const at = (time: number): Moment => {
      const [poseA, poseB] = [poseAt(a, time), poseAt(b, time)];
      const { distance, normal } = contact(shapeA, poseA, shapeB, poseB, { margin: Infinity });
      return {
        distance,
        slope: normal.reduce((sum, along, k) => sum + along * (poseB.linearVelocity[k] - poseA.linearVelocity[k]), 0),
      };
    };
    return { shapes: [shapeA, shapeB], poses: [poseAt(a, 0), poseAt(b, 0)], at };
  });
  return { duration, motions, bodies };
}
