/** Queries over pairs of meshes against brute force over all pairs of triangles. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester, type Tester } from '../../src/index.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { triangleOverlap } from '../../verification/oracle/triangles.ts';
import { MESH_FAMILIES } from '../helpers/meshes.ts';
import { triangleGap } from '../helpers/triangle-gap.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 11;
const TRIANGLES = 40;
const POSES = atNight(4, 12);

/** Rotation matrix of a quaternion of any length, row by row. */
function rotationOf([x, y, z, w]: number[]): number[] {
  const k = 2 / (x * x + y * y + z * z + w * w);
  return [
    1 - k * (y * y + z * z),
    k * (x * y - w * z),
    k * (x * z + w * y),
    k * (x * y + w * z),
    1 - k * (x * x + z * z),
    k * (y * z - w * x),
    k * (x * z - w * y),
    k * (y * z + w * x),
    1 - k * (x * x + y * y),
  ];
}

describe.each(Object.keys(MESH_FAMILIES))('two meshes: %s', (name) => {
  let tester: Tester;
  const random = createRandom(SEED);
  const meshes = [MESH_FAMILIES[name](TRIANGLES, random), MESH_FAMILIES[name](TRIANGLES, random)];
  const far = name === 'a soup far from its origin' ? 1e4 : 0;
  const bodies = {
    shapes: new Uint32Array(2 * POSES),
    positions: new Float32Array(6 * POSES),
    quaternions: new Float32Array(8 * POSES),
    scales: new Float32Array(2 * POSES).fill(1),
  };
  const pairs = Uint32Array.from({ length: 2 * POSES }, (_, i) => i);
  /** Corners of each body's triangles in world space. */
  const corners: Float64Array[] = [];
  for (let body = 0; body < 2 * POSES; body++) {
    const { positions, indices } = meshes[body % 2];
    // Far meshes keep their rotation, so that they stay near each other.
    const quaternion = far ? [0, 0, 0, 1] : [0, 1, 2, 3].map(() => Math.fround(uniform(random, -1, 1)));
    const position = [0, 1, 2].map(() => Math.fround(uniform(random, -0.5, 0.5) * (body % 4 === 3 ? 4 : 1)));
    bodies.quaternions.set(quaternion, 4 * body);
    bodies.positions.set(position, 3 * body);
    bodies.scales[body] = far ? 1 : uniform(random, 0.5, 1.5);
    const r = rotationOf(Array.from(bodies.quaternions.subarray(4 * body, 4 * body + 4)));
    const world = new Float64Array(3 * indices.length);
    indices.forEach((vertex, i) => {
      for (let k = 0; k < 3; k++) {
        const turned =
          r[3 * k] * positions[3 * vertex] +
          r[3 * k + 1] * positions[3 * vertex + 1] +
          r[3 * k + 2] * positions[3 * vertex + 2];
        world[3 * i + k] = bodies.scales[body] * turned + position[k];
      }
    });
    corners.push(world);
  }
  beforeAll(async () => {
    tester = await createTester({ backend: 'cpu', threads: 1 });
    const ids = meshes.map((mesh) => tester.addShape({ type: 'mesh', ...mesh }));
    bodies.shapes.forEach((_, i) => (bodies.shapes[i] = ids[i % 2]));
  });
  afterAll(() => tester.dispose());

  /** All pairs of triangles of a pair, with the distance between them. */
  function* trianglesOf(pair: number) {
    const [a, b] = [corners[2 * pair], corners[2 * pair + 1]];
    for (let i = 0; i < a.length; i += 9) for (let j = 0; j < b.length; j += 9) yield { a: i, b: j };
  }

  test('trianglePairs are those that intersect, with segments on both triangles', async () => {
    const found = await tester.trianglePairs(bodies, pairs);
    const listed = new Set(Array.from(found, (item) => `${item.pair} ${item.triangleA} ${item.triangleB}`));
    let hits = 0;
    for (let pair = 0; pair < POSES; pair++) {
      for (const { a, b } of trianglesOf(pair)) {
        const [triangleA, triangleB] = [corners[2 * pair].subarray(a, a + 9), corners[2 * pair + 1].subarray(b, b + 9)];
        const { isHit } = triangleOverlap(triangleA, triangleB);
        const isListed = listed.has(`${pair} ${a / 9} ${b / 9}`);
        if (isHit) hits++;
        if (isListed === isHit) continue;
        // Rounding of the rotation may decide about triangles that hardly touch.
        const gap = triangleGap(corners[2 * pair], a, corners[2 * pair + 1], b);
        expect(gap, `${name}, pair ${pair}, triangles ${a / 9} and ${b / 9}, seed ${SEED}`).toBeLessThan(
          1e-12 * (1 + far),
        );
      }
    }
    expect(Math.abs(hits - found.count)).toBeLessThanOrEqual(0.01 * hits + 1);
    let last = -1;
    for (const { pair, triangleA, triangleB, segment } of found) {
      const key = (pair * 4096 + triangleA) * 4096 + triangleB;
      expect(key).toBeGreaterThan(last);
      last = key;
      for (const end of [segment.slice(0, 3), segment.slice(3)]) {
        const point = Float64Array.from([...end, ...end, ...end]);
        for (const [body, triangle] of [
          [2 * pair, triangleA],
          [2 * pair + 1, triangleB],
        ])
          expect(triangleGap(corners[body], 9 * triangle, point, 0)).toBeLessThan(2e-6 * (1 + far));
      }
    }
  });

  test('a pair is a hit if any of its triangles intersect, and its gap is the least of theirs', async () => {
    const { hit } = await tester.intersects(bodies, pairs);
    const { distance } = await tester.distances(bodies, pairs);
    for (let pair = 0; pair < POSES; pair++) {
      let least = Infinity;
      for (const { a, b } of trianglesOf(pair))
        least = Math.min(least, triangleGap(corners[2 * pair], a, corners[2 * pair + 1], b));
      expect(Math.abs(distance[pair] - least), `${name}, pair ${pair}, seed ${SEED}`).toBeLessThan(2e-6 * (1 + far));
      if (least > 1e-9 * (1 + far)) expect(hit[pair]).toBe(0);
      if (distance[pair] === 0) expect(hit[pair]).toBe(1);
    }
  });
});
