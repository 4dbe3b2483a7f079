/**
 * Impacts whose answers are seen at once, on either backend: points on half-spaces, exact touch, and margins far
 * greater than the bodies.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { Status, type ImpactItem, type ImpactOptions, type Tester } from '../../src/api/types.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';

const testers: Partial<Record<'webgpu' | 'cpu', Tester>> = {};

beforeAll(async () => {
  for (const backend of ['webgpu', 'cpu'] as const) testers[backend] = await createTester({ backend });
});

afterAll(() => {
  for (const tester of Object.values(testers)) tester.dispose();
});

const FLOOR: ShapeDescription = { type: 'halfspace', normal: [0, 1, 0], offset: 0 };
const BALL: ShapeDescription = { type: 'sphere', radius: 0.5 };
const CUBE: ShapeDescription = { type: 'box', halfExtents: [0.5, 0.5, 0.5] };

describe.each(['webgpu', 'cpu'] as const)('on %s', (backend) => {
  /** A stands at the origin; B is at `position` and moves by `velocity`. */
  async function ask(
    a: ShapeDescription,
    b: ShapeDescription,
    position: number[],
    velocity: number[],
    options: Partial<ImpactOptions> = {},
    spin?: number[],
  ): Promise<ImpactItem> {
    useShapes(testers[backend]!, [a, b]);
    const bodies = {
      shapes: Uint32Array.of(0, 1),
      positions: Float32Array.of(0, 0, 0, ...position),
      quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
      linearVelocities: Float32Array.of(0, 0, 0, ...velocity),
      ...(spin && { angularVelocities: Float32Array.of(0, 0, 0, ...spin) }),
    };
    const [item] = await testers[backend]!.impacts(bodies, Uint32Array.of(0, 1), { duration: 1, ...options });
    return item;
  }

  describe('the point of a half-space and what overlaps it', () => {
    const cases: [
      what: string,
      b: ShapeDescription,
      position: number[],
      velocity: number[],
      margin: number,
      spin?: number[],
    ][] = [
      ['a ball that leaves, within the margin', BALL, [2, 0.7, 1], [0, 1, 0], 0.5],
      ['a ball that slides', BALL, [2, 0.25, 1], [3, 0, 0], 0],
      ['a ball at rest with its centre on the plane', BALL, [2, 0, 1], [0, 0, 0], 0],
      ['a ball at rest that touches', BALL, [2, 0.5, 1], [0, 0, 0], 0],
      ['a cube that turns as it leaves', CUBE, [2, 0.25, 1], [0, 1, 0], 0, [0, 1, 0]],
    ];

    test.each(cases)('is on the plane: %s', async (_, b, position, velocity, margin, spin) => {
      const found = await ask(FLOOR, b, position, velocity, { margin }, spin);
      expect(found).toMatchObject({ status: Status.Overlapping, time: 0, unclampedTime: -Infinity, normal: [0, 1, 0] });
      expect(found.point[1]).toBe(0);
      if (b === BALL) expect(found.point).toEqual([2, 0, 1]);
    });

    test('is on the plane where the ball came through it', async () => {
      const found = await ask(FLOOR, BALL, [2, 0.25, 1], [1, -1, 0], { margin: 0.25 });
      expect(found).toMatchObject({ time: 0, unclampedTime: -0.5 });
      [1.5, 0, 1].forEach((x, k) => expect(found.point[k]).toBeCloseTo(x, 6));
    });

    test('is on the body where that is A', async () => {
      const found = await ask(BALL, FLOOR, [0, -0.2, 0], [0, -1, 0], { margin: 0.5 });
      expect(found).toMatchObject({ status: Status.Overlapping, unclampedTime: -Infinity, point: [0, -0.5, 0] });
    });
  });

  test('what touches and rests is a hit, what touches and slides or parts is none', async () => {
    for (const [a, b] of [
      [CUBE, CUBE],
      [BALL, CUBE],
      [CUBE, BALL],
      [BALL, BALL],
      [FLOOR, CUBE],
    ] as const) {
      const height = a === FLOOR ? 0.5 : 1;
      expect(await ask(a, b, [0, height, 0], [0, 0, 0]), `${a.type}, ${b.type}`).toMatchObject({
        status: Status.Overlapping,
        time: 0,
        unclampedTime: -Infinity,
      });
      for (const velocity of [
        [1, 0, 0],
        [0, 1, 0],
      ])
        expect((await ask(a, b, [0, height, 0], velocity)).status, `${a.type}, ${b.type}`).toBe(Status.Separated);
    }
  });

  test.each([1e9, 3e38])(
    'a margin of %d is as good as a million times the power of two below the greatest length of the pair',
    async (margin) => {
      for (const [a, b] of [
        [BALL, BALL],
        [CUBE, CUBE],
        [CUBE, BALL],
        [FLOOR, BALL],
      ] as const) {
        const found = await ask(a, b, [3, 3, 3], [-1, -2, -1], { margin });
        const closing = a === FLOOR ? 2 : Math.sqrt(6);
        expect(found).toMatchObject({ status: Status.Overlapping, time: 0 });
        expect((found.unclampedTime * closing) / -2e6, `${a.type}, ${b.type}`).toBeCloseTo(1, 4);
      }
    },
  );
});
