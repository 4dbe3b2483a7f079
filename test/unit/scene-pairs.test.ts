import { describe, expect, test } from 'vitest';
import { enlargementShare } from '../../src/broad-phase/bounding.ts';
import { worldBoxes } from '../../src/broad-phase/bounds.ts';
import type { WorldHalfspace } from '../../src/broad-phase/halfspaces.ts';
import { findPairs } from '../../src/broad-phase/search-pairs.ts';
import { addShapes } from '../../verification/engines/add-shapes.ts';
import { scenePairs } from '../../cli/scene/pairs.ts';
import { parseScene, SCENE_LIMITS } from '../../cli/scene/scene.ts';
import type { Scene } from '../../cli/scene/scene.ts';
import { createTester } from '../../src/node.ts';
import { CURVED_TOLERANCE } from '../../src/shapes/tolerances.ts';
import { oracleShape, signedDistance, supportValue, type OraclePose } from '../../verification/oracle/index.ts';
import { below, createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import type { Random } from '../../verification/families/random.ts';

/** Every pair of boxes that overlap or touch, in the order that the broad phase promises. */
function bruteForce(boxes: Float64Array): number[] {
  const pairs: number[] = [];
  for (let a = 0; 6 * a < boxes.length; a++) {
    for (let b = a + 1; 6 * b < boxes.length; b++) {
      const apart = [0, 1, 2].some(
        (k) => boxes[6 * a + k] > boxes[6 * b + 3 + k] || boxes[6 * b + k] > boxes[6 * a + 3 + k],
      );
      if (!apart) pairs.push(a, b);
    }
  }
  return pairs;
}

/** Boxes with centres in a box of the given size, and half sizes up to `half`. */
function randomBoxes(random: Random, count: number, size: number[], half: number): Float64Array {
  const boxes = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      const centre = uniform(random, -size[k], size[k]);
      const extent = uniform(random, 0, half);
      boxes[6 * i + k] = centre - extent;
      boxes[6 * i + 3 + k] = centre + extent;
    }
  }
  return boxes;
}

describe('the search over boxes finds the pairs of the brute force, in its order', () => {
  test.each([
    ['a cube', 600, [10, 10, 10], 1],
    ['a sheet', 600, [50, 0.1, 50], 1],
    ['a pole', 600, [0.1, 100, 0.1], 1],
    ['a crowd where all overlap', 60, [1, 1, 1], 5],
    ['points', 400, [1, 1, 1], 0],
    ['one box', 1, [1, 1, 1], 1],
    ['no box', 0, [1, 1, 1], 1],
  ] as const)('%s', (_, count, size, half) => {
    for (let seed = 1; seed <= 5; seed++) {
      const boxes = randomBoxes(createRandom(seed), count, [...size], half);
      expect([...findPairs(boxes, [], {}, 1e6)], `seed ${seed}`).toEqual(bruteForce(boxes));
    }
  });

  test('boxes on a grid that touch at faces, edges and corners', () => {
    const random = createRandom(3);
    const boxes = new Float64Array(6 * 500);
    for (let i = 0; i < boxes.length; i += 6) {
      for (let k = 0; k < 3; k++) {
        boxes[i + k] = below(random, 12);
        boxes[i + 3 + k] = boxes[i + k] + 1;
      }
    }
    const expected = bruteForce(boxes);
    expect(expected.length).toBeGreaterThan(2000);
    expect([...findPairs(boxes, [], {}, 1e6)]).toEqual(expected);
  });

  test('a floor under everything, far outliers, and identical boxes', () => {
    const boxes = randomBoxes(createRandom(4), 400, [20, 3, 20], 0.5);
    boxes.set([-1e3, -10, -1e3, 1e3, 0, 1e3], 0);
    boxes.set([1e9, 1e9, 1e9, 1e9 + 1, 1e9 + 1, 1e9 + 1], 6);
    boxes.set([-1e30, 0, 0, -1e29, 1, 1], 12);
    boxes.set(boxes.subarray(24, 30), 18);
    expect([...findPairs(boxes, [], {}, 1e6)]).toEqual(bruteForce(boxes));
  });

  test('and says so where there are more than allowed', () => {
    const boxes = randomBoxes(createRandom(5), 60, [1, 1, 1], 5);
    const count = bruteForce(boxes).length / 2;
    expect(findPairs(boxes, [], {}, count)).toHaveLength(2 * count);
    expect(() => findPairs(boxes, [], {}, count - 1)).toThrow(
      `the broad phase finds ${count} pairs, expected at most ${count - 1}`,
    );
  });
});

describe('half-spaces', () => {
  test('are paired with every box that they meet, and not with each other', () => {
    for (let seed = 1; seed <= 5; seed++) {
      const random = createRandom(seed);
      const boxes = randomBoxes(random, 200, [10, 10, 10], 1);
      const halfspaces: WorldHalfspace[] = [7, 0, 199].map((body) => ({
        body,
        position: [0, 1, 2].map(() => uniform(random, -5, 5)),
        normal: unitVector(random, [0, 0, 0]),
        offset: uniform(random, -3, 3),
        slack: 0,
      }));
      for (const { body } of halfspaces)
        boxes.set([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity], 6 * body);
      const met = halfspaces.flatMap(({ body, position, normal, offset }) =>
        Array.from({ length: 200 }, (_, other) => other)
          .filter((other) => !halfspaces.some((halfspace) => halfspace.body === other))
          .filter((other) =>
            corners(boxes, other).some((corner) => dot(normal, corner) - dot(normal, position) <= offset),
          )
          .map((other) => [Math.min(body, other), Math.max(body, other)]),
      );
      const empty = new Set(halfspaces.map(({ body }) => body));
      const all = bruteForce(boxes);
      for (let p = 0; p < all.length; p += 2)
        if (!empty.has(all[p]) && !empty.has(all[p + 1])) met.push([all[p], all[p + 1]]);
      const expected = met.sort(([a, b], [c, d]) => a - c || b - d).flat();
      expect(expected.length).toBeGreaterThan(300);
      expect([...findPairs(boxes, halfspaces, {}, 1e6)], `seed ${seed}`).toEqual(expected);
      expect(() => findPairs(boxes, halfspaces, {}, expected.length / 2 - 1)).toThrow(
        `the broad phase finds ${expected.length / 2} pairs, expected at most ${expected.length / 2 - 1}`,
      );
    }
  });

  test('alone, or with nothing that they meet, make no pair', () => {
    const plane = { normal: [0, 1, 0], position: [0, 0, 0], offset: 0, slack: 0 };
    const boxes = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity, 0, 1, 0, 1, 2, 1);
    expect([...findPairs(boxes, [{ ...plane, body: 0 }], {}, 10)]).toEqual([]);
    expect([...findPairs(boxes.subarray(0, 6), [{ ...plane, body: 0 }], {}, 10)]).toEqual([]);
    expect([...findPairs(boxes, [{ ...plane, body: 0, offset: 1 }], {}, 10)]).toEqual([0, 1]);
  });
});

function corners(boxes: Float64Array, body: number): number[][] {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((corner) =>
    [0, 1, 2].map((k) => boxes[6 * body + k + (corner & (1 << k) ? 3 : 0)]),
  );
}

function dot(v: ArrayLike<number>, w: ArrayLike<number>): number {
  return v[0] * w[0] + v[1] * w[1] + v[2] * w[2];
}

function scene(fields: object): Scene {
  return parseScene(JSON.stringify({ version: 1, pairs: 'broad-phase', ...fields }));
}

const SHAPES = [
  { type: 'sphere', radius: 0.5 },
  { type: 'box', halfExtents: [1, 0.1, 0.3], radius: 0.05 },
  { type: 'capsule', halfHeight: 2, radius: 0.1 },
  { type: 'triangle', points: [1, 2, 3, 2, 2, 3, 1, 3, 4] },
  { type: 'hull', points: [5, 5, 5, 6, 5, 5, 5, 6, 5, 5, 5, 6], radius: 0.2 },
];

/** Points of each shape in `SHAPES` without its rounding. */
const CORES = [
  [[0, 0, 0]],
  [-1, 1].flatMap((x) => [-0.1, 0.1].flatMap((y) => [-0.3, 0.3].map((z) => [x, y, z]))),
  [
    [0, -2, 0],
    [0, 2, 0],
  ],
  [
    [1, 2, 3],
    [2, 2, 3],
    [1, 3, 4],
  ],
  [
    [5, 5, 5],
    [6, 5, 5],
    [5, 6, 5],
    [5, 5, 6],
  ],
];

describe('the box of a body', () => {
  const random = createRandom(11);
  const bodies = Array.from({ length: 300 }, () => ({
    shape: below(random, SHAPES.length),
    position: unitVector(random, [0, 0, 0]).map((x) => 1e5 * x),
    quaternion: unitVector(random, [0, 0, 0, 0]).map((x) => 3 * x),
    scale: uniform(random, 0.1, 4),
  }));
  const { bodies: poses, shapeData } = scene({ shapes: SHAPES, bodies });
  const boxes = worldBoxes(poses, shapeData, 0);

  test('encloses the body tightly', () => {
    bodies.forEach(({ shape, position, quaternion, scale }, i) => {
      const [x, y, z, w] = quaternion.map((q) => q / Math.hypot(...quaternion));
      const radius = (SHAPES[shape].radius ?? 0) * scale;
      const low = [Infinity, Infinity, Infinity];
      const high = [-Infinity, -Infinity, -Infinity];
      for (const p of CORES[shape]) {
        // p + 2 u x (u x p + w p), with u the vector part of the quaternion.
        const t = [y * p[2] - z * p[1] + w * p[0], z * p[0] - x * p[2] + w * p[1], x * p[1] - y * p[0] + w * p[2]];
        const turned = [
          p[0] + 2 * (y * t[2] - z * t[1]),
          p[1] + 2 * (z * t[0] - x * t[2]),
          p[2] + 2 * (x * t[1] - y * t[0]),
        ];
        for (let k = 0; k < 3; k++) {
          low[k] = Math.min(low[k], position[k] + scale * turned[k] - radius);
          high[k] = Math.max(high[k], position[k] + scale * turned[k] + radius);
        }
      }
      for (let k = 0; k < 3; k++) {
        const slack = 1e-4 * scale * 10;
        expect(boxes[6 * i + k]).toBeLessThan(low[k]);
        expect(boxes[6 * i + k]).toBeGreaterThan(low[k] - slack);
        expect(boxes[6 * i + 3 + k]).toBeGreaterThan(high[k]);
        expect(boxes[6 * i + 3 + k]).toBeLessThan(high[k] + slack);
      }
    });
  });
});

describe('the box of a curved body', () => {
  const curved = [
    { type: 'cylinder', halfHeight: 2, radius: 0.3 },
    { type: 'cylinder', halfHeight: 0, radius: 1 },
    { type: 'cone', halfHeight: 0.5, radius: 1.5 },
    { type: 'cone', halfHeight: 3, radius: 0.25 },
    { type: 'ellipsoid', radii: [0.1, 1, 3] },
    { type: 'ellipsoid', radii: [2, 0, 1] },
  ] as const;

  test('reaches as far along each axis as the body does', () => {
    const random = createRandom(14);
    const bodies = Array.from({ length: 300 }, () => ({
      shape: below(random, curved.length),
      position: unitVector(random, [0, 0, 0]),
      quaternion: unitVector(random, [0, 0, 0, 0]),
      scale: uniform(random, 0.1, 4),
    }));
    const { bodies: poses, shapeData } = scene({ shapes: curved, bodies });
    const boxes = worldBoxes(poses, shapeData, 0.5);
    bodies.forEach(({ shape }, i) => {
      const body = oracleShape(curved[shape]);
      const pose = {
        position: poses.positions.subarray(3 * i),
        quaternion: poses.quaternions.subarray(4 * i, 4 * i + 4),
        scale: poses.scales[i],
      };
      const enlarged =
        0.25 + enlargementShare(CURVED_TOLERANCE.kernels.apart) * (body.boundingRadius * pose.scale + 0.25);
      for (let k = 0; k < 3; k++) {
        const axis = [0, 1, 2].map((j) => (j === k ? 1 : 0));
        expect(boxes[6 * i + 3 + k]).toBeCloseTo(supportValue(body, pose, axis) + enlarged, 6);
        expect(boxes[6 * i + k]).toBeCloseTo(
          -supportValue(
            body,
            pose,
            axis.map((x) => -x),
          ) - enlarged,
          6,
        );
      }
    });
  });

  test('of a half-space is empty', () => {
    const { bodies, shapeData } = scene({
      shapes: [{ type: 'halfspace', normal: [0, 2, 0], offset: 1 }],
      bodies: [{ shape: 0, position: [1, 2, 3] }],
    });
    expect([...worldBoxes(bodies, shapeData, 1)]).toEqual([
      Infinity,
      Infinity,
      Infinity,
      -Infinity,
      -Infinity,
      -Infinity,
    ]);
  });
});

/** Number of candidate pairs of two balls of diameter 1 with this gap between them, far from the origin. */
function candidateCount(gap: number, margin: number): number {
  const bodies = [
    { shape: 0, position: [1e7, 0, 0] },
    { shape: 0, position: [1e7 + 1 + gap, 0, 0] },
  ];
  return scenePairs(scene({ shapes: SHAPES, bodies }), margin).length / 2;
}

/**
 * Number of candidate pairs of a ball and two equal half-spaces that are turned and scaled, with this gap between them.
 */
function floorCount(gap: number, margin: number, far = 0): number {
  // The plane is x = 2 · 3, the inside below.
  const floor = { shape: 0, position: [0, 5, 0], quaternion: [0, 0, -1, 1], scale: 2 };
  const ball = { shape: 1, position: [6.5 + gap, far, 1] };
  const shapes = [
    { type: 'halfspace', normal: [0, 7, 0], offset: 3 },
    { type: 'sphere', radius: 0.5 },
  ];
  return scenePairs(scene({ shapes, bodies: [ball, floor, floor] }), margin).length / 2;
}

describe('the broad phase of a scene', () => {
  test('keeps bodies that touch, or miss each other by less than the tolerance', () => {
    expect(candidateCount(0, 0)).toBe(1);
    expect(candidateCount(4e-6, 0)).toBe(1);
    expect(candidateCount(1e-3, 0)).toBe(0);
  });

  test('misses no hit of a crowd of turned and scaled bodies', async () => {
    const seed = 12;
    const random = createRandom(seed);
    const bodies = Array.from({ length: 400 }, () => ({
      shape: below(random, SHAPES.length),
      position: [uniform(random, 0, 10), uniform(random, 0, 10), uniform(random, 0, 10)],
      quaternion: unitVector(random, [0, 0, 0, 0]),
      scale: uniform(random, 0.5, 2),
    }));
    for (const margin of [0, 1]) {
      const crowd = scene({ shapes: SHAPES, bodies });
      const candidates = new Set<number>();
      const found = scenePairs(crowd, margin);
      for (let p = 0; p < found.length; p += 2) candidates.add(found[p] * 400 + found[p + 1]);
      const all = scenePairs({ ...crowd, pairs: 'all' }, margin);
      const tester = await createTester({ backend: 'cpu' });
      const ids = addShapes(tester, crowd.shapes);
      const loaded = { ...crowd.bodies, shapes: crowd.bodies.shapes.map((shape) => ids[shape]) };
      const { pair } = await tester.contacts(loaded, all, { results: 'hits', margin });
      tester.dispose();
      expect(pair.length).toBeGreaterThan(200);
      expect(candidates.size).toBeLessThan(all.length / 4);
      const missed = [...pair].filter((p) => !candidates.has(all[2 * p] * 400 + all[2 * p + 1]));
      expect(missed, `seed ${seed}, margin ${margin}`).toEqual([]);
    }
  });

  test('misses no hit of a crowd of curved shapes and half-spaces', () => {
    const seed = 13;
    const random = createRandom(seed);
    const shapes = [
      SHAPES[1],
      { type: 'cylinder', halfHeight: 0.5, radius: 0.25 },
      { type: 'cone', halfHeight: 0.25, radius: 0.5 },
      { type: 'ellipsoid', radii: [0.5, 0.25, 0.125] },
      { type: 'halfspace', normal: [1, 2, 3], offset: -0.5 },
    ];
    const bodies = Array.from({ length: 80 }, (_, i) => ({
      shape: i < 4 ? 4 : below(random, 4),
      position: [uniform(random, 0, 5), uniform(random, 0, 5), uniform(random, 0, 5)],
      quaternion: unitVector(random, [0, 0, 0, 0]),
      scale: uniform(random, 0.5, 2),
    }));
    const crowd = scene({ shapes, bodies });
    const oracles = crowd.shapes.map(oracleShape);
    const poseOf = (i: number): OraclePose => ({
      position: crowd.bodies.positions.subarray(3 * i, 3 * i + 3),
      quaternion: crowd.bodies.quaternions.subarray(4 * i, 4 * i + 4),
      scale: crowd.bodies.scales[i],
    });
    const all = scenePairs({ ...crowd, pairs: 'all' }, 0);
    const distances = Array.from({ length: all.length / 2 }, (_, p) => {
      const [a, b] = [all[2 * p], all[2 * p + 1]];
      return signedDistance(oracles[crowd.bodies.shapes[a]], poseOf(a), oracles[crowd.bodies.shapes[b]], poseOf(b))
        .distance;
    });
    for (const margin of [0, 0.5]) {
      const found = scenePairs(crowd, margin);
      const candidates = new Set<number>();
      for (let p = 0; p < found.length; p += 2) candidates.add(found[p] * 80 + found[p + 1]);
      const hits = distances.map((_, p) => p).filter((p) => distances[p] <= margin);
      expect(hits.length).toBeGreaterThan(200);
      expect(candidates.size).toBeLessThan(all.length / 4);
      expect(
        hits.filter((p) => !candidates.has(all[2 * p] * 80 + all[2 * p + 1])),
        `seed ${seed}, margin ${margin}`,
      ).toEqual([]);
    }
  });

  test('keeps what touches a turned, scaled floor, or misses it by less than margin and tolerance', () => {
    expect(floorCount(0, 0)).toBe(2);
    expect(floorCount(-100, 0)).toBe(2);
    expect(floorCount(4e-6, 0)).toBe(2);
    expect(floorCount(1e-3, 0)).toBe(0);
    expect(floorCount(0.5, 0.5)).toBe(2);
    expect(floorCount(0.501, 0.5)).toBe(0);
    // 5e-6 of the distance from the floor's position.
    expect(floorCount(0.004, 0, 1000)).toBe(2);
    expect(floorCount(0.02, 0, 1000)).toBe(0);
  });

  test('keeps bodies that are as far apart as the margin', () => {
    expect(candidateCount(0.5, 0.5)).toBe(1);
    expect(candidateCount(0.501, 0.5)).toBe(0);
  });
});

/** n balls in lists. */
function balls(n: number): object {
  return {
    shapes: Array.from({ length: n }, () => 0),
    positions: Array.from({ length: 3 * n }, (_, i) => i),
    quaternions: Array.from({ length: 4 * n }, () => 1),
  };
}

describe('the pairs of a scene', () => {
  test('all: each pair of bodies once', () => {
    const all = scene({ shapes: SHAPES, bodies: balls(4), pairs: 'all' });
    expect([...scenePairs(all, 0)]).toEqual([0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3]);
  });

  test('all: but no two half-spaces', () => {
    const shapes = [SHAPES[0], { type: 'halfspace', normal: [0, 1, 0], offset: 0 }];
    const bodies = [1, 0, 1, 0, 1].map((shape) => ({ shape, position: [0, 0, 0] }));
    expect([...scenePairs(scene({ shapes, bodies, pairs: 'all' }), 0)]).toEqual([
      0, 1, 0, 3, 1, 2, 1, 3, 1, 4, 2, 3, 3, 4,
    ]);
  });

  test('all of too many bodies is an error that names the number of pairs', () => {
    const all = scene({ shapes: SHAPES, bodies: balls(10_001), pairs: 'all' });
    expect(() => scenePairs(all, 0)).toThrow(
      `pairs is "all", which makes 50005000 pairs of 10001 bodies, expected at most ${SCENE_LIMITS.pairs}`,
    );
  });

  test('a list is taken as it is', () => {
    const listed = scene({
      shapes: SHAPES,
      bodies: balls(3),
      pairs: [
        [2, 0],
        [2, 0],
      ],
    });
    expect([...scenePairs(listed, 0)]).toEqual([2, 0, 2, 0]);
  });
});
