/** Mirror of shaders/refine/faces.wgsl: search for a better normal among known directions. */
import { REFINE_FACES } from '../../generated/constants.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import type { EpaResult } from '../epa.ts';
import { type Vec3, copy, dot, scale, set, transform, vec3 } from '../math.ts';
import type { Pair } from '../pair.ts';
import { polytope } from '../polytope.ts';
import { createPoint, differenceSupport } from '../support.ts';

const candidate = vec3();
const direction = vec3();
const found = createPoint();

/** Replaces the normal and the lower bound by those of the best direction. */
export function tryFaces(pair: Pair, shapeA: ShapeData, shapeB: ShapeData, result: EpaResult): void {
  const { planes, faceCount } = polytope;
  const firstA = faceCount + 12;
  const firstB = firstA + facesOf(shapeA);
  for (let f = 0; f < firstB + facesOf(shapeB); f++) {
    if (f >= firstB) faceNormal(pair, shapeB, f - firstB, true, candidate);
    else if (f >= firstA) faceNormal(pair, shapeA, f - firstA, false, candidate);
    else if (f >= faceCount) axisAt(pair, f - faceCount, candidate);
    else if (planes[4 * f + 3] <= result.lower) continue;
    else set(planes[4 * f], planes[4 * f + 1], planes[4 * f + 2], candidate);
    differenceSupport(pair, scale(candidate, -1, direction), found);
    result.iterations++;
    const height = dot(candidate, found.position);
    if (height <= result.lower) continue;
    result.lower = height;
    copy(candidate, result.normal);
  }
}

/** How many of a shape's faces are tried. */
function facesOf({ facePlanes }: ShapeData): number {
  return Math.min(facePlanes.length / 4, REFINE_FACES);
}

/** The normal of a face, in A's frame: out of A, or into B. */
function faceNormal({ rotation }: Pair, { facePlanes }: ShapeData, face: number, isB: boolean, to: Vec3): Vec3 {
  set(facePlanes[4 * face], facePlanes[4 * face + 1], facePlanes[4 * face + 2], to);
  return isB ? scale(transform(rotation, to, to), -1, to) : to;
}

/** The axes of A, then those of B, each in both directions. */
function axisAt({ rotation }: Pair, i: number, to: Vec3): Vec3 {
  const axis = (i >> 1) % 3;
  const sign = i & 1 ? -1 : 1;
  if (i < 6) return set(axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0, to);
  return set(sign * rotation[3 * axis], sign * rotation[3 * axis + 1], sign * rotation[3 * axis + 2], to);
}
