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

interface Slider {
  mesh: ShapeDescription;
  shape: ShapeDescription;
  position: number[];
  velocity: number[];
  spin?: number[];
  margin?: number;
  stops?: boolean;
  duration?: number;
}

/** The first impact of a moving body with a mesh at rest, or with another shape that stands for it; and the number of the list. */
async function impactOf({ mesh, shape, position, velocity, spin = [0, 0, 0], ...options }: Slider) {
  const { margin = 0, stops = false, duration = 1 } = options;
  const bodies = {
    shapes: Uint32Array.of(tester.addShape(mesh), tester.addShape(shape)),
    positions: Float32Array.of(0, 0, 0, ...position),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
    linearVelocities: Float32Array.of(0, 0, 0, ...velocity),
    angularVelocities: Float32Array.of(0, 0, 0, ...spin),
  };
  const asked = { margin, duration, stopAtPenetration: stops };
  const one = await tester.impacts(bodies, Uint32Array.of(0, 1), asked);
  const all = await tester.impacts(bodies, Uint32Array.of(0, 1), { ...asked, parts: 'all' });
  return { time: one.time[0], unclampedTime: one.unclampedTime[0], normal: Array.from(one.normal), count: all.count };
}

const FLOOR: ShapeDescription = { type: 'mesh', ...makeSheet(12, () => 0) };
const STEP = makePrism([[-3, 0], [-1.5, 0], [0, 0], [0, 0.15], [0, 0.3], [3, 0.3]], 2, 8); // prettier-ignore
/** A box with the riser of the step. */
const RISER: ShapeDescription = {
  type: 'hull',
  points: [0, 3].flatMap((x) => [-1, 0.3].flatMap((y) => [x, y, -2, x, y, 2])),
};

describe('a body that slides and spins', () => {
  const SPINNERS: Record<string, Pick<Slider, 'shape' | 'spin'> & { height: number }> = {
    'a box about the vertical': {
      shape: { type: 'box', halfExtents: [0.2, 0.25, 0.1] },
      height: 0.25,
      spin: [0, 4, 0],
    },
    'a cylinder about its axis': {
      shape: { type: 'cylinder', halfHeight: 0.25, radius: 0.2 },
      height: 0.25,
      spin: [0, 9, 0],
    },
    'a rolling ball': { shape: { type: 'sphere', radius: 0.25 }, height: 0.25, spin: [0, 0, -6] },
  };
  const starts = [0.009, 0.01 - 1e-5, -1e-4].flatMap((gap) =>
    Object.keys(SPINNERS).map((name) => ({ name, gap, margin: gap > 0 ? 0.01 : 0 })),
  );

  test.each(starts)('passes the seams of a floor: $name, at a gap of $gap', async ({ name, gap, margin }) => {
    const { shape, height, spin } = SPINNERS[name];
    const body = { shape, spin, margin, position: [-0.7, height + gap, 0.1], velocity: [1.3, 0, 0.2] };
    expect(await impactOf({ mesh: FLOOR, ...body })).toMatchObject({ time: Infinity, count: 0 });
  });

  test.each(starts)('meets the step behind the seams: $name, at a gap of $gap', async ({ name, gap, margin }) => {
    const { shape, height, spin } = SPINNERS[name];
    const body = { shape, spin, margin, position: [-0.8, height + gap, 0.1], velocity: [1.3, 0, 0.2] };
    const riser = await impactOf({ mesh: RISER, ...body });
    const step = await impactOf({ mesh: STEP, ...body });
    expect(riser.time).toBeLessThan(1);
    expect(step.time).toBeCloseTo(riser.time, 3);
    for (let k = 0; k < 3; k++) expect(step.normal[k]).toBeCloseTo(riser.normal[k], 2);
    expect(step.count).toBeGreaterThan(0);
  });

  test('meets the floor when a corner comes down while it passes a seam', async () => {
    // The corner is over the middle of the floor's triangles, and another part of the box within the margin.
    const shape: ShapeDescription = { type: 'box', halfExtents: [0.3, 0.1, 0.2] };
    const below: ShapeDescription = { type: 'box', halfExtents: [3, 1, 3] };
    const body = { shape, position: [-0.5, 0.12, 0.05], velocity: [0.8, 0, 0], spin: [0, 0, -1] };
    const floor = await impactOf({ mesh: FLOOR, ...body });
    const ground = await impactOf({ mesh: below, ...body, position: [-0.5, 1.12, 0.05] });
    expect(floor.time).toBeCloseTo(ground.time, 3);
    expect(floor.normal[1]).toBeCloseTo(1, 3);
  });
});

describe('a body that overlaps a floor at the start', () => {
  const CRATE: ShapeDescription = { type: 'box', halfExtents: [0.2, 0.25, 0.1] };
  const at = (x: number, depth: number): Pick<Slider, 'mesh' | 'shape' | 'position'> => ({
    mesh: FLOOR,
    shape: CRATE,
    position: [x, 0.25 - depth, 0.13],
  });

  test.each([1e-4, 0.01, 0.06])(
    'and slides is a hit at 0 with the normal of the floor, by default: %f deep',
    async (depth) => {
      for (const x of [-0.51, 0.02, 0.33]) {
        const found = await impactOf({ ...at(x, depth), velocity: [0.7, 0, 0.2], stops: true });
        expect(found).toMatchObject({ time: 0, unclampedTime: -Infinity });
        expect(found.normal[1]).toBeCloseTo(1, 5);
        expect(found.count).toBeGreaterThan(0);
      }
    },
  );

  test.each([1e-4, 0.01, 0.06])('and falls has met it when it passed its plane: %f deep', async (depth) => {
    for (const velocity of [
      [0.7, -0.5, 0.2],
      [0, -0.5, 0],
      [5, -0.5, 3],
    ]) {
      for (const stops of [true, false]) {
        const found = await impactOf({ ...at(0.02, depth), velocity, stops });
        expect(found.time).toBe(0);
        expect(found.unclampedTime).toBeCloseTo(-depth / 0.5, 3);
        expect(found.normal[1]).toBeCloseTo(1, 5);
      }
    }
  });

  test('within the margin has met it since it came as near, over whatever triangle', async () => {
    for (const height of [0.25, 0.2501, 0.2499, 0.255]) {
      const shape: ShapeDescription = { type: 'sphere', radius: 0.25 };
      const body = { mesh: FLOOR, shape, position: [0.02, height, 0.13], velocity: [1.5, -0.1, 0.8], margin: 0.01 };
      for (const stops of [true, false]) {
        const { unclampedTime, normal } = await impactOf({ ...body, stops });
        expect(unclampedTime).toBeCloseTo((height - 0.26) / 0.1, 3);
        expect(normal[1]).toBeCloseTo(1, 5);
      }
    }
  });

  test('and touches it only, and slides, passes', async () => {
    expect(await impactOf({ ...at(0.02, 0), velocity: [0.7, 0, 0.2], stops: true })).toMatchObject({ time: Infinity });
    expect(await impactOf({ ...at(0.02, 0), velocity: [0.7, 0, 0.2] })).toMatchObject({ time: Infinity, count: 0 });
  });

  test('and touches it, and rests, is a hit on every call by default', async () => {
    for (const depth of [0, 0.01]) {
      const found = await impactOf({ ...at(0.02, depth), velocity: [0, 0, 0], stops: true });
      expect(found).toMatchObject({ time: 0, unclampedTime: -Infinity });
      expect(found.normal[1]).toBeCloseTo(1, 5);
      expect(await impactOf({ ...at(0.02, depth), velocity: [0, 0, 0] })).toMatchObject({ time: Infinity });
    }
  });

  test('and rises or slides passes, unless it meets a step', async () => {
    for (const velocity of [
      [0.7, 0, 0.2],
      [0.7, 0.1, 0],
      [0, 0.2, 0],
    ])
      expect(await impactOf({ ...at(0.02, 0.06), velocity })).toMatchObject({ time: Infinity });
    const { time, normal } = await impactOf({ ...at(-0.7, 0.02), mesh: STEP, velocity: [1, 0, 0] });
    expect(time).toBeCloseTo(0.5, 4);
    expect(normal[0]).toBeCloseTo(-1, 5);
  });

  test('of which a small one falls over the seam of two large triangles', async () => {
    const mesh: ShapeDescription = { type: 'mesh', ...makeSheet(1, () => 0) };
    const shape: ShapeDescription = { type: 'box', halfExtents: [0.05, 0.25, 0.05] };
    for (const stops of [true, false]) {
      const found = await impactOf({ mesh, shape, position: [0, 0.19, 0], velocity: [0.1, -1, 0], stops });
      expect(found.time).toBe(0);
      expect(found.normal[1]).toBeCloseTo(1, 5);
    }
  });

  test('on a step, and slides away from its edge or towards it, passes', async () => {
    const down = makePrism([[-3, 0], [-1, 0], [0, 0], [0, -0.5], [0, -1], [3, -1]], 2, 8); // prettier-ignore
    const mesh: ShapeDescription = { ...down, sides: 'front' };
    for (const velocity of [
      [0.3, 0, 0],
      [-0.3, 0, 0.1],
      [0, 0, 1],
    ])
      expect(
        await impactOf({ mesh, shape: CRATE, position: [-0.195, 0.24, 0.1], velocity, duration: 0.5 }),
        `${velocity}`,
      ).toMatchObject({ time: Infinity });
  });
});
