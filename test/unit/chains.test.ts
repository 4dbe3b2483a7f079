/** Chains and compounds in 2-D: validation, and answers beside those of all pairs of parts, one by one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { captureInput, parseCapture, type PlanarCapture } from '../../src/cpu.ts';
import { createTester, type PlanarTester } from '../../src/index.ts';
import type {
  ChainDescription,
  PlanarCompoundDescription,
  PlanarConvexDescription,
  PlanarShapeDescription,
} from '../../src/api/planar-shapes.ts';
import { below, createRandom, uniform, type Random } from '../../verification/families/random.ts';

const CIRCLE: PlanarConvexDescription = { type: 'circle', radius: 1 };

describe('descriptions that are refused', () => {
  const cases: [name: string, description: object, message: RegExp][] = [
    ['one point', { type: 'chain', points: [0, 0] }, /points\.length is 2, expected x, y of at least 2 points/],
    ['an odd count', { type: 'chain', points: [0, 0, 1] }, /points\.length is 3/],
    ['a loop of two points', { type: 'chain', points: [0, 0, 1, 0], loop: true }, /at least 3 points of a loop/],
    [
      'a repeated point',
      { type: 'chain', points: [0, 0, 1, 0, 1, 0] },
      /points\[4\.\.5\] is \[1,0\], expected a point that/,
    ],
    [
      'a loop whose last point is the first',
      { type: 'chain', points: [0, 0, 1, 0, 1, 1, 0, 0], loop: true },
      /points\[0\.\.1\]/,
    ],
    ['points that f32 cannot tell apart', { type: 'chain', points: [1, 0, 1 + 1e-9, 0] }, /differs from its neighbour/],
    ['NaN', { type: 'chain', points: [0, 0, NaN, 0] }, /points\[2\] is NaN, expected a finite number/],
    ['infinity', { type: 'chain', points: [0, 0, 0, Infinity] }, /points\[3\] is Infinity/],
    [
      'wrong sides',
      { type: 'chain', points: [0, 0, 1, 0], sides: 'back' },
      /sides is "back", expected 'both' or 'front'/,
    ],
    ['a wrong loop', { type: 'chain', points: [0, 0, 1, 0], loop: 1 }, /loop is 1, expected a boolean/],
    ['an unknown field', { type: 'chain', points: [0, 0, 1, 0], closed: true }, /closed/],
    ['no parts', { type: 'compound', parts: [] }, /parts is \[\], expected an array of at least one/],
    [
      'a compound in a compound',
      { type: 'compound', parts: [{ shape: { type: 'compound', parts: [{ shape: CIRCLE }] } }] },
      /parts\[0\]\.shape\.type is "compound"/,
    ],
    [
      'a chain in a compound',
      { type: 'compound', parts: [{ shape: { type: 'chain', points: [0, 0, 1, 0] } }] },
      /shape\.type is "chain", expected the type of a convex shape/,
    ],
    [
      'a half-space',
      { type: 'compound', parts: [{ shape: { type: 'halfspace', normal: [0, 1], offset: 0 } }] },
      /shape\.type/,
    ],
    [
      'a wrong angle',
      { type: 'compound', parts: [{ shape: CIRCLE, angle: Infinity }] },
      /parts\[0\]\.angle is Infinity/,
    ],
    ['a scale of 0', { type: 'compound', parts: [{ shape: CIRCLE, scale: 0 }] }, /parts\[0\]\.scale is 0/],
    ['a quaternion', { type: 'compound', parts: [{ shape: CIRCLE, quaternion: [0, 0, 0, 1] }] }, /quaternion/],
  ];
  test.each(cases)('%s', async (_, description, message) => {
    const tester = await createTester({ backend: 'cpu', dimension: 2, threads: 1 });
    expect(() => tester.addShape(description as PlanarShapeDescription)).toThrow(message);
    tester.dispose();
  });
});

test('mass properties and geometry: a square of tiles, a loop, and what has none', async () => {
  const tester = await createTester({ backend: 'cpu', dimension: 2, threads: 1 });
  const tile: PlanarConvexDescription = { type: 'rectangle', halfExtents: [0.5, 0.5] };
  const square = tester.addShape({
    type: 'compound',
    parts: [0, 1, 2, 3].map((i) => ({
      shape: tile,
      position: [(i & 1) + 0.5, (i >> 1) + 0.5],
      angle: (i * Math.PI) / 2,
    })),
  });
  const loop: ChainDescription = { type: 'chain', points: [0, 0, 2, 0, 2, 2, 0, 2], loop: true };
  for (const id of [square, tester.addShape(loop)]) {
    const { area, centroid, inertia } = tester.massProperties(id);
    expect(area).toBeCloseTo(4, 6);
    expect(centroid[0]).toBeCloseTo(1, 6);
    expect(centroid[1]).toBeCloseTo(1, 6);
    expect(inertia).toBeCloseTo((4 * (4 + 4)) / 12, 5);
  }
  const open = tester.addShape({ type: 'chain', points: [0, 0, 1, 0, 1, 1] });
  expect(Array.from(tester.shapeGeometry(open).edges)).toEqual([0, 1, 1, 2]);
  expect(() => tester.massProperties(open)).toThrow(/a chain that is a loop/);
  expect(() => tester.massProperties(tester.addShape({ ...loop, points: [0, 0, 0, 2, 2, 2, 2, 0] }))).toThrow(
    /counter-clockwise/,
  );
  expect(() => tester.shapeGeometry(square)).toThrow(/a convex shape or a chain/);
  tester.dispose();
});

const SEED = 11;

function convex(random: Random): PlanarConvexDescription {
  const size = (): number => Math.fround(uniform(random, 0.1, 0.5));
  const radius = random() < 0.5 ? 0 : Math.fround(uniform(random, 0.01, 0.1));
  const points = Array.from({ length: 2 * (3 + below(random, 4)) }, () => Math.fround(uniform(random, -0.5, 0.5)));
  return [
    (): PlanarConvexDescription => ({ type: 'circle', radius: size() }),
    (): PlanarConvexDescription => ({ type: 'capsule', halfHeight: size(), radius: size() / 2 }),
    (): PlanarConvexDescription => ({ type: 'rectangle', halfExtents: [size(), size()], radius }),
    (): PlanarConvexDescription => ({ type: 'segment', points: points.slice(0, 4), radius }),
    (): PlanarConvexDescription => ({ type: 'polygon', points, convexify: true, radius }),
  ][below(random, 5)]();
}

/** A shape as the list of its parts, as bodies of their own: relative to the shape's frame, which is turned by `angle`. */
type Part = { shape: PlanarConvexDescription; position: readonly [number, number]; angle: number; scale: number };

function partsOf(shape: PlanarShapeDescription): Part[] {
  if (shape.type === 'compound')
    return shape.parts.map(({ shape: own, position = [0, 0], angle = 0, scale = 1 }) => ({
      shape: own,
      position: [position[0], position[1]],
      angle: Math.fround(angle),
      scale: Math.fround(scale),
    }));
  if (shape.type !== 'chain') return [{ shape, position: [0, 0], angle: 0, scale: 1 }];
  const points = Array.from(shape.points);
  const count = points.length / 2;
  return Array.from({ length: shape.loop ? count : count - 1 }, (_, i) => {
    const next = (i + 1) % count;
    const ends = [points[2 * i], points[2 * i + 1], points[2 * next], points[2 * next + 1]];
    return { shape: { type: 'segment', points: ends }, position: [0, 0], angle: 0, scale: 1 };
  });
}

function makeShapes(random: Random): PlanarShapeDescription[] {
  const chain = (loop: boolean): ChainDescription => ({
    type: 'chain',
    loop,
    points: Array.from({ length: 14 }, (_, i) =>
      Math.fround(i % 2 === 0 ? 0.3 * (i / 2) - 1 + uniform(random, 0, 0.2) : uniform(random, -0.3, 0.3)),
    ),
  });
  const compound = (): PlanarCompoundDescription => ({
    type: 'compound',
    parts: Array.from({ length: 2 + below(random, 5) }, () => ({
      shape: convex(random),
      position: [Math.fround(uniform(random, -1, 1)), Math.fround(uniform(random, -1, 1))],
      angle: Math.fround(uniform(random, -3, 3)),
      scale: Math.fround(uniform(random, 0.5, 1.5)),
    })),
  });
  return [chain(false), chain(true), compound(), compound(), convex(random), convex(random)];
}

const BODIES = 40;
const PAIRS = 300;

describe('beside all pairs of parts, one by one', () => {
  const random = createRandom(SEED);
  const shapes = makeShapes(random);
  const bodies = {
    shapes: Uint32Array.from({ length: BODIES }, (_, i) => i % shapes.length),
    positions: Float32Array.from({ length: 2 * BODIES }, () => uniform(random, -2, 2)),
    angles: Float32Array.from({ length: BODIES }, () => uniform(random, -3, 3)),
    scales: Float32Array.from({ length: BODIES }, () => uniform(random, 0.5, 1.5)),
    linearVelocities: Float32Array.from({ length: 2 * BODIES }, () => uniform(random, -2, 2)),
    angularVelocities: new Float32Array(BODIES),
  };
  const pairs = Uint32Array.from({ length: 2 * PAIRS }, () => below(random, BODIES));
  for (let i = 0; i < PAIRS; i++) if (pairs[2 * i] === pairs[2 * i + 1]) pairs[2 * i + 1] = (pairs[2 * i] + 1) % BODIES;

  /** All parts as bodies, and all pairs of parts. */
  const flat = { shapes: [] as PlanarConvexDescription[], numbers: [] as number[], first: [] as number[] };
  const numbers: Record<'positions' | 'angles' | 'scales' | 'linearVelocities', number[]> = {
    positions: [],
    angles: [],
    scales: [],
    linearVelocities: [],
  };
  for (let body = 0; body < BODIES; body++) {
    flat.first.push(flat.shapes.length);
    const [angle, scale] = [bodies.angles[body], bodies.scales[body]];
    const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
    for (const part of partsOf(shapes[bodies.shapes[body]])) {
      const [x, y] = part.position;
      flat.shapes.push(part.shape);
      numbers.positions.push(bodies.positions[2 * body] + scale * (cosine * x - sine * y));
      numbers.positions.push(bodies.positions[2 * body + 1] + scale * (sine * x + cosine * y));
      numbers.angles.push(angle + part.angle);
      numbers.scales.push(scale * part.scale);
      numbers.linearVelocities.push(bodies.linearVelocities[2 * body], bodies.linearVelocities[2 * body + 1]);
    }
  }
  flat.first.push(flat.shapes.length);
  const flatPairs: number[] = [];
  const pairOf: number[] = [];
  for (let i = 0; i < PAIRS; i++)
    for (let a = flat.first[pairs[2 * i]]; a < flat.first[pairs[2 * i] + 1]; a++)
      for (let b = flat.first[pairs[2 * i + 1]]; b < flat.first[pairs[2 * i + 1] + 1]; b++) {
        flatPairs.push(a, b);
        pairOf.push(i);
      }

  let tester: PlanarTester;
  let parts: Parameters<PlanarTester['impacts']>[0];
  beforeAll(async () => {
    tester = await createTester({ backend: 'cpu', dimension: 2, threads: 1 });
    for (const shape of shapes) tester.addShape(shape);
    parts = {
      shapes: Uint32Array.from(flat.shapes, (shape) => tester.addShape(shape)),
      positions: Float64Array.from(numbers.positions),
      angles: Float32Array.from(numbers.angles),
      scales: Float32Array.from(numbers.scales),
      linearVelocities: Float32Array.from(numbers.linearVelocities),
    };
  });
  afterAll(() => tester.dispose());

  /** The least of the values of each pair's parts. */
  function least(values: ArrayLike<number>): number[] {
    const found = Array<number>(PAIRS).fill(Infinity);
    pairOf.forEach((pair, i) => (found[pair] = Math.min(found[pair], values[i])));
    return found;
  }

  test('distances, intersects, and their lists of parts', async () => {
    const found = await tester.distances(bodies, pairs);
    const expected = least((await tester.distances(parts, Uint32Array.from(flatPairs))).distance);
    const hit = await tester.intersects(bodies, pairs);
    let hits = 0;
    for (let i = 0; i < PAIRS; i++) {
      expect(found.distance[i], `pair ${i}, seed ${SEED}`).toBeCloseTo(expected[i], 5);
      if (expected[i] > 1e-5) expect(hit.hit[i]).toBe(0);
      hits += hit.hit[i];
    }
    expect(hits).toBeGreaterThan(40);
    expect(PAIRS - hits).toBeGreaterThan(40);
    const list = await tester.intersects(bodies, pairs, { parts: 'all' });
    const all = await tester.intersects(parts, Uint32Array.from(flatPairs));
    expect(Math.abs(list.count - all.hits)).toBeLessThanOrEqual(1);
    expect(new Set(list.pair).size).toBe(hits);
    for (let i = 1; i < list.count; i++) {
      const key = (k: number): number => 1e6 * list.pair[k] + 1e3 * list.partA![k] + list.partB![k];
      expect(key(i)).toBeGreaterThan(key(i - 1));
    }
  });

  test('contacts of bodies that are apart have the gap and the points of the nearest parts', async () => {
    const found = await tester.contacts(bodies, pairs, {
      margin: 10,
      fields: ['distance', 'normal', 'pointA', 'pointB', 'partA'],
    });
    const expected = least((await tester.distances(parts, Uint32Array.from(flatPairs))).distance);
    for (let i = 0; i < PAIRS; i++) {
      if (!(expected[i] > 1e-3)) continue;
      expect(found.distance[i]).toBeCloseTo(expected[i], 5);
      for (let k = 0; k < 2; k++)
        expect(found.pointA[2 * i + k] + found.distance[i] * found.normal[2 * i + k]).toBeCloseTo(
          found.pointB[2 * i + k],
          4,
        );
    }
  });

  test('impacts, by each algorithm: bodies that do not overlap meet when their first parts do', async () => {
    const gaps = least((await tester.distances(parts, Uint32Array.from(flatPairs))).distance);
    for (const algorithm of ['auto', 'cast', 'velocity-epa'] as const) {
      const options = { duration: 1, algorithm };
      const found = await tester.impacts(bodies, pairs, options);
      const expected = least((await tester.impacts(parts, Uint32Array.from(flatPairs), options)).time);
      let met = 0;
      for (let i = 0; i < PAIRS; i++) {
        if (!(gaps[i] > 1e-3)) continue;
        if (expected[i] < Infinity) met++;
        if (found.time[i] === Infinity || expected[i] === Infinity)
          expect(found.time[i], `pair ${i}`).toBe(expected[i]);
        else expect(found.time[i], `pair ${i}, ${algorithm}`).toBeCloseTo(expected[i], 3);
      }
      expect(met).toBeGreaterThan(30);
    }
  });

  test('findPairs: a box encloses all parts and no more', async () => {
    const found = await tester.findPairs(bodies);
    const keys = new Set(Array.from({ length: found.length / 2 }, (_, i) => `${found[2 * i]} ${found[2 * i + 1]}`));
    const all = Uint32Array.from({ length: BODIES * (BODIES - 1) }, () => 0);
    let at = 0;
    for (let a = 0; a < BODIES; a++) for (let b = a + 1; b < BODIES; b++) all.set([a, b], 2 * at++);
    const { hit } = await tester.intersects(bodies, all);
    for (let i = 0; i < at; i++) if (hit[i]) expect(keys.has(`${all[2 * i]} ${all[2 * i + 1]}`)).toBe(true);
    expect(keys.size).toBeLessThan(at);
  });

  test('rayCasts: the first part that each ray meets', async () => {
    const count = 60;
    const rays = {
      origins: Float32Array.from({ length: 2 * count }, () => uniform(random, -4, 4)),
      directions: Float32Array.from({ length: 2 * count }, () => uniform(random, -1, 1)),
    };
    const found = [...(await tester.rayCasts(bodies, rays))];
    const expected = [...(await tester.rayCasts(parts, rays))];
    expect(found.map(({ ray }) => ray)).toEqual(expected.map(({ ray }) => ray));
    expect(found.length).toBeGreaterThan(20);
    found.forEach(({ time }, i) => expect(time, `ray ${found[i].ray}`).toBeCloseTo(expected[i].time, 4));
  });

  test('a capture describes chains and compounds, and its parts', async () => {
    const { hit } = await tester.intersects(bodies, pairs);
    const index = hit.findIndex((isHit, i) => isHit === 1 && bodies.shapes[pairs[2 * i]] < 4);
    const capture = await tester.capture(bodies, pairs, index, { query: 'contacts', parts: 'all' });
    const again = parseCapture(JSON.parse(JSON.stringify(capture)));
    expect(again).toEqual(capture);
    const ids = capture.shapes.map((shape) => tester.addShape(shape));
    const { bodies: two } = captureInput(again as PlanarCapture, [ids[0], ids[1]]);
    const found = [...(await tester.contacts(two, Uint32Array.of(0, 1), { parts: 'all' }))];
    expect(found).toHaveLength((capture.result as unknown as unknown[]).length);
    for (const id of ids) tester.removeShape(id);
  });

  test('partA is a field without parts: all, which takes no other value', async () => {
    const named = await tester.distances(bodies, pairs, { fields: ['partA', 'partB', 'distance'] });
    expect(named.partA.some((part) => part > 0)).toBe(true);
    await expect(tester.distances(bodies, pairs, { parts: 'some' } as never)).rejects.toThrow(/options\.parts/);
  });
});

/** A shape at a place beside the body at the origin, shape 0. */
function besideOrigin(shape: number, { at }: { at: number[] }) {
  return { shapes: Uint32Array.of(0, shape), positions: Float64Array.of(0, 0, ...at), angles: new Float32Array(2) };
}

describe('inside of a block of 3 x 3 tiles', () => {
  let tester: PlanarTester;
  beforeAll(async () => {
    tester = await createTester({ backend: 'cpu', dimension: 2, threads: 1 });
    tester.addShape({
      type: 'compound',
      parts: Array.from({ length: 9 }, (_, i) => ({
        shape: { type: 'rectangle', halfExtents: [0.5, 0.5] },
        position: [(i % 3) - 1, Math.floor(i / 3) - 1],
      })),
    });
    tester.addShape({ type: 'circle', radius: 0.1 });
    tester.addShape({ type: 'rectangle', halfExtents: [0.1, 0.1] });
  });
  afterAll(() => tester.dispose());

  const places = [
    { at: [0.2, 0.1], normal: [1, 0], depth: 1.4 },
    { at: [0.2, 0.3], normal: [0, 1], depth: 1.3 },
    { at: [-0.45, 0.1], normal: [-1, 0], depth: 1.15 },
    { at: [0.1, -0.52], normal: [0, -1], depth: 1.08 },
  ];
  const cases = [1, 2].flatMap((shape) => places.map((place) => ({ shape, place })));

  test.each(cases)('shape $shape at $place.at leaves through the nearest side', async ({ shape, place }) => {
    const pair = Uint32Array.of(0, 1);
    const [contact] = await tester.contacts(besideOrigin(shape, place), pair);
    expect(contact.distance).toBeCloseTo(-place.depth, 5);
    place.normal.forEach((value, k) => expect(contact.normal[k]).toBeCloseTo(value, 5));
    const list = [...(await tester.contacts(besideOrigin(shape, place), pair, { parts: 'all' }))];
    expect(list.length).toBeGreaterThan(0);
    for (const { normal } of list)
      expect(Math.max(...place.normal.map((x, k) => Math.abs(x - normal[k])))).toBeLessThan(1e-5);
    for (const { points } of await tester.manifolds(besideOrigin(shape, place), pair))
      expect(points.length).toBeGreaterThan(0);
  });

  test.each(cases)('shape $shape at $place.at leaves without meeting a seam', async ({ shape, place }) => {
    for (const velocity of [0.01, 1, 10]) {
      const linearVelocities = Float32Array.of(0, 0, ...place.normal.map((x) => velocity * x));
      const moving = { ...besideOrigin(shape, place), linearVelocities };
      const { statusCounts } = await tester.impacts(moving, Uint32Array.of(0, 1), {
        duration: 3,
        stopAtPenetration: false,
      });
      expect(statusCounts, `velocity ${velocity}`).toEqual([1, 0, 0, 0, 0]);
    }
  });
});
