/** What a step is about: the direction at hand, and its points on both bodies. */

import { vec, ZERO, type Vec } from './linear.ts';
import type { Step, Support } from './step.ts';

/** The unit vector of the step in A's frame, or in world axes for `advance` and `result`. */
export function directionOf(step: Step): Vec | undefined {
  if ('direction' in step) return vec(step.direction);
  if ('normal' in step) return vec(step.normal);
  if (step.type === 'result' && 'normal' in step.result) {
    const normal = vec(step.result.normal);
    return normal.every((x) => x === 0) ? undefined : normal;
  }
  return undefined;
}

export function isInWorldAxes({ type }: Step): boolean {
  return type === 'advance' || type === 'result';
}

export function supportOf(step: Step): Support | undefined {
  return 'support' in step && 'point' in (step.support as object) ? (step.support as Support) : undefined;
}

/** Corners of the simplex, or of the portal. */
export function simplexOf(step: Step): Support[] {
  if (step.type === 'gjk' || step.type === 'gjk-end') return step.simplex;
  return step.type === 'mpr' ? step.portal : [];
}

/** The nearest points that a step knows, in A's frame. */
export function nearestOf(step: Step): [Vec, Vec] | undefined {
  if (step.type === 'newton' || step.type === 'closed-form') return [vec(step.onA), vec(step.onB)];
  if (step.type !== 'gjk' && step.type !== 'gjk-end') return undefined;
  if (step.simplex.length === 0) return undefined;
  const weighted = (side: 'onA' | 'onB'): Vec =>
    step.simplex.reduce<Vec>(
      (sum, corner) => sum.map((x, k) => x + corner.weight * (corner[side][k] ?? 0)) as unknown as Vec,
      ZERO,
    );
  return [weighted('onA'), weighted('onB')];
}
