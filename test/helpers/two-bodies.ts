/** What every call takes, with all of its fields: two bodies of the first shape side by side, their pair and a ray. */
import { expect } from 'vitest';
import { createTester } from '../../src/index.ts';
import type { PlanarTester, Tester } from '../../src/api/types.ts';

/** Testers on the CPU whose first shape is 2 wide. */
export async function boxTesters(): Promise<{ tester: Tester; plane: PlanarTester }> {
  const tester = await createTester({ backend: 'cpu' });
  const plane = await createTester({ backend: 'cpu', dimension: 2 });
  tester.addShape({ type: 'box', halfExtents: [1, 1, 1] });
  plane.addShape({ type: 'rectangle', halfExtents: [1, 1] });
  return { tester, plane };
}

/** The second body is `distance` along x from the first, which moves towards it. */
export function twoBodies(distance = 3) {
  return {
    shapes: new Uint32Array(2),
    positions: Float32Array.of(0, 0, 0, distance, 0, 0),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
    scales: Float32Array.of(1, 1),
    groups: Uint32Array.of(0xffffffff, 0xffffffff),
    fixed: new Uint8Array(2),
    linearVelocities: Float32Array.of(4, 0, 0, 0, 0, 0),
    angularVelocities: new Float32Array(6),
  };
}

export function twoPlanarBodies(distance = 3) {
  return {
    shapes: new Uint32Array(2),
    positions: Float32Array.of(0, 0, distance, 0),
    angles: new Float32Array(2),
    scales: Float32Array.of(1, 1),
    groups: Uint32Array.of(0xffffffff, 0xffffffff),
    fixed: new Uint8Array(2),
    linearVelocities: Float32Array.of(4, 0, 0, 0),
    angularVelocities: new Float32Array(2),
  };
}

export const pairs = Uint32Array.of(0, 1);

export const rays = {
  origins: Float32Array.of(-5, 0, 0),
  directions: Float32Array.of(1, 0, 0),
  maxTimes: Float32Array.of(9),
  radii: Float32Array.of(0),
  groups: Uint32Array.of(0xffffffff),
};
export const planarRays = { ...rays, origins: Float32Array.of(-5, 0), directions: Float32Array.of(1, 0) };

/** The message with which a call throws or rejects as one with invalid input. Fails if it does neither. */
export async function refusalOf(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    expect(error).toMatchObject({ name: 'NarrowphaseError', code: 'INVALID_INPUT' });
    return (error as Error).message;
  }
  throw new Error('the call did not fail');
}
