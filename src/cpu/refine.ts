/** Mirror of shaders/refine.wgsl: the depth of curved pairs that EPA does not bracket. */
import { REFINE_CENTRE_DISTANCE, REFINE_ROUNDS, REFINE_SHRINK, REFINE_TILT } from '../generated/constants.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { createEpaResult, epa, type EpaResult } from './epa.ts';
import type { Pair } from './pair.ts';
import { recorder } from './recorder.ts';
import { climb } from './refine/climb.ts';
import { tryFaces } from './refine/faces.ts';
import { simplex, simplexAround, takeLocal } from './refine/local-polytope.ts';
import { lookFromOutside } from './refine/outside.ts';

const local = createEpaResult();

/** Improves what EPA left, whose polytope is still in memory. The upper bound stays: it holds for all directions. */
export function refine(pair: Pair, shapeA: ShapeData, shapeB: ShapeData, result: EpaResult): void {
  tryFaces(pair, shapeA, shapeB, result);
  climb(pair, result);
  if (recorder) recorder.refine(result);
  let tilt = REFINE_TILT;
  let witnessed = -Infinity;
  for (let round = 0; round < REFINE_ROUNDS; round++, tilt *= REFINE_SHRINK) {
    simplexAround(pair, result.normal, tilt);
    epa(pair, simplex, result.normal, REFINE_CENTRE_DISTANCE * tilt, local);
    result.iterations += local.iterations;
    witnessed = takeLocal(local, witnessed, result);
    if (recorder) recorder.refine(result);
  }
  lookFromOutside(pair, result);
  if (recorder) recorder.refine(result);
}
