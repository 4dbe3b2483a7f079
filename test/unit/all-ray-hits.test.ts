/** `rayCasts` with `results: 'all'` on the CPU: every body that each ray meets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester, NO_BODY } from '../../src/index.ts';
import { Status, type Bodies, type RayCastOptions, type Tester } from '../../src/api/types.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { convexScene, firstOfRays, hitsOfSingleBodies, mixedRays, SEED, someOf } from '../helpers/all-ray-hits.ts';
import { dimensions, type AnyDescription, type Dimension } from '../helpers/dimensions.ts';
import { makeSheet } from '../helpers/meshes.ts';

/** More than are cast without a request to the backend, and fewer. */
const COUNTS = [150, 40];

function partShapes({ axes }: Dimension): AnyDescription[] {
  const random = createRandom(SEED);
  if (axes === 2) {
    const points = Array.from({ length: 24 }, (_, i) => (i % 2 ? uniform(random, -1, 1) : i / 4 - 3));
    return [
      { type: 'chain', points },
      { type: 'chain', points: [-1, -1, 1, -1, 0, 1], loop: true, sides: 'front' },
      {
        type: 'compound',
        parts: [
          { shape: { type: 'circle', radius: 0.5 }, position: [1, 0] },
          { shape: { type: 'rectangle', halfExtents: [0.5, 1] }, position: [-1, 0], angle: 0.5 },
        ],
      },
    ];
  }
  const { positions, indices } = makeSheet(8, () => uniform(random, -0.3, 0.3));
  return [
    { type: 'mesh', positions, indices },
    { type: 'mesh', positions, indices, sides: 'front' },
    {
      type: 'compound',
      parts: [
        { shape: { type: 'sphere', radius: 0.5 }, position: [1, 0, 0] },
        { shape: { type: 'box', halfExtents: [0.5, 1, 0.5] }, position: [-1, 0, 0], quaternion: [0, 0.6, 0, 0.8] },
        { shape: { type: 'cylinder', halfHeight: 1, radius: 0.3 }, position: [0, 1, 0] },
      ],
    },
  ];
}

/** The convex bodies, some of which are compounds, meshes or chains instead. */
function mixedScene(dimension: Dimension): { descriptions: AnyDescription[]; bodies: Bodies } {
  const { descriptions, bodies } = convexScene(dimension);
  const parts = partShapes(dimension);
  const shapes = bodies.shapes.map((shape, body) => (body % 5 === 2 ? descriptions.length + (body % 3) : shape));
  return { descriptions: [...descriptions, ...parts], bodies: { ...bodies, shapes } };
}

function far(array: ArrayLike<number>): Float64Array {
  return Float64Array.from(array, (x) => x + 2 ** 30);
}

describe.each(dimensions)('$name', (dimension) => {
  let tester: Tester;
  beforeAll(async () => {
    tester = await dimension.createTester({ backend: 'cpu', threads: 1 });
  });
  afterAll(() => tester?.dispose());

  describe.each([
    ['convex bodies', convexScene],
    ['bodies of all types', mixedScene],
  ] as const)('%s', (_, makeScene) => {
    const { descriptions, bodies } = makeScene(dimension);
    beforeAll(() => dimension.useShapes(tester, descriptions));

    test.each(COUNTS)('%i rays meet the bodies that each meets among no others, with the same bits', async (count) => {
      const rays = mixedRays(dimension, count);
      const found = await tester.rayCasts(bodies, rays, { results: 'all' });
      const expected = await hitsOfSingleBodies(tester, bodies, rays);
      expect(found.count).toBeGreaterThan(count);
      expect([...found], `seed ${SEED}`).toEqual(expected);
      expect(expected.filter(({ time }) => time === 0).length).toBeGreaterThan(1);
      const typesOf = (numbers: Iterable<number>): Set<string> =>
        new Set([...numbers].map((body) => descriptions[bodies.shapes[body]].type));
      if (count === COUNTS[0]) expect(typesOf(found.body)).toEqual(typesOf(bodies.shapes.keys()));
    });

    test.each(COUNTS)('the first hits of %i rays are the default answer', async (count) => {
      const rays = mixedRays(dimension, count);
      const all = await tester.rayCasts(bodies, rays, { results: 'all' });
      const first = await tester.rayCasts(bodies, rays);
      expect(firstOfRays(all)).toEqual([...first].filter(({ body }) => body !== NO_BODY));
      expect(all.statusCounts).toEqual(first.statusCounts);
      expect([...(await tester.rayCasts(bodies, rays, { results: 'first' }))]).toEqual([...first]);
    });

    test('a handle with a tree has the same hits', async () => {
      using handle = tester.createBodies(bodies);
      const rays = mixedRays(dimension, COUNTS[1]);
      const expected = [...(await tester.rayCasts(bodies, rays, { results: 'all' }))];
      for (let call = 0; call < 3; call++)
        expect([...(await tester.rayCasts(handle, rays, { results: 'all' }))]).toEqual(expected);
    });

    test('collision groups leave out bodies', async () => {
      const rays = mixedRays(dimension, COUNTS[0]);
      const groups = bodies.shapes.map((__, body) => (body % 2 ? 0x0001_0001 : 0x0002_0002));
      const ofRays = Uint32Array.from({ length: COUNTS[0] }, () => 0x0001_0001);
      const all = [...(await tester.rayCasts(bodies, rays, { results: 'all' }))];
      const some = await tester.rayCasts({ ...bodies, groups }, { ...rays, groups: ofRays }, { results: 'all' });
      expect([...some]).toEqual(all.filter(({ body }) => body % 2 === 1));
    });

    test('a target with room gets the hits, and one without is refused', async () => {
      const rays = mixedRays(dimension, COUNTS[0]);
      const target = await tester.rayCasts(bodies, rays, { results: 'all' });
      const expected = [...target];
      target.time.fill(0);
      const again = await tester.rayCasts(bodies, rays, { results: 'all', target });
      expect(again.time).toBe(target.time);
      expect([...again]).toEqual(expected);
      const short = { ...target, body: new Uint32Array(target.count - 1) };
      await expect(tester.rayCasts(bodies, rays, { results: 'all', target: short })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringMatching(`^options.target.body is .*at least ${target.count} elements$`),
      });
      const wrong = { ...target, body: new Float32Array(target.count) };
      await expect(tester.rayCasts(bodies, rays, { results: 'all', target: wrong as never })).rejects.toMatchObject({
        message: expect.stringContaining('options.target.body'),
      });
    });

    test('the result has the arrays that fields names', async () => {
      const rays = mixedRays(dimension, COUNTS[1]);
      const whole = await tester.rayCasts(bodies, rays, { results: 'all' });
      const part = await tester.rayCasts(bodies, rays, { results: 'all', fields: ['ray', 'normal'] });
      expect(Object.keys(part)).toEqual(['count', 'statusCounts', 'ray', 'normal']);
      expect(part.ray).toEqual(whole.ray);
      expect(part.normal).toEqual(whole.normal);
    });

    test('64-bit positions give 64-bit points', async () => {
      const rays = mixedRays(dimension, COUNTS[1]);
      const moved = { ...someOf(bodies, 0, bodies.shapes.length), positions: far(bodies.positions!) } as Bodies;
      const found = await tester.rayCasts(moved, { ...rays, origins: far(rays.origins) }, { results: 'all' });
      expect(found.point).toBeInstanceOf(Float64Array);
      expect(found.count).toBeGreaterThan(COUNTS[1]);
    });
  });
});

test('a row of balls in one ray: all in the order in which it meets them, of two at once the lower index', async () => {
  using tester = await createTester({ backend: 'cpu', threads: 1 });
  const ball = tester.addShape({ type: 'sphere', radius: 1 });
  const bodies = {
    shapes: new Uint32Array(4).fill(ball),
    positions: Float32Array.of(9, 0, 0, 5, 0, 0, 9, 0, 0, 0, 50, 0),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  };
  const rays = { origins: new Float32Array(9), directions: Float32Array.of(0, 0, 1, 1, 0, 0, 2, 0, 0) };
  const hits = await tester.rayCasts(bodies, rays, { results: 'all' });
  expect(hits.count).toBe(6);
  expect([...hits.ray]).toEqual([1, 1, 1, 2, 2, 2]);
  expect([...hits.body]).toEqual([1, 0, 2, 1, 0, 2]);
  expect([...hits.time]).toEqual([4, 8, 8, 2, 4, 4]);
  expect(hits.statusCounts).toEqual([1, 2, 0, 0, 0]);
  expect([...hits][0]).toEqual({
    ray: 1,
    status: Status.Overlapping,
    time: 4,
    body: 1,
    normal: [-1, 0, 0],
    point: [4, 0, 0],
  });
  const none = await tester.rayCasts(
    bodies,
    { origins: new Float32Array(0), directions: new Float32Array(0) },
    { results: 'all' },
  );
  expect([none.count, none.time.length]).toEqual([0, 0]);
});

test('other results are refused, also by prepare', async () => {
  using tester = await createTester({ backend: 'cpu', threads: 1 });
  const bodies = { shapes: new Uint32Array(0), positions: new Float32Array(0), quaternions: new Float32Array(0) };
  const rays = { origins: new Float32Array(3), directions: new Float32Array(3) };
  for (const results of ['hits', 'earliest', null, 1]) {
    const message = `options.results is ${JSON.stringify(results)}, expected 'first' or 'all'`;
    const options = { results } as unknown as RayCastOptions;
    await expect(tester.rayCasts(bodies, rays, options)).rejects.toMatchObject({ code: 'INVALID_INPUT', message });
    await expect(tester.prepare({ query: 'rayCasts', ...options } as never)).rejects.toMatchObject({ message });
  }
  for (const results of ['first', 'all'] as const) {
    await expect(tester.prepare({ query: 'rayCasts', results })).resolves.toBeUndefined();
    await expect(tester.rayCasts(bodies, rays, { results })).resolves.toMatchObject({ statusCounts: [1, 0, 0, 0, 0] });
  }
  await expect(tester.prepare({ query: 'impacts', results: 'first' })).rejects.toMatchObject({
    message: "options.results is \"first\", expected 'all', 'hits' or 'earliest'",
  });
});
