/** What a tester refuses: errors have the code INVALID_INPUT and name the field, its value and what was expected. */

import { describe, expect, test } from 'vitest';
import { createTester, NarrowphaseError, type Bodies, type PosedBodies, type Tester } from '../../src/index.ts';

const tester: Tester = await createTester({ backend: 'cpu' });
const box = tester.addShape({ type: 'box', halfExtents: [1, 1, 1] });
const ball = tester.addShape({ type: 'sphere', radius: 0.5 });
const removed = tester.addShape({ type: 'sphere', radius: 1 });
tester.removeShape(removed);

const queries = ['intersects', 'distances', 'contacts'] as const;

type FullBodies = Required<Omit<PosedBodies, 'matrices'>>;

/** Two boxes and a ball in a row. */
function good(): FullBodies {
  return {
    shapes: Uint32Array.of(box, box, ball),
    positions: Float32Array.of(0, 0, 0, 3, 0, 0, 6, 0, 0),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
    scales: Float32Array.of(1, 1, 1),
  };
}

function changed(change: (bodies: FullBodies) => void): Bodies {
  const bodies = good();
  change(bodies);
  return bodies;
}

const PAIR = Uint32Array.of(0, 1);

/** The error of every query, which is the same. */
async function errorOf(bodies: Bodies, pairs: Uint32Array, options: object = {}): Promise<NarrowphaseError> {
  const errors = await Promise.all(
    queries.map((query) =>
      tester[query](bodies, pairs, options as never).then(
        () => expect.fail(`${query} took it`),
        (error: unknown) => error,
      ),
    ),
  );
  for (const error of errors) expect(error).toEqual(errors[0]);
  return errors[0] as NarrowphaseError;
}

/** The parts of a message "FIELD is VALUE, expected EXPECTATION". */
function parts({ message }: Error): { field: string; value: string; expected: string } {
  const match = /^(.*?) is (.*), expected (.+)$/s.exec(message);
  if (!match) throw new Error(`not "FIELD is VALUE, expected EXPECTATION": ${message}`);
  return { field: match[1], value: match[2], expected: match[3] };
}

test('valid bodies are taken with and without scales, in either precision', async () => {
  for (const query of queries) {
    expect((await tester[query](good(), PAIR)).count).toBe(1);
    const { scales: _, ...plain } = good();
    expect((await tester[query]({ ...plain, positions: Float64Array.from(plain.positions) }, PAIR)).count).toBe(1);
  }
});

describe('bodies', () => {
  const none = undefined as never;
  const cases: [what: string, bodies: Bodies, field: string, value: string | RegExp, expected: RegExp][] = [
    ['nothing', none, 'bodies', 'undefined', /shapes, positions, quaternions/],
    ['null', null as never, 'bodies', 'null', /shapes, positions, quaternions/],
    ['shapes as an array', changed((b) => (b.shapes = [0, 1, 2] as never)), 'bodies.shapes', '[0,1,2]', /Uint32Array/],
    [
      'shapes as Uint16Array',
      changed((b) => (b.shapes = new Uint16Array(3) as never)),
      'bodies.shapes',
      'Uint16Array of 3 elements',
      /Uint32Array/,
    ],
    [
      'no positions',
      changed((b) => (b.positions = none)),
      'bodies.positions',
      'undefined',
      /Float32Array or Float64Array/,
    ],
    [
      'positions as an array',
      changed((b) => (b.positions = [0, 0] as never)),
      'bodies.positions',
      '[0,0]',
      /Float32Array or Float64Array/,
    ],
    [
      'quaternions as Float64Array',
      changed((b) => (b.quaternions = new Float64Array(12) as never)),
      'bodies.quaternions',
      'Float64Array of 12 elements',
      /Float32Array/,
    ],
    [
      'too few positions',
      changed((b) => (b.positions = new Float32Array(8))),
      'bodies.positions.length',
      '8',
      /9 for 3 bodies/,
    ],
    [
      'too many positions',
      changed((b) => (b.positions = new Float32Array(12))),
      'bodies.positions.length',
      '12',
      /9 for 3 bodies/,
    ],
    [
      'too few quaternions',
      changed((b) => (b.quaternions = new Float32Array(11))),
      'bodies.quaternions.length',
      '11',
      /12 for 3 bodies/,
    ],
    [
      'too few scales',
      changed((b) => (b.scales = Float32Array.of(1, 1))),
      'bodies.scales.length',
      '2',
      /3 for 3 bodies/,
    ],
    ['scales as an array', changed((b) => (b.scales = [1, 1, 1] as never)), 'bodies.scales', '[1,1,1]', /Float32Array/],
    ['an unknown shape', changed((b) => (b.shapes[1] = 77)), 'bodies.shapes[1]', '77', /id of a shape/],
    ['a removed shape', changed((b) => (b.shapes[2] = removed)), 'bodies.shapes[2]', String(removed), /id of a shape/],
    ['a NaN position', changed((b) => (b.positions[4] = NaN)), 'bodies.positions[4]', 'NaN', /finite/],
    ['an infinite position', changed((b) => (b.positions[8] = Infinity)), 'bodies.positions[8]', 'Infinity', /finite/],
    [
      'an infinite 64-bit position',
      changed((b) => (b.positions = Float64Array.from(b.positions, (x, i) => (i === 2 ? -Infinity : x)))),
      'bodies.positions[2]',
      '-Infinity',
      /finite/,
    ],
    [
      'a zero quaternion',
      changed((b) => b.quaternions.fill(0, 4, 8)),
      'bodies.quaternions[4..7]',
      /0, ?0, ?0, ?0/,
      /length at least 1e-6/,
    ],
    [
      'a short quaternion',
      changed((b) => (b.quaternions[11] = 9e-7)),
      'bodies.quaternions[8..11]',
      /0, ?0, ?0, ?8\.99\d*e-7/,
      /length at least 1e-6/,
    ],
    [
      'a NaN quaternion',
      changed((b) => (b.quaternions[5] = NaN)),
      'bodies.quaternions[4..7]',
      /0, ?NaN, ?0, ?1/,
      /finite/,
    ],
    [
      'an infinite quaternion',
      changed((b) => (b.quaternions[0] = Infinity)),
      'bodies.quaternions[0..3]',
      /Infinity, ?0, ?0, ?1/,
      /finite/,
    ],
    ['scale 0', changed((b) => (b.scales[1] = 0)), 'bodies.scales[1]', '0', /above 0/],
    ['a negative scale', changed((b) => (b.scales[0] = -1)), 'bodies.scales[0]', '-1', /above 0/],
    ['a NaN scale', changed((b) => (b.scales[2] = NaN)), 'bodies.scales[2]', 'NaN', /above 0/],
    ['an infinite scale', changed((b) => (b.scales[2] = Infinity)), 'bodies.scales[2]', 'Infinity', /finite/],
  ];

  test.each(cases)('%s', async (_, bodies, field, value, expected) => {
    const error = await errorOf(bodies, PAIR);
    expect(error).toBeInstanceOf(NarrowphaseError);
    expect(error).toMatchObject({ code: 'INVALID_INPUT', name: 'NarrowphaseError' });
    const found = parts(error);
    expect(found.field).toBe(field);
    if (typeof value === 'string') expect(found.value).toBe(value);
    else expect(found.value).toMatch(value);
    expect(found.expected).toMatch(expected);
  });

  test('a quaternion of 1e-6 and more is taken', async () => {
    const { status } = await tester.contacts(
      changed((b) => (b.quaternions[3] = 2e-6)),
      PAIR,
    );
    expect(Array.from(status)).toEqual([0]);
  });
});

describe('pairs', () => {
  const cases: [what: string, pairs: unknown, field: string, value: string, expected: RegExp][] = [
    ['an array', [0, 1], 'pairs', '[0,1]', /Uint32Array/],
    ['nested arrays', [[0, 1]], 'pairs', '[[0,1]]', /Uint32Array/],
    ['Int32Array', Int32Array.of(0, 1), 'pairs', 'Int32Array of 2 elements', /Uint32Array/],
    ['nothing', undefined, 'pairs', 'undefined', /Uint32Array/],
    ['an odd length', Uint32Array.of(0, 1, 2), 'pairs.length', '3', /even/],
    ['one body too far', Uint32Array.of(0, 1, 1, 3), 'pairs[3]', '3', /below the 3 bodies/],
    ['a huge index', Uint32Array.of(0xffff_ffff, 1), 'pairs[0]', '4294967295', /below the 3 bodies/],
  ];

  test.each(cases)('%s', async (_, pairs, field, value, expected) => {
    const error = await errorOf(good(), pairs as Uint32Array);
    expect(error.code).toBe('INVALID_INPUT');
    expect(parts(error)).toEqual({ field, value, expected: expect.stringMatching(expected) });
  });
});

describe('options', () => {
  const cases: [what: string, options: object, field: string, value: string, expected: RegExp][] = [
    ['an unknown algorithm', { algorithm: 'epa' }, 'options.algorithm', '"epa"', /'auto', 'sat', 'gjk' or 'mpr'/],
    ["another algorithm's depth", { algorithm: 'gjk', mprDepth: 'ray' }, 'options.mprDepth', '"ray"', /'mpr'/],
    ['a depth without an algorithm', { mprDepth: 'normal' }, 'options.mprDepth', '"normal"', /'mpr'/],
    ['an unknown depth', { algorithm: 'mpr', mprDepth: 'least' }, 'options.mprDepth', '"least"', /'ray' or 'normal'/],
    ['unknown results', { results: 'some' }, 'options.results', '"some"', /'all' or 'hits'/],
    ['a negative margin', { margin: -0.1 }, 'options.margin', '-0.1', /at least 0/],
    ['a NaN margin', { margin: NaN }, 'options.margin', 'NaN', /at least 0/],
    ['a margin in words', { margin: '1' }, 'options.margin', '"1"', /number/],
  ];

  test.each(cases)('%s', async (_, options, field, value, expected) => {
    const error = await errorOf(good(), PAIR, options);
    expect(error.code).toBe('INVALID_INPUT');
    expect(parts(error)).toEqual({ field, value, expected: expect.stringMatching(expected) });
  });

  test("'sat' takes boxes, and names the body that is none", async () => {
    const error = await errorOf(good(), Uint32Array.of(0, 1, 1, 2), { algorithm: 'sat' });
    expect(error.code).toBe('INVALID_INPUT');
    expect(parts(error)).toEqual({
      field: 'options.algorithm',
      value: '"sat"',
      expected: expect.stringContaining('body 2'),
    });
    expect((await tester.contacts(good(), PAIR, { algorithm: 'sat' })).count).toBe(1);
  });
});

describe('shapes', () => {
  const cases: [description: unknown, field: string, value: string][] = [
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
  ];

  test.each(cases)('%j is refused at %s', (description, field, value) => {
    let error: unknown;
    try {
      tester.addShape(description as never);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ name: 'NarrowphaseError', code: 'INVALID_INPUT' });
    expect(parts(error as Error)).toMatchObject({ field, value });
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

  test('ids of removed shapes are given out again, lowest first, and cannot be removed twice', async () => {
    const own = await createTester({ backend: 'cpu' });
    const add = (radius: number): number => own.addShape({ type: 'sphere', radius });
    expect([add(1), add(2), add(3), add(4)]).toEqual([0, 1, 2, 3]);
    own.removeShape(2);
    own.removeShape(1);
    expect(() => own.removeShape(1)).toThrowError(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringMatching(/^id is 1, expected/) }),
    );
    expect(() => own.removeShape(9)).toThrowError(expect.objectContaining({ code: 'INVALID_INPUT' }));
    expect([add(5), add(6), add(7)]).toEqual([1, 2, 4]);
    // The new shape of an old id is the one that counts.
    const bodies = {
      shapes: Uint32Array.of(1, 2),
      positions: Float32Array.of(0, 0, 0, 20, 0, 0),
      quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
    };
    const { distance } = await own.distances(bodies, PAIR);
    expect(distance[0]).toBe(20 - 5 - 6);
  });
});
