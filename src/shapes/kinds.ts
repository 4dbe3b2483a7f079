/** What the kinds of cores (`CORE_`, shaders/shared/shapes.wgsl) have in common. */
import { CORE_ELLIPSOID, CORE_HULL, CORE_TRIANGLE } from '../generated/constants.ts';

/** Whether shapes of this kind are hulls of vertices: triangles are, too. */
export function hasVertices(kind: number): boolean {
  return kind === CORE_TRIANGLE || kind === CORE_HULL;
}

/** Whether a core is neither a polytope nor a half-space: a cylinder, a cone or an ellipsoid. */
export function isCurved(kind: number): boolean {
  return kind > CORE_HULL && kind <= CORE_ELLIPSOID;
}
