/** Mirror of shaders/planar/feature.wgsl: which corner or edge of a core lies in the contact line. */
import { FEATURE_EDGE, FEATURE_ULPS, FEATURE_VERTEX, PLANAR_POINT, PLANAR_SEGMENT } from '../../generated/constants.ts';
import { EPSILON, type Vec2, copy, dot, subtract, vec2 } from './math.ts';
import type { PlanarCore } from './pair.ts';
import { corner, cornerAfter, cornerBefore, createCorner, pointNumber } from './support.ts';

const tip = vec2();
const span = vec2();
const neighbour = createCorner();

/**
 * The feature of the core farthest along `direction`, a unit vector in the body's frame, to which the corner `farthest`
 * belongs: kind << 30 | index, unsigned.
 */
export function feature(core: PlanarCore, direction: Vec2, farthest: number): number {
  if (core.kind === PLANAR_POINT) return FEATURE_VERTEX + pointNumber(core, farthest);
  copy(corner(core, farthest, neighbour).position, tip);
  const before = cornerBefore(core, farthest);
  const isBefore = isLevel(core, before, direction);
  const isAfter = isLevel(core, cornerAfter(core, farthest), direction);
  if (core.kind === PLANAR_SEGMENT && isAfter) return FEATURE_EDGE;
  if (isBefore || isAfter) return FEATURE_EDGE + pointNumber(core, isAfter ? farthest : before);
  return FEATURE_VERTEX + pointNumber(core, farthest);
}

/** Whether a corner is as far as the tip. */
function isLevel(core: PlanarCore, number: number, direction: Vec2): boolean {
  return dot(direction, subtract(tip, corner(core, number, neighbour).position, span)) <= FEATURE_ULPS * EPSILON;
}
