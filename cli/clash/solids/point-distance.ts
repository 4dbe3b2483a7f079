/** Signed distance of a point from a convex shape, in the shape's own frame: negative inside. Double precision. */

import { contact, type CpuPose, type CpuShape } from '../../../src/cpu/one-pair.ts';
import {
  CORE_BOX,
  CORE_CONE,
  CORE_CYLINDER,
  CORE_HALFSPACE,
  CORE_POINT,
  CORE_SEGMENT,
} from '../../../src/generated/constants.ts';
import { hasVertices } from '../../../src/shapes/kinds.ts';
import { makeShapeData, type ShapeData } from '../../../src/shapes/shape-data.ts';

/** A polytope of fewer faces is flat. */
const LEAST_FACES = 4;

export function pointDistance(shape: ShapeData, x: number, y: number, z: number): number {
  const { kind, radius } = shape;
  const [hx, hy, hz] = shape.halfExtents;
  switch (kind) {
    case CORE_POINT:
      return Math.hypot(x, y, z) - radius;
    case CORE_SEGMENT:
      return Math.hypot(x, y - Math.min(Math.max(y, -hy), hy), z) - radius;
    case CORE_BOX: {
      const [outX, outY, outZ] = [Math.abs(x) - hx, Math.abs(y) - hy, Math.abs(z) - hz];
      return fromExcess(Math.max(outX, outY, outZ), outX, outY, outZ) - radius;
    }
    case CORE_CYLINDER: {
      const [outwards, along] = [Math.hypot(x, z) - hx, Math.abs(y) - hy];
      return fromExcess(Math.max(outwards, along), outwards, along, 0);
    }
    case CORE_CONE:
      return coneDistance(hx, hy, Math.hypot(x, z), y);
    case CORE_HALFSPACE:
      return hx * x + hy * y + hz * z - radius;
    default:
      return hasVertices(kind) ? polytopeDistance(shape, x, y, z) : searchedDistance(shape, x, y, z);
  }
}

/** `greatest` of the distances beyond each pair of sides is that inside; outside, those above 0 add up. */
function fromExcess(greatest: number, x: number, y: number, z: number): number {
  return greatest <= 0 ? greatest : Math.hypot(Math.max(x, 0), Math.max(y, 0), Math.max(z, 0));
}

/** A cone's section: the triangle with the base from (0, -h) to (r, -h) and the apex (0, h). `out` is at least 0. */
function coneDistance(r: number, h: number, out: number, y: number): number {
  const slope = Math.hypot(r, 2 * h);
  const below = -h - y;
  const toBase = Math.hypot(Math.max(out - r, 0), below);
  if (slope === 0) return toBase;
  // Along the side from the rim to the apex, and away from it.
  const along = Math.min(Math.max(((r - out) * r + (y + h) * 2 * h) / slope, 0), slope);
  const toSide = Math.hypot(out - r + (along * r) / slope, y + h - (along * 2 * h) / slope);
  const beyond = ((out - r) * 2 * h + (y + h) * r) / slope;
  const nearest = Math.min(toBase, toSide);
  return below <= 0 && beyond <= 0 ? -nearest : nearest;
}

/** Inside, the nearest face decides. */
function polytopeDistance(shape: ShapeData, x: number, y: number, z: number): number {
  const { facePlanes, radius } = shape;
  let greatest = -Infinity;
  for (let f = 0; f < facePlanes.length; f += 4) {
    const height = facePlanes[f] * x + facePlanes[f + 1] * y + facePlanes[f + 2] * z - facePlanes[f + 3];
    if (height > greatest) greatest = height;
  }
  const isSolid = facePlanes.length >= 4 * LEAST_FACES;
  return isSolid && greatest <= 0 ? greatest - radius : searchedDistance(shape, x, y, z);
}

const POINT: CpuShape = makeShapeData({ type: 'sphere', radius: 0 });
const ORIGIN: CpuPose = { position: [0, 0, 0], quaternion: [0, 0, 0, 1] };

function searchedDistance(shape: ShapeData, x: number, y: number, z: number): number {
  const pose: CpuPose = { position: [x, y, z], quaternion: ORIGIN.quaternion };
  return contact(shape, ORIGIN, POINT, pose, { margin: Infinity }).distance;
}
