/** Mirror of shaders/contact-face/segment.wgsl: contact faces that are lines. */
import { type Vec3, addScaled, copy, dot, length, scale, set, vec3 } from '../math.ts';
import type { Core } from '../pair.ts';
import type { ContactFace } from './face.ts';

const yAxis = vec3(0, 1, 0);

/** `top` is the number of the core's support along the direction. */
export function segmentFace(core: Core, radius: number, direction: Vec3, top: number, face: ContactFace): void {
  face.count = 2;
  set(0, core.halfExtents[1], 0, face.p);
  across(direction, yAxis, face.normal);
  face.firstEnd = 0;
  face.lastEnd = 1;
  face.hasPeak = true;
  face.peakNumber = top;
  roundLine(face, radius, true);
}

/**
 * Moves a line from the core, where its middle is `face.middle`, to the surface. A shape that is a line has a ball all
 * around it (`isCapped`). The surface around an edge is bent no farther than to its two faces.
 */
export function roundLine(face: ContactFace, radius: number, isCapped: boolean): void {
  addScaled(face.middle, face.normal, radius, face.origin);
  face.isCapped = face.isRound = isCapped;
  face.bend = radius;
}

/** The unit vector along the part of the unit vector `direction` that is perpendicular to `axis`. */
export function across(direction: Vec3, axis: Vec3, to: Vec3): Vec3 {
  const share = dot(direction, axis) / Math.max(dot(axis, axis), 1e-300);
  addScaled(direction, axis, -share, to);
  const size = length(to);
  return size < 1e-6 ? copy(direction, to) : scale(to, 1 / size, to);
}
