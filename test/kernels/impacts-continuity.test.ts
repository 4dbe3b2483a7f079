/**
 * What slides, rests, rises, lands or passes by does so with the least turns as it does without, on the GPU and the CPU
 * backend, in space and in the plane.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { PlanarTester, Tester } from '../../src/api/types.ts';
import { arrangements, planarArrangements } from '../../verification/families/arrangements-on-tiles.ts';

/** Radians per second: up to a hundredth of the slack of f32, which is 2e-6 of the size. */
const SPINS = [1e-15, 1e-12, 1e-10, 1e-8];
const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [-1, 0, 0],
  [0, 0, -1],
];

const testers: Partial<Record<'webgpu' | 'cpu', { space: Tester; plane: PlanarTester }>> = {};

beforeAll(async () => {
  for (const backend of ['webgpu', 'cpu'] as const) {
    testers[backend] = { space: await createTester({ backend }), plane: await createTester({ backend, dimension: 2 }) };
  }
});

afterAll(() => {
  for (const { space, plane } of Object.values(testers)) {
    space.dispose();
    plane.dispose();
  }
});

const pairsOf = (count: number): Uint32Array => Uint32Array.from({ length: 2 * count }, (_, i) => i);

/** Those that meet as the motion ends get more of it than f32 rounds times by. */
const longer = (duration: number): number => (duration > 1 && duration < 1.0001 ? 1.0001 : duration);

/** All of one duration are asked at once. */
const durations = [...new Set(arrangements.map(({ duration }) => longer(duration)))];
const planarDurations = [...new Set(planarArrangements.map(({ duration }) => longer(duration)))];

describe.each(['webgpu', 'cpu'] as const)('on %s', (backend) => {
  test.each(durations)('in space, for %s seconds', async (duration) => {
    const { space } = testers[backend]!;
    const chosen = arrangements.filter((arrangement) => longer(arrangement.duration) === duration);
    const spins = chosen.flatMap((arrangement) =>
      SPINS.flatMap((spin) => AXES.map((axis) => ({ arrangement, spin: axis.map((x) => spin * x) }))),
    );
    const bodies = {
      shapes: Uint32Array.from(spins.flatMap(({ arrangement: { a, b } }) => [space.addShape(a), space.addShape(b)])),
      positions: Float32Array.from(spins.flatMap(({ arrangement: { position } }) => [0, 0, 0, ...position])),
      quaternions: Float32Array.from({ length: 8 * spins.length }, (_, i) => (i % 4 === 3 ? 1 : 0)),
      linearVelocities: Float32Array.from(spins.flatMap(({ arrangement: { velocity } }) => [0, 0, 0, ...velocity])),
    };
    const angularVelocities = Float32Array.from(spins.flatMap(({ spin }) => [...spin.map((x) => -x), ...spin]));
    const straight = await space.impacts(bodies, pairsOf(spins.length), { duration });
    const turning = await space.impacts({ ...bodies, angularVelocities }, pairsOf(spins.length), { duration });
    const off = spins.flatMap(({ arrangement: { name }, spin }, i) => {
      const isSame =
        turning.status[i] === straight.status[i] &&
        (turning.time[i] === straight.time[i] || Math.abs(turning.time[i] - straight.time[i]) < 1e-5);
      return isSame ? [] : [`${name}, ${spin}: ${turning.time[i]}, not ${straight.time[i]}`];
    });
    expect(off).toEqual([]);
    expect(straight.time).toHaveLength(spins.length);
    for (const id of bodies.shapes) space.removeShape(id);
  });

  test.each(planarDurations)('in the plane, for %s seconds', async (duration) => {
    const { plane } = testers[backend]!;
    const chosen = planarArrangements.filter((arrangement) => longer(arrangement.duration) === duration);
    const spins = chosen.flatMap((arrangement) =>
      SPINS.flatMap((spin) => [spin, -spin]).map((spin) => ({ arrangement, spin })),
    );
    const bodies = {
      shapes: Uint32Array.from(spins.flatMap(({ arrangement: { a, b } }) => [plane.addShape(a), plane.addShape(b)])),
      positions: Float32Array.from(spins.flatMap(({ arrangement: { position } }) => [0, 0, ...position])),
      angles: new Float32Array(2 * spins.length),
      linearVelocities: Float32Array.from(spins.flatMap(({ arrangement: { velocity } }) => [0, 0, ...velocity])),
    };
    const angularVelocities = Float32Array.from(spins.flatMap(({ spin }) => [-spin, spin]));
    const straight = await plane.impacts(bodies, pairsOf(spins.length), { duration });
    const turning = await plane.impacts({ ...bodies, angularVelocities }, pairsOf(spins.length), { duration });
    const off = spins.flatMap(({ arrangement: { name }, spin }, i) => {
      const isSame =
        turning.status[i] === straight.status[i] &&
        (turning.time[i] === straight.time[i] || Math.abs(turning.time[i] - straight.time[i]) < 1e-5);
      return isSame ? [] : [`${name}, ${spin}: ${turning.time[i]}, not ${straight.time[i]}`];
    });
    expect(off).toEqual([]);
    for (const id of bodies.shapes) plane.removeShape(id);
  });
});
