/** Which pairs have closed forms (shaders/closed-form.wgsl). */
import type { LeadStage } from './backend.ts';
import { CORE_HALFSPACE, CORE_POINT, CORE_SEGMENT, CORE_TRIANGLE } from '../generated/constants.ts';

/**
 * Whether shapes of these kinds have a closed form: a point with a point, segment, box or triangle, and two segments.
 */
export function hasClosedForm(a: number, b: number): boolean {
  const greatest = Math.max(a, b);
  return Math.min(a, b) === CORE_POINT ? greatest <= CORE_TRIANGLE : greatest === CORE_SEGMENT;
}

/** Whether closed forms answer pairs of these kinds. For half-spaces there is no other algorithm. */
export function isClosed(leadStage: LeadStage, a: number, b: number): boolean {
  const takesClosedForms = leadStage === 'sat' || leadStage === 'newton';
  return Math.max(a, b) === CORE_HALFSPACE || (takesClosedForms && hasClosedForm(a, b));
}
