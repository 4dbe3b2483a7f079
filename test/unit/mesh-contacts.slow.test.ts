/** Contacts of convex bodies with meshes: their normals are those of the surface, whatever the triangulation. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ShapeDescription, Tester } from '../../src/index.ts';
import { createTester } from '../../src/index.ts';
import { atNight } from '../helpers/night.ts';

const SIDE = 60;
const STEP = 0.25;
const TOUCHES = atNight(90, 300);

/** A sheet of squares along x and z, each cut in one of its two ways; vertices are repeated for each triangle. */
function sheet(height: (x: number) => number): ShapeDescription {
  const positions: number[] = [];
  const point = (i: number, j: number): void => {
    const x = (i - SIDE / 2) * STEP;
    positions.push(x, height(x), (j - SIDE / 2) * STEP);
  };
  for (let i = 0; i < SIDE; i++) {
    for (let j = 0; j < SIDE; j++) {
      const corners = [
        [i, j],
        [i, j + 1],
        [i + 1, j + 1],
        [i + 1, j],
      ];
      const order = (i * 7 + j * 3) % 2 ? [0, 1, 2, 0, 2, 3] : [0, 1, 3, 1, 2, 3];
      for (const k of order) point(corners[k][0], corners[k][1]);
    }
  }
  return { type: 'mesh', positions, indices: Uint32Array.from({ length: positions.length / 3 }, (_, i) => i) };
}

const roof = (x: number): number => -0.3 * Math.abs(x);
const valley = (x: number): number => 0.5 * Math.abs(x);

/** A shape, and how high its origin is over the plane that it touches when it stands upright. */
const BODIES: Record<string, [shape: ShapeDescription, height: number]> = {
  sphere: [{ type: 'sphere', radius: 0.5 }, 0.5],
  box: [{ type: 'box', halfExtents: [0.4, 0.5, 0.3] }, 0.5],
  'rounded box': [{ type: 'box', halfExtents: [0.4, 0.4, 0.3], radius: 0.1 }, 0.5],
  capsule: [{ type: 'capsule', halfHeight: 0.5, radius: 0.3 }, 0.8],
  cylinder: [{ type: 'cylinder', halfHeight: 0.5, radius: 0.4 }, 0.5],
  hull: [{ type: 'hull', points: [0, -0.5, 0, 0.4, 0.3, 0.1, -0.4, 0.3, 0.2, 0.1, 0.3, -0.4, 0, 0.6, 0] }, 0.5],
  'compound of two boxes': [
    {
      type: 'compound',
      parts: [
        { shape: { type: 'box', halfExtents: [0.2, 0.5, 0.2] }, position: [0.3, 0, 0] },
        { shape: { type: 'box', halfExtents: [0.2, 0.5, 0.2] }, position: [-0.3, 0, 0.1] },
      ],
    },
    0.5,
  ],
};

describe('on the CPU backend', () => {
  let tester: Tester;
  beforeAll(async () => {
    tester = await createTester({ backend: 'cpu', threads: 1 });
  });
  afterAll(() => tester.dispose());

  /** Bodies along a line over a mesh, which is body 0, each turned about y. `isLast`: the mesh is B. */
  function slide(mesh: ShapeDescription, name: string, depth: number, isLast: boolean, y: (x: number) => number) {
    const [shape, height] = BODIES[name];
    const [meshId, id] = [tester.addShape(mesh), tester.addShape(shape)];
    const count = TOUCHES + 1;
    const bodies = {
      shapes: new Uint32Array(count).fill(id),
      positions: new Float32Array(3 * count),
      quaternions: new Float32Array(4 * count),
    };
    bodies.shapes[0] = meshId;
    bodies.quaternions[3] = 1;
    for (let i = 1; i < count; i++) {
      const x = -5 + (9.93 / TOUCHES) * i;
      bodies.positions.set([x, y(x) + height - depth, -2 + (4.11 / TOUCHES) * i], 3 * i);
      const half = (3 / TOUCHES) * i;
      bodies.quaternions.set([0, Math.sin(half), 0, Math.cos(half)], 4 * i);
    }
    const pairs = Uint32Array.from({ length: 2 * TOUCHES }, (_, k) => (k % 2 === Number(isLast) ? 0 : (k >> 1) + 1));
    return { bodies, pairs };
  }

  describe.each(Object.keys(BODIES))('a %s that slides over a flat sheet', (name) => {
    test.each([true, false])('has the normal of the sheet and its depth; the sheet is B: %s', async (isLast) => {
      const { bodies, pairs } = slide(
        sheet(() => 0),
        name,
        0.03,
        isLast,
        () => 0,
      );
      const up = isLast ? -1 : 1;
      const contacts = await tester.contacts(bodies, pairs);
      expect(contacts.statusCounts[1]).toBe(TOUCHES);
      for (const { pair, normal, distance } of contacts) {
        expect(Math.hypot(normal[0], normal[1] - up, normal[2]), `pair ${pair}`).toBeLessThan(1e-4);
        expect(distance, `pair ${pair}`).toBeCloseTo(-0.03, 5);
      }
      const manifolds = await tester.manifolds(bodies, pairs);
      const met = new Set(manifolds.pair.subarray(0, manifolds.count));
      expect(met.size).toBe(TOUCHES);
      for (const { pair, normal, points, contactDistance } of manifolds) {
        expect(Math.hypot(normal[0], normal[1] - up, normal[2]), `pair ${pair}`).toBeLessThan(1e-4);
        expect(contactDistance).toBeGreaterThan(-0.03 - 1e-5);
        for (const { position, distance } of points) {
          // On A: on the sheet, or as far below it as the body is deep.
          expect(Math.abs(position[1] - (isLast ? distance : 0)), `pair ${pair}`).toBeLessThan(1e-5);
        }
      }
    });
  });

  test('on a ridge the normal of a ball is between those of both slopes, and beside it that of the slope', async () => {
    const angle = Math.atan(0.3);
    // The ball is 0.48 above the slopes' planes.
    const { bodies, pairs } = slide(sheet(roof), 'sphere', 0.02, true, (x) => roof(x) + 0.48 / Math.cos(angle) - 0.48);
    let slopes = 0;
    for (const { pair, normal, status } of await tester.contacts(bodies, pairs)) {
      const x = bodies.positions[3 * (pair + 1)];
      if (status !== 1) continue;
      expect(Math.abs(normal[0]), `pair ${pair} at ${x}`).toBeLessThan(Math.sin(angle) + 1e-4);
      if (Math.abs(x) < 0.25) continue;
      expect(-normal[0] * Math.sign(x), `pair ${pair} at ${x}`).toBeCloseTo(Math.sin(angle), 4);
      slopes++;
    }
    expect(slopes).toBeGreaterThan((2 / 3) * TOUCHES);
  });

  test('in a valley a ball has contacts with both slopes, with their normals', async () => {
    const id = tester.addShape(sheet(valley));
    const ball = tester.addShape({ type: 'sphere', radius: 0.5 });
    const slope = Math.atan(0.5);
    const bodies = {
      shapes: Uint32Array.of(ball, id),
      positions: Float32Array.of(0, 0.48 / Math.cos(slope), 0.1, 0, 0, 0),
      quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
    };
    const { count, normal } = await tester.manifolds(bodies, Uint32Array.of(0, 1));
    const across = Array.from({ length: count }, (_, i) => normal[3 * i]);
    expect(across.some((x) => Math.abs(x - Math.sin(slope)) < 1e-4)).toBe(true);
    expect(across.some((x) => Math.abs(x + Math.sin(slope)) < 1e-4)).toBe(true);
  });

  test("beyond a sheet's border a ball meets the border itself", async () => {
    const id = tester.addShape(sheet(() => 0));
    const ball = tester.addShape({ type: 'sphere', radius: 0.5 });
    const edge = (SIDE / 2) * STEP;
    const bodies = {
      shapes: Uint32Array.of(ball, id),
      positions: Float32Array.of(edge + 0.3, 0.3, 0.1, 0, 0, 0),
      quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
    };
    const [{ distance, normal }] = await tester.contacts(bodies, Uint32Array.of(0, 1));
    expect(distance).toBeCloseTo(Math.hypot(0.3, 0.3) - 0.5, 5);
    expect(normal[0]).toBeCloseTo(-Math.SQRT1_2, 4);
    expect(normal[1]).toBeCloseTo(-Math.SQRT1_2, 4);
  });
});
