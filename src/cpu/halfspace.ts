/** Mirror of shaders/halfspace.wgsl: a bounded core against a half-space, by the lowest point of the core. */
import {
  CORE_BOX,
  CORE_CONE,
  CORE_CYLINDER,
  CORE_ELLIPSOID,
  CORE_POINT,
  CORE_SEGMENT,
  LEAST_LENGTH,
} from '../generated/constants.ts';
import { ellipsoidPoint } from './curved.ts';
import { type Vec3, length, scale, set } from './math.ts';
import type { Core } from './pair.ts';
import { support, vertex } from './support.ts';

/** Out of a half-space; a core has it scaled like all its lengths. */
export function halfspaceNormal({ halfExtents, scale: factor }: Core, to: Vec3): Vec3 {
  set(halfExtents[0] / factor, halfExtents[1] / factor, halfExtents[2] / factor, to);
  return scale(to, 1 / length(to), to);
}

/**
 * The point of a bounded core that is farthest along the unit vector `down`, in the body's frame; where a whole edge or
 * face is, one of its vertices.
 */
export function lowestPoint(core: Core, down: Vec3, to: Vec3): Vec3 {
  const { kind, halfExtents } = core;
  const [sizeX, sizeY, sizeZ] = halfExtents;
  switch (kind) {
    case CORE_POINT:
      return set(0, 0, 0, to);
    case CORE_SEGMENT:
      return set(0, down.y >= 0 ? sizeY : -sizeY, 0, to);
    case CORE_BOX:
      return set(down.x >= 0 ? sizeX : -sizeX, down.y >= 0 ? sizeY : -sizeY, down.z >= 0 ? sizeZ : -sizeZ, to);
    case CORE_CYLINDER:
      return rimPoint(halfExtents, down, down.y >= 0 ? sizeY : -sizeY, to);
    case CORE_CONE:
      // The apex, unless the base's rim is farther: heights over the base's centre.
      if (2 * sizeY * down.y >= sizeX * Math.sqrt(down.x * down.x + down.z * down.z)) return set(0, sizeY, 0, to);
      return rimPoint(halfExtents, down, -sizeY, to);
    case CORE_ELLIPSOID:
      return lowestOfEllipsoid(halfExtents, down, to);
    default:
      return vertex(core, support(core, down.x, down.y, down.z), to);
  }
}

/**
 * The point farthest along `down` on a circle of radius size[0] around the y axis; its centre where they are all as
 * far.
 */
function rimPoint(size: Float64Array, down: Vec3, y: number, to: Vec3): Vec3 {
  const slope = Math.sqrt(down.x * down.x + down.z * down.z);
  if (slope <= LEAST_LENGTH) return set(0, y, 0, to);
  return set((down.x * size[0]) / slope, y, (down.z * size[0]) / slope, to);
}

/**
 * The ellipsoid is the unit ball stretched by its half axes, which takes the normal `down` back to half axes times
 * `down`.
 */
function lowestOfEllipsoid(size: Float64Array, down: Vec3, to: Vec3): Vec3 {
  set(size[0] * down.x, size[1] * down.y, size[2] * down.z, to);
  const longest = Math.max(Math.abs(to.x), Math.abs(to.y), Math.abs(to.z));
  // Only where all half axes along `down` are 0: every point is as far.
  if (longest <= LEAST_LENGTH) return set(0, 0, 0, to);
  scale(to, 1 / longest, to);
  return ellipsoidPoint(size, scale(to, 1 / length(to), to), to);
}
