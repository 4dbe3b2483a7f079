/** Vertices and edges of shapes in 2-D, numbered as features number them (shaders/planar/feature.wgsl). */
import { PLANAR_POINT, PLANAR_RECTANGLE, PLANAR_SEGMENT } from '../generated/constants.ts';
import { NO_VERTEX, type PlanarShapeGeometry } from '../api/geometry.ts';
import { atPoints } from '../util/caller-points.ts';
import { coreCorners, type PlanarShapeData } from './planar-shape-data.ts';

export function planarShapeGeometry(shape: PlanarShapeData): PlanarShapeGeometry {
  const { kind, pointIndices, radius } = shape;
  const corners = coreCorners(shape);
  if (kind === PLANAR_RECTANGLE) {
    const numbers = Uint32Array.of(0, 1, 3, 2);
    return { vertices: atPoints(corners, numbers, 2), edges: loop(numbers), radius };
  }
  const count = kind === PLANAR_POINT ? 1 : corners.length / 2;
  const points = pointIndices.length > 0 ? pointIndices : Uint32Array.from({ length: count }, (_, i) => i);
  const edges = kind === PLANAR_POINT ? new Uint32Array(0) : kind === PLANAR_SEGMENT ? points.slice() : loop(points);
  return { vertices: atPoints(corners, points, 2), edges, radius };
}

/** Edges of a polygon with these corner numbers, counter-clockwise. The edge that starts at corner k is at 2 k. */
function loop(points: Uint32Array): Uint32Array {
  const last = points.reduce((a, b) => Math.max(a, b), 0);
  const edges = new Uint32Array(2 * (last + 1)).fill(NO_VERTEX);
  points.forEach((point, i) => edges.set([point, points[(i + 1) % points.length]], 2 * point));
  return edges;
}
