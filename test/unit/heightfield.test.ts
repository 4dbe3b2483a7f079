/** `heightfield`: the mesh of a terrain, contacts with it, and options that it refuses. */
import { expect, test } from 'vitest';
import * as browser from '../../src/index.ts';
import * as cpu from '../../src/cpu.ts';
import * as node from '../../src/node.ts';

const { createTester, heightfield } = browser;

test('every entry has it', () => {
  expect(cpu.heightfield).toBe(heightfield);
  expect(node.heightfield).toBe(heightfield);
});

test('points are row by row around the origin, triangles counter-clockwise from above', () => {
  const { positions, indices, sides, type } = heightfield({ heights: [1, 2, 3, 4, 5, 6], columns: 3, size: [4, 10] });
  expect([type, sides]).toEqual(['mesh', 'front']);
  expect([...positions]).toEqual([-2, 1, -5, 0, 2, -5, 2, 3, -5, -2, 4, 5, 0, 5, 5, 2, 6, 5]);
  expect([...indices]).toEqual([0, 3, 1, 1, 3, 4, 1, 4, 2, 2, 4, 5]);
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => [...positions].slice(3 * indices[i + k], 3 * indices[i + k] + 3));
    const up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
    expect(up, `triangle ${i / 3}`).toBeGreaterThan(0);
  }
});

test('a ball on a slope has the normal of the slope, wherever it is, and one below the ground comes up', async () => {
  const columns = 41;
  const heights = Float32Array.from({ length: columns * 31 }, (_, i) => 0.5 * ((i % columns) / 40) * 8);
  using tester = await createTester({ backend: 'cpu' });
  const ground = tester.addShape(heightfield({ heights, columns, size: [8, 6] }));
  const ball = tester.addShape({ type: 'sphere', radius: 0.25 });
  const normal = [-0.5, 1, 0].map((x) => x / Math.hypot(0.5, 1));
  const places = Array.from({ length: 60 }, (_, i) => [3 * Math.sin(7 * i), 2.5 * Math.cos(5 * i)]);
  for (const depth of [0.01, 0.3]) {
    const positions = places.flatMap(([x, z]) => {
      const height = 0.5 * (x + 4);
      return [x, height, z].map((value, k) => value + (0.25 - depth) * normal[k]);
    });
    const count = places.length;
    const bodies = {
      shapes: Uint32Array.of(ground, ...places.map(() => ball)),
      positions: Float64Array.of(0, 0, 0, ...positions),
      quaternions: Float32Array.from({ length: 4 * (count + 1) }, (_, i) => Number(i % 4 === 3)),
    };
    const pairs = Uint32Array.from({ length: 2 * count }, (_, i) => (i % 2 ? 1 + (i >> 1) : 0));
    for (const found of await tester.contacts(bodies, pairs)) {
      expect(found.distance, `pair ${found.pair}`).toBeCloseTo(-depth, 5);
      normal.forEach((value, k) => expect(found.normal[k], `pair ${found.pair}`).toBeCloseTo(value, 5));
    }
  }
});

test.each<[string, unknown, RegExp]>([
  ['nothing', undefined, /^options is undefined, expected an object/],
  ['another name', { heights: [0, 0, 0, 0], columns: 2, scale: 1 }, /^options\.scale is unknown for a heightfield/],
  [
    'one column',
    { heights: [0, 0], columns: 1, size: [1, 1] },
    /^options\.columns is 1, expected an integer of at least 2/,
  ],
  [
    'one row',
    { heights: [0, 0], columns: 2, size: [1, 1] },
    /^options\.heights\.length is 2, expected at least two rows of 2/,
  ],
  ['half a row', { heights: [0, 0, 0, 0, 0], columns: 2, size: [1, 1] }, /^options\.heights\.length is 5, /],
  [
    'NaN',
    { heights: [0, 0, NaN, 0], columns: 2, size: [1, 1] },
    /^options\.heights\[2\] is NaN, expected a finite number/,
  ],
  ['no size', { heights: [0, 0, 0, 0], columns: 2 }, /^options\.size is undefined, expected the lengths along x and z/],
  [
    'a size of 0',
    { heights: [0, 0, 0, 0], columns: 2, size: [0, 1] },
    /^options\.size\[0\] is 0, expected a positive number/,
  ],
])('refuses %s', (_, options, message) => {
  expect(() => heightfield(options as never)).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringMatching(message) as string }),
  );
});
