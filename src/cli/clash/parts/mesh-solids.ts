/**
 * Containment in closed meshes, and equality of meshes, by the distances of points from surfaces.
 *
 * A is inside a closed mesh B if, up to the tolerance, no point of A is outside of B, and no vertex of B inside of A. If
 * the surfaces are apart, one point of each connected part decides, exactly. If they meet, the vertices of both bodies do.
 *
 * Two meshes are duplicates if the vertices, the middles of the edges and the centres of the triangles of each are within
 * the tolerance of the other's surface.
 */

import { distanceFrom, isInside, type Body, type BodyPoint } from '../solids/body.ts';
import { extendsBeyond, slackOf } from '../solids/protrusion.ts';
import type { Placed, PointAnswer } from './inside-points.ts';

/** Beyond this, points of one body on or outside the other are too many for the body to be inside. */
const MOST_OUTSIDE = 20_000;

/**
 * Whether A is inside the closed mesh B, unless one of its points outside is farther than the tolerance. `gap` is the
 * distance of the surfaces, 0 if they meet.
 */
export function mayBeInside(a: Body, b: Body, { inside, outside }: Placed, gap: number, tolerance: number): boolean {
  if (inside.length === 0 || extendsBeyond(a.whole, b.whole, tolerance + slackOf(a.whole, b.whole))) return false;
  if (gap > tolerance && outside.length > 0) return false;
  return outside.length <= MOST_OUTSIDE && !hasVertexInside(a, b, gap, tolerance);
}

/** Whether a vertex of the mesh B is inside A, deeper than the tolerance as far as A's convex parts tell. */
function hasVertexInside(a: Body, b: Body, gap: number, tolerance: number): boolean {
  const { positions } = b.mesh!.mesh;
  // Where the surfaces are apart, one vertex of each connected part is as good as all.
  const vertices = gap > tolerance ? b.mesh!.components : b.mesh!.vertices;
  for (const v of vertices) {
    const [x, y, z] = [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]];
    if (
      a.mesh ? gap > tolerance && isInside(a, { solid: b.whole, x, y, z, radius: 0 }) : isDeep(a, b, x, y, z, tolerance)
    )
      return true;
  }
  return false;
}

function isDeep(a: Body, b: Body, x: number, y: number, z: number, tolerance: number): boolean {
  return a.parts.some((part) => distanceFrom(part, b.whole, x, y, z) < -tolerance - slackOf(part, b.whole));
}

/** Whether all points are within the tolerance of the surface. A point is farther by the radius of its ball. */
export function areNear(points: readonly BodyPoint[], { distances }: PointAnswer, limit: number): boolean {
  return points.every(({ radius }, i) => distances[i] + radius <= limit);
}

/** Points of a mesh that stand for its surface. */
export function surfacePoints({ whole, mesh }: Body): BodyPoint[] {
  const { positions, indices } = mesh!.mesh;
  const points: BodyPoint[] = [];
  const add = (corners: readonly number[]): void => {
    const [x, y, z] = [0, 1, 2].map((k) => corners.reduce((sum, v) => sum + positions[3 * v + k], 0) / corners.length);
    points.push({ solid: whole, x, y, z, radius: 0 });
  };
  for (const v of mesh!.vertices) add([v]);
  for (let t = 0; t < indices.length; t += 3) {
    const corners = [indices[t], indices[t + 1], indices[t + 2]];
    add(corners);
    corners.forEach((v, k) => {
      const next = corners[(k + 1) % 3];
      // Most edges have two triangles, in both directions.
      if (v < next) add([v, next]);
    });
  }
  return points;
}
