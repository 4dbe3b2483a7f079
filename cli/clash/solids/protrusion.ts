/**
 * Whether a convex body A sticks out of a convex body B by more than a limit: whether some point of A is farther than
 * the limit from B. This decides what is contained and what is a duplicate.
 *
 * The signed distance f from B is a convex function, so its greatest value over A is on A's extreme points.
 *
 * - Polytopes, spheres and capsules: f at every vertex of the core, and the rounding radius is added.
 * - A rim of a cylinder or cone: an arc lies in the triangle of its ends and the point where its tangents meet. If f is
 *   within the limit at these three, it is on the arc. Otherwise the arc is halved.
 * - An ellipsoid: a piece of the unit sphere over a triangle lies in the hull of the triangle's corners and of the same
 *   corners moved out to the tangent plane above the triangle. The ellipsoid's axes stretch them all. A triangle whose
 *   outer corners are beyond the limit is divided into four.
 *
 * Pieces that are as near to the surface as rounding end the division, so the answer is certain except for that slack.
 */

import type { Vec3 } from '../../../src/cpu/math.ts';
import { vec3 } from '../../../src/cpu/math.ts';
import {
  CORE_BOX,
  CORE_CONE,
  CORE_CYLINDER,
  CORE_ELLIPSOID,
  CORE_HALFSPACE,
  CORE_POINT,
  CORE_SEGMENT,
} from '../../../src/generated/constants.ts';
import { AXES } from './axes.ts';
import { hasCurvedPart } from '../../../src/shapes/parts.ts';
import { pointDistance } from './point-distance.ts';
import { intoFrameOf, reachOf, solidHeight, type Solid } from './solid.ts';

/** Slack as a share of both bodies' size: some roundings to f32, and for curved shapes the precision of the search. */
const SLACK = 2 ** -22;
const CURVED_SLACK = 1e-6;

export function protrudes(a: Solid, b: Solid, limit: number): boolean {
  if (a.shape.kind === CORE_HALFSPACE) return true;
  const slack = slackOf(a, b);
  const most = limit + slack;
  if (b.shape.kind !== CORE_HALFSPACE && extendsBeyond(a, b, most)) return true;
  const isBeyond: IsBeyond = (x, y, z) => {
    intoFrameOf(a, x, y, z, b, point);
    return pointDistance(b.shape, point.x, point.y, point.z) * b.scale > mostOfCore;
  };
  const { shape } = a;
  const mostOfCore = most - (shape.kind === CORE_ELLIPSOID ? 0 : shape.radius * a.scale);
  return coreProtrudes(a, slack / a.scale, isBeyond);
}

/** Whether the box of A along the world's axes is beyond that of B by more than the limit. Both are bounded. */
export function extendsBeyond(a: Solid, b: Solid, limit: number): boolean {
  return AXES.some((axis) => solidHeight(a, axis, a.position) - solidHeight(b, axis, a.position) > limit);
}

/** Decisions are certain where the limit is farther than this from the truth. */
export function slackOf(a: Solid, b: Solid): number {
  const size = reachOf(a) + reachOf(b);
  return size * (hasCurvedPart(a.shape) || hasCurvedPart(b.shape) ? CURVED_SLACK : SLACK);
}

const point = vec3();

/** Whether a point, in the frame of A's shape, is farther from B than the limit. */
type IsBeyond = (x: number, y: number, z: number) => boolean;

function coreProtrudes({ shape }: Solid, slack: number, isBeyond: IsBeyond): boolean {
  const { kind, vertices } = shape;
  const [hx, hy, hz] = shape.halfExtents;
  switch (kind) {
    case CORE_POINT:
      return isBeyond(0, 0, 0);
    case CORE_SEGMENT:
      return isBeyond(0, hy, 0) || isBeyond(0, -hy, 0);
    case CORE_BOX:
      for (let corner = 0; corner < 8; corner++) {
        if (isBeyond(corner & 1 ? hx : -hx, corner & 2 ? hy : -hy, corner & 4 ? hz : -hz)) return true;
      }
      return false;
    case CORE_CYLINDER:
      return rimProtrudes(hx, hy, slack, isBeyond) || rimProtrudes(hx, -hy, slack, isBeyond);
    case CORE_CONE:
      return isBeyond(0, hy, 0) || rimProtrudes(hx, -hy, slack, isBeyond);
    case CORE_ELLIPSOID:
      return ellipsoidProtrudes(hx, hy, hz, slack, isBeyond);
    default:
      for (let v = 0; v < vertices.length; v += 3) {
        if (isBeyond(vertices[v], vertices[v + 1], vertices[v + 2])) return true;
      }
      return false;
  }
}

/** A circle around the y axis. */
function rimProtrudes(radius: number, y: number, slack: number, isBeyond: IsBeyond): boolean {
  const isOut = (angle: number, distance: number): boolean =>
    isBeyond(distance * Math.cos(angle), y, distance * Math.sin(angle));
  const arcProtrudes = (middle: number, half: number): boolean => {
    const tangent = radius / Math.cos(half);
    if (tangent - radius <= slack || !isOut(middle, tangent)) return false;
    if (isOut(middle, radius)) return true;
    return arcProtrudes(middle - half / 2, half / 2) || arcProtrudes(middle + half / 2, half / 2);
  };
  const quarter = Math.PI / 4;
  for (let q = 0; q < 8; q += 2) {
    if (isOut(q * quarter, radius) || arcProtrudes((q + 1) * quarter, quarter)) return true;
  }
  return false;
}

function ellipsoidProtrudes(x: number, y: number, z: number, slack: number, isBeyond: IsBeyond): boolean {
  const greatest = Math.max(x, y, z);
  /** A point of the unit sphere, `out` times as far from the centre. */
  const isOut = (p: Vec3, out: number): boolean => isBeyond(p.x * x * out, p.y * y * out, p.z * z * out);
  /** The corners are known to be within the limit. */
  const pieceProtrudes = (p: Vec3, q: Vec3, r: Vec3): boolean => {
    const out = 1 / planeDistance(p, q, r);
    if ((out - 1) * greatest <= slack) return false;
    if (!isOut(p, out) && !isOut(q, out) && !isOut(r, out)) return false;
    const [pq, qr, rp] = [between(p, q), between(q, r), between(r, p)];
    if (isOut(pq, 1) || isOut(qr, 1) || isOut(rp, 1)) return true;
    return (
      pieceProtrudes(p, pq, rp) || pieceProtrudes(q, qr, pq) || pieceProtrudes(r, rp, qr) || pieceProtrudes(pq, qr, rp)
    );
  };
  const ends = AXES.some((axis) => isOut(axis, 1));
  if (ends) return true;
  for (const signX of [0, 1]) {
    for (const signY of [2, 3]) {
      for (const signZ of [4, 5]) if (pieceProtrudes(AXES[signX], AXES[signY], AXES[signZ])) return true;
    }
  }
  return false;
}

/** Distance of the origin from the plane through three points of the unit sphere. */
function planeDistance(p: Vec3, q: Vec3, r: Vec3): number {
  const [ux, uy, uz] = [q.x - p.x, q.y - p.y, q.z - p.z];
  const [vx, vy, vz] = [r.x - p.x, r.y - p.y, r.z - p.z];
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  return Math.abs(nx * p.x + ny * p.y + nz * p.z) / Math.hypot(nx, ny, nz);
}

/** The point of the unit sphere in the middle of two. */
function between(p: Vec3, q: Vec3): Vec3 {
  const [x, y, z] = [p.x + q.x, p.y + q.y, p.z + q.z];
  const length = Math.hypot(x, y, z);
  return vec3(x / length, y / length, z / length);
}
