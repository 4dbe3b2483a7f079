/** Mirror of shaders/feature.wgsl: which vertex, edge or face of a shape lies in the contact plane. */
import { CORE_BOX, CORE_POINT, CORE_SEGMENT, FEATURE_EDGE, FEATURE_FACE, FEATURE_ULPS, FEATURE_VERTEX } from '../generated/constants.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { EPSILON, type Vec3 } from './math.ts';
import type { Core } from './pair.ts';

/** The feature of the core farthest along `direction`, a unit vector in the body's frame: kind << 30 | index, unsigned. */
export function feature(shape: ShapeData, core: Core, direction: Vec3): number {
  switch (core.kind) {
    case CORE_POINT:
      return FEATURE_VERTEX;
    case CORE_SEGMENT:
      if (Math.abs(direction.y) * 2 * core.halfExtents.y <= FEATURE_ULPS * EPSILON) return FEATURE_EDGE;
      return FEATURE_VERTEX + (direction.y > 0 ? 1 : 0);
    case CORE_BOX:
      return boxFeature(core, direction);
    default:
      return hullFeature(shape, core, direction);
  }
}

/** Axes along which both ends of the box are equally far are free: none leaves a vertex, one an edge, two a face. */
function boxFeature({ halfExtents }: Core, direction: Vec3): number {
  const components = [direction.x, direction.y, direction.z];
  const sizes = [halfExtents.x, halfExtents.y, halfExtents.z];
  let steepest = 0;
  const slope = components.map(Math.abs);
  if (slope[1] > slope[0] && slope[1] >= slope[2]) steepest = 1;
  else if (slope[2] > slope[0]) steepest = 2;
  const bits = components.map((value) => (value >= 0 ? 1 : 0));
  const free = [0, 1, 2].filter((i) => i !== steepest && slope[i] * 2 * sizes[i] <= FEATURE_ULPS * EPSILON);
  if (free.length === 0) return FEATURE_VERTEX + bits[0] + 2 * bits[1] + 4 * bits[2];
  if (free.length === 2) return FEATURE_FACE + 2 * steepest + bits[steepest];
  const axis = free[0];
  return FEATURE_EDGE + 4 * axis + bits[(axis + 1) % 3] + 2 * bits[(axis + 2) % 3];
}

function hullFeature(shape: ShapeData, core: Core, direction: Vec3): number {
  const { vertices } = core;
  const height = (i: number): number =>
    (vertices[i] * direction.x + vertices[i + 1] * direction.y + vertices[i + 2] * direction.z) * core.scale;
  let top = -Infinity;
  for (let i = 0; i < vertices.length; i += 3) top = Math.max(top, height(i));
  let count = 0;
  let first = 0;
  let last = 0;
  for (let i = 0; i < vertices.length; i += 3) {
    if (height(i) < top - FEATURE_ULPS * EPSILON) continue;
    if (count++ === 0) first = i / 3;
    last = i / 3;
  }
  if (count === 2) {
    for (let e = 0; e < shape.edges.length; e += 2) {
      if (shape.edges[e] === first && shape.edges[e + 1] === last) return FEATURE_EDGE + e / 2;
    }
  }
  if (count === 1 || shape.facePlanes.length === 0) return FEATURE_VERTEX + shape.pointIndices[first];
  let face = 0;
  let alignment = -2;
  for (let f = 0; f < shape.facePlanes.length; f += 4) {
    const { facePlanes } = shape;
    const cosine = facePlanes[f] * direction.x + facePlanes[f + 1] * direction.y + facePlanes[f + 2] * direction.z;
    if (cosine > alignment) {
      alignment = cosine;
      face = f / 4;
    }
  }
  return FEATURE_FACE + face;
}
