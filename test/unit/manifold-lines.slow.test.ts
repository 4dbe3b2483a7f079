/** Contacts along a line: both ends of the line, however the bodies lie and tremble. */

import { describe, expect, test } from 'vitest';
import * as cpu from '../../src/cpu.ts';
import { poseOf } from '../../verification/families/family.ts';
import { LINE_GAPS, LINE_PAIRS, makeRidgeFamily, missedEnds } from '../../verification/families/ridge-pairs.ts';

const SEED = 20_261_127;
const COUNT = 24;

describe.each(LINE_PAIRS)('%s along %s', (first, second) => {
  test.each([0, 1e-6, 1e-5, 1e-4])('turned by up to %d rad has the two ends of the line', (turn) => {
    // Over a face's border, the part of a line that is turned inwards rests on the face.
    for (const share of turn > 1e-5 ? [undefined, 0.01] : [undefined, 0, 0.01]) {
      const family = makeRidgeFamily(first, second, COUNT, SEED, { turn, share, gap: LINE_GAPS });
      const found = Array.from({ length: COUNT }, (_, pair) => {
        const [a, b] = [0, 1].map((side) => cpu.createShape(family.shapes[family.bodies.shapes[2 * pair + side]]));
        const [poseA, poseB] = [0, 1].map((side) => poseOf(family, 2 * pair + side) as cpu.CpuPose);
        return cpu.manifold(a, poseA, b, poseB, { margin: 0.01 });
      });
      expect(missedEnds(family, found), `seed ${SEED}, turn ${turn}, share ${share}`).toEqual([]);
    }
  });
});

test("a cylinder's side has two points on a box's edge and on the face beside it", () => {
  const cylinder = cpu.createShape({ type: 'cylinder', halfHeight: 0.925, radius: 0.5 });
  const box = cpu.createShape({ type: 'box', halfExtents: [0.05, 0.75, 0.5] });
  const upright = [0, 0, 0, 1];
  for (let step = -20; step <= 60; step++) {
    const { points } = cpu.manifold(
      cylinder,
      { position: [0, 0.925, step / 1000], quaternion: upright },
      box,
      { position: [0.53, 0.75, -0.5], quaternion: upright },
      { margin: 0.01 },
    );
    expect(points.map(({ position }) => position[1]).sort(), `z = ${step / 1000}`).toEqual([
      expect.closeTo(0, 6),
      expect.closeTo(1.5, 6),
    ]);
  }
});
