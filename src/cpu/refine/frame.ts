/** Mirror of shaders/refine/frame.wgsl: normals around a normal. */
import { type Vec3, addScaled, copy, cross, dot, perpendicular, set, vec3 } from '../math.ts';

export interface Frame {
  normal: Vec3;
  /** Two directions across the normal. */
  across: Vec3;
  along: Vec3;
}

export function createFrame(): Frame {
  return { normal: vec3(), across: vec3(), along: vec3() };
}

export function frameOf(normal: Vec3, to: Frame): Frame {
  copy(normal, to.normal);
  perpendicular(to.normal, to.across);
  cross(to.normal, to.across, to.along);
  return to;
}

/** The normal that is x, y off the frame's. */
export function tilted({ normal, across, along }: Frame, x: number, y: number, to: Vec3): Vec3 {
  addScaled(addScaled(normal, across, x, to), along, y, to);
  const toUnit = 1 / Math.sqrt(dot(to, to));
  return set(to.x * toUnit, to.y * toUnit, to.z * toUnit, to);
}
