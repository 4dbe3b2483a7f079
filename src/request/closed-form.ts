/** Which pairs are decided in one step, by shaders/closed-form.wgsl. */
import type { FirstRung } from './backend.ts';
import { CORE_HALFSPACE, CORE_POINT, CORE_SEGMENT, CORE_TRIANGLE } from '../generated/constants.ts';

/**
 * Whether shapes of these kinds have a closed form: a point with a point, segment, box or triangle, and two segments.
 */
export function hasClosedForm(a: number, b: number): boolean {
  const greatest = Math.max(a, b);
  return Math.min(a, b) === CORE_POINT ? greatest <= CORE_TRIANGLE : greatest === CORE_SEGMENT;
}

/** Whether pairs of these kinds are decided before all other rungs. A half-space has no other way. */
export function isClosed(first: FirstRung, a: number, b: number): boolean {
  const takesClosedForms = first === 'sat' || first === 'newton';
  return Math.max(a, b) === CORE_HALFSPACE || (takesClosedForms && hasClosedForm(a, b));
}
