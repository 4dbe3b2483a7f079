/** The judge by the oracle: it lets a right answer pass, and finds each thing that can be wrong. */

import { describe, expect, test } from 'vitest';
import { Status } from '../../src/api/types.ts';
import { makeShapePairFamily, poseOf } from '../../verification/families/families.ts';
import {
  judgeContact,
  oracleShape,
  pairSize,
  signedDistance,
  type OraclePose,
  type ReportedContact,
} from '../../verification/oracle/index.ts';

function at(x: number, y: number, z: number): OraclePose {
  return { position: [x, y, z], quaternion: [0, 0, 0, 1] };
}

const HERE = at(0, 0, 0);

describe('judge', () => {
  const cube = oracleShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const ball = oracleShape({ type: 'sphere', radius: 0.5 });
  const poseB = at(0.25, 0, 2);
  const right: ReportedContact = {
    status: Status.Separated,
    distance: 1,
    normal: [0, 0, 1],
    pointA: [0.25, 0, 0.5],
    pointB: [0.25, 0, 1.5],
    lower: 1,
    upper: 1,
    hit: true,
  };
  const judge = (change: Partial<ReportedContact>, options = {}) =>
    judgeContact(cube, HERE, ball, poseB, { ...right, ...change }, 1e-9, options);

  test('finds nothing wrong with a right answer', () => {
    expect(judge({})).toEqual([]);
    const deep: ReportedContact = {
      status: Status.Overlapping,
      distance: -0.75,
      normal: [0, 0, 1],
      pointA: [0, 0, 0.5],
      pointB: [0, 0, -0.25],
    };
    expect(judgeContact(cube, HERE, ball, at(0, 0, 0.25), deep, 1e-9)).toEqual([]);
  });

  test.each<[string, Partial<ReportedContact>, string]>([
    ['NaN', { distance: NaN }, 'not finite'],
    ['a wrong distance', { distance: 1.01 }, 'distance 1.01'],
    ['a wrong status', { status: Status.Overlapping }, 'status 1'],
    ['a status of bad input', { status: Status.InvalidInput }, 'status 3'],
    ['a flipped normal', { normal: [0, 0, -1] }, 'supports'],
    ['a tilted normal', { normal: [0.6, 0, 0.8] }, 'supports'],
    ['a long normal', { normal: [0, 0, 1.1] }, 'length'],
    ['points that do not match', { pointB: [0.26, 0, 1.5] }, 'pointB'],
    ['points beside the surface', { pointA: [0.7, 0, 0.5], pointB: [0.7, 0, 1.5] }, 'pointA is'],
    ['points inside', { pointA: [0.25, 0, 0.4], pointB: [0.25, 0, 1.4] }, 'pointA is'],
    ['a lower bound above', { lower: 1.1 }, 'lower'],
    ['an upper bound below', { upper: 0.9 }, 'upper'],
    ['bounds that say nothing', { lower: -Infinity, upper: Infinity }, 'lower bound -Infinity'],
    ['an infinite upper bound', { upper: Infinity }, 'upper bound Infinity'],
    ['a missed hit', { hit: false }, 'hit'],
  ])('finds %s', (_, change, text) => {
    expect(judge(change).join('\n')).toContain(text);
  });

  test('leaves the values alone when the status says that they did not converge', () => {
    expect(judge({ status: Status.NotConverged, distance: 0.5, lower: 0.5, upper: 2 })).toEqual([]);
    expect(judge({ status: Status.NotConverged, lower: 1.5 }).join()).toContain('lower');
  });

  test('beyond the margin a lower bound with a separating axis will do', () => {
    const early = {
      distance: 0.7,
      normal: [0.3, 0, Math.sqrt(0.91)],
      pointA: [0, 0, 0],
      pointB: [0, 0, 0],
      hit: false,
    };
    expect(judge(early, { margin: 0.5 })).toEqual([]);
    expect(judge({ ...early, distance: 1.1 }, { margin: 0.5 }).join()).toContain('no lower bound');
    expect(judge({ ...early, normal: [0, 1, 0] }, { margin: 0.5 }).join()).toContain('separates by');
    expect(judge(early).length).toBeGreaterThan(0);
  });

  describe('of a half-space and a ball', () => {
    const floor = oracleShape({ type: 'halfspace', normal: [0, 0, 3], offset: 0.5 });
    const poseA = at(4, 5, 0);
    const above: ReportedContact = { ...right, pointA: [0.25, 0, 0.5] };
    const judgeFloor = (change: Partial<ReportedContact>, k: number | 'kernels' = 1e-9) =>
      judgeContact(floor, poseA, ball, poseB, { ...above, ...change }, k);

    test('finds nothing wrong with a right answer, whose normal may be rounded', () => {
      expect(judgeFloor({})).toEqual([]);
      expect(judgeFloor({ normal: [1e-7, 0, 1] }, 'kernels')).toEqual([]);
      const swapped = { normal: [0, 0, -1], pointA: above.pointB, pointB: above.pointA };
      expect(judgeContact(ball, poseB, floor, poseA, { ...above, ...swapped }, 1e-9)).toEqual([]);
    });

    test.each<[string, Partial<ReportedContact>, string]>([
      ['a wrong distance', { distance: 1.01 }, 'distance 1.01'],
      ['a normal turned by 1e-4', { normal: [1e-4, 0, 1] }, "turned from the half-space's"],
      ['a flipped normal', { normal: [0, 0, -1] }, "turned from the half-space's"],
      ['a point off the plane', { pointA: [0.25, 0, 0.4] }, 'pointA is'],
    ])('finds %s', (_, change, text) => {
      expect(judgeFloor(change, 'kernels').join('\n')).toContain(text);
    });
  });

  test('takes the tolerance of the shapes, apart and overlapping', () => {
    const drum = oracleShape({ type: 'cylinder', halfHeight: 0.5, radius: 0.5 });
    // A pair of size 1.2 to 1.3: shares of 1.5e-5 apart and of 5e-5 overlapping.
    for (const [height, off, tolerated] of [
      [1.01, 1.5e-5, true],
      [1.01, 1e-4, false],
      [0.99, 5e-5, true],
      [0.99, 5e-4, false],
    ] as const) {
      const distance = height - 1 + off;
      const reported = {
        status: distance > 0 ? Status.Separated : Status.Overlapping,
        distance,
        normal: [0, 1, 0],
        pointA: [0, 0.5, 0],
        pointB: [0, 0.5 + distance, 0],
      };
      expect(
        judgeContact(drum, HERE, ball, at(0, height, 0), reported, 'kernels').length === 0,
        `${height}, ${off}`,
      ).toBe(tolerated);
      expect(
        judgeContact(cube, HERE, ball, at(0, height, 0), reported, 'kernels').length === 0,
        `${height}, ${off}`,
      ).toBe(false);
    }
  });

  test('`distances` reports zeros for overlapping pairs', () => {
    const zeros = { status: Status.Overlapping, distance: 0, normal: [0, 0, 0], pointA: [0, 0, 0], pointB: [0, 0, 0] };
    const options = { query: 'distances' } as const;
    expect(judgeContact(cube, HERE, ball, at(0, 0, 0.5), zeros, 1e-9, options)).toEqual([]);
    expect(judgeContact(cube, HERE, ball, at(0, 0, 0.5), { ...zeros, distance: -0.5 }, 1e-9, options)).not.toEqual([]);
    expect(judgeContact(cube, HERE, ball, at(0, 0, 1.5), zeros, 1e-9, options).join()).toContain('true gap');
  });
});

test.each(['sphere/cylinder', 'sphere/cone', 'sphere/ellipsoid', 'sphere/halfspace'])(
  '%s: takes what follows from the ball',
  (name) => {
    const family = makeShapePairFamily(name, 200, 9);
    const shapes = family.shapes.map(oracleShape);
    for (let pair = 0; pair < 200; pair++) {
      const [a, b] = [2 * pair, 2 * pair + 1].map((body) => shapes[family.bodies.shapes[body]]);
      const [poseA, poseB] = [poseOf(family, 2 * pair), poseOf(family, 2 * pair + 1)];
      const { distance, normal } = signedDistance(a, poseA, b, poseB);
      // The ball's witness lies on its radius along the normal, the other's at the distance from there.
      const isFirst = family.shapes[family.bodies.shapes[2 * pair]].type === 'sphere';
      const [round, pose, side] = isFirst ? [a, poseA, 1] : [b, poseB, -1];
      const own = normal.map((x, k) => pose.position[k] + side * round.radius * (pose.scale ?? 1) * x);
      const other = own.map((x, k) => x + side * distance * normal[k]);
      const [pointA, pointB] = isFirst ? [own, other] : [other, own];
      const reported = {
        status: distance > 0 ? Status.Separated : Status.Overlapping,
        distance,
        normal,
        pointA,
        pointB,
        lower: distance,
        upper: distance,
      };
      expect(judgeContact(a, poseA, b, poseB, reported, 1e-8, { points: 'f64' }), `pair ${pair}`).toEqual([]);
      const moved = { ...reported, pointA: pointA.map((x, k) => x + 1e-3 * normal[k] * pairSize(a, poseA, b, poseB)) };
      expect(judgeContact(a, poseA, b, poseB, moved, 'reference', { points: 'f64' }).join(), `pair ${pair}`).toContain(
        'pointA is',
      );
    }
  },
);
