/**
 * Whether a body A is within a limit of a body B, as a solid: whether no point of A is farther than the limit from B. This
 * decides what is contained and what is a duplicate, if a body is a compound or a mesh.
 *
 * Convex parts that are within a convex part of B are covered for certain (protrusion.ts). Otherwise:
 *
 * 1. Corners of A, and for its round parts the point that is farthest from B, which is searched from the corners of their
 *    surface that are farthest (farthest-point.ts).
 * 2. A's surface. A triangle is covered if all its corners are within the limit of one convex part or triangle of B, or if
 *    the ball around it is inside B. One whose middle is farther than the limit is not. Others are cut into four, down to
 *    a 128th of A's size.
 * 3. Cavities of B inside A: points in front of the middle of each of B's triangles, farther than the limit.
 *
 * So a body that is found not to be covered has a point that proves it. What sticks out of B by more than the limit, but
 * on less than a 128th of A's size, may be missed.
 */

import {
  addScaled,
  cross,
  distance,
  length,
  set,
  subtract,
  transform,
  vec3,
  type Vec3,
} from '../../../src/cpu/math.ts';
import type { Mesh } from '../../../src/shapes/parts.ts';
import { isInside, type Body } from '../solids/body.ts';
import { createCover, type Cover } from '../solids/cover.ts';
import { extendsBeyond, protrudes, slackOf } from '../solids/protrusion.ts';
import { isFartherBetween } from './farthest-point.ts';
import { surfaceOf, type Surface } from '../solids/surface.ts';
import type { Solid } from '../solids/solid.ts';

/** Pieces of A's surface are not cut below this share of A's size. */
const FINEST = 1 / 128;

export function isCovered(a: Body, b: Body, tolerance: number): boolean {
  const limit = tolerance + slackOf(a.whole, b.whole);
  if (extendsBeyond(a.whole, b.whole, limit)) return false;
  if (!a.mesh && !b.mesh) {
    if (a.parts.every((part) => b.parts.some((other) => !protrudes(part, other, tolerance)))) return true;
    if (b.parts.length === 1) return false;
  }
  const cover = createCover(b);
  const surfaces = surfacesOf(a, b.whole.position);
  for (const surface of surfaces) if (sticksOut(surface, cover, limit)) return false;
  const finest = FINEST * sizeOf(surfaces);
  const isEachCovered = surfaces.every(({ points, triangles }) => {
    for (let t = 0; t < triangles.length; t += 3) {
      const [p, q, r] = [points[triangles[t]], points[triangles[t + 1]], points[triangles[t + 2]]];
      if (!isTriangleCovered(p, q, r, cover, limit, finest)) return false;
    }
    return true;
  });
  const hasCavity = b.mesh !== undefined || b.parts.length > 1;
  return isEachCovered && !(hasCavity && isCavityInside(a, b, cover, limit));
}

/** Whether a corner, or a point of a round surface, is farther than the limit. */
function sticksOut({ solid, offset, points, directions }: PlacedSurface, cover: Cover, limit: number): boolean {
  const gaps = new Float64Array(points.length);
  for (let i = 0; i < gaps.length; i++) {
    gaps[i] = cover.gapAt(points[i]);
    if (gaps[i] > limit) return true;
  }
  return directions !== undefined && isFartherBetween(solid, offset, directions, gaps, cover, limit);
}

interface PlacedSurface {
  solid: Solid;
  /** From the position of B to that of the solid. */
  offset: Vec3;
  /** In the world's axes, relative to the position of B. */
  points: Vec3[];
  triangles: Uint32Array;
  directions?: Float64Array;
}

function surfacesOf(body: Body, origin: Vec3): PlacedSurface[] {
  const { whole, parts, mesh } = body;
  if (mesh) return [place(whole, meshSurface(mesh.mesh), origin)];
  return parts.map((part) => place(part, surfaceOf(part.shape), origin));
}

function meshSurface({ positions, indices }: Mesh): Surface {
  return { points: positions, triangles: indices };
}

function place(solid: Solid, { points, triangles, directions }: Surface, origin: Vec3): PlacedSurface {
  const { rotation, scale, position } = solid;
  const offset = subtract(position, origin, vec3());
  const placed = Array.from({ length: points.length / 3 }, (_, i) => {
    const p = vec3(scale * points[3 * i], scale * points[3 * i + 1], scale * points[3 * i + 2]);
    return addScaled(transform(rotation, p, p), offset, 1, p);
  });
  return { solid, offset, points: placed, triangles, directions };
}

/** Half the diagonal of the box around all points. */
function sizeOf(surfaces: readonly PlacedSurface[]): number {
  const low = vec3(Infinity, Infinity, Infinity);
  const high = vec3(-Infinity, -Infinity, -Infinity);
  for (const { points } of surfaces) {
    for (const { x, y, z } of points) {
      set(Math.min(low.x, x), Math.min(low.y, y), Math.min(low.z, z), low);
      set(Math.max(high.x, x), Math.max(high.y, y), Math.max(high.z, z), high);
    }
  }
  return distance(low, high) / 2;
}

/** The corners are known to be within the limit. */
function isTriangleCovered(p: Vec3, q: Vec3, r: Vec3, cover: Cover, limit: number, finest: number): boolean {
  const middle = vec3((p.x + q.x + r.x) / 3, (p.y + q.y + r.y) / 3, (p.z + q.z + r.z) / 3);
  const gap = cover.gapAt(middle);
  if (gap > limit) return false;
  const reach = Math.max(distance(middle, p), distance(middle, q), distance(middle, r));
  if (gap + reach <= limit || reach <= finest) return true;
  const region = cover.region();
  if ([p, q, r].every((corner) => cover.gapOf(region, corner) <= limit)) return true;
  const sides = [between(q, r), between(r, p), between(p, q)];
  if (sides.some((side) => cover.gapAt(side) > limit)) return false;
  const [qr, rp, pq] = sides;
  return (
    isTriangleCovered(p, pq, rp, cover, limit, finest) &&
    isTriangleCovered(q, qr, pq, cover, limit, finest) &&
    isTriangleCovered(r, rp, qr, cover, limit, finest) &&
    isTriangleCovered(pq, qr, rp, cover, limit, finest)
  );
}

function between(p: Vec3, q: Vec3): Vec3 {
  return vec3((p.x + q.x) / 2, (p.y + q.y) / 2, (p.z + q.z) / 2);
}

/** Points in front of a surface are this many limits away from it, a little more than one. */
const IN_FRONT = 1.01;

/** Whether a point near B's surface, on either side of it, is inside A and not within the limit of B. */
function isCavityInside(a: Body, b: Body, cover: Cover, limit: number): boolean {
  if (a.mesh && !a.mesh.isClosed) return false;
  const { position } = b.whole;
  const unturned: Solid = { ...b.whole, scale: 1, rotation: NO_TURN };
  for (const { points, triangles } of surfacesOf(b, position)) {
    for (let t = 0; t < triangles.length; t += 3) {
      const [p, q, r] = [points[triangles[t]], points[triangles[t + 1]], points[triangles[t + 2]]];
      const normal = normalOf(p, q, r);
      for (const away of [IN_FRONT * limit, -IN_FRONT * limit]) {
        const x = (p.x + q.x + r.x) / 3 + away * normal.x;
        const y = (p.y + q.y + r.y) / 3 + away * normal.y;
        const z = (p.z + q.z + r.z) / 3 + away * normal.z;
        if (isInside(a, { solid: unturned, x, y, z, radius: 0 }) && cover.gapAt(vec3(x, y, z)) > limit) return true;
      }
    }
  }
  return false;
}

const NO_TURN = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

/** Of length 1; zero for a triangle without an area. */
function normalOf(p: Vec3, q: Vec3, r: Vec3): Vec3 {
  const normal = cross(subtract(q, p, vec3()), subtract(r, p, vec3()), vec3());
  const size = length(normal) || 1;
  return set(normal.x / size, normal.y / size, normal.z / size, normal);
}
