/** Whether a normal of a contact is one of a 2-D surface. */
import type { Vec3 } from '../../cpu/math.ts';
import { facesOf, isUncovered, type Face } from './exposed-faces.ts';
import type { PlanarSurface } from './planar-surface.ts';
import { coneAt, isInCone, type PolarCone } from './polar-cone.ts';

/** By how many times the error of contacts' normals a normal may be outside of the accepted ones. */
const SLACK = 5;

/** By how much a normal of the front of a segment may point behind it, as a sine. */
export const FRONT_SLACK = 1e-3;

/** The front of a segment, if it alone is surface. */
export function isBehindFront(surface: PlanarSurface, part: number, { x, y }: Vec3): boolean {
  if (!surface.isFront) return false;
  const [{ normalX, normalY }] = facesOf(surface, part);
  return normalX * x + normalY * y < -FRONT_SLACK;
}

/** Whether a normal m is that of a face, within an angle. */
function isNormalOf({ normalX, normalY }: Face, { x, y }: Vec3, slack: number): boolean {
  return normalX * x + normalY * y > 0 && Math.abs(normalX * y - normalY * x) <= slack;
}

/** The face whose normal m is, if it has one. `angle`: the error of normals, in radians. */
export function faceAlong(surface: PlanarSurface, part: number, m: Vec3, angle: number): Face | undefined {
  return facesOf(surface, part).find((face) => isNormalOf(face, m, angle));
}

/**
 * Whether a unit vector, which points from a part of a surface to the body that touches it at a point, is a normal of the surface there.
 * `angle`: the error of contacts' normals, in radians.
 */
export function isAccepted(surface: PlanarSurface, part: number, m: Vec3, point: Vec3, angle: number): boolean {
  if (isBehindFront(surface, part, m)) return false;
  const slack = SLACK * angle;
  const face = faceAlong(surface, part, m, slack);
  if (face) {
    const place = (point.x - face.x) * face.alongX + (point.y - face.y) * face.alongY;
    return isUncovered(face, place, 2 * surface.touch);
  }
  return isInCone(coneAtHighest(surface, part, m), m.x, m.y, slack);
}

/** The cone at the corner with which a part touches along a normal: the highest. */
function coneAtHighest(surface: PlanarSurface, part: number, { x, y }: Vec3): PolarCone {
  const corners = surface.cornersOf(part);
  let highest = 0;
  for (let i = 2; i < corners.length; i += 2)
    if ((corners[i] - corners[highest]) * x + (corners[i + 1] - corners[highest + 1]) * y > 0) highest = i;
  return coneAt(surface, corners[highest], corners[highest + 1]);
}

/** Angles, in radians, by which an exact normal may be outside of the accepted ones. */
const ROUNDING = 1e-9;

/**
 * Makes an accepted normal exact: it becomes a face's normal if it differs from that by no more than its error, or if it is outside of
 * the accepted ones.
 * Otherwise a body that slides over flat ground would approach it. Returns whether it has changed.
 */
export function makeExact(surface: PlanarSurface, part: number, angle: number, m: Vec3): boolean {
  const face = faceAlong(surface, part, m, SLACK * angle);
  if (!face || (m.x === face.normalX && m.y === face.normalY)) return false;
  const isNear = isNormalOf(face, m, angle);
  if (!isNear && isInCone(coneAtHighest(surface, part, m), m.x, m.y, ROUNDING)) return false;
  m.x = face.normalX;
  m.y = face.normalY;
  return true;
}
