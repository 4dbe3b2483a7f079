/** Manifolds whose points are known, or found by brute force. */

import { describe, expect, test } from 'vitest';
import * as cpu from '../../src/cpu.ts';
import type { ManifoldPoint } from '../../src/api/types.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';

const UPRIGHT = [0, 0, 0, 1];
const SIDEWAYS = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
const VERTEX_OF_B = 0x6000_0000;
const WITNESS = 0xc000_0000;

const cube = cpu.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
const floor = cpu.createShape({ type: 'box', halfExtents: [5, 1, 5] });

function at(position: number[], quaternion: number[] = UPRIGHT): cpu.CpuPose {
  return { position, quaternion };
}

function onFloor(shape: cpu.CpuShape, pose: cpu.CpuPose, margin = 0.01): cpu.CpuManifold {
  return cpu.manifold(floor, at([0, -1, 0]), shape, pose, { margin });
}

/** x and z, rounded, sorted. */
function footprint(points: readonly ManifoldPoint[]): number[][] {
  return points
    .map(({ position: [x, , z] }) => [x, z].map((value) => Math.round(1e6 * value) / 1e6 + 0))
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

function featuresOf({ points }: cpu.CpuManifold): number[] {
  return points.map(({ feature }) => feature).sort((a, b) => a - b);
}

/** A prism on the y axis with a regular polygon of n corners as its ends. */
function prism(n: number, radius: number, halfHeight: number): ShapeDescription {
  const points = Array.from({ length: 2 * n }, (_, i) => {
    const angle = (2 * Math.PI * (i % n)) / n;
    return [radius * Math.cos(angle), i < n ? halfHeight : -halfHeight, radius * Math.sin(angle)];
  });
  return { type: 'hull', points: points.flat() };
}

const exchange = (feature: number): number => {
  if (feature >>> 30 === 1) return (feature ^ (1 << 29)) >>> 0;
  return ((feature & (3 << 30)) | ((feature >> 15) & 0x7fff) | ((feature & 0x7fff) << 15)) >>> 0;
};

describe('a cube on a floor', () => {
  test('has its four lower corners, however it is turned about the vertical', () => {
    for (let i = 0; i < 32; i++) {
      const yaw = (i * Math.PI) / 32;
      const { points, normal } = onFloor(cube, at([0.3, 0.499, -0.2], [0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2)]));
      expect(normal[1]).toBeCloseTo(1, 12);
      expect(points.map(({ feature }) => feature).sort()).toEqual([0, 1, 4, 5].map((number) => VERTEX_OF_B + number));
      for (const { distance, position } of points)
        expect([distance, position[1]].map((value) => Math.abs(value + 0.0005) < 0.0006)).toEqual([true, true]);
    }
  });

  test('keeps four points at a tilt of 1e-4 within a margin of 1 % of its size, at every size', () => {
    const random = createRandom(3);
    for (const size of [0.01, 1, 100, 1000]) {
      const box = cpu.createShape({ type: 'box', halfExtents: [size / 2, size / 2, size / 2] });
      for (let i = 0; i < 50; i++) {
        const [x, , z] = unitVector(random, [0, 0, 0]);
        const tilted = at([0, size * (1 + uniform(random, -1e-3, 1e-3)), 0], [5e-5 * x, 0, 5e-5 * z, 1]);
        const { points } = cpu.manifold(box, at([0, 0, 0]), box, tilted, { margin: 0.01 * size });
        expect(points.length).toBe(4);
      }
    }
  });

  test('leaves out what is farther than the margin, and keeps the deepest', () => {
    // Tilted by 0.1 about z: the left corners are 0.1 higher.
    const tilted = at([0, 0.5, 0], [0, 0, Math.sin(-0.05), Math.cos(0.05)]);
    const distances = (margin: number): number[] =>
      onFloor(cube, tilted, margin).points.map(({ distance }) => distance);
    expect(distances(0.2).length).toBe(4);
    expect(distances(0.02).length).toBe(2);
    expect(Math.max(...distances(0.02))).toBeLessThan(-0.04);
    expect(onFloor(cube, at([0, 0.51, 0]), 0.005)).toMatchObject({ hit: false, points: [] });
    expect(onFloor(cube, at([0, 0.5, 0]), 0).points.length).toBe(4);
  });

  test('is the same with shapes swapped, and its features say which shape has which', () => {
    const yawed = at([4.7, 0.499, 0.1], [0, 0.3, 0, 0.954]);
    const here = onFloor(cube, yawed);
    const there = cpu.manifold(cube, yawed, floor, at([0, -1, 0]), { margin: 0.01 });
    expect(here.points.length).toBe(4);
    expect(there.normal.map((value) => value + 0)).toEqual(here.normal.map((value) => 0 - value));
    const swapped = there.points.map(({ position, distance }) => ({
      position: position.map((x, k) => x + distance * there.normal[k]) as ManifoldPoint['position'],
      distance,
      feature: 0,
    }));
    expect(footprint(swapped)).toEqual(footprint(here.points));
    expect(
      featuresOf(there)
        .map(exchange)
        .sort((a, b) => a - b),
    ).toEqual(featuresOf(here));
    expect(featuresOf(here).map((feature) => feature >>> 30)).toContain(2);
  });
});

const moved = (shape: cpu.CpuShape, tilt: number): Set<string> => {
  const random = createRandom(11);
  const noise = (): number => uniform(random, -1e-4, 1e-4);
  return new Set(
    Array.from({ length: 200 }, () => {
      const pose = at(
        [4.8 + noise(), 0.399 + noise(), noise()],
        [tilt * noise(), 0.1 + noise(), tilt * noise(), 0.995],
      );
      return String(featuresOf(cpu.manifold(floor, at([0, -1, 0]), shape, pose, { margin: 0.01 })));
    }),
  );
};

describe('features', () => {
  test('of a box are the same while it rocks and slides by 1e-4 over a border', () => {
    const seen = moved(cpu.createShape({ type: 'box', halfExtents: [0.4, 0.4, 0.4] }), 1);
    expect([...seen].join('; ').split(',').length).toBe(4);
  });

  test('of twelve tied corners are the same while they slide', () => {
    const seen = moved(cpu.createShape(prism(12, 0.6, 0.4)), 0);
    expect([...seen].join('; ').split(',').length).toBe(4);
  });

  test('of hulls carry the index of the point that the caller gave', () => {
    const points = [
      9, 0, 0, 0, 0, 0, -0.5, -0.5, -0.5, 0.5, -0.5, -0.5, -0.5, -0.5, 0.5, 0.5, -0.5, 0.5, 0, 0.5, 0,
    ].slice(3);
    const pyramid = cpu.createShape({ type: 'hull', points });
    expect(featuresOf(onFloor(pyramid, at([0, 0.499, 0])))).toEqual([1, 2, 3, 4].map((index) => VERTEX_OF_B + index));
  });
});

describe('lines', () => {
  const capsule = cpu.createShape({ type: 'capsule', halfHeight: 1, radius: 0.25 });

  test('a lying capsule has both its ends, a standing one its lower end', () => {
    const lying = onFloor(capsule, at([0, 0.249, 0], SIDEWAYS));
    expect(footprint(lying.points)).toEqual([
      [-1, 0],
      [1, 0],
    ]);
    expect(featuresOf(lying)).toEqual([VERTEX_OF_B, VERTEX_OF_B + 1]);
    const standing = onFloor(capsule, at([0, 1.249, 0]));
    expect(standing.points.length).toBe(1);
    expect(featuresOf(standing)).toEqual([VERTEX_OF_B]);
  });

  test('a capsule beyond the floor has one end and where the line crosses the border', () => {
    expect(footprint(onFloor(capsule, at([4.5, 0.249, 0], SIDEWAYS)).points)).toEqual([
      [3.5, 0],
      [5, 0],
    ]);
  });

  test('capsules side by side have the ends of where they overlap, on their own surfaces', () => {
    const beside = cpu.manifold(capsule, at([0, 0, 0], SIDEWAYS), capsule, at([0.5, 0.48, 0.1], SIDEWAYS), {
      margin: 0.01,
    });
    expect(beside.points.length).toBe(2);
    expect(beside.points.map(({ position }) => position[0]).sort()).toEqual([
      expect.closeTo(-0.5, 9),
      expect.closeTo(1, 9),
    ]);
    for (const {
      position: [, y, z],
      distance,
    } of beside.points) {
      expect(Math.hypot(y, z)).toBeCloseTo(0.25, 9);
      expect(distance).toBeCloseTo(Math.hypot(0.48, 0.1) - 0.5, 9);
    }
  });

  test('a rounded box, or hull, that leans on an edge has both ends of it', () => {
    const halfExtents = [0.5, 0.5, 0.5];
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((corner) =>
      halfExtents.map((half, axis) => (corner & (1 << axis) ? half : -half)),
    );
    const lean = 0.4;
    const height = 0.5 * (Math.cos(lean) + Math.sin(lean)) + 0.1;
    for (const shape of [
      { type: 'box', halfExtents, radius: 0.1 },
      { type: 'hull', points: corners, radius: 0.1 },
    ] as const) {
      const leaning = onFloor(
        cpu.createShape(shape),
        at([0, height - 0.001, 0], [0, 0, Math.sin(lean / 2), Math.cos(lean / 2)]),
      );
      const x = 0.5 * (Math.sin(lean) - Math.cos(lean));
      expect(footprint(leaning.points)).toEqual([-0.5, 0.5].map((z) => [expect.closeTo(x, 6), z]));
      expect(featuresOf(leaning)).toEqual([VERTEX_OF_B, VERTEX_OF_B + 4]);
      for (const { distance } of leaning.points) expect(distance).toBeCloseTo(-0.001, 9);
    }
  });

  test('crossed capsules have one point', () => {
    const crossed = cpu.manifold(
      capsule,
      at([0, 0, 0], SIDEWAYS),
      capsule,
      at([0, 0.499, 0], [Math.SQRT1_2, 0, 0, Math.SQRT1_2]),
      { margin: 0.01 },
    );
    expect(crossed.points.length).toBe(1);
    expect(crossed.points[0].distance).toBeCloseTo(-0.001, 9);
  });

  test('crossed edges of boxes have their crossing', () => {
    const below = at([0, 0, 0], [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)]);
    const above = at([0.1, 1.41, 0.2], [Math.sin(Math.PI / 8), 0, 0, Math.cos(Math.PI / 8)]);
    const { points } = cpu.manifold(cube, below, cube, above);
    expect(points[0].distance).toBeCloseTo(1.41 - Math.SQRT2, 9);
    expect(points[0].position).toEqual([expect.closeTo(0, 9), expect.closeTo(Math.SQRT1_2, 9), expect.closeTo(0.2, 9)]);
    expect(points[0].feature >>> 30).toBe(2);
  });
});

describe('many corners', () => {
  test('prisms of 64 sides on each other have four points, nearly the widest there are', () => {
    const hull = cpu.createShape(prism(64, 1, 0.5));
    for (const yaw of [0, 0.01, Math.PI / 128, 1]) {
      const { points } = cpu.manifold(
        hull,
        at([0, 0, 0]),
        hull,
        at([0.3, 0.9999, 0.1], [0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2)]),
        { margin: 0.01 },
      );
      expect(points.length).toBe(4);
      // The lens of two circles of radius 1 whose middles are 0.316 apart; a quadrilateral has at best 2 / pi of a
      // circle.
      expect(areaOf(points.map(({ position: [x, , z] }) => [x, z]))).toBeGreaterThan(0.55 * 2.52);
    }
  });

  test('prisms of 12 sides, turned in steps through all ties, never have fewer', () => {
    const hull = cpu.createShape(prism(12, 1, 0.5));
    for (let i = 0; i <= 120; i++) {
      const yaw = (i * Math.PI) / 60;
      const pose = at([0, 0.9999, 0], [0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2)]);
      const { points } = cpu.manifold(hull, at([0, 0, 0]), hull, pose, { margin: 0.01 });
      expect(points.length, `turned by ${yaw}`).toBe(4);
      expect(areaOf(points.map(({ position: [x, , z] }) => [x, z]))).toBeGreaterThan(1.7);
      expect(points.every(({ feature }) => feature !== WITNESS)).toBe(true);
    }
  });
});

/** Area of the convex hull of four points at most, whatever their order. */
function areaOf(points: number[][]): number {
  const orders =
    points.length < 4
      ? [points]
      : [
          [0, 1, 2, 3],
          [0, 2, 1, 3],
          [0, 1, 3, 2],
        ].map((order) => order.map((i) => points[i]));
  return Math.max(
    ...orders.map(
      (ring) =>
        Math.abs(
          ring.reduce((sum, [x, y], i) => {
            const [nextX, nextY] = ring[(i + 1) % ring.length];
            return sum + x * nextY - y * nextX;
          }, 0),
        ) / 2,
    ),
  );
}

/** The part of a polygon left of each side of another, both counter-clockwise: Sutherland and Hodgman. */
function clip(polygon: number[][], against: number[][]): number[][] {
  return against.reduce((rest, [ax, ay], i) => {
    const [bx, by] = against[(i + 1) % against.length];
    const left = ([x, y]: number[]): number => (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    return rest.flatMap((p, k) => {
      const q = rest[(k + 1) % rest.length];
      const [from, to] = [left(p), left(q)];
      const crossing = p.map((value, n) => value + ((q[n] - value) * from) / (from - to));
      if (from >= 0) return to >= 0 ? [p] : [p, crossing];
      return to >= 0 ? [crossing] : [];
    });
  }, polygon);
}

function areaOfRing(ring: number[][]): number {
  return ring.reduce(
    (sum, [x, y], i) => sum + (x * ring[(i + 1) % ring.length][1] - y * ring[(i + 1) % ring.length][0]) / 2,
    0,
  );
}

/** Area of the widest quadrilateral of a ring's corners. */
function widest(ring: number[][]): number {
  if (ring.length < 4) return areaOfRing(ring);
  let most = 0;
  for (let a = 0; a < ring.length; a++) {
    for (let b = a + 1; b < ring.length; b++) {
      for (let c = b + 1; c < ring.length; c++) {
        for (let d = c + 1; d < ring.length; d++)
          most = Math.max(most, areaOfRing([ring[a], ring[b], ring[c], ring[d]]));
      }
    }
  }
  return most;
}

describe('the region by brute force', () => {
  const random = createRandom(29);
  const square = [
    [-0.5, -0.5],
    [0.5, -0.5],
    [0.5, 0.5],
    [-0.5, 0.5],
  ];

  test('of two cubes laid on each other is spread over as well as four corners can, to 30 %', () => {
    let reached = 0;
    for (let i = 0; i < 400; i++) {
      const yaw = uniform(random, 0, Math.PI / 2);
      const [x, z] = [uniform(random, -0.8, 0.8), uniform(random, -0.8, 0.8)];
      const pose = at([x, 0.9995, z], [0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2)]);
      const { points } = cpu.manifold(cube, at([0, 0, 0]), cube, pose, { margin: 0.01 });
      // About y, x turns towards -z.
      const turned = square.map(([u, v]) => [
        x + Math.cos(yaw) * u + Math.sin(yaw) * v,
        z - Math.sin(yaw) * u + Math.cos(yaw) * v,
      ]);
      const region = clip(turned, square);
      if (region.length < 3 || areaOfRing(region) < 0.02) continue;
      reached++;
      const found = points.map(({ position }) => [position[0], position[2]]);
      for (const [u, v] of found)
        expect(Math.min(...region.map(([p, q]) => Math.hypot(u - p, v - q)))).toBeLessThan(1e-9);
      expect(areaOf(found)).toBeGreaterThan(0.7 * widest(region));
    }
    expect(reached).toBeGreaterThan(200);
  });
});
