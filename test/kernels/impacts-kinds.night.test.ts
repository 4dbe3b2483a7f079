/**
 * Impacts of one type pair alone, on kernels compiled for it, against the oracle. All types in one query:
 * impacts.test.ts; degenerate pairs: impacts-degenerate.test.ts.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANY_KIND } from '../../src/generated/constants.ts';
import { SOFTWARE } from '../../src/gpu/adapter-class.ts';
import { impactPlanner } from '../../src/gpu/impact-plan.ts';
import { createTester } from '../../src/node.ts';
import { chooseImpactStage } from '../../src/request/validate.ts';
import { addShape, createShapeTable } from '../../src/shapes/shape-table.ts';
import type { Tester } from '../../src/api/types.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import type { MovingFamily } from '../../verification/families/moving-family.ts';
import { judgeQuery, movingFamily } from '../helpers/impacts.ts';
import { planQuery } from '../helpers/plan-query.ts';

const SEED = 20_261_308;
const PAIRS = 400;

let gpu: Tester;

beforeAll(async () => {
  gpu = await createTester({ backend: 'webgpu' });
});

afterAll(() => gpu?.dispose());

/** The pairs whose first body has the first type: of two types every other one. */
function inOrder({ name, pairs }: MovingFamily): Uint32Array {
  const [a, b] = name.split(/[/-]/);
  return a === b ? pairs : pairs.filter((_, i) => (i >> 1) % 2 === 0);
}

const kinds = ['sphere/sphere', 'box-box', 'box/capsule', 'triangle/hull', 'hull/halfspace', 'cylinder/ellipsoid'];

describe.each(kinds)('%s alone', (name) => {
  test.each([false, true])('has its kernels, which are right, turning: %s', async (isTurning) => {
    const family = movingFamily(name, PAIRS, SEED, { isTurning });
    const list = inOrder(family);
    const shapes = createShapeTable();
    for (const shape of family.shapes) addShape(shapes, shape, dimension3);
    const { bodies, duration } = family;
    for (const algorithm of isTurning ? (['auto', 'cast'] as const) : (['auto', 'cast', 'velocity-epa'] as const)) {
      const motion = { linear: bodies.linearVelocities, angular: bodies.angularVelocities, duration };
      const { steps } = planQuery(
        impactPlanner,
        {
          query: 'impacts',
          bodies,
          pairs: list,
          shapes,
          leadStage: chooseImpactStage(algorithm),
          margin: 0,
          motion,
        },
        SOFTWARE,
      );
      const kernels = steps.flatMap((step) => (step.step === 'kernel' ? [step.variant] : []));
      // Boxes that turn are cast: what comes after needs what a cast leaves.
      const isSwept = name === 'box-box' && algorithm === 'auto' && !isTurning;
      const isExpanded = algorithm === 'velocity-epa' && name !== 'sphere/sphere' && !name.includes('halfspace');
      const first = name.includes('halfspace') || isSwept ? 'impacts-closed' : 'impacts-cast';
      // What velocity EPA leaves open is cast.
      expect(kernels.map(({ kernel }) => kernel)).toEqual(
        isExpanded ? ['impacts-epa', 'impacts-cast'] : isTurning ? [first, 'impacts-rotating'] : [first],
      );
      // Pairs with hulls or curved shapes have one kernel for all kinds.
      const isForAnyKind = /hull|cylinder/.test(name);
      for (const { constants } of kernels) expect(constants?.KIND_A === ANY_KIND).toBe(isForAnyKind);
      const { missed, met, overlapped, open } = await judgeQuery(gpu, family, list, algorithm, `${name}, seed ${SEED}`);
      expect(Math.min(missed, met, overlapped)).toBeGreaterThan((0.1 * list.length) / 2);
      expect(open).toBeLessThanOrEqual(list.length / 200);
    }
  });
});
