/** The double-precision reference on hard cases, degenerate shapes, extreme lengths and input that it refuses. */

import { describe, expect, test } from 'vitest';
import { contact, createShape, distance, intersects, Status, type CpuOptions, type CpuPose } from '../../src/cpu.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { TOLERANCE as TOLERANCES } from '../../src/shapes/tolerances.ts';
import { judgeContact, oracleShape } from '../../verification/oracle/index.ts';
import { hardCases, pairsOf } from '../../verification/families/test-pairs.ts';

const { reference: TOLERANCE } = TOLERANCES;

const HERE = { position: [0, 0, 0], quaternion: [0, 0, 0, 1] };

describe('poses that broke other libraries', () => {
  const { cases, family } = hardCases();
  const pairs = pairsOf(family);

  test.each(cases.map(({ id, truthSignedDistance }, index) => ({ id, truthSignedDistance, index })))(
    '$id: the signed distance is $truthSignedDistance by every algorithm and query',
    ({ index, truthSignedDistance: truth }) => {
      const { a, b, poseA, poseB, shapeA, shapeB, size } = pairs[index];
      const [subjectA, subjectB] = [shapeA, shapeB].map((shape) => createShape(family.shapes[shape]));
      const areBoxes = [shapeA, shapeB].every((shape) => family.shapes[shape].type === 'box');
      const t = TOLERANCE * size;
      for (const algorithm of areBoxes ? (['gjk', 'sat', 'auto'] as const) : (['gjk', 'auto'] as const)) {
        const found = contact(subjectA, poseA, subjectB, poseB, { algorithm, margin: Infinity });
        expect(Math.abs(found.distance - truth), `contact by ${algorithm} gives ${found.distance}`).toBeLessThanOrEqual(
          t,
        );
        expect(judgeContact(a, poseA, b, poseB, found, TOLERANCE, { points: 'f64' })).toEqual([]);
        const gap = distance(subjectA, poseA, subjectB, poseB, { algorithm });
        expect(
          Math.abs(gap.distance - Math.max(truth, 0)),
          `distance by ${algorithm} gives ${gap.distance}`,
        ).toBeLessThanOrEqual(t);
        expect(judgeContact(a, poseA, b, poseB, gap, TOLERANCE, { points: 'f64', query: 'distances' })).toEqual([]);
        for (const { status } of [found, gap]) expect([Status.Separated, Status.Overlapping]).toContain(status);
        if (Math.abs(truth) > t) {
          const { hit, status } = intersects(subjectA, poseA, subjectB, poseB, { algorithm });
          expect({ algorithm, hit, status }).toEqual({
            algorithm,
            hit: truth <= 0,
            status: truth <= 0 ? Status.Overlapping : Status.Separated,
          });
        }
      }
    },
  );
});

describe('rounded flat shapes, segments and points', () => {
  const descriptions: ShapeDescription[] = [
    { type: 'sphere', radius: 0 },
    { type: 'sphere', radius: 0.75 },
    { type: 'capsule', halfHeight: 0, radius: 0.5 },
    { type: 'capsule', halfHeight: 1, radius: 0 },
    { type: 'box', halfExtents: [0, 0, 0] },
    { type: 'box', halfExtents: [0.5, 0, 0.25], radius: 0.125 },
    { type: 'triangle', points: [0, 0, 0, 1, 0, 0, 0, 1, 0], radius: 0.25 },
    { type: 'triangle', points: [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5] },
    { type: 'hull', points: [0, 0, 0, 0, 1, 0] },
    { type: 'hull', points: [1, 1, 1], radius: 0.5 },
  ];
  const poses = [
    [0, 0, 0],
    [0.25, 0, 0],
    [0, 0.5, 0],
    [0.3, -0.2, 0.1],
    [2, 1, -1],
  ].flatMap((position) =>
    [
      [0, 0, 0, 1],
      [0.5, 0.5, 0.5, 0.5],
      [0.1, -0.2, 0.3, 0.9],
    ].map((quaternion) => ({ position, quaternion })),
  );
  test.each(descriptions.map((description) => ({ description })))(
    '$description against every other in every pose',
    ({ description }) => {
      const [a, subjectA] = [oracleShape(description), createShape(description)];
      for (const other of descriptions) {
        const [b, subjectB] = [oracleShape(other), createShape(other)];
        for (const pose of poses) {
          const found = contact(subjectA, HERE, subjectB, pose, { margin: Infinity });
          const faults = judgeContact(a, HERE, b, pose, found, TOLERANCE, { points: 'f64' });
          expect({ other, pose, faults, status: found.status }).toEqual({
            other,
            pose,
            faults: [],
            status: found.distance <= 0 ? 1 : 0,
          });
        }
      }
    },
  );
});

test('lengths far below and above all that is promised still give finite answers', () => {
  for (const length of [Number.MIN_VALUE, 1e-310, 1e-200, 1e-40, 1e-12, 1e12, 1e30]) {
    for (const shape of [
      { type: 'sphere', radius: length },
      { type: 'box', halfExtents: [length, length, length] },
    ] as const) {
      const subject = createShape(shape);
      const there = { position: [length, 0, 0], quaternion: [0, 0, 0, 1] };
      const found = contact(subject, HERE, subject, there, { margin: Infinity });
      expect(
        [found.distance, ...found.normal, ...found.pointA, ...found.pointB].every(Number.isFinite),
        `${shape.type} of ${length}`,
      ).toBe(true);
    }
  }
});

describe('input', () => {
  const box = createShape({ type: 'box', halfExtents: [0.1, 0.1, 0.1] });
  const ball = createShape({ type: 'sphere', radius: 0.1 });
  const there = { position: [1, 0, 0], quaternion: [0, 0, 0, 1] };

  test('nothing is rounded to f32', () => {
    expect(distance(ball, HERE, ball, there).distance).toBe(0.8);
    expect(contact(box, HERE, ball, { ...there, position: [0.1, 0, 0] }).distance).toBeCloseTo(-0.1, 15);
    expect(distance(box, HERE, ball, { ...there, position: [1e9 + 0.7, 0, 0] }).distance).toBeCloseTo(1e9 + 0.5, 6);
  });

  test('positions far from the origin cost nothing but their own rounding', () => {
    const far = 2 ** 40;
    const [a, b] = [far, far + 0.5].map((x) => ({ position: [x, -x, x], quaternion: [0, 0, 0, 1] }));
    expect(distance(ball, a, ball, b).distance).toBe(
      distance(ball, HERE, ball, { ...there, position: [0.5, -0.5, 0.5] }).distance,
    );
  });

  test('a scale multiplies core and rounding, default 1', () => {
    const rounded = createShape({ type: 'box', halfExtents: [0.25, 0.25, 0.25], radius: 0.125 });
    expect(distance(rounded, { ...HERE, scale: 2 }, ball, { ...there, position: [2, 0, 0] }).distance).toBeCloseTo(
      2 - 0.75 - 0.1,
      15,
    );
    expect(distance(rounded, HERE, ball, { ...there, scale: 3 }).distance).toBeCloseTo(1 - 0.375 - 0.3, 15);
  });

  test('margins: contact 0 and distance Infinity by default, a hit at most that far', () => {
    expect(contact(ball, HERE, ball, there)).toMatchObject({
      hit: false,
      status: Status.Separated,
      pointA: [0, 0, 0],
      pointB: [0, 0, 0],
    });
    expect(distance(ball, HERE, ball, there)).toMatchObject({ hit: true, status: Status.Separated });
    expect(intersects(ball, HERE, ball, there, { margin: 0.81 })).toEqual({ hit: true, status: Status.Separated });
    expect(intersects(ball, HERE, ball, there, { margin: 0.79 })).toEqual({ hit: false, status: Status.Separated });
    expect(intersects(ball, HERE, ball, HERE)).toEqual({ hit: true, status: Status.Overlapping });
  });

  const cases: [what: string, ask: () => unknown, message: RegExp][] = [
    [
      'a NaN position',
      () => contact(box, { ...HERE, position: [0, NaN, 0] }, ball, there),
      /^poseA\.position\[1\] is NaN, expected a finite number/,
    ],
    [
      'an infinite position',
      () => distance(box, HERE, ball, { ...there, position: [0, 0, Infinity] }),
      /^poseB\.position\[2\] is Infinity/,
    ],
    [
      'a short position',
      () => distance(box, HERE, ball, { ...there, position: [0, 0] }),
      /^poseB\.position is \[0,0\], expected an array of 3 numbers/,
    ],
    [
      'a zero quaternion',
      () => intersects(box, HERE, ball, { ...there, quaternion: [0, 0, 0, 0] }),
      /^poseB\.quaternion is \[0,0,0,0\], expected .*1e-6/,
    ],
    [
      'a NaN quaternion',
      () => contact(box, { ...HERE, quaternion: [0, NaN, 0, 1] }, ball, there),
      /^poseA\.quaternion is .*0, ?NaN, ?0, ?1/,
    ],
    [
      'a quaternion of three',
      () => contact(box, { ...HERE, quaternion: [0, 0, 1] }, ball, there),
      /^poseA\.quaternion/,
    ],
    [
      'scale 0',
      () => contact(box, { ...HERE, scale: 0 }, ball, there),
      /^poseA\.scale is 0, expected a finite number above 0/,
    ],
    ['a negative margin', () => contact(box, HERE, ball, there, { margin: -1 }), /^options\.margin is -1/],
    ['a NaN margin', () => contact(box, HERE, ball, there, { margin: NaN }), /^options\.margin is NaN/],
    [
      'an unknown algorithm',
      () => contact(box, HERE, ball, there, { algorithm: 'epa' as CpuOptions['algorithm'] }),
      /^options\.algorithm is "epa"/,
    ],
    [
      "a depth of MPR's from another",
      () => contact(box, HERE, ball, there, { mprDepth: 'ray' }),
      /^options\.mprDepth is "ray", expected .*'mpr'/,
    ],
    [
      'an unknown depth',
      () => contact(box, HERE, ball, there, { algorithm: 'mpr', mprDepth: 'least' as CpuOptions['mprDepth'] }),
      /^options\.mprDepth is "least", expected 'ray' or 'normal'/,
    ],
    ["'sat' on a ball", () => contact(box, HERE, ball, there, { algorithm: 'sat' }), /^options\.algorithm is "sat"/],
    ['an unknown shape', () => createShape({ type: 'torus' } as never), /^description\.type is "torus"/],
  ];

  test.each(cases)('%s is refused', (_, ask, message) => {
    expect(ask).toThrowError(
      expect.objectContaining({
        name: 'NarrowphaseError',
        code: 'INVALID_INPUT',
        message: expect.stringMatching(message),
      }),
    );
  });

  test('typed arrays and plain ones serve alike', () => {
    const pose: CpuPose = { position: Float64Array.of(1, 0, 0), quaternion: Float32Array.of(0, 0, 0, 1) };
    expect(contact(box, HERE, ball, pose, { margin: 9 })).toEqual(contact(box, HERE, ball, there, { margin: 9 }));
  });
});
