/** Mirror of shaders/feature.wgsl: which vertex, edge or face of a shape lies in the contact plane. */
import {
  CORE_BOX,
  CORE_CONE,
  CORE_CYLINDER,
  CORE_HALFSPACE,
  CORE_POINT,
  CORE_SEGMENT,
  FEATURE_EDGE,
  FEATURE_FACE,
  FEATURE_ULPS,
  FEATURE_VERTEX,
} from '../generated/constants.ts';
import { isCurved } from '../shapes/kinds.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { EPSILON, type Vec3 } from './math.ts';
import type { Core } from './pair.ts';
import { support } from './support.ts';

/**
 * The feature of the core farthest along `direction`, a unit vector in the body's frame: kind << 30 | index, unsigned.
 */
export function feature(shape: ShapeData, core: Core, direction: Vec3): number {
  switch (core.kind) {
    case CORE_POINT:
      return FEATURE_VERTEX;
    case CORE_SEGMENT:
      if (Math.abs(direction.y) * 2 * core.halfExtents[1] <= FEATURE_ULPS * EPSILON) return FEATURE_EDGE;
      return FEATURE_VERTEX + (direction.y > 0 ? 1 : 0);
    case CORE_BOX:
      return boxFeature(core, direction);
    case CORE_HALFSPACE:
      return FEATURE_FACE;
    default:
      if (isCurved(core.kind)) return curvedFeature(core, direction);
      return hullFeature(shape, core, direction);
  }
}

/**
 * Unlike the kernels' this is no multiple of EPSILON: normals of curved pairs are known to the root of what distances
 * are.
 */
const CURVED_SLACK = 1e-7;

function curvedFeature({ kind, halfExtents }: Core, { x, y, z }: Vec3): number {
  if (kind > CORE_CONE) return FEATURE_FACE;
  // How much farther the circle reaches than its centre, and the upper end than the lower one.
  const across = halfExtents[0] * Math.sqrt(x * x + z * z);
  const along = 2 * halfExtents[1] * y;
  const isUp = y > 0 ? 1 : 0;
  if (kind === CORE_CYLINDER) {
    if (2 * across <= CURVED_SLACK) return FEATURE_FACE + isUp;
    return Math.abs(along) <= CURVED_SLACK ? FEATURE_FACE + 2 : FEATURE_EDGE + isUp;
  }
  if (2 * across <= CURVED_SLACK && !isUp) return FEATURE_FACE;
  if (Math.abs(along - across) <= CURVED_SLACK && across > CURVED_SLACK) return FEATURE_FACE + 1;
  return along > across ? FEATURE_VERTEX : FEATURE_EDGE;
}

/** Axes along which both ends of the box are equally far are free: none leaves a vertex, one an edge, two a face. */
function boxFeature({ halfExtents }: Core, { x, y, z }: Vec3): number {
  const slopeX = Math.abs(x);
  const slopeY = Math.abs(y);
  const slopeZ = Math.abs(z);
  const bitX = Number(x >= 0);
  const bitY = Number(y >= 0);
  const bitZ = Number(z >= 0);
  const flat = FEATURE_ULPS * EPSILON;
  const isFlatX = slopeX * 2 * halfExtents[0] <= flat;
  const isFlatY = slopeY * 2 * halfExtents[1] <= flat;
  const isFlatZ = slopeZ * 2 * halfExtents[2] <= flat;
  if (isFlatX || isFlatY || isFlatZ) {
    // The steepest axis is never free.
    const isSteepestY = slopeY > slopeX && slopeY >= slopeZ;
    const isSteepestZ = !isSteepestY && slopeZ > slopeX;
    const freeX = isFlatX && (isSteepestY || isSteepestZ);
    const freeY = isFlatY && !isSteepestY;
    const freeZ = isFlatZ && !isSteepestZ;
    if (freeY && freeZ) return FEATURE_FACE + bitX;
    if (freeZ && freeX) return FEATURE_FACE + 2 + bitY;
    if (freeX && freeY) return FEATURE_FACE + 4 + bitZ;
    if (freeX) return FEATURE_EDGE + bitY + 2 * bitZ;
    if (freeY) return FEATURE_EDGE + 4 + bitZ + 2 * bitX;
    if (freeZ) return FEATURE_EDGE + 8 + bitX + 2 * bitY;
  }
  return FEATURE_VERTEX + bitX + 2 * bitY + 4 * bitZ;
}

function hullFeature(shape: ShapeData, core: Core, direction: Vec3): number {
  const { x, y, z } = direction;
  const { vertices, scale } = core;
  const { edges, facePlanes } = shape;
  const highest = 3 * support(core, direction.x, direction.y, direction.z);
  const top = (vertices[highest] * x + vertices[highest + 1] * y + vertices[highest + 2] * z) * scale;
  const contact = top - FEATURE_ULPS * EPSILON;
  let count = 0;
  let first = 0;
  let last = 0;
  for (let i = 0; i < vertices.length; i += 3) {
    if ((vertices[i] * x + vertices[i + 1] * y + vertices[i + 2] * z) * scale < contact) continue;
    if (count++ === 0) first = i / 3;
    last = i / 3;
  }
  if (count === 2) {
    // The first edge that does not come before the one wanted, if there are edges: they are sorted.
    let edge = 0;
    for (let end = edges.length / 2; edge < end;) {
      const middle = (edge + end) >> 1;
      if (edges[2 * middle] < first || (edges[2 * middle] === first && edges[2 * middle + 1] < last)) edge = middle + 1;
      else end = middle;
    }
    if (edges[2 * edge] === first && edges[2 * edge + 1] === last) return FEATURE_EDGE + edge;
  }
  if (count === 1 || facePlanes.length === 0) return FEATURE_VERTEX + shape.pointIndices[first];
  let face = 0;
  let alignment = -2;
  for (let f = 0; f < facePlanes.length; f += 4) {
    const cosine = facePlanes[f] * x + facePlanes[f + 1] * y + facePlanes[f + 2] * z;
    if (cosine > alignment) {
      alignment = cosine;
      face = f;
    }
  }
  return FEATURE_FACE + face / 4;
}
