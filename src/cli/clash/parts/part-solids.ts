/** Containment and equality of bodies of convex parts, part by part. */

import { distanceFrom, type Body } from '../solids/body.ts';
import { protrudes, slackOf } from '../solids/protrusion.ts';
import type { Solid } from '../solids/solid.ts';

/** Whether each part of A, or each triangle, is within one part of B, up to the tolerance. B has convex parts. */
export function isWithinParts(a: Body, b: Body, tolerance: number): boolean {
  if (a.mesh) return isMeshWithin(a, b, tolerance);
  return a.parts.every((part) => b.parts.some((other) => !protrudes(part, other, tolerance)));
}

/** A triangle is within a convex part if its corners are. */
function isMeshWithin({ whole, mesh }: Body, { parts }: Body, tolerance: number): boolean {
  const { positions, indices } = mesh!.mesh;
  const isWithin = new Uint8Array(indices.length / 3);
  for (const part of parts) {
    const most = tolerance + slackOf(whole, part);
    const gaps = new Float64Array(positions.length / 3).fill(NaN);
    const isNear = (v: number): boolean => {
      if (Number.isNaN(gaps[v]))
        gaps[v] = distanceFrom(part, whole, positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
      return gaps[v] <= most;
    };
    for (let t = 0; t < isWithin.length; t++) {
      isWithin[t] ||= Number(isNear(indices[3 * t]) && isNear(indices[3 * t + 1]) && isNear(indices[3 * t + 2]));
      // With one part, the first triangle outside decides.
      if (!isWithin[t] && parts.length === 1) return false;
    }
  }
  return isWithin.every(Boolean);
}

/** Whether each part of either body has its duplicate among those of the other. */
export function haveSameParts(a: Body, b: Body, tolerance: number): boolean {
  const isSame = (p: Solid, q: Solid): boolean => !protrudes(p, q, tolerance) && !protrudes(q, p, tolerance);
  return (
    a.parts.every((p) => b.parts.some((q) => isSame(p, q))) && b.parts.every((q) => a.parts.some((p) => isSame(p, q)))
  );
}
