/** What is inside what: containment and duplicates of convex bodies, compounds and meshes. */

import { describe, expect, test } from 'vitest';
import type { ShapeDescription } from '../../../src/api/shapes.ts';
import { createRandom, uniform, unitVector } from '../../../verification/families/random.ts';
import { atNight } from '../../helpers/night.ts';
import { clashOfTwo, type BodyGiven } from '../../helpers/clashes.ts';
import { block, compoundOf, meshOf, randomVoxels, type Voxels } from '../../helpers/voxels.ts';

const TOLERANCE = 1e-3;
const FORMS = { mesh: meshOf, compound: compoundOf } as const;
const forms = Object.entries(FORMS) as [string, (voxels: Voxels, size?: number) => ShapeDescription][];

/** `overlap`, `contained a`, `duplicate`; `none` without a clash. */
async function categoryOf(a: BodyGiven, b: BodyGiven): Promise<string> {
  const clash = await clashOfTwo(a, b, { tolerance: TOLERANCE });
  if (!clash) return 'none';
  return clash.inside ? `${clash.category} ${clash.inside}` : clash.category;
}

const box = (x: number, y: number, z: number): ShapeDescription => ({ type: 'box', halfExtents: [x, y, z] });

/** A quarter of a turn about the z axis, and an odd turn. */
const ODD_TURN = [0.1, 0.7, -0.3, 0.6];

/** Turns both bodies about the origin, which changes nothing. */
function turnedBodies(bodies: BodyGiven[]): BodyGiven[] {
  const [x, y, z, w] = ODD_TURN.map((c) => c / Math.hypot(...ODD_TURN));
  return bodies.map(({ shape, position = [0, 0, 0] }) => {
    const [vx, vy, vz] = position;
    const [tx, ty, tz] = [2 * (y * vz - z * vy), 2 * (z * vx - x * vz), 2 * (x * vy - y * vx)];
    return {
      shape,
      position: [vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx],
      quaternion: ODD_TURN,
    };
  });
}

async function expectCategory(a: BodyGiven, b: BodyGiven, expected: string): Promise<void> {
  expect(await categoryOf(a, b)).toBe(expected);
  const [turnedA, turnedB] = turnedBodies([a, b]);
  expect(await categoryOf(turnedA, turnedB), 'turned').toBe(expected);
  const swapped = expected.replace(/[ab]$/, (letter) => (letter === 'a' ? 'b' : 'a'));
  expect(await categoryOf(b, a), 'swapped').toBe(expected.startsWith('contained') ? swapped : expected);
}

describe.each(forms)('a %s', (_, form) => {
  /** An L of three cubes, which is not convex. */
  const corner = form([
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
  ]);
  /** A square frame around a hole. */
  const frame = form(block([3, 3, 1], (i, j) => i === 1 && j === 1));
  /** A hollow block. */
  const shell = form(block([3, 3, 3], (i, j, k) => i === 1 && j === 1 && k === 1));

  test('a ball in the middle of a cube is contained', async () => {
    await expectCategory(
      { shape: { type: 'sphere', radius: 0.2 }, position: [1.5, 0.5, 0.5] },
      { shape: corner },
      'contained a',
    );
  });

  test('a ball across the seam of two cubes is contained', async () => {
    await expectCategory(
      { shape: { type: 'sphere', radius: 0.2 }, position: [1, 0.5, 0.5] },
      { shape: corner },
      'contained a',
    );
  });

  test('a long box through two cubes is contained, one through the face is not', async () => {
    await expectCategory({ shape: box(0.9, 0.2, 0.2), position: [1, 0.5, 0.5] }, { shape: corner }, 'contained a');
    await expectCategory({ shape: box(1.1, 0.2, 0.2), position: [1, 0.5, 0.5] }, { shape: corner }, 'overlap');
  });

  test('a box across the inner corner overlaps, although its corners are inside', async () => {
    const turn = [0, 0, Math.sin(-Math.PI / 8), Math.cos(-Math.PI / 8)];
    // Along the diagonal from (1.6, 0.6) to (0.6, 1.6): the middle is outside.
    const clash = await categoryOf(
      { shape: box(0.8, 0.05, 0.05), position: [1.15, 1.15, 0.5], quaternion: turn },
      { shape: corner },
    );
    expect(clash).toBe('overlap');
  });

  test('a rod across the hole of a frame overlaps, although both ends are inside', async () => {
    await expectCategory({ shape: box(1, 0.1, 0.1), position: [1.5, 1.5, 0.5] }, { shape: frame }, 'overlap');
    await expectCategory(
      { shape: { type: 'cylinder', halfHeight: 1, radius: 0.1 }, position: [1.5, 1.5, 0.5] },
      { shape: frame },
      'overlap',
    );
  });

  test('a rod in one side of a frame is contained', async () => {
    await expectCategory({ shape: box(1.4, 0.3, 0.3), position: [1.5, 0.5, 0.5] }, { shape: frame }, 'contained a');
  });

  test('a block that fills a cavity overlaps the walls around it', async () => {
    await expectCategory({ shape: box(0.8, 0.8, 0.8), position: [1.5, 1.5, 1.5] }, { shape: shell }, 'overlap');
    await expectCategory(
      {
        shape: form(
          block([2, 2, 2], (i, j, k) => i + j + k === 0),
          0.8,
        ),
        position: [0.7, 0.7, 0.7],
      },
      { shape: shell },
      'overlap',
    );
  });

  test('a ball in a cavity does not clash', async () => {
    await expectCategory(
      { shape: { type: 'sphere', radius: 0.3 }, position: [1.5, 1.5, 1.5] },
      { shape: shell },
      'none',
    );
  });

  test('a cylinder that sticks out between eight points of its rim overlaps', async () => {
    const angle = Math.PI / 8;
    const quaternion = [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)];
    const [radius, halfHeight] = [0.3, 0.2];
    const cylinder: ShapeDescription = { type: 'cylinder', halfHeight, radius };
    for (const [beyond, expected] of [
      [0.01, 'overlap'],
      [-0.01, 'contained a'],
    ] as const) {
      const body = { shape: cylinder, position: [2 - radius + beyond, 0.5, 0.5], quaternion };
      expect(await categoryOf(body, { shape: corner }), `${beyond}`).toBe(expected);
    }
  });

  test('a body within the tolerance of being inside is contained, one beyond it overlaps', async () => {
    for (const [share, expected] of [
      [0.9, 'contained a'],
      [1.1, 'overlap'],
    ] as const) {
      const body = { shape: box(0.2, 0.2, 0.2), position: [1.8 + share * TOLERANCE, 0.5, 0.5] };
      await expectCategory(body, { shape: corner }, expected);
    }
  });

  test.each(forms)('a copy as a %s is a duplicate, also when moved by less than the tolerance', async (__, other) => {
    const ring = block([3, 3, 1], (i, j) => i === 1 && j === 1);
    for (const voxels of atNight([ring], [ring, randomVoxels(createRandom(5), 7)])) {
      for (const [share, expected] of [
        [0, 'duplicate'],
        [0.9, 'duplicate'],
        [1.1, 'overlap'],
      ] as const) {
        const moved = { shape: other(voxels), position: [0, share * TOLERANCE, 0] };
        await expectCategory({ shape: form(voxels) }, moved, expected);
      }
    }
  });

  test('a copy in halves of the cubes is a duplicate', async () => {
    const fine = [0, 1].flatMap((i) => [0, 1].flatMap((j) => [0, 1].map((k) => [i, j, k])));
    const cubes: Voxels = [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ];
    const halves = cubes.flatMap(([x, y, z]) => fine.map(([i, j, k]) => [2 * x + i, 2 * y + j, 2 * z + k] as const));
    await expectCategory({ shape: corner }, { shape: form(halves, 0.5) }, 'duplicate');
  });
});

/** A box without its upper side, of the size of a unit cube. */
const TROUGH: ShapeDescription = (() => {
  const { positions, indices } = meshOf([[0, 0, 0]]);
  const kept: number[] = [];
  for (let t = 0; t < indices.length; t += 3) {
    const corners = [indices[t], indices[t + 1], indices[t + 2]];
    if (!corners.every((v) => positions[3 * v + 2] === 1)) kept.push(...corners);
  }
  return { type: 'mesh', positions, indices: kept };
})();

describe('an open mesh', () => {
  test('has nothing inside', async () => {
    await expectCategory(
      { shape: { type: 'sphere', radius: 0.2 }, position: [0.5, 0.5, 0.5] },
      { shape: TROUGH },
      'none',
    );
    await expectCategory(
      { shape: { type: 'sphere', radius: 0.2 }, position: [0.5, 0.5, 0.1] },
      { shape: TROUGH },
      'overlap',
    );
  });

  test('is contained in a body around it', async () => {
    await expectCategory({ shape: TROUGH }, { shape: box(1, 1, 1), position: [0.5, 0.5, 0.5] }, 'contained a');
    const frame = {
      shape: meshOf(
        block([3, 3, 1], (i, j) => i === 1 && j === 1),
        2,
      ),
      position: [-2.5, -0.5, -0.5],
    };
    await expectCategory({ shape: TROUGH }, frame, 'contained a');
  });

  test('and its copy are duplicates', async () => {
    await expectCategory({ shape: TROUGH }, { shape: TROUGH, position: [0, 0, 0.5 * TOLERANCE] }, 'duplicate');
  });

  test('that crosses another one only at its edges has a depth of at least 0, as a bound', async () => {
    const sheet: ShapeDescription = {
      type: 'mesh',
      positions: [-1, 0, 0, 0, -1, 0, 1, 0, 0, 0, 1, 0],
      indices: [0, 1, 3, 1, 2, 3],
    };
    const wall: ShapeDescription = {
      type: 'mesh',
      positions: [0, -2, -2, 0, 2, -2, 0, 2, 2, 0, -2, 2],
      indices: [0, 1, 2, 0, 2, 3],
    };
    const clash = await clashOfTwo({ shape: sheet }, { shape: wall }, { tolerance: TOLERANCE });
    expect(clash).toMatchObject({ category: 'touching', distance: 0, source: 'bound' });
  });
});

test('whether a random solid is contained agrees with dense samples of it', async () => {
  const random = createRandom(31);
  const seen: Record<string, number> = {};
  for (let n = 0; n < atNight(40, 150); n++) {
    const [outer, inner] = [randomVoxels(random, 12), randomVoxels(random, 3)];
    const size = uniform(random, 0.2, 0.45);
    const cube = outer[Math.floor(uniform(random, 0, outer.length))];
    const position = cube.map((x) => Math.fround(x + uniform(random, 0, 0.6)));
    const quaternion = unitVector(random, [0, 0, 0, 0]);
    const [shapeInner, shapeOuter] = [0, 1].map((i) =>
      forms[Math.floor(uniform(random, 0, 2))][1](i === 0 ? inner : outer, i === 0 ? size : 1),
    );
    const category = await categoryOf({ shape: shapeInner, position, quaternion }, { shape: shapeOuter });
    const farthest = farthestOutside(inner, size, position, quaternion, outer);
    const label = `seed 31, pair ${n}: ${category}, ${farthest} outside`;
    // The samples are 1/12 of a cube apart, so that a small part outside may be between them.
    if (farthest > TOLERANCE) expect(category, label).not.toMatch(/contained/);
    else if (farthest < -0.05) expect(category, label).toBe('contained a');
    seen[category] = (seen[category] ?? 0) + 1;
  }
  expect(seen['contained a']).toBeGreaterThan(atNight(4, 15));
  expect(seen.overlap).toBeGreaterThan(atNight(4, 15));
});

const SAMPLES = 12;

/** The greatest distance of sampled points of the inner cubes from the outer ones; negative: least depth within one. */
function farthestOutside(
  inner: Voxels,
  size: number,
  position: readonly number[],
  quaternion: readonly number[],
  outer: Voxels,
): number {
  const [x, y, z, w] = quaternion.map((c) => c / Math.hypot(...quaternion));
  let farthest = -Infinity;
  for (const cube of inner) {
    for (let i = 0; i <= SAMPLES; i++) {
      for (let j = 0; j <= SAMPLES; j++) {
        for (let k = 0; k <= SAMPLES; k++) {
          const [vx, vy, vz] = [i, j, k].map((s, axis) => (cube[axis] + s / SAMPLES) * size);
          const [tx, ty, tz] = [2 * (y * vz - z * vy), 2 * (z * vx - x * vz), 2 * (x * vy - y * vx)];
          const p = [
            position[0] + vx + w * tx + y * tz - z * ty,
            position[1] + vy + w * ty + z * tx - x * tz,
            position[2] + vz + w * tz + x * ty - y * tx,
          ];
          let least = Infinity;
          for (const other of outer) {
            const out = p.map((c, axis) => Math.abs(c - other[axis] - 0.5) - 0.5);
            const most = Math.max(...out);
            least = Math.min(least, most <= 0 ? most : Math.hypot(...out.map((c) => Math.max(c, 0))));
          }
          farthest = Math.max(farthest, least);
        }
      }
    }
  }
  return farthest;
}
