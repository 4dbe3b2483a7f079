/** Normals of impacts with flat meshes: those of the face, on the side of the body when they meet. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester, type Tester } from '../../src/index.ts';
import { makeSheet } from '../helpers/meshes.ts';

let tester: Tester;
let sheet: number;
let ball: number;
beforeAll(async () => {
  tester = await createTester({ backend: 'cpu', threads: 1 });
  // In the plane y = 0.
  sheet = tester.addShape({ type: 'mesh', ...makeSheet(8, () => 0) });
  ball = tester.addShape({ type: 'sphere', radius: 0.1 });
});
afterAll(() => tester.dispose());

interface Moving {
  position: number[];
  velocity?: number[];
  /** The sheet's angular velocity. */
  spin?: number[];
}

/** The impact of the sheet with a ball, for the one query and in the list of all parts. */
async function impactsOf({ position, velocity = [0, 0, 0], spin = [0, 0, 0] }: Moving) {
  const bodies = {
    shapes: Uint32Array.of(sheet, ball),
    positions: Float32Array.of(0, 0, 0, ...position),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
    linearVelocities: Float32Array.of(0, 0, 0, ...velocity),
    angularVelocities: Float32Array.of(...spin, 0, 0, 0),
  };
  const one = await tester.impacts(bodies, Uint32Array.of(0, 1), { duration: 3 });
  const all = await tester.impacts(bodies, Uint32Array.of(0, 1), { duration: 3, parts: 'all' });
  return { one, all };
}

describe('a sheet that turns about z', () => {
  test.each([0.2, 0.45, 0.7])('hits a ball %f away with the normal that it has then', async (distance) => {
    const angle = 1.2;
    const position = [distance * Math.cos(angle), distance * Math.sin(angle), 0.03];
    const { one, all } = await impactsOf({ position, spin: [0, 0, 1] });
    expect(one.time[0]).toBeCloseTo(angle - Math.asin(0.1 / distance), 4);
    expect(all.count).toBeGreaterThan(0);
    // Each triangle meets the ball at a time of its own.
    for (const { count, normal, time } of [one, all]) {
      for (let slot = 0; slot < count; slot++) {
        expect(normal[3 * slot]).toBeCloseTo(-Math.sin(time[slot]), 4);
        expect(normal[3 * slot + 1]).toBeCloseTo(Math.cos(time[slot]), 4);
        expect(normal[3 * slot + 2]).toBeCloseTo(0, 4);
      }
    }
  });
});

describe('a ball that overlaps at the start', () => {
  test.each([
    { from: 'above', velocity: [0.5, -0.2, 0.3], side: 1 },
    { from: 'below', velocity: [0.5, 0.2, 0.3], side: -1 },
  ])('has the normal of the side from which it came: $from', async ({ velocity, side }) => {
    for (const depth of [-0.05, -0.01, 0.01, 0.05]) {
      const { one, all } = await impactsOf({ position: [0.11, depth, 0.13], velocity });
      expect(one.unclampedTime[0]).toBeLessThan(0);
      for (const { normal } of [one, all]) {
        expect(normal[0]).toBeCloseTo(0, 4);
        expect(normal[1]).toBeCloseTo(side, 4);
      }
    }
  });
});
