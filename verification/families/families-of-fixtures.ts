/**
 * Pairs that this package once answered wrongly, as one family; pair i is case i. For the hard cases see
 * `hardCases` in `test-pairs.ts`.
 */

import type { ShapeDescription } from '../../src/api/shapes.ts';
import { emptyFamily, putBody, type Family } from './family.ts';
import regressions from '../fixtures/regressions.json' with { type: 'json' };

export function regressionFamily(): Family {
  const bodies = regressions.cases.flatMap(({ a, b }) => [a, b]);
  const family = emptyFamily(
    'regressions',
    bodies.map(({ shape }) => rounded(shape as ShapeDescription)),
    regressions.cases.length,
  );
  family.bodies.scales = new Float32Array(bodies.length);
  bodies.forEach((body, index) => putBody(family, index, index, body));
  return family;
}

/** Rounded to f32, as a tester does. */
function rounded(shape: ShapeDescription): ShapeDescription {
  return JSON.parse(JSON.stringify(shape), (_, value: unknown) =>
    typeof value === 'number' ? Math.fround(value) : value,
  );
}
