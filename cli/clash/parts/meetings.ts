/** Where the parts of two bodies meet. */

import { addScaled, cross, length, scale, set, subtract, transform, vec3, type Vec3 } from '../../../src/cpu/math.ts';
import { createTriangleIntersection, triangleIntersection } from '../../../src/cpu/triangle-intersection.ts';
import type { Reference } from '../reference.ts';
import { middleOf, type Body } from '../solids/body.ts';
import type { Solid } from '../solids/solid.ts';
import type { PartPair } from './measured.ts';
import { boundOfParts, flat, partAt } from './surface-bounds.ts';

/** Two parts, and directions from the point into their bodies or out of them. In the world. */
export interface Meeting {
  point: Vec3;
  directionA: Vec3;
  directionB: Vec3;
}

/** Meetings of each pair that are looked at, at most. */
const MOST_MEETINGS = 48;

/** The meetings of each pair, or some of them, spread over all. */
export async function findMeetings(pairs: readonly PartPair[], reference: Reference): Promise<Iterable<Meeting>[]> {
  if (pairs.length === 0) return [];
  const { pair, partA, partB } = await reference.partsThatMeet(flat(pairs));
  let end = 0;
  return pairs.map(({ bodyA, bodyB }, i) => {
    const start = end;
    while (end < pair.length && pair[end] === i) end++;
    const all = end - start;
    const some = Math.min(all, MOST_MEETINGS);
    return (function* () {
      for (let n = 0; n < some; n++) {
        const slot = start + Math.floor((n * all) / some);
        yield meetingOf(bodyA, partA[slot], bodyB, partB[slot]);
      }
    })();
  });
}

function meetingOf(bodyA: Body, partA: number, bodyB: Body, partB: number): Meeting {
  const [a, b] = [partAt(bodyA, partA), partAt(bodyB, partB)];
  const point = (bodyA.mesh && bodyB.mesh && middleOfCommon(a, b)) || boundOfParts(a, b).point;
  const directionOf = (body: Body, part: Solid): Vec3 =>
    body.mesh ? normalOf(part) : unit(subtract(point, middleOf(part), vec3()));
  return { point, directionA: directionOf(bodyA, a), directionB: directionOf(bodyB, b) };
}

const intersection = createTriangleIntersection();

/** The middle of what two triangles have in common; undefined if they are apart by rounding. */
function middleOfCommon(a: Solid, b: Solid): Vec3 | undefined {
  const [cornersA, cornersB] = [a, b].map((solid) => cornersOf(solid, a.position));
  if (!triangleIntersection(cornersA, cornersB, intersection)) return undefined;
  const { segment: s } = intersection;
  return addScaled(a.position, vec3(s[0] + s[3], s[1] + s[4], s[2] + s[5]), 0.5, vec3());
}

/** Corners of a triangle in the world's axes, from `origin`. */
function cornersOf({ shape, rotation, position, scale: factor }: Solid, origin: Vec3): number[] {
  const { vertices } = shape;
  return [0, 3, 6].flatMap((v) => {
    const corner = set(vertices[v] * factor, vertices[v + 1] * factor, vertices[v + 2] * factor, vec3());
    const { x, y, z } = addScaled(subtract(position, origin, vec3()), transform(rotation, corner, corner), 1, vec3());
    return [x, y, z];
  });
}

function normalOf(triangle: Solid): Vec3 {
  const [ax, ay, az, bx, by, bz, cx, cy, cz] = cornersOf(triangle, triangle.position);
  return unit(cross(vec3(bx - ax, by - ay, bz - az), vec3(cx - ax, cy - ay, cz - az), vec3()));
}

/** Zero stays zero. */
function unit(v: Vec3): Vec3 {
  return scale(v, 1 / (length(v) || 1), v);
}
