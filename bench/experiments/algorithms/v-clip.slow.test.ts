/** The benchmark's Voronoi-region walk against GJK: a comparison with wrong answers would be none. */

import { describe, expect, test } from 'vitest';
import { polyhedronOf } from './polyhedron.ts';
import { motionsBetween, VERTEX, vClip, type Walker } from './v-clip.ts';
import { distance, createShape, Status } from '../../../src/cpu.ts';
import { createMotion } from '../../../verification/families/stepped-bodies.ts';
import { anyFamily, pairsOf } from '../../../verification/families/test-pairs.ts';

const SEED = 20_261_207;
const FRAMES = 12;

describe.each(['box-box', 'hull32-hull32'] as const)('%s', (name) => {
  test('walks find the distance and overlap that GJK finds, in few steps where bodies moved little', () => {
    const family = anyFamily(name, 400, SEED);
    const shapes = family.shapes.map((shape) => createShape(shape));
    const solids = family.shapes.map(polyhedronOf);
    const move = createMotion(family, SEED);
    const walks = pairsOf(family).map(({ shapeA, shapeB }) =>
      [shapeA, shapeB].map((shape) => ({ solid: solids[shape], kind: VERTEX, index: 0 }) as Walker),
    );
    const steps = [0, 0];
    const statuses = [0, 0];
    for (let frame = 0; frame < FRAMES; frame++) {
      for (const { index, shapeA, shapeB, poseA, poseB, size } of pairsOf(family)) {
        const [a, b] = walks[index];
        [a.motion, b.motion] = motionsBetween(poseA, poseB);
        const found = vClip(a, b);
        const expected = distance(shapes[shapeA], poseA, shapes[shapeB], poseB, { algorithm: 'gjk' });
        const label = `seed ${SEED}, frame ${frame}, pair ${index}`;
        expect(found.isLost, label).toBe(false);
        expect(Math.abs(found.distance - expected.distance), label).toBeLessThanOrEqual(1e-9 * size);
        if (found.overlaps !== (expected.status === Status.Overlapping))
          expect(expected.distance, label).toBeLessThanOrEqual(1e-9 * size);
        steps[Math.min(frame, 1)] += found.steps / (frame === 0 ? 1 : FRAMES - 1);
        statuses[expected.status]++;
      }
      move(0.005);
    }
    const [first, later] = steps.map((sum) => sum / walks.length);
    expect(later).toBeLessThan(0.5 * first);
    expect(Math.min(...statuses)).toBeGreaterThan(600);
  });
});
