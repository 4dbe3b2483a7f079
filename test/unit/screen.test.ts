/** Screens pass what `check` accepts, and never what it refuses. */

import { describe, expect, test } from 'vitest';
import { dimension2 } from '../../src/dimension/dim2.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { passesBodyScreens, passesPairScreens } from '../../src/request/screen.ts';
import { checkPairs } from '../../src/request/validate-bodies.ts';
import { readMotion } from '../../src/request/validate-motion.ts';
import { addShape, createShapeTable, removeShape, snapshotOf } from '../../src/shapes/shape-table.ts';
import { below, createRandom } from '../../verification/families/random.ts';
import { dimensions } from '../helpers/dimensions.ts';
import { REMOVED, faultsOf, makeScene, pick, shapesOf } from '../helpers/spoiled-scenes.ts';

const SEED = 20_261_125;
const RUNS = 400;
const SIZE = { bodyCount: 300, pairCount: 400 };

describe.each(dimensions)('$name', (tested) => {
  const dimension = tested.axes === 3 ? dimension3 : dimension2;
  const own = createShapeTable();
  for (const shape of shapesOf(tested)) addShape(own, shape, dimension as never);
  removeShape(own, REMOVED);
  const table = snapshotOf(own, dimension as never);

  /** Whether all of `of` parts pass, and whether `check` accepts the scene. */
  function outcome(scene: ReturnType<typeof makeScene>, of: number): [passes: boolean, isValid: boolean] {
    const { shapes, positions, rotations, scales, linear, angular, pairs } = scene;
    const given = tested.makeBodies({ shapes, positions, rotations, scales });
    const { bodies, check } = dimension.readBodies(given, table);
    const velocities = { linearVelocities: linear, angularVelocities: angular };
    const moving = readMotion(velocities, 1, shapes.length, dimension as never);
    const request = { bodies, pairs, motion: moving.motion };
    const parts = Array.from({ length: of }, (_, index) => ({ index, of }));
    const passes = parts.every(
      (part) =>
        passesPairScreens(request, table, tested.axes, part) && passesBodyScreens(request, table, tested.axes, part),
    );
    try {
      check();
      checkPairs(pairs, shapes.length);
      dimension.expectPairs(shapes, pairs, table);
      moving.check();
      return [passes, true];
    } catch (error) {
      expect(error).toMatchObject({ code: 'INVALID_INPUT' });
      return [passes, false];
    }
  }

  test('without a fault all parts pass, however many', () => {
    const scene = makeScene(tested, createRandom(SEED), { ...SIZE, isWide: false });
    // One shape is so large that screens pass next to no scale.
    scene.scales.fill(1);
    for (const of of [1, 2, 7, 1000]) expect(outcome(scene, of)).toEqual([true, true]);
  });

  test('no part with a fault passes', () => {
    const faults = faultsOf(tested);
    const seen = new Set<string>();
    for (let run = 0; run < RUNS; run++) {
      const random = createRandom(SEED + run);
      const scene = makeScene(tested, random, { ...SIZE, isWide: random() < 0.5 });
      scene.scales.fill(1);
      const { name, values, put } = pick(random, faults);
      const value = pick(random, values);
      put(scene, pick(random, [0, SIZE.bodyCount - 1, below(random, SIZE.bodyCount)]), value);
      const [passes, isValid] = outcome(scene, 1 + below(random, 8));
      if (passes) expect(isValid, `${name} ${value}`).toBe(true);
      seen.add(`${passes} ${isValid}`);
    }
    // Screens refuse some numbers at the limits that `check` accepts.
    expect([...seen].sort()).toEqual(['false false', 'false true', 'true true']);
  });
});
