/**
 * Whether a shape has the feature that a contact names: `kind << 30 | index`, numbered as in shaders/feature.wgsl.
 *
 *     core     vertices                     edges   faces
 *     point      0
 *     segment    0 below, 1 above             0
 *     box        0 to 7                       0 to 11        0 to 5
 *     hull       indices of the caller's      as the hull builder lists them
 *                points that are vertices
 *     cylinder                                0, 1: the rims 0, 1: the ends, 2: the side
 *     cone       0: the apex                  0: the rim     0: the base, 1: the side
 *     ellipsoid                                              0
 *     halfspace                                              0
 */

import {
  CORE_BOX,
  CORE_CONE,
  CORE_CYLINDER,
  CORE_ELLIPSOID,
  CORE_HALFSPACE,
  CORE_POINT,
  CORE_SEGMENT,
} from '../../src/generated/constants.ts';
import { hasVertices } from '../../src/shapes/kinds.ts';
import type { ShapeData } from '../../src/shapes/shape-data.ts';

const [VERTEX, EDGE, FACE] = [1, 2, 3];

/** Vertices, edges and faces of cores for which the kind alone determines them. */
const COUNTS: Record<number, readonly number[]> = {
  [CORE_POINT]: [0, 1, 0, 0],
  [CORE_SEGMENT]: [0, 2, 1, 0],
  [CORE_BOX]: [0, 8, 12, 6],
  [CORE_CYLINDER]: [0, 0, 2, 3],
  [CORE_CONE]: [0, 1, 1, 2],
  [CORE_ELLIPSOID]: [0, 0, 0, 1],
  [CORE_HALFSPACE]: [0, 0, 0, 1],
};

export function hasFeature(shape: ShapeData, feature: number): boolean {
  const kind = feature >>> 30;
  const index = feature & 0x3fff_ffff;
  if (!hasVertices(shape.kind)) return index < COUNTS[shape.kind][kind];
  if (kind === VERTEX) return shape.pointIndices.includes(index);
  if (kind === EDGE) return index < shape.edges.length / 2;
  return kind === FACE && index < shape.facePlanes.length / 4;
}
