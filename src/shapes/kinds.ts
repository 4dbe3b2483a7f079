/** Properties that kinds of cores share (`CORE_`, shaders/shared/shapes.wgsl). */
import { CORE_ELLIPSOID, CORE_HULL, CORE_TRIANGLE } from '../generated/constants.ts';

/** Whether shapes of this kind are hulls of vertices. Triangles are. */
export function hasVertices(kind: number): boolean {
  return kind === CORE_TRIANGLE || kind === CORE_HULL;
}

/** Whether a core is curved: a cylinder, a cone or an ellipsoid. */
export function isCurved(kind: number): boolean {
  return kind > CORE_HULL && kind <= CORE_ELLIPSOID;
}
