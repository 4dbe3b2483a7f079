/**
 * The normal of an edge's arc along which a part has to move least to clear the edge. Across the edge, the question is one of the plane:
 *
 *     D(a) = max over the part's points x of (edge - x) . d(a),   d(a) = out cos a + n sin a
 *
 * D is the greatest of one sinusoid per point, so between two angles it is at least the greater of the two sinusoids that are
 * greatest at these. Branch and bound: the angle where the two cross is tried next. For a polytope it ends with the exact minimum.
 */
import { addScaled, dot, set, vec3, type Vec3 } from '../../cpu/math.ts';
import type { EdgeFrame } from './edge-pieces.ts';
import { supportOf, type PartInMesh } from './part-in-mesh.ts';

/** Supports at most. */
const MOST_SUPPORTS = 24;

/** An angle this near to the ends of its range is not tried. Radians. */
const LEAST_ANGLE = 1e-9;

/** The search ends where no angle is better by this share of the part's reach. */
const ACCEPT = 1e-10;

/** An angle, and the sinusoid that is greatest there: out and n components of edge - x. */
interface Sample {
  angle: number;
  u: number;
  v: number;
  height: number;
}

const normal = vec3();
const backward = vec3();
const point = vec3();

function sampleAt(part: PartInMesh, frame: EdgeFrame, angle: number): Sample {
  normalAt(frame, angle, normal);
  supportOf(part, set(-normal.x, -normal.y, -normal.z, backward), point);
  addScaled(frame.from, point, -1, point);
  const u = dot(point, frame.out);
  const v = dot(point, frame.normal);
  return { angle, u, v, height: dot(point, normal) };
}

export function normalAt({ out, normal: n }: EdgeFrame, angle: number, to: Vec3): Vec3 {
  const cosine = Math.cos(angle);
  const sine = Math.sin(angle);
  return set(out.x * cosine + n.x * sine, out.y * cosine + n.y * sine, out.z * cosine + n.z * sine, to);
}

/** Writes the best normal of the angles from `least` to `greatest`. Returns how far the part has to move along it. */
export function leastOnArc(part: PartInMesh, frame: EdgeFrame, least: number, greatest: number, to: Vec3): number {
  const first = sampleAt(part, frame, least);
  const last = sampleAt(part, frame, greatest);
  let best = first.height <= last.height ? first : last;
  const stack = [[first, last]];
  const accept = ACCEPT * part.reach;
  for (let supports = 2; stack.length > 0 && supports < MOST_SUPPORTS; supports++) {
    const [low, high] = stack.pop()!;
    const u = high.u - low.u;
    const v = high.v - low.v;
    if (u * u + v * v <= accept * accept) continue;
    // Where both sinusoids are equal, half a turn apart.
    let angle = Math.atan2(-u, v);
    if (angle < low.angle) angle += Math.PI;
    if (angle > high.angle) angle -= Math.PI;
    if (angle <= low.angle + LEAST_ANGLE || angle >= high.angle - LEAST_ANGLE) continue;
    const bound = Math.cos(angle) * low.u + Math.sin(angle) * low.v;
    if (bound >= best.height - accept) continue;
    const middle = sampleAt(part, frame, angle);
    if (middle.height < best.height) best = middle;
    if (middle.height - bound > accept) stack.push([low, middle], [middle, high]);
  }
  normalAt(frame, best.angle, to);
  return best.height;
}
