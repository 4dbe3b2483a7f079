/** Normals of impacts with flat meshes: those of the face, on the side of the body when they meet. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester, type Tester } from '../../src/index.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { makePrism } from '../../verification/families/surface-meshes.ts';
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

describe('a body that slides', () => {
  const SLIDERS: Record<string, [shape: ShapeDescription, height: number]> = {
    box: [{ type: 'box', halfExtents: [0.3, 0.5, 0.3] }, 0.5],
    sphere: [{ type: 'sphere', radius: 0.3 }, 0.3],
    cylinder: [{ type: 'cylinder', halfHeight: 0.5, radius: 0.3 }, 0.5],
  };

  /** The first impact of a body that slides along x at a gap over y = 0, within or beyond the margin of 0.01. */
  async function slide(mesh: ShapeDescription, name: string, gap: number) {
    const [shape, height] = SLIDERS[name];
    const bodies = {
      shapes: Uint32Array.of(tester.addShape(mesh), tester.addShape(shape)),
      positions: Float32Array.of(0, 0, 0, -0.6, height + gap, 0.1),
      quaternions: Float32Array.of(0, 0, 0, 1, 0, 0.1, 0, 1),
      linearVelocities: Float32Array.of(0, 0, 0, 1.5, 0, 0.2),
    };
    const options = { duration: 0.4, margin: 0.01, stopAtPenetration: false };
    const one = await tester.impacts(bodies, Uint32Array.of(0, 1), options);
    const all = await tester.impacts(bodies, Uint32Array.of(0, 1), { ...options, parts: 'all' });
    return { time: one.time[0], normal: Array.from(one.normal), count: all.count };
  }

  test.each(Object.keys(SLIDERS))('over a floor meets no edge of its triangles: a %s', async (name) => {
    const floor: ShapeDescription = { type: 'mesh', ...makeSheet(30, () => 0) };
    for (const gap of [0.009, 0.01 - 1e-5, -1e-4])
      expect(await slide(floor, name, gap), `gap ${gap}`).toMatchObject({ time: Infinity, count: 0 });
  });

  test.each(Object.keys(SLIDERS))('over a floor meets a step, with its normal: a %s', async (name) => {
    const step = makePrism([[-3, 0], [-1.5, 0], [0, 0], [0, 0.15], [0, 0.3], [3, 0.3]], 2, 8); // prettier-ignore
    for (const gap of [0.009, 0.01 - 1e-5]) {
      const { time, normal } = await slide(step, name, gap);
      expect(time).toBeGreaterThan(0.1);
      expect(time).toBeLessThan(0.3);
      if (name !== 'sphere') expect(normal[0]).toBeCloseTo(-1, 4);
      else expect(normal[0]).toBeLessThan(-0.9);
    }
  });
});
