/** Intersection and distance of two triangles, beside an oracle in exact arithmetic. */
import { describe, expect, test } from 'vitest';
import { createTriangleDistance, triangleDistance } from '../../src/cpu/triangle-distance.ts';
import {
  createTriangleIntersection,
  triangleIntersection,
  trianglesIntersect,
} from '../../src/cpu/triangle-intersection.ts';
import { trianglePairFamilies, trianglePairs } from '../../verification/families/triangle-pairs.ts';
import { triangleGap, triangleOverlap } from '../../verification/oracle/triangles.ts';
import { branchesOf, countOf, distanceFaults, featuresOf, intersectionFaults } from '../helpers/triangles.ts';

const SEED = 20_261_125;
const PAIRS = 60;

describe.each(trianglePairFamilies)('%s', (family) => {
  const pairs = trianglePairs(family, PAIRS, SEED);

  test('hits, planes and segments are those of the oracle, in any order of corners and triangles', () => {
    pairs.forEach((pair, i) => {
      expect(intersectionFaults(pair), `pair ${i} of ${family}, seed ${SEED}: ${JSON.stringify(pair)}`).toEqual([]);
    });
  });

  test('distances are those of the oracle, between points of the triangles', () => {
    pairs.forEach((pair, i) => {
      expect(distanceFaults(pair), `pair ${i} of ${family}, seed ${SEED}: ${JSON.stringify(pair)}`).toEqual([]);
    });
  });
});

test('the families reach every branch', () => {
  const pairs = trianglePairFamilies.flatMap((family) => trianglePairs(family, 2 * PAIRS, SEED));
  const least: Record<string, number> = {
    apart: 800,
    'apart in a plane': 100,
    'intervals overlap': 500,
    'intervals touch': 100,
    'a corner in the plane': 200,
    'an edge in the plane': 100,
    'exact sides': 200,
    'heights that cancel': 50,
    'precise volumes that cancel': 5,
    'a segment through A': 10,
    'a segment through B': 10,
    coplanar: 500,
    'coplanar without an inside': 100,
    corners: 50,
    'corner and edge': 200,
    'corner and face': 100,
    edges: 100,
    'common point': 1000,
  };
  const counts = countOf(pairs.flatMap((pair) => [...branchesOf(pair), featuresOf(pair)]));
  expect(Object.keys(counts).sort()).toEqual(Object.keys(least).sort());
  const rare = Object.entries(least).filter(([branch, count]) => counts[branch] < count);
  expect(rare, JSON.stringify(counts)).toEqual([]);
});

describe('by hand', () => {
  const floor = [0, 0, 0, 4, 0, 0, 0, 4, 0];
  const result = createTriangleIntersection();
  const gap = createTriangleDistance();

  /** Both triangles' answers: the segment if they meet, and the distance. */
  function answers(a: number[], b: number[]) {
    triangleIntersection(a, b, result);
    return {
      segment: result.isHit ? [...result.segment] : undefined,
      isCoplanar: result.isCoplanar,
      distance: triangleDistance(a, b, gap),
      points: [[...gap.pointA], [...gap.pointB]],
    };
  }

  test('a triangle through the floor cuts it in a segment', () => {
    const { segment, distance } = answers(floor, [1, 1, -1, 1, 1, 1, 3, 1, 1]);
    expect(segment).toEqual([2, 1, 0, 1, 1, 0]);
    expect(distance).toBe(0);
  });

  test('a corner on the floor touches it in a point', () => {
    expect(answers(floor, [1, 1, 0, 1, 2, 3, 2, 1, 3])).toEqual({
      segment: [1, 1, 0, 1, 1, 0],
      isCoplanar: false,
      distance: 0,
      points: [
        [1, 1, 0],
        [1, 1, 0],
      ],
    });
  });

  test.each([2 ** -52, 2 ** -300])('a corner %d above the floor does not touch it', (height) => {
    const above = [1, 1, height, 1, 2, 3, 2, 1, 3];
    expect(trianglesIntersect(floor, above)).toBe(false);
    expect(triangleDistance(floor, above, gap)).toBe(height);
  });

  test('an edge beside an edge is as far as their common perpendicular is long', () => {
    const { segment, distance, points } = answers(floor, [1, -3, 1, 1, -3, -1, 1, -9, 0]);
    expect([segment, distance]).toEqual([undefined, 3]);
    expect(points).toEqual([
      [1, 0, 0],
      [1, -3, 0],
    ]);
  });

  test('a corner over the face is as far as it is high', () => {
    const { distance, points } = answers(floor, [1, 1, 2, 5, 5, 7, -3, 1, 7]);
    expect(distance).toBe(2);
    expect(points[1]).toEqual([1, 1, 2]);
    // Below it to rounding.
    [1, 1, 0].forEach((x, k) => expect(points[0][k]).toBeCloseTo(x, 14));
  });

  test('triangles that share an edge of one plane have that edge in common', () => {
    const { segment, isCoplanar } = answers(floor, [4, 0, 0, 0, 4, 0, 4, 4, 0]);
    expect([segment?.slice(0, 3), segment?.slice(3)].sort()).toEqual([
      [0, 4, 0],
      [4, 0, 0],
    ]);
    expect(isCoplanar).toBe(true);
  });

  test('the longest extent of a nested triangle is its longest side', () => {
    const { segment } = answers(floor, [1, 1, 0, 2, 1, 0, 1, 1.5, 0]);
    expect([segment?.slice(0, 3), segment?.slice(3)].sort()).toEqual([
      [1, 1.5, 0],
      [2, 1, 0],
    ]);
  });

  test('coplanar triangles apart are known as coplanar', () => {
    expect(answers(floor, [5, 5, 0, 6, 5, 0, 5, 6, 0])).toMatchObject({ segment: undefined, isCoplanar: true });
  });

  test('triangles that are segments or points have the distance of a segment or a point', () => {
    const segment = [-2, 0, 0, 1, 0, 0, 2, 0, 0];
    expect(answers(segment, [1, 3, 4, 1, 3, 4, 1, 3, 4]).distance).toBe(5);
    expect(answers(segment, [1, -1, 0, 1, 1, 0, 1, 1, 0]).segment).toEqual([1, 0, 0, 1, 0, 0]);
    expect(answers(segment, [5, 0, 0, 1, 0, 0, 7, 0, 0]).segment?.map(Math.abs).sort()).toEqual([0, 0, 0, 0, 1, 2]);
    expect(answers([1, 2, 3, 1, 2, 3, 1, 2, 3], [1, 2, 3, 1, 2, 3, 1, 2, 3])).toMatchObject({ distance: 0 });
  });

  test('f32 arrays are read as they are', () => {
    expect(trianglesIntersect(Float32Array.from(floor), Float32Array.of(1, 1, -1, 1, 1, 1, 3, 1, 1))).toBe(true);
  });
});

describe('the oracle', () => {
  test('its distances are the least over points of both triangles', () => {
    for (const [a, b] of ['random', 'edge in the plane', 'two degenerate'].flatMap((family) =>
      trianglePairs(family, 8, SEED),
    )) {
      const steps = 24;
      let least = Infinity;
      const place = (t: number[], i: number, j: number, k: number): number =>
        t[k] + ((t[3 + k] - t[k]) * i + (t[6 + k] - t[k]) * j) / steps;
      for (let i = 0; i <= steps; i++)
        for (let j = 0; j <= steps - i; j++)
          for (let m = 0; m <= steps; m++)
            for (let n = 0; n <= steps - m; n++) {
              const square = [0, 1, 2].reduce((sum, k) => sum + (place(a, i, j, k) - place(b, m, n, k)) ** 2, 0);
              least = Math.min(least, Math.sqrt(square));
            }
      const { distance } = triangleGap(a, b);
      const spacing = Math.max(...[...a, ...b].map(Math.abs)) / steps;
      expect(distance, JSON.stringify([a, b])).toBeLessThanOrEqual(least * (1 + 1e-12));
      expect(distance, JSON.stringify([a, b])).toBeGreaterThan(least - 8 * spacing);
    }
  });

  test('coordinates of all sizes are exact', () => {
    const tiny = Number.MIN_VALUE;
    expect(triangleOverlap([0, 0, 0, 1, 0, 0, 0, 1, 0], [0.25, 0.25, tiny, 1, 1, 1, 0, 1, 1]).isHit).toBe(false);
    expect(triangleGap([0, 0, 0, 1, 0, 0, 0, 1, 0], [0.25, 0.25, tiny, 1, 1, 1, 0, 1, 1]).distance).toBe(tiny);
    expect(triangleGap([3e200, 0, 0, 3e200, 0, 0, 3e200, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0]).distance).toBe(3e200);
  });
});
