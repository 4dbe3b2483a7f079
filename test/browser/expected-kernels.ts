/** The kernels that queries of a family need, as the library plans them. */
import { expect } from 'vitest';
import { HARDWARE, SOFTWARE } from '../../src/gpu/adapter-class.ts';
import { variantKey, type KernelVariant } from '../../src/gpu/kernels.ts';
import { variantsOfQuery, variantsOfSteps } from '../../src/gpu/passes.ts';
import { impactPlanner } from '../../src/gpu/impact-plan.ts';
import { spatialPlanner } from '../../src/gpu/plan.ts';
import { batchPass, queryPasses } from '../../src/gpu/steps.ts';
import { chooseImpactStage } from '../../src/request/validate.ts';
import { addShape, createShapeTable } from '../../src/shapes/shape-table.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import type { Family } from '../../verification/families/family.ts';
import { setInMotion } from '../../verification/families/moving-family.ts';
import { leadStages } from '../helpers/lead-stages.ts';
import { QUERIES } from './cases.ts';
import { browserFamily, type BrowserFamilyName } from './families.ts';
import type { ImpactCase } from './impacts.ts';
import { planBatch, planQuery } from '../helpers/plan-query.ts';

const IMPACT_CASES: ImpactCase[] = [false, true].flatMap((isTurning) =>
  (['auto', 'cast', 'velocity-epa'] as const).map((algorithm) => ({ algorithm, isTurning })),
);

/** The kernels that a family's impacts run, in order. */
function impactKernels(
  name: BrowserFamilyName,
  count: number,
  seed: number,
  { algorithm, isTurning }: ImpactCase,
): KernelVariant[] {
  const {
    shapes: descriptions,
    bodies,
    pairs,
    duration,
  } = setInMotion(browserFamily(name, count, seed), seed + 1, { isTurning });
  const shapes = createShapeTable();
  for (const description of descriptions) addShape(shapes, description, dimension3);
  const motion = { linear: bodies.linearVelocities, angular: bodies.angularVelocities, duration };
  const leadStage = chooseImpactStage(algorithm);
  const plan = planQuery(
    impactPlanner,
    { query: 'impacts', bodies, pairs, shapes, leadStage, margin: 0, motion },
    SOFTWARE,
  );
  return variantsOfQuery(plan.steps, dimension3, false);
}

/** Those that differ in the kernels that they run: among others, what turns is the same by each algorithm. */
export function curvedImpactCases(count: number, seed: number): ImpactCase[] {
  const runs = new Map<string, ImpactCase>();
  for (const impactCase of IMPACT_CASES) {
    const key = impactKernels('curved', count, seed, impactCase).map(variantKey).join(', ');
    if (!runs.has(key)) runs.set(key, impactCase);
  }
  const cases = [...runs.values()];
  expect(cases.length).toBeGreaterThanOrEqual(3);
  return cases;
}

/** Those by SAT over time. Boxes by the others are for Dawn: test/kernels/impacts-kinds.night.test.ts and its neighbours. */
export function boxImpactCases(count: number, seed: number): ImpactCase[] {
  const cases = IMPACT_CASES.filter((impactCase) =>
    impactKernels('box-box', count, seed, impactCase).some(({ kernel }) => kernel === 'impacts-closed'),
  );
  expect(cases).toContainEqual({ algorithm: 'auto', isTurning: false });
  return cases;
}

/** Labels of all pipelines that a family's queries ask for, those for rare pairs included. */
export function pipelineLabels(name: BrowserFamilyName, count: number, seed: number): string[] {
  const { shapes: descriptions, bodies, pairs }: Family = browserFamily(name, count, seed);
  const shapes = createShapeTable();
  for (const description of descriptions) addShape(shapes, description, dimension3);
  const variants: KernelVariant[] = [];
  for (const query of [...QUERIES, 'manifolds'] as const) {
    for (const leadStage of leadStages(query)) {
      // Manifolds by portal refinement are not asked for: all their steps but the last are those of contacts.
      if (query === 'manifolds' && leadStage === 'mpr') continue;
      for (const margin of [0, Infinity]) {
        const plan = planQuery(spatialPlanner, { query, bodies, pairs, shapes, leadStage, margin }, SOFTWARE);
        variants.push(...variantsOfQuery(queryPasses(plan)[0], dimension3, true));
      }
    }
  }
  if (name === 'curved') {
    const contacts = { what: { query: 'contacts', leadStage: 'sat', margin: 0 }, isWarm: false } as const;
    variants.push(...variantsOfSteps(batchPass(planBatch(spatialPlanner, contacts, SOFTWARE, shapes.shapes))));
  }
  return [...new Set(variants.map((variant) => `kernels.${variantKey(variant)}`))];
}

/** Kernels of polytopes with the constants of graphics cards, each in one variant, and one with packed cells. */
export function hardwareVariants(): KernelVariant[] {
  const variants = new Map<string, KernelVariant>();
  // The kernels for boxes compile soonest.
  for (const name of ['box-box', 'sphere-box', 'rounded-box-hull'] as const) {
    const shapes = createShapeTable();
    for (const description of browserFamily(name, 1, 1).shapes) addShape(shapes, description, dimension3);
    for (const query of ['contacts', 'manifolds', 'distances'] as const)
      for (const leadStage of leadStages(query))
        for (const margin of [0, 0.0625]) {
          const batch = { what: { query, leadStage, margin }, isWarm: false };
          const steps = batchPass(planBatch(spatialPlanner, batch, HARDWARE, shapes.shapes));
          for (const variant of variantsOfSteps(steps)) {
            const key = `${variant.kernel} ${variant.constants?.PACKED_CELLS}`;
            if (!variants.has(key)) variants.set(key, variant);
          }
        }
  }
  return [...variants.values()];
}
