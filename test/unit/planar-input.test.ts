/**
 * What only 2-D testers accept and refuse, on the CPU: polygons, velocities, options, results, from `createTester` to
 * `dispose`. tester-input.test.ts has what both dimensions share.
 */

import { describe, expect, test } from 'vitest';
import {
  createTester,
  NarrowphaseError,
  Status,
  type PlanarBodies,
  type PlanarMovingBodies,
  type PlanarShapeDescription,
  type PlanarTester,
} from '../../src/index.ts';
import { createTester as createNodeTester } from '../../src/node.ts';

const tester = await createTester({ dimension: 2, backend: 'cpu' });
const square = tester.addShape({ type: 'rectangle', halfExtents: [1, 1] });
const disc = tester.addShape({ type: 'circle', radius: 0.5 });
const removed = tester.addShape({ type: 'circle', radius: 1 });
tester.removeShape(removed);

const queries = ['intersects', 'distances', 'contacts', 'manifolds'] as const;
const PAIR = Uint32Array.of(0, 1);

/** Two squares and a disc in a row, which move to the right. */
function good(): Required<PlanarMovingBodies> {
  return {
    shapes: Uint32Array.of(square, square, disc),
    positions: Float32Array.of(0, 0, 3, 0, 6, 0),
    angles: new Float32Array(3),
    scales: Float32Array.of(1, 1, 1),
    groups: new Uint32Array(3).fill(0xffffffff),
    fixed: new Uint8Array(3),
    linearVelocities: Float32Array.of(1, 0, 0, 0, 0, 0),
    angularVelocities: new Float32Array(3),
  };
}

function changed(change: (bodies: Required<PlanarMovingBodies>) => void): PlanarMovingBodies {
  const bodies = good();
  change(bodies);
  return bodies;
}

/** Bodies of these shapes, `x` apart along the x axis. */
function row(shapes: number[], x = 0): PlanarBodies {
  return {
    shapes: Uint32Array.from(shapes),
    positions: Float32Array.from(shapes.flatMap((_, i) => [i * x, 0])),
    angles: new Float32Array(shapes.length),
  };
}

async function errorOf(query: () => Promise<unknown>): Promise<NarrowphaseError> {
  return query().then(
    () => expect.fail('it was taken'),
    (error: NarrowphaseError) => error,
  );
}

/** The error of every query of bodies that stand, which is the same. */
async function errorOfAll(
  bodies: PlanarBodies,
  pairs: Uint32Array = PAIR,
  options: object = {},
): Promise<NarrowphaseError> {
  const errors = await Promise.all(
    queries.map((query) => errorOf(() => tester[query](bodies, pairs, options as never))),
  );
  for (const error of errors) expect(error).toEqual(errors[0]);
  return errors[0];
}

/** The parts of a message "FIELD is VALUE, expected EXPECTATION". */
function parts({ message }: Error): { field: string; value: string; expected: string } {
  const match = /^(.*?) is (.*), expected (.+)$/s.exec(message);
  if (!match) throw new Error(`not "FIELD is VALUE, expected EXPECTATION": ${message}`);
  return { field: match[1], value: match[2], expected: match[3] };
}

describe('createTester', () => {
  test.each([createTester, createNodeTester])('takes the dimensions 2 and 3 alone', async (create) => {
    for (const dimension of [4, 1, 0, NaN, '2', null, 2.5]) {
      const error = await errorOf(() => create({ backend: 'cpu', dimension: dimension as never }));
      expect(error).toMatchObject({ code: 'INVALID_INPUT', name: 'NarrowphaseError' });
      expect(parts(error)).toMatchObject({ field: 'options.dimension', expected: '2 or 3' });
    }
  });

  test("falls back to the CPU by 'auto', where a device is missing, and fails with WEBGPU_UNAVAILABLE by 'webgpu'", async () => {
    expect((await createTester({ dimension: 2 })).backend).toBe('cpu');
    await expect(createTester({ dimension: 2, backend: 'webgpu' })).rejects.toMatchObject({
      code: 'WEBGPU_UNAVAILABLE',
    });
    expect(tester.limits.maxHullVertices).toBeGreaterThanOrEqual(4096);
  });

  test('keeps the shapes of the two dimensions apart', async () => {
    const space = await createTester({ backend: 'cpu' });
    for (const [type, here, there] of [
      ['sphere', tester, space],
      ['box', tester, space],
      ['hull', tester, space],
      ['circle', space, tester],
      ['polygon', space, tester],
    ] as const) {
      expect(() => here.addShape({ type } as never)).toThrowError(
        expect.objectContaining({
          code: 'INVALID_INPUT',
          message: expect.stringMatching(`^description.type is "${type}", expected`),
        }),
      );
      expect(() => there.addShape({ type } as never)).toThrowError(
        expect.objectContaining({ code: 'INVALID_INPUT', message: expect.not.stringMatching('^description.type') }),
      );
    }
  });
});

describe('shapes', () => {
  /** An arrow head, whose notch lies 1/4 above its base and sqrt(1/8) or more inside its hull. */
  const arrow = [-1, 0, 0, 0.25, 1, 0, 0, 1];

  test('a polygon that is not convex is refused with a word about convexify, and with it taken as its hull', async () => {
    const own = await createTester({ dimension: 2, backend: 'cpu' });
    for (const convexify of [undefined, false]) {
      let message = '';
      try {
        own.addShape({ type: 'polygon', points: arrow, convexify });
      } catch (error) {
        ({ message } = error as Error);
      }
      expect(message).toMatch(
        /^description\.points\[2\.\.3\] is \[0,0\.25\], expected .*convex polygon.*convexify: true/,
      );
      expect(message).toMatch(/0\.25 inside/);
    }
    const hull = own.addShape({ type: 'polygon', points: arrow, convexify: true });
    const triangle = own.addShape({ type: 'polygon', points: [-1, 0, 1, 0, 0, 1] });
    const ball = own.addShape({ type: 'circle', radius: 0.25 });
    // From the side of the notch the hull's base is met.
    const bodies: PlanarBodies = {
      shapes: Uint32Array.of(hull, ball, triangle, ball),
      positions: Float32Array.of(0, 0, 0, -0.5, 9, 0, 9, -0.5),
      angles: new Float32Array(4),
    };
    const { distance, featureB } = await own.contacts(bodies, Uint32Array.of(0, 1, 2, 3), { margin: 1 });
    expect(Array.from(distance)).toEqual([0.25, 0.25]);
    expect(featureB[0]).toBe(featureB[1]);
  });

  test('points that f32 rounds to a little inside the hull are no notch', () => {
    // On a line that f32 has no points of.
    const points = [0, 0, 1, 0, 0, 3];
    for (let i = 1; i < 100; i++) points.push(i / 100, 3 - (3 * i) / 100);
    const id = tester.addShape({ type: 'polygon', points });
    tester.removeShape(id);
    expect(() => tester.addShape({ type: 'polygon', points: [...points, 0.5, 1.4999] })).toThrowError(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
  });

  test.each<[string, number[], number]>([
    ['one point', [2, 0], 0.5],
    ['one point given thrice', [2, 0, 2, 0, 2, 0], 0.5],
    ['two points', [2, -1, 2, 1], 0.5],
    ['points on a line', [2, -1, 2, 0, 2, 0.5, 2, 1], 0.5],
    ['points on a line in any order, repeated', [2, 0, 2, 1, 2, -1, 2, 1, 2, 0], 0.5],
    ['a square whose corners come twice and in any order', [3, 1, 2, -1, 2, 1, 3, -1, 2, -1, 3, 1], 0.5],
    ['a square clockwise', [2, 1, 3, 1, 3, -1, 2, -1], 0.5],
    ['a square with points along its sides', [2, -1, 2, 0, 2, 1, 2.5, 1, 3, 1, 3, -1], 0.5],
  ])('a polygon of %s is what the points span', async (_, points, gap) => {
    const own = await createTester({ dimension: 2, backend: 'cpu' });
    const bodies = row([own.addShape({ type: 'circle', radius: 1.5 }), own.addShape({ type: 'polygon', points })]);
    const { status, distance, normal, pointB } = await own.distances(bodies, PAIR);
    expect([status[0], distance[0], ...normal, ...pointB]).toEqual([Status.Separated, gap, 1, 0, 2, 0]);
    // And round it off.
    const rounded = row([
      own.addShape({ type: 'circle', radius: 1.5 }),
      own.addShape({ type: 'polygon', points, radius: 0.75 }),
    ]);
    expect((await own.contacts(rounded, PAIR)).distance[0]).toBe(gap - 0.75);
  });

  test('sizes may be 0, and points in typed arrays of any kind', async () => {
    const own = await createTester({ dimension: 2, backend: 'cpu' });
    const shapes: PlanarShapeDescription[] = [
      { type: 'circle', radius: 0 },
      { type: 'capsule', halfHeight: 0, radius: 0 },
      { type: 'segment', points: Int8Array.of(0, 0, 0, 0) },
      { type: 'rectangle', halfExtents: Float64Array.of(0, 0) },
      { type: 'rectangle', halfExtents: [0, 0], radius: 0 },
      { type: 'polygon', points: Uint16Array.of(0, 0) },
    ];
    const ids = shapes.map((shape) => own.addShape(shape));
    expect(ids).toEqual([0, 1, 2, 3, 4, 5]);
    // All of them are the point at the origin.
    const pairs = Uint32Array.from(ids.flatMap((a) => ids.flatMap((b) => (a < b ? [a, b] : []))));
    const { distance, status } = await own.contacts(row(ids), pairs);
    expect(Array.from(distance)).toEqual(Array.from(distance, () => 0));
    expect(Array.from(status)).toEqual(Array.from(status, () => Status.Overlapping));
  });

  test('a polygon of 4,096 corners is answered to its edges, one of more than 65,535 refused', async () => {
    const own = await createTester({ dimension: 2, backend: 'cpu' });
    const points = latticePolygon(4096);
    const polygon = own.addShape({ type: 'polygon', points });
    const dot = own.addShape({ type: 'circle', radius: 0 });
    const right = points.reduce((most, x, i) => (i % 2 === 0 ? Math.max(most, x) : most), -Infinity);
    const ends = Array.from(points).filter((_, i) => i % 2 === 1 && points[i - 1] === right);
    expect(ends.length).toBe(2);
    // Beside the middle of its right side, which is upright.
    const bodies: PlanarBodies = {
      shapes: Uint32Array.of(polygon, dot),
      positions: Float32Array.of(0, 0, right + 5, (ends[0] + ends[1]) / 2),
      angles: new Float32Array(2),
    };
    for (const algorithm of ['auto', 'gjk', 'mpr'] as const) {
      const { distance, normal, status } = await own.contacts(bodies, PAIR, { margin: Infinity, algorithm });
      expect([status[0], distance[0], ...normal]).toEqual([Status.Separated, 5, 1, 0]);
    }
    for (const corners of [65_536, 70_000]) {
      expect(() => own.addShape({ type: 'polygon', points: latticePolygon(corners) })).toThrowError(
        expect.objectContaining({
          code: 'LIMIT_EXCEEDED',
          message: `description.points has ${corners} corners, expected at most 65535`,
        }),
      );
    }
    // Points beyond the number are no matter, as long as they are no corners.
    const many = own.addShape({
      type: 'polygon',
      points: Float32Array.from({ length: 140_000 }, (_, i) => (i % 2 ? 1 : i / 140_000)),
    });
    expect((await own.contacts(row([many, dot]), PAIR, { margin: 2 })).distance[0]).toBe(1);
  });
});

describe('bodies', () => {
  test('angles may be of any size', async () => {
    const angles = Float32Array.of(0, 1e30, -3e38);
    for (const query of queries)
      expect((await tester[query]({ ...good(), angles }, PAIR)).statusCounts[Status.Separated]).toBe(1);
  });
});

describe('velocities', () => {
  const none = undefined as never;
  const cases: [
    what: string,
    bodies: PlanarMovingBodies,
    options: object,
    field: string,
    value: string,
    expected: RegExp,
  ][] = [
    [
      'no velocities',
      changed((b) => (b.linearVelocities = none)),
      {},
      'bodies.linearVelocities',
      'undefined',
      /Float32Array/,
    ],
    [
      'velocities of space',
      changed((b) => (b.linearVelocities = new Float32Array(9))),
      {},
      'bodies.linearVelocities.length',
      '9',
      /6 for 3 bodies/,
    ],
    [
      'a NaN velocity',
      changed((b) => (b.linearVelocities[5] = NaN)),
      {},
      'bodies.linearVelocities[5]',
      'NaN',
      /finite/,
    ],
    [
      'angular velocities of space',
      changed((b) => (b.angularVelocities = new Float32Array(9))),
      {},
      'bodies.angularVelocities.length',
      '9',
      /3 for 3 bodies/,
    ],
    [
      'a NaN angular velocity',
      changed((b) => (b.angularVelocities[1] = NaN)),
      {},
      'bodies.angularVelocities[1]',
      'NaN',
      /finite/,
    ],
    ['no duration', good(), { duration: undefined }, 'options.duration', 'undefined', /at least 0/],
    ['a negative duration', good(), { duration: -1 }, 'options.duration', '-1', /at least 0/],
    ['an infinite margin', good(), { margin: Infinity }, 'options.margin', 'Infinity', /finite number of at least 0/],
    ["'sat'", good(), { algorithm: 'sat' }, 'options.algorithm', '"sat"', /'auto', 'cast' or 'velocity-epa'/],
    ['unknown results', good(), { results: 'first' }, 'options.results', '"first"', /'all', 'hits' or 'earliest'/],
  ];

  test.each(cases)('%s', async (_, bodies, options, field, value, expected) => {
    const error = await errorOf(() => tester.impacts(bodies, PAIR, { duration: 1, ...options }));
    expect(error.code).toBe('INVALID_INPUT');
    expect(parts(error)).toEqual({ field, value, expected: expect.stringMatching(expected) });
  });
});

describe('pairs and options', () => {
  test('a warm start is for space alone', async () => {
    const space = await createTester({ backend: 'cpu' });
    for (const warmStart of [space.createWarmStart(1), {}, true]) {
      expect(parts(await errorOfAll(good(), PAIR, { warmStart }))).toMatchObject({
        field: 'options.warmStart',
        expected: expect.stringContaining('in the plane'),
      });
    }
    expect(parts(await errorOf(async () => (tester as unknown as typeof space).createWarmStart(1)))).toMatchObject({
      field: 'options.dimension',
      value: '2',
    });
    const batch = { query: 'contacts', maxBodies: 1, maxPairs: 1, warmStart: true } as const;
    expect(parts(await errorOf(() => tester.createBatch(batch)))).toMatchObject({
      field: 'options.warmStart',
      value: 'true',
    });
  });

  test("'sat' takes segments, rectangles and polygons, and names the first body that is none", async () => {
    const own = await createTester({ dimension: 2, backend: 'cpu' });
    const edged = [
      own.addShape({ type: 'segment', points: [-1, 0, 1, 0] }),
      own.addShape({ type: 'rectangle', halfExtents: [1, 1] }),
      own.addShape({ type: 'rectangle', halfExtents: [1, 0], radius: 0.25 }),
      own.addShape({ type: 'polygon', points: [-1, 0, 1, 0, 0, 1] }),
      own.addShape({ type: 'polygon', points: [-1, 0] }),
    ];
    const round = [
      own.addShape({ type: 'circle', radius: 1 }),
      own.addShape({ type: 'capsule', halfHeight: 1, radius: 0.5 }),
    ];
    for (const query of queries) {
      const bodies = row([...edged, ...round], 1);
      expect(
        (
          await own[query](bodies, Uint32Array.from(edged.flatMap((a) => edged.flatMap((b) => [a, b]))), {
            algorithm: 'sat',
          })
        ).count,
      ).toBe(25);
      for (const other of round) {
        for (const pairs of [Uint32Array.of(0, 1, other, 2), Uint32Array.of(0, 1, 2, other)]) {
          const error = await errorOf(() => own[query](bodies, pairs, { algorithm: 'sat' }));
          expect(parts(error)).toMatchObject({
            field: 'options.algorithm',
            value: '"sat"',
            expected: expect.stringMatching(`segments, rectangles and polygons, of which body ${other} is none`),
          });
        }
      }
    }
  });

  test('margins of findPairs are finite', async () => {
    for (const margin of [-1, NaN, Infinity, '1']) {
      expect(parts(await errorOf(() => tester.findPairs(good(), { margin: margin as never })))).toMatchObject({
        field: 'options.margin',
        expected: 'a finite number of at least 0',
      });
    }
  });

  test('a batch needs a GPU', async () => {
    await expect(tester.createBatch({ query: 'contacts', maxBodies: 1, maxPairs: 1 })).rejects.toMatchObject({
      code: 'WEBGPU_UNAVAILABLE',
    });
  });
});

describe('results', () => {
  /** Discs of radius 1 two by two, apart by -0.5, 0, 0.25 and 4. */
  const gaps = [-0.5, 0, 0.25, 4];
  const pairs = Uint32Array.from({ length: 2 * gaps.length }, (_, i) => i);

  async function withDiscs(): Promise<{ own: PlanarTester; bodies: PlanarMovingBodies }> {
    const own = await createTester({ dimension: 2, backend: 'cpu' });
    own.addShape({ type: 'circle', radius: 1 });
    return {
      own,
      bodies: {
        shapes: new Uint32Array(pairs.length),
        positions: Float32Array.from(gaps.flatMap((gap, i) => [0, 10 * i, 2 + gap, 10 * i])),
        angles: new Float32Array(pairs.length),
        linearVelocities: Float32Array.from(gaps.flatMap(() => [1, 0, 0, 0])),
      },
    };
  }

  test('are arrays of two numbers a vector, with slot i for pair i, and counts of statuses', async () => {
    const { own, bodies } = await withDiscs();
    const contacts = await own.contacts(bodies, pairs, { margin: Infinity });
    expect(contacts.count).toBe(4);
    expect(Array.from(contacts.pair)).toEqual([0, 1, 2, 3]);
    expect(Array.from(contacts.distance)).toEqual(gaps);
    expect(contacts.statusCounts).toEqual([2, 2, 0, 0, 0]);
    expect(Array.from(contacts.normal)).toEqual([1, 0, 1, 0, 1, 0, 1, 0]);
    expect(Array.from(contacts.pointA)).toEqual([1, 0, 1, 10, 1, 20, 1, 30]);
    expect(Array.from(contacts.pointB)).toEqual([0.5, 0, 1, 10, 1.25, 20, 5, 30]);
    expect(contacts.pointA).toBeInstanceOf(Float32Array);
    const wide = await own.contacts({ ...bodies, positions: Float64Array.from(bodies.positions) }, pairs, {
      margin: Infinity,
    });
    expect(wide.pointA).toEqual(Float64Array.from(contacts.pointA));
  });

  test('as hits are the pairs within the margin alone, in order, with statuses of all', async () => {
    const { own, bodies } = await withDiscs();
    for (const [margin, hits] of [
      [0, [0, 1]],
      [0.25, [0, 1, 2]],
      [4, [0, 1, 2, 3]],
    ] as const) {
      for (const query of queries) {
        const found = await own[query](bodies, pairs, { margin, results: 'hits' });
        expect(Array.from(found.pair).slice(0, found.count)).toEqual(hits);
        expect(found.statusCounts).toEqual([2, 2, 0, 0, 0]);
      }
      expect((await own.intersects(bodies, pairs, { margin })).hits).toBe(hits.length);
    }
    const impacts = await own.impacts(bodies, pairs, { duration: 1, results: 'hits' });
    expect([Array.from(impacts.pair), impacts.statusCounts]).toEqual([
      [0, 1, 2],
      [1, 3, 0, 0, 0],
    ]);
  });

  test('iterate as plain objects with two numbers a vector', async () => {
    const { own, bodies } = await withDiscs();
    const first = Uint32Array.of(0, 1);
    const common = { pair: 0, status: Status.Overlapping };
    expect([...(await own.intersects(bodies, first))]).toEqual([{ ...common, hit: true }]);
    expect([...(await own.distances(bodies, first))]).toEqual([
      { ...common, distance: 0, normal: [0, 0], pointA: [0, 0], pointB: [0, 0] },
    ]);
    const contact = { ...common, distance: -0.5, normal: [1, 0], pointA: [1, 0], pointB: [0.5, 0], iterations: 1 };
    expect([...(await own.contacts(bodies, first))]).toEqual([
      { ...contact, featureA: expect.any(Number), featureB: expect.any(Number) },
    ]);
    const [bounded] = await own.contacts(bodies, first, { bounds: true });
    expect(bounded).toMatchObject({ ...contact, lower: expect.closeTo(-0.5, 6), upper: expect.closeTo(-0.5, 6) });
    expect([...(await own.manifolds(bodies, first))]).toEqual([
      {
        ...common,
        normal: [1, 0],
        contactDistance: -0.5,
        points: [{ position: [1, 0], distance: -0.5, feature: expect.any(Number) }],
      },
    ]);
    const [impact] = await own.impacts(bodies, Uint32Array.of(4, 5), { duration: 1 });
    expect(impact).toMatchObject({ pair: 0, status: Status.Overlapping, normal: [1, 0], point: [1.25, 20] });
    expect([impact.time, impact.unclampedTime]).toEqual([expect.closeTo(0.25, 6), impact.time]);
    const [ray] = await own.rayCasts(bodies, { origins: Float32Array.of(-3, 0), directions: Float32Array.of(2, 0) });
    expect(ray).toEqual({ ray: 0, status: Status.Overlapping, time: 1, body: 0, normal: [-1, 0], point: [-1, 0] });
  });

  test('go into the arrays of a target, which must be long enough and of the same sort', async () => {
    const { own, bodies } = await withDiscs();
    for (const query of queries) {
      const options = { margin: 5 };
      const target = await own[query](bodies, pairs, options);
      const moved = { ...bodies, positions: bodies.positions.map((x) => x + 100) as Float32Array };
      const expected = await own[query](moved, pairs, options);
      const again = await own[query](moved, pairs, { ...options, target: target as never });
      expect({ ...again }).toEqual({ ...expected });
      expect(again.status).toBe(target.status);
      const short = await own[query](bodies, PAIR, options);
      const error = await errorOf(() => own[query](bodies, pairs, { ...options, target: short as never }));
      expect(parts(error)).toMatchObject({
        field: 'options.target.pair',
        expected: expect.stringMatching(/Uint32Array of at least 4 elements/),
      });
      if (query === 'intersects') continue;
      const wide = { ...bodies, positions: Float64Array.from(bodies.positions) };
      const other = parts(await errorOf(() => own[query](wide, pairs, { ...options, target: target as never })));
      expect(other).toMatchObject({
        field: query === 'manifolds' ? 'options.target.position' : 'options.target.pointA',
        expected: expect.stringMatching(/^a Float64Array/),
      });
    }
  });

  test('of no pairs and of no bodies are empty', async () => {
    const { own } = await withDiscs();
    const nobody = {
      shapes: new Uint32Array(0),
      positions: new Float32Array(0),
      angles: new Float32Array(0),
      linearVelocities: new Float32Array(0),
    };
    for (const query of queries)
      expect(await own[query](nobody, new Uint32Array(0))).toMatchObject({ count: 0, statusCounts: [0, 0, 0, 0, 0] });
    expect((await own.impacts(nobody, new Uint32Array(0), { duration: 1 })).count).toBe(0);
    expect((await own.findPairs(nobody)).length).toBe(0);
  });
});

describe('from first to last', () => {
  test('a query has the shapes that there were when it was called', async () => {
    const own = await createTester({ dimension: 2, backend: 'cpu' });
    const bodies = row([own.addShape({ type: 'circle', radius: 1 }), own.addShape({ type: 'circle', radius: 1 })], 5);
    const asked = [own.distances(bodies, PAIR), own.findPairs(bodies, { margin: 4 })] as const;
    own.removeShape(0);
    own.removeShape(1);
    expect((await asked[0]).distance[0]).toBe(3);
    expect(Array.from(await asked[1])).toEqual([0, 1]);
    await expect(own.distances(bodies, PAIR)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('an aborted query ends with ABORTED and its reason, and the next one runs', async () => {
    const reason = new Error('changed my mind');
    const signal = AbortSignal.abort(reason);
    const rays = { origins: new Float32Array(2), directions: Float32Array.of(1, 0) };
    const aborted = [
      ...queries.map((query) => () => tester[query](good(), PAIR, { signal })),
      () => tester.impacts(good(), PAIR, { duration: 1, signal }),
      () => tester.rayCasts(good(), rays, { signal }),
      () => tester.findPairs(good(), { signal }),
    ];
    for (const query of aborted)
      expect(await errorOf(query)).toMatchObject({ name: 'NarrowphaseError', code: 'ABORTED', cause: reason });
    const controller = new AbortController();
    const running = tester.contacts(
      good(),
      Uint32Array.from({ length: 400_000 }, (_, i) => i % 3),
      { signal: controller.signal },
    );
    const next = tester.intersects(good(), PAIR);
    setTimeout(() => controller.abort());
    await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
    expect((await next).count).toBe(1);
  });

  test('dispose ends everything with DISPOSED, and may be called twice', async () => {
    const own = await createTester({ dimension: 2, backend: 'cpu' });
    own.addShape({ type: 'circle', radius: 1 });
    const waiting = own.contacts(row([0, 0]), PAIR);
    own.dispose();
    own[Symbol.dispose]();
    await expect(waiting).rejects.toMatchObject({ code: 'DISPOSED' });
    const bodies = { ...row([0, 0]), linearVelocities: new Float32Array(4) };
    const rays = { origins: new Float32Array(2), directions: new Float32Array(2) };
    const refused = [
      ...queries.map((query) => () => own[query](bodies, PAIR)),
      () => own.impacts(bodies, PAIR, { duration: 1 }),
      () => own.rayCasts(bodies, rays),
      () => own.findPairs(bodies),
      () => own.createBatch({ query: 'contacts', maxBodies: 1, maxPairs: 1 }),
    ];
    for (const query of refused) expect(await errorOf(query)).toMatchObject({ code: 'DISPOSED' });
    const disposed = expect.objectContaining({ code: 'DISPOSED' });
    expect(() => own.addShape({ type: 'circle', radius: 1 })).toThrowError(disposed);
    expect(() => own.removeShape(0)).toThrowError(disposed);
  });
});

/**
 * A convex polygon of so many corners, every one of them a whole number that f32 has: its edges are the shortest
 * vectors of coprime whole numbers, in order of their angles, each with its opposite.
 */
function latticePolygon(corners: number): Float32Array {
  const edges: [number, number][] = [];
  for (let size = 1; edges.length < corners; size++) {
    for (let x = -size; x <= size; x++) {
      for (let y = 0; y <= size && edges.length < corners; y++) {
        const isNew = Math.max(Math.abs(x), y) === size && (y > 0 || x > 0);
        if (isNew && greatestDivisor(x, y) === 1) edges.push([x, y], [-x, -y]);
      }
    }
  }
  edges.sort((a, b) => Math.atan2(a[1], a[0]) - Math.atan2(b[1], b[0]));
  const points = new Float32Array(2 * corners);
  let [x, y] = [0, 0];
  edges.forEach(([dx, dy], i) => {
    points.set([(x += dx), (y += dy)], 2 * i);
  });
  // Around the origin, or a unit beside it.
  const middle = [0, 1].map((k) => {
    const along = points.filter((_, i) => i % 2 === k);
    return Math.floor(
      (along.reduce((most, value) => Math.max(most, value)) + along.reduce((least, value) => Math.min(least, value))) /
        2,
    );
  });
  return points.map((value, i) => value - middle[i % 2]);
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? Math.abs(a) : greatestDivisor(b, a % b);
}
