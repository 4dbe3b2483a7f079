/** Depth by the arcs of Gauss maps, without EPA before it, against the oracle; and the maps themselves. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { contact } from '../../src/cpu.ts';
import { arcs, createArcsResult } from '../../src/cpu/arcs.ts';
import { set, vec3 } from '../../src/cpu/math.ts';
import { createPair, makePair } from '../../src/cpu/pair.ts';
import { NO_ARC } from '../../src/shapes/arc-trails.ts';
import { buildHull } from '../../src/shapes/hull.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';
import { oracleShape, signedDistance } from '../../verification/oracle/index.ts';
import { randomRotation, rotated } from '../../verification/families/arrangements.ts';
import { below, createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { anyFamily, pairsOf } from '../../verification/families/test-pairs.ts';

const SEED = 20_261_122;
const families = [
  'box-box',
  'hull32-hull32',
  'capsule-hull',
  'rounded-box-hull',
  'aligned-boxes',
  'flat',
  'needles',
  'prisms',
  'identical',
  'near-points',
] as const;

test.each(families)('overlapping pairs of %s have the depth of the oracle, and bounds that meet there', (name) => {
  const family = anyFamily(name, 200, SEED);
  const shapes = family.shapes.map((description) => makeShapeData(description));
  const pair = createPair();
  const result = createArcsResult();
  let tried = 0;
  for (const { index, a, b, poseA, poseB, size } of pairsOf(family)) {
    if (a.kind !== 'polytope' || b.kind !== 'polytope') continue;
    const truth = signedDistance(a, poseA, b, poseB).distance;
    const [shapeA, shapeB] = [0, 1].map((side) => shapes[family.bodies.shapes[family.pairs[2 * index + side]]]);
    const radius = shapeA.radius * (poseA.scale ?? 1) + shapeB.radius * (poseB.scale ?? 1);
    // Rounded ones may touch by their rounding alone.
    if (truth > -radius - 1e-6 * size || shapeA.gaussMap.arcs.length + shapeB.gaussMap.arcs.length === 0) continue;
    const offset = vec3(...([0, 1, 2].map((k) => poseB.position[k] - poseA.position[k]) as [number, number, number]));
    makePair(
      shapeA,
      { scale: poseA.scale ?? 1, quaternion: poseA.quaternion },
      shapeB,
      { scale: poseB.scale ?? 1, quaternion: poseB.quaternion },
      offset,
      pair,
    );
    set(1, 0, 0, result.normal);
    result.lower = -1e30;
    arcs(pair, shapeA, shapeB, { ids: new Float64Array(8), count: 1 }, result);
    const tolerance = (1e-11 * size) / pair.unit;
    const expected = (truth + radius) / pair.unit;
    expect(Math.abs(result.lower - expected), `pair ${index} of ${name}`).toBeLessThan(tolerance);
    expect(Math.abs(result.upper - expected), `pair ${index} of ${name}`).toBeLessThan(tolerance);
    tried++;
  }
  expect(tried).toBeGreaterThan(20);
});

test('bounds contain the depth of hulls whose vertices are no points of the lattice', () => {
  const random = createRandom(SEED);
  // Facets of 1e-12 to 1e-9 of the extent, on rotated boxes in double precision.
  const shapes = Array.from({ length: 20 }, (_, i): ShapeDescription => {
    const turn = randomRotation(random);
    const by = 10 ** (-12 + (i % 4));
    const corners = [-0.5, 0.5].flatMap((x) => [-0.3, 0.3].flatMap((y) => [-0.4, 0.4].map((z) => [x, y, z])));
    const points = [...corners, ...corners].flatMap((corner) =>
      rotated(turn, corner).map((x) => x + by * uniform(random, -1, 1)),
    );
    return { type: 'hull', points };
  });
  const cpuShapes = shapes.map((description) => makeShapeData(description, 'description', (value) => value));
  const oracleShapes = shapes.map(oracleShape);
  for (let i = 0; i < 1000; i++) {
    const [a, b] = [below(random, shapes.length), below(random, shapes.length)];
    const poseA = { position: [0, 0, 0], quaternion: randomRotation(random) };
    const poseB = {
      position: unitVector(random, [0, 0, 0]).map((x) => 0.5 * x),
      quaternion: randomRotation(random),
    };
    const truth = signedDistance(oracleShapes[a], poseA, oracleShapes[b], poseB).distance;
    const { lower, upper } = contact(cpuShapes[a], poseA, cpuShapes[b], poseB);
    const what = `pair ${i}, seed ${SEED}`;
    expect(lower, what).toBeLessThanOrEqual(truth + 1e-15);
    expect(upper, what).toBeGreaterThanOrEqual(truth - 1e-15);
  }
});

describe('Gauss maps', () => {
  const random = createRandom(SEED);
  const clouds: Record<string, number[]> = {
    'a cloud': Array.from({ length: 50 }, () => unitVector(random, [0, 0, 0])).flat(),
    'a plate': Array.from({ length: 50 }, () =>
      unitVector(random, [0, 0, 0]).map((x, k) => (k === 1 ? 1e-4 * x : x)),
    ).flat(),
    'a cube': [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].flatMap((z) => [x, y, z]))),
    'a triangle': [0, 0, 0, 1, 0, 0, 0, 1, 0],
  };

  test.each(Object.entries(clouds))(
    'of %s: arcs are short, and have the support of both ends along all of them',
    (_, points) => {
      const {
        vertices,
        gaussMap: { normals, arcs: ends },
      } = buildHull(points);
      const height = (n: number[], v: number): number =>
        n[0] * vertices[3 * v] + n[1] * vertices[3 * v + 1] + n[2] * vertices[3 * v + 2];
      for (let i = 0; i < ends.length; i += 2) {
        const [from, to] = [ends[i], ends[i + 1]].map((n) => [...normals.subarray(3 * n, 3 * n + 3)]);
        expect(from[0] * to[0] + from[1] * to[1] + from[2] * to[2]).toBeGreaterThan(-0.26);
        const middle = from.map((x, k) => x + to[k]);
        const length = Math.hypot(...middle);
        const heights = Array.from({ length: vertices.length / 3 }, (_unused, v) =>
          height(
            middle.map((x) => x / length),
            v,
          ),
        ).sort((a, b) => b - a);
        // Both ends of the edge are as far.
        expect(heights[0] - heights[1]).toBeLessThan(1e-11);
      }
    },
  );

  test('a solid has a facet for each face and an arc for each edge, a polygon two normals and two arcs for each edge, in halves', () => {
    const cube = buildHull(clouds['a cube']).gaussMap;
    expect([cube.normals.length / 3, cube.arcs.length / 2]).toEqual([6, 12]);
    const triangle = buildHull(clouds['a triangle']).gaussMap;
    expect([triangle.normals.length / 3, triangle.arcs.length / 2]).toEqual([2 + 3, 6]);
    const segment = buildHull([0, 0, 0, 1, 2, 3]).gaussMap;
    expect([segment.normals.length, segment.arcs.length]).toEqual([0, 0]);
  });

  test.each(Object.entries(clouds))('of %s: trails go along each arc once', (_, points) => {
    const {
      gaussMap: { normals, arcs: ends, trails },
    } = buildHull(points);
    const taken = [...trails.arcs].filter((arc) => arc !== NO_ARC);
    expect(taken.sort((a, b) => a - b)).toEqual(Array.from({ length: ends.length / 2 }, (_unused, arc) => arc));
    trails.arcs.forEach((arc, i) => {
      if (arc === NO_ARC) return;
      const step = [trails.normals[i - 1], trails.normals[i]];
      expect([...ends.subarray(2 * arc, 2 * arc + 2)].sort()).toEqual(step.sort());
    });
    // A trail begins and ends where an odd number of arcs meet, unless there is only one.
    const degrees = new Uint32Array(normals.length / 3);
    for (const end of ends) degrees[end]++;
    const odd = degrees.filter((degree) => degree % 2 === 1).length;
    expect(trails.arcs.length - taken.length).toBeLessThanOrEqual(odd / 2 + 1);
  });

  test("kernels have the box's trail built in", () => {
    const { trails } = makeShapeData({ type: 'box', halfExtents: [1, 1, 1] }).gaussMap;
    const text = readFileSync(new URL('../../shaders/arcs/gauss-map.wgsl', import.meta.url), 'utf8');
    const [low, high] = /BOX_TRAIL: vec2u = vec2u\(0x([\da-f]+)u, 0x([\da-f]+)u\)/.exec(text)!.slice(1);
    const digits = [...low.padStart(8, '0')].reverse().concat([...high].reverse());
    expect(digits.map(Number)).toEqual([...trails.normals]);
    expect([...trails.arcs].indexOf(NO_ARC, 1)).toBe(-1);
  });
});
