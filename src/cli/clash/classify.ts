/**
 * The category of two convex bodies, from their signed distance and geometry. It is decided in double precision whichever
 * engine gave the distance. The distance is exact: the depth of two convex bodies is the least translation that separates
 * them.
 */

import type { Scene } from '../../scene/scene.ts';
import type { Category, Source } from './categories.ts';
import { protrudes } from './solids/protrusion.ts';
import { isSamePlace } from './solids/same-place.ts';
import type { Limits } from './rules.ts';
import { createSolid, readSolid } from './solids/solid.ts';

export interface Classified {
  category: Category;
  source: Source;
  /** `contained` only: the body that is inside the other. */
  inside?: 'a' | 'b';
}

/** A function that gives the category of a pair, or undefined if the pair is no clash. */
export function createClassifier(
  scene: Scene,
): (a: number, b: number, distance: number, limits: Limits) => Classified | undefined {
  const first = createSolid(scene.shapeData[0]);
  const second = createSolid(scene.shapeData[0]);
  return (a, b, distance, { tolerance, clearance }) => {
    if (distance > tolerance) {
      return clearance !== null && distance < clearance ? { category: 'clearance', source: 'exact' } : undefined;
    }
    readSolid(scene, a, first);
    readSolid(scene, b, second);
    const source: Source = 'exact';
    if (isSamePlace(first, second, tolerance)) return { category: 'duplicate', source };
    const isInB = !protrudes(first, second, tolerance);
    const isInA = !protrudes(second, first, tolerance);
    if (isInA && isInB) return { category: 'duplicate', source };
    if (distance >= -tolerance) return { category: 'touching', source };
    if (isInA || isInB) return { category: 'contained', source, inside: isInB ? 'a' : 'b' };
    return { category: 'overlap', source };
  };
}
