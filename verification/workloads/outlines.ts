/**
 * Outlines of shapes in the plane, and of two of them how far they reach along the normals of their edges, which tell
 * how far apart they touch.
 */

import type { Touch } from '../families/placement.ts';
import type { PlanarOutline } from './workload.ts';

/** The outline of a shape, in its body's frame or rotated with the body: x, y of each corner, counter-clockwise. */
export interface Outline {
  corners: Float64Array;
  /** Outward unit normals of the edges that start at the corners. */
  normals: Float64Array;
  /** Greatest distance from the origin. */
  extent: number;
}

export function outlineOf(shape: PlanarOutline): Outline {
  const corners = Float64Array.from(
    shape.type === 'polygon' ? shape.points : rectangleCorners(shape.halfExtents[0], shape.halfExtents[1]),
  );
  const normals = new Float64Array(corners.length);
  let extent = 0;
  for (let i = 0; i < corners.length; i += 2) {
    const next = (i + 2) % corners.length;
    const [x, y] = [corners[next] - corners[i], corners[next + 1] - corners[i + 1]];
    const length = Math.hypot(x, y);
    normals.set([y / length, -x / length], i);
    extent = Math.max(extent, Math.hypot(corners[i], corners[i + 1]));
  }
  return { corners, normals, extent };
}

function rectangleCorners(x: number, y: number): number[] {
  return [-x, -y, x, -y, x, y, -x, y];
}

export function turned({ corners, normals, extent }: Outline, angle: number): Outline {
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  const turn = (vectors: Float64Array) =>
    vectors.map((value, i) =>
      i % 2 === 0 ? cosine * value - sine * vectors[i + 1] : sine * vectors[i - 1] + cosine * value,
    );
  return { corners: turn(corners), normals: turn(normals), extent };
}

/** How far an outline reaches along a direction. */
export function reachAlong({ corners }: Outline, x: number, y: number): number {
  let reach = -Infinity;
  for (let i = 0; i < corners.length; i += 2) reach = Math.max(reach, x * corners[i] + y * corners[i + 1]);
  return reach;
}

/**
 * How far B goes along the unit vector (x, y) from A's position until they touch. The difference A - B has the edges of
 * both; where the ray leaves it, it crosses the line of one of them, and those of the others only later. Both must hold
 * their origin.
 */
export function planarTouch(a: Outline, b: Outline, [x, y]: readonly number[]): Touch {
  const touch: Touch = { reach: Infinity, cosine: 1 };
  for (const [{ normals }, sign] of [
    [a, 1],
    [b, -1],
  ] as const) {
    for (let i = 0; i < normals.length; i += 2) {
      const [nx, ny] = [sign * normals[i], sign * normals[i + 1]];
      const cosine = nx * x + ny * y;
      if (cosine <= 0) continue;
      const reach = (reachAlong(a, nx, ny) + reachAlong(b, -nx, -ny)) / cosine;
      if (reach < touch.reach) Object.assign(touch, { reach, cosine });
    }
  }
  return touch;
}
