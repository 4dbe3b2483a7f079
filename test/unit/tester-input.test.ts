/**
 * What testers of both dimensions refuse: errors have the code INVALID_INPUT and name the field, its value and what was
 * expected. planar-input.test.ts has what only 2-D testers have.
 */

import { describe, expect, test } from 'vitest';
import { createTester, NarrowphaseError, type Bodies, type Tester } from '../../src/index.ts';
import { dimensions, type Dimension } from '../helpers/dimensions.ts';

const QUERIES = ['intersects', 'distances', 'contacts', 'manifolds'] as const;
const PAIR = Uint32Array.of(0, 1);

/** The arrays of bodies of either dimension. */
interface Arrays {
  shapes: Uint32Array;
  positions: Float32Array | Float64Array;
  quaternions: Float32Array;
  angles: Float32Array;
  scales: Float32Array;
  matrices: Float32Array;
}

type BodyCase = [
  what: string,
  change: (bodies: Arrays) => unknown,
  field: string,
  value: string | RegExp,
  expected: RegExp,
];

type ShapeCase = [description: unknown, field: string, value: string];

const NONE = undefined as never;

/** Changes that only one dimension has. `bodies` are two boxes and a ball. */
const OF_ONE_DIMENSION: Record<Dimension['name'], { bodies: BodyCase[]; shapes: ShapeCase[] }> = {
  '3-D': {
    bodies: [
      [
        'quaternions as Float64Array',
        (b) => (b.quaternions = new Float64Array(12) as never),
        'bodies.quaternions',
        'Float64Array of 12 elements',
        /Float32Array/,
      ],
      [
        'too few quaternions',
        (b) => (b.quaternions = new Float32Array(11)),
        'bodies.quaternions.length',
        '11',
        /12 for 3 bodies/,
      ],
      [
        'a zero quaternion',
        (b) => b.quaternions.fill(0, 4, 8),
        'bodies.quaternions[4..7]',
        /0, ?0, ?0, ?0/,
        /length at least 1e-6/,
      ],
      [
        'a short quaternion',
        (b) => (b.quaternions[11] = 9e-7),
        'bodies.quaternions[8..11]',
        /0, ?0, ?0, ?8\.99\d*e-7/,
        /length at least 1e-6/,
      ],
      ['a NaN quaternion', (b) => (b.quaternions[5] = NaN), 'bodies.quaternions[4..7]', /0, ?NaN, ?0, ?1/, /finite/],
      [
        'an infinite quaternion',
        (b) => (b.quaternions[0] = Infinity),
        'bodies.quaternions[0..3]',
        /Infinity, ?0, ?0, ?1/,
        /finite/,
      ],
    ],
    shapes: [
      [undefined, 'description', 'undefined'],
      [null, 'description', 'null'],
      ['sphere', 'description', '"sphere"'],
      [{}, 'description.type', 'undefined'],
      [{ type: 'donut', radius: 1 }, 'description.type', '"donut"'],
      [{ type: 'sphere' }, 'description.radius', 'undefined'],
      [{ type: 'sphere', radius: -1 }, 'description.radius', '-1'],
      [{ type: 'sphere', radius: NaN }, 'description.radius', 'NaN'],
      [{ type: 'sphere', radius: Infinity }, 'description.radius', 'Infinity'],
      [{ type: 'sphere', radius: 1e39 }, 'description.radius', '1e+39'],
      [{ type: 'sphere', radius: '1' }, 'description.radius', '"1"'],
      [{ type: 'capsule', radius: 1 }, 'description.halfHeight', 'undefined'],
      [{ type: 'capsule', halfHeight: -2, radius: 1 }, 'description.halfHeight', '-2'],
      [{ type: 'capsule', halfHeight: 1, radius: -0.5 }, 'description.radius', '-0.5'],
      [{ type: 'box' }, 'description.halfExtents', 'undefined'],
      [{ type: 'box', halfExtents: 1 }, 'description.halfExtents', '1'],
      [{ type: 'box', halfExtents: [1, 1] }, 'description.halfExtents.length', '2'],
      [{ type: 'box', halfExtents: [1, -1, 1] }, 'description.halfExtents[1]', '-1'],
      [{ type: 'box', halfExtents: [1, 1, NaN] }, 'description.halfExtents[2]', 'NaN'],
      [{ type: 'box', halfExtents: [1, 1, 1], radius: -1 }, 'description.radius', '-1'],
      [{ type: 'triangle', points: [0, 0, 0, 1, 0, 0] }, 'description.points.length', '6'],
      [{ type: 'triangle', points: [0, 0, 0, 1, 0, 0, 0, NaN, 0] }, 'description.points[7]', 'NaN'],
      [{ type: 'hull', points: [] }, 'description.points.length', '0'],
      [{ type: 'hull' }, 'description.points', 'undefined'],
      [{ type: 'hull', points: [0, 0, 0, 1] }, 'description.points.length', '4'],
      [{ type: 'hull', points: [0, 0, Infinity] }, 'description.points[2]', 'Infinity'],
      [{ type: 'hull', points: [0, 0, '0'] }, 'description.points[2]', '"0"'],
      [{ type: 'hull', points: [0, 0, 0], radius: NaN }, 'description.radius', 'NaN'],
    ],
  },
  '2-D': {
    bodies: [
      [
        'quaternions beside angles',
        (b) => (b.quaternions = new Float32Array(12)),
        'bodies.quaternions',
        'Float32Array of 12 elements',
        /angles/,
      ],
      [
        'quaternions in place of angles',
        (b) => Object.assign(b, { angles: NONE, quaternions: new Float32Array(12) }),
        'bodies.quaternions',
        'Float32Array of 12 elements',
        /angles/,
      ],
      [
        'matrices',
        (b) => {
          for (const field of Object.keys(b)) if (field !== 'shapes') delete b[field as keyof Arrays];
          b.matrices = new Float32Array(48);
        },
        'bodies.matrices',
        'Float32Array of 48 elements',
        /angles/,
      ],
      ['no angles', (b) => (b.angles = NONE), 'bodies.angles', 'undefined', /Float32Array/],
      [
        'angles as Float64Array',
        (b) => (b.angles = new Float64Array(3) as never),
        'bodies.angles',
        'Float64Array of 3 elements',
        /Float32Array/,
      ],
      ['too few angles', (b) => (b.angles = new Float32Array(2)), 'bodies.angles.length', '2', /3 for 3 bodies/],
      ['too many angles', (b) => (b.angles = new Float32Array(4)), 'bodies.angles.length', '4', /3 for 3 bodies/],
      ['a NaN angle', (b) => (b.angles[1] = NaN), 'bodies.angles[1]', 'NaN', /finite/],
      ['an infinite angle', (b) => (b.angles[2] = -Infinity), 'bodies.angles[2]', '-Infinity', /finite/],
    ],
    shapes: [
      [undefined, 'description', 'undefined'],
      [null, 'description', 'null'],
      ['circle', 'description', '"circle"'],
      [{}, 'description.type', 'undefined'],
      [{ type: 'donut', radius: 1 }, 'description.type', '"donut"'],
      [{ type: 'circle' }, 'description.radius', 'undefined'],
      [{ type: 'circle', radius: -1 }, 'description.radius', '-1'],
      [{ type: 'circle', radius: NaN }, 'description.radius', 'NaN'],
      [{ type: 'circle', radius: Infinity }, 'description.radius', 'Infinity'],
      [{ type: 'circle', radius: 1e39 }, 'description.radius', '1e+39'],
      [{ type: 'circle', radius: '1' }, 'description.radius', '"1"'],
      [{ type: 'capsule', radius: 1 }, 'description.halfHeight', 'undefined'],
      [{ type: 'capsule', halfHeight: 1 }, 'description.radius', 'undefined'],
      [{ type: 'capsule', halfHeight: -2, radius: 1 }, 'description.halfHeight', '-2'],
      [{ type: 'capsule', halfHeight: 1, radius: -0.5 }, 'description.radius', '-0.5'],
      [{ type: 'segment' }, 'description.points', 'undefined'],
      [{ type: 'segment', points: [0, 0, 1] }, 'description.points.length', '3'],
      [{ type: 'segment', points: [0, 0, 1, 0, 2, 0] }, 'description.points.length', '6'],
      [{ type: 'segment', points: [0, 0, 1, NaN] }, 'description.points[3]', 'NaN'],
      [{ type: 'segment', points: [0, 0, 1, 0], radius: -1 }, 'description.radius', '-1'],
      [{ type: 'rectangle' }, 'description.halfExtents', 'undefined'],
      [{ type: 'rectangle', halfExtents: 1 }, 'description.halfExtents', '1'],
      [{ type: 'rectangle', halfExtents: [1, 1, 1] }, 'description.halfExtents.length', '3'],
      [{ type: 'rectangle', halfExtents: [1, -1] }, 'description.halfExtents[1]', '-1'],
      [{ type: 'rectangle', halfExtents: [NaN, 1] }, 'description.halfExtents[0]', 'NaN'],
      [{ type: 'rectangle', halfExtents: [1, 1], radius: Infinity }, 'description.radius', 'Infinity'],
      [{ type: 'polygon' }, 'description.points', 'undefined'],
      [{ type: 'polygon', points: 'here' }, 'description.points', '"here"'],
      [{ type: 'polygon', points: [] }, 'description.points.length', '0'],
      [{ type: 'polygon', points: [0, 0, 1] }, 'description.points.length', '3'],
      [{ type: 'polygon', points: [0, 0, 1, 0, 0, Infinity] }, 'description.points[5]', 'Infinity'],
      [{ type: 'polygon', points: [0, 0, 1, 0, 0, 1e39] }, 'description.points[5]', '1e+39'],
      [{ type: 'polygon', points: [0, 0, '1', 0] }, 'description.points[2]', '"1"'],
      [
        {
          type: 'polygon',
          points: [
            [0, 0],
            [1, 0],
          ],
        },
        'description.points[0]',
        '[0,0]',
      ],
      [{ type: 'polygon', points: [0, 0, 1, 0, 0, 1], radius: NaN }, 'description.radius', 'NaN'],
      [{ type: 'polygon', points: [0, 0, 1, 0, 0, 1], convexify: 'yes' }, 'description.convexify', '"yes"'],
    ],
  },
};

/** The parts of a message "FIELD is VALUE, expected EXPECTATION". */
function parts({ message }: Error): { field: string; value: string; expected: string } {
  const match = /^(.*?) is (.*), expected (.+)$/s.exec(message);
  if (!match) throw new Error(`not "FIELD is VALUE, expected EXPECTATION": ${message}`);
  return { field: match[1], value: match[2], expected: match[3] };
}

async function errorOf(query: () => Promise<unknown>): Promise<NarrowphaseError> {
  return query().then(
    () => expect.fail('it was accepted'),
    (error: NarrowphaseError) => error,
  );
}

describe.each(dimensions)('$name', async (dimension) => {
  const { axes, identity, vector } = dimension;
  const tester: Tester = await dimension.createTester({ backend: 'cpu' });
  const add = (description: unknown, to = tester): number => to.addShape(description as never);
  const box = add(dimension.box(1));
  const ball = add(dimension.ball(0.5));
  const removed = add(dimension.ball(1));
  tester.removeShape(removed);

  /** Two boxes and a ball in a row. */
  function good(): Bodies & Arrays {
    return dimension.makeBodies({
      shapes: [box, box, ball],
      positions: Float32Array.from([0, 3, 6].flatMap((x) => vector(x, 0))),
      scales: Float32Array.of(1, 1, 1),
    }) as Bodies & Arrays;
  }

  function changed(change: (bodies: Arrays) => unknown): Bodies {
    const bodies = good();
    change(bodies);
    return bodies;
  }

  /** The error of every query, which is the same. */
  async function errorOfAll(bodies: Bodies, pairs = PAIR, options: object = {}): Promise<NarrowphaseError> {
    const errors = await Promise.all(
      QUERIES.map((query) => errorOf(() => tester[query](bodies, pairs, options as never))),
    );
    for (const error of errors) expect(error).toEqual(errors[0]);
    return errors[0];
  }

  test('valid bodies are accepted with and without scales, in either precision', async () => {
    for (const query of QUERIES) {
      expect((await tester[query](good(), PAIR)).count).toBe(1);
      const { scales: _, ...plain } = good() as Arrays;
      const precise = { ...plain, positions: Float64Array.from(plain.positions) };
      expect((await tester[query](plain as unknown as Bodies, PAIR)).count).toBe(1);
      expect((await tester[query](precise as unknown as Bodies, PAIR)).count).toBe(1);
    }
  });

  describe('bodies', () => {
    const rotations = identity.length === 4 ? 'quaternions' : 'angles';
    const ofBoth: BodyCase[] = [
      ['shapes as an array', (b) => (b.shapes = [0, 1, 2] as never), 'bodies.shapes', '[0,1,2]', /Uint32Array/],
      [
        'shapes as Uint16Array',
        (b) => (b.shapes = new Uint16Array(3) as never),
        'bodies.shapes',
        'Uint16Array of 3 elements',
        /Uint32Array/,
      ],
      ['no positions', (b) => (b.positions = NONE), 'bodies.positions', 'undefined', /Float32Array or Float64Array/],
      [
        'positions as an array',
        (b) => (b.positions = [0, 0] as never),
        'bodies.positions',
        '[0,0]',
        /Float32Array or Float64Array/,
      ],
      [
        'too few positions',
        (b) => (b.positions = new Float32Array(3 * axes - 1)),
        'bodies.positions.length',
        String(3 * axes - 1),
        new RegExp(`${3 * axes} for 3 bodies`),
      ],
      [
        'too many positions',
        (b) => (b.positions = new Float32Array(4 * axes)),
        'bodies.positions.length',
        String(4 * axes),
        new RegExp(`${3 * axes} for 3 bodies`),
      ],
      [
        'positions of the other dimension',
        (b) => (b.positions = new Float32Array(3 * (5 - axes))),
        'bodies.positions.length',
        String(3 * (5 - axes)),
        new RegExp(`${3 * axes} for 3 bodies`),
      ],
      ['too few scales', (b) => (b.scales = Float32Array.of(1, 1)), 'bodies.scales.length', '2', /3 for 3 bodies/],
      ['scales as an array', (b) => (b.scales = [1, 1, 1] as never), 'bodies.scales', '[1,1,1]', /Float32Array/],
      ['an unknown shape', (b) => (b.shapes[1] = 77), 'bodies.shapes[1]', '77', /id of a shape/],
      ['a removed shape', (b) => (b.shapes[2] = removed), 'bodies.shapes[2]', String(removed), /id of a shape/],
      ['a NaN position', (b) => (b.positions[axes + 1] = NaN), `bodies.positions[${axes + 1}]`, 'NaN', /finite/],
      [
        'an infinite position',
        (b) => (b.positions[3 * axes - 1] = Infinity),
        `bodies.positions[${3 * axes - 1}]`,
        'Infinity',
        /finite/,
      ],
      [
        'an infinite 64-bit position',
        (b) => (b.positions = Float64Array.from(b.positions, (x, i) => (i === 2 ? -Infinity : x))),
        'bodies.positions[2]',
        '-Infinity',
        /finite/,
      ],
      [
        'a 64-bit position too far out',
        (b) => (b.positions = Float64Array.from(b.positions, (x, i) => (i === 2 ? -2e30 : x))),
        'bodies.positions[2]',
        '-2e+30',
        /finite number of at most 1e30/,
      ],
      ['scale 0', (b) => (b.scales[1] = 0), 'bodies.scales[1]', '0', /above 0/],
      ['a negative scale', (b) => (b.scales[0] = -1), 'bodies.scales[0]', '-1', /above 0/],
      ['a NaN scale', (b) => (b.scales[2] = NaN), 'bodies.scales[2]', 'NaN', /above 0/],
      ['an infinite scale', (b) => (b.scales[2] = Infinity), 'bodies.scales[2]', 'Infinity', /finite/],
    ];
    const fields = new RegExp(`shapes, positions, ${rotations}`);
    const cases: [what: string, bodies: Bodies, field: string, value: string | RegExp, expected: RegExp][] = [
      ['nothing', NONE, 'bodies', 'undefined', fields],
      ['null', null as never, 'bodies', 'null', fields],
      ...[...ofBoth, ...OF_ONE_DIMENSION[dimension.name].bodies].map(
        ([what, change, ...error]): (typeof cases)[number] => [what, changed(change), ...error],
      ),
    ];

    test.each(cases)('%s', async (_, bodies, field, value, expected) => {
      const error = await errorOfAll(bodies);
      expect(error).toBeInstanceOf(NarrowphaseError);
      expect(error).toMatchObject({ code: 'INVALID_INPUT', name: 'NarrowphaseError' });
      const found = parts(error);
      expect(found.field).toBe(field);
      if (typeof value === 'string') expect(found.value).toBe(value);
      else expect(found.value).toMatch(value);
      expect(found.expected).toMatch(expected);
      // Other calls refuse bodies with the same error.
      const rays = { origins: new Float32Array(axes), directions: Float32Array.from(vector(1, 0)) };
      const moving = (bodies && { ...bodies, linearVelocities: new Float32Array(3 * axes) }) as never;
      expect(await errorOf(() => tester.findPairs(bodies))).toEqual(error);
      expect(await errorOf(() => tester.rayCasts(bodies, rays))).toEqual(error);
      expect(await errorOf(() => tester.impacts(moving, PAIR, { duration: 1 }))).toEqual(error);
    });
  });

  test.each<[what: string, pairs: unknown, field: string, value: string, expected: RegExp]>([
    ['an array', [0, 1], 'pairs', '[0,1]', /Uint32Array/],
    ['nested arrays', [[0, 1]], 'pairs', '[[0,1]]', /Uint32Array/],
    ['Int32Array', Int32Array.of(0, 1), 'pairs', 'Int32Array of 2 elements', /Uint32Array/],
    ['nothing', undefined, 'pairs', 'undefined', /Uint32Array/],
    ['an odd length', Uint32Array.of(0, 1, 2), 'pairs.length', '3', /even/],
    ['one body too far', Uint32Array.of(0, 1, 1, 3), 'pairs[3]', '3', /below the 3 bodies/],
    ['a huge index', Uint32Array.of(0xffff_ffff, 1), 'pairs[0]', '4294967295', /below the 3 bodies/],
  ])('pairs: %s', async (_, pairs, field, value, expected) => {
    const errors = await Promise.all(
      QUERIES.map((query) => errorOf(() => tester[query](good(), pairs as Uint32Array))),
    );
    for (const error of errors) {
      expect(error.code).toBe('INVALID_INPUT');
      expect(parts(error)).toEqual({ field, value, expected: expect.stringMatching(expected) });
    }
  });

  test.each<[what: string, options: object, field: string, value: string, expected: RegExp]>([
    ['an unknown algorithm', { algorithm: 'epa' }, 'options.algorithm', '"epa"', /'auto', 'sat', 'gjk' or 'mpr'/],
    ["another algorithm's depth", { algorithm: 'gjk', mprDepth: 'ray' }, 'options.mprDepth', '"ray"', /'mpr'/],
    ['a depth without an algorithm', { mprDepth: 'normal' }, 'options.mprDepth', '"normal"', /'mpr'/],
    ['an unknown depth', { algorithm: 'mpr', mprDepth: 'least' }, 'options.mprDepth', '"least"', /'ray' or 'normal'/],
    ['unknown results', { results: 'some' }, 'options.results', '"some"', /'all' or 'hits'/],
    ['results of another query', { results: 'earliest' }, 'options.results', '"earliest"', /'all' or 'hits'/],
    ['a negative margin', { margin: -0.1 }, 'options.margin', '-0.1', /at least 0/],
    ['a NaN margin', { margin: NaN }, 'options.margin', 'NaN', /at least 0/],
    ['a margin in words', { margin: '1' }, 'options.margin', '"1"', /number/],
    ['escalate that is no boolean', { escalate: 1 }, 'options.escalate', '1', /boolean/],
    ['a signal that is none', { signal: {} }, 'options.signal', '{}', /AbortSignal/],
    ['options that are none', null as never, 'options', 'null', /object/],
  ])('options: %s', async (_, options, field, value, expected) => {
    const error = await errorOfAll(good(), PAIR, options);
    expect(error.code).toBe('INVALID_INPUT');
    expect(parts(error)).toEqual({ field, value, expected: expect.stringMatching(expected) });
  });

  test.each(OF_ONE_DIMENSION[dimension.name].shapes)('shape %j is refused at %s', (description, field, value) => {
    let error: unknown;
    try {
      add(description);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ name: 'NarrowphaseError', code: 'INVALID_INPUT' });
    expect(parts(error as Error)).toMatchObject({ field, value });
  });

  test('ids of removed shapes are reused, lowest first, and cannot be removed twice', async () => {
    const own = await dimension.createTester({ backend: 'cpu' });
    const addBall = (radius: number): number => add(dimension.ball(radius), own);
    expect([addBall(1), addBall(2), addBall(3), addBall(4)]).toEqual([0, 1, 2, 3]);
    own.removeShape(2);
    own.removeShape(1);
    expect(() => own.removeShape(1)).toThrowError(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringMatching(/^id is 1, expected/) }),
    );
    expect(() => own.removeShape(9)).toThrowError(expect.objectContaining({ code: 'INVALID_INPUT' }));
    const bodies = dimension.makeBodies({
      shapes: [1, 2],
      positions: Float32Array.from([...vector(0, 0), ...vector(20, 0)]),
    });
    expect(parts(await errorOf(() => own.distances(bodies, PAIR)))).toMatchObject({
      field: 'bodies.shapes[0]',
      value: '1',
    });
    // The new shape of a reused id counts.
    expect([addBall(5), add(dimension.box(6), own), addBall(7)]).toEqual([1, 2, 4]);
    expect((await own.distances(bodies, PAIR)).distance[0]).toBe(20 - 5 - 6);
  });
});

describe('3-D only', async () => {
  const tester: Tester = await createTester({ backend: 'cpu' });
  const box = tester.addShape({ type: 'box', halfExtents: [1, 1, 1] });
  const ball = tester.addShape({ type: 'sphere', radius: 0.5 });
  const bodies = {
    shapes: Uint32Array.of(box, box, ball),
    positions: Float32Array.of(0, 0, 0, 3, 0, 0, 6, 0, 0),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  };

  test('a quaternion of length 1e-6 and more is accepted', async () => {
    const quaternions = Float32Array.from(bodies.quaternions);
    quaternions[3] = 2e-6;
    const { status } = await tester.contacts({ ...bodies, quaternions }, PAIR);
    expect(Array.from(status)).toEqual([0]);
  });

  test("'sat' accepts boxes, and names the body that is none", async () => {
    for (const query of ['intersects', 'distances', 'contacts'] as const) {
      const error = await errorOf(() => tester[query](bodies, Uint32Array.of(0, 1, 1, 2), { algorithm: 'sat' }));
      expect(error.code).toBe('INVALID_INPUT');
      expect(parts(error)).toEqual({
        field: 'options.algorithm',
        value: '"sat"',
        expected: expect.stringContaining('body 2'),
      });
    }
    expect((await tester.contacts(bodies, PAIR, { algorithm: 'sat' })).count).toBe(1);
  });

  test('sizes may be 0 and hulls may be typed arrays of any kind', async () => {
    const own = await createTester({ backend: 'cpu' });
    const ids = [
      own.addShape({ type: 'sphere', radius: 0 }),
      own.addShape({ type: 'box', halfExtents: [0, 0, 0] }),
      own.addShape({ type: 'capsule', halfHeight: 0, radius: 0 }),
      own.addShape({ type: 'hull', points: Float64Array.of(0, 0, 0) }),
      own.addShape({ type: 'hull', points: Int8Array.of(0, 0, 0, 1, 0, 0), radius: 0 }),
    ];
    expect(ids).toEqual([0, 1, 2, 3, 4]);
  });
});
