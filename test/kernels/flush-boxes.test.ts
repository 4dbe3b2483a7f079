/**
 * Boxes whose faces are all but parallel where they touch: of several pairs of edges with the same separation the
 * witness points are on those that touch.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contact, createShape } from '../../src/cpu.ts';
import { createTester } from '../../src/node.ts';
import type { Tester } from '../../src/api/types.ts';
import { multiply } from '../../verification/families/arrangements.ts';
import { turnOf } from '../../verification/families/moving-family.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_340;
const PAIRS = atNight(8000, 40_000);
const UPRIGHT = [0, 0, 0, 1];
const BOXES = [
  { type: 'box', halfExtents: [0.3, 0.4, 0.2] },
  { type: 'box', halfExtents: [0.15, 0.5, 0.1] },
] as const;
const TOLERANCE = 5e-6 * BOXES.reduce((sum, { halfExtents }) => sum + Math.hypot(...halfExtents), 0);

const testers: Tester[] = [];

beforeAll(async () => {
  for (const backend of ['cpu', 'webgpu'] as const) testers.push(await createTester({ backend }));
});

afterAll(() => testers.forEach((tester) => tester.dispose()));

const shapes = BOXES.map((shape) => createShape(shape));
const point = createShape({ type: 'sphere', radius: 0 });

/** How far a point is from the surface of a box. */
function offSurface(
  side: number,
  position: ArrayLike<number>,
  quaternion: ArrayLike<number>,
  at: ArrayLike<number>,
): number {
  return Math.abs(
    contact(shapes[side], { position, quaternion }, point, { position: at, quaternion: UPRIGHT }, { margin: Infinity })
      .distance,
  );
}

describe.each([
  ['tilted by 1e-4 to 1e-7', -7, -4],
  ['tilted by 1e-2 to 1e-4', -4, -2],
])('%s', (_, low, high) => {
  const random = createRandom(SEED);
  const bodies = {
    shapes: Uint32Array.from({ length: 2 * PAIRS }, (__, body) => body % 2),
    positions: new Float32Array(6 * PAIRS),
    quaternions: new Float32Array(8 * PAIRS),
  };
  for (let pair = 0; pair < PAIRS; pair++) {
    const tilt = 10 ** uniform(random, low, high);
    const axis = unitVector(random, [0, 0, 0]);
    bodies.quaternions.set(UPRIGHT, 8 * pair);
    bodies.quaternions.set(
      multiply(
        turnOf(
          axis.map((x) => tilt * x),
          1,
        ),
        turnOf([0, 0, uniform(random, 0, 6)], 1),
      ),
      8 * pair + 4,
    );
    bodies.positions.set(
      [
        uniform(random, -0.4, 0.4),
        uniform(random, -0.5, 0.5),
        0.3 + uniform(random, -1, 1) * 10 ** uniform(random, -6, -2),
      ],
      6 * pair + 3,
    );
  }
  const pairs = Uint32Array.from({ length: 2 * PAIRS }, (__, body) => body);

  test.each(['auto', 'sat', 'gjk'] as const)('contacts by %s have their points on both boxes', async (algorithm) => {
    for (const tester of testers) {
      useShapes(tester, BOXES);
      const { pointA, pointB, status, statusCounts } = await tester.contacts(bodies, pairs, { algorithm, margin: 1 });
      expect(statusCounts[0] + statusCounts[1]).toBe(PAIRS);
      const faults: string[] = [];
      for (let pair = 0; pair < PAIRS; pair++) {
        const off = [pointA, pointB].map((points, side) => {
          const body = 2 * pair + side;
          return offSurface(
            side,
            bodies.positions.subarray(3 * body, 3 * body + 3),
            bodies.quaternions.subarray(4 * body, 4 * body + 4),
            points.subarray(3 * pair, 3 * pair + 3),
          );
        });
        if (!(Math.max(...off) <= TOLERANCE))
          faults.push(`${tester.backend}, seed ${SEED}, pair ${pair}, status ${status[pair]}: ${off} off`);
      }
      expect(faults.slice(0, 5)).toEqual([]);
    }
  });
});
