/**
 * The category of two bodies, from their signed distance and whether one is within the other. It is decided in double
 * precision whichever engine gave the distance. The distance of convex bodies is exact: their depth is the least
 * translation that separates them.
 */

import type { Scene } from '../scene/scene.ts';
import type { Category } from './categories.ts';
import { protrudes } from './solids/protrusion.ts';
import { isSamePlace } from './solids/same-place.ts';
import type { Limits } from './rules.ts';
import { createSolid, readSolid } from './solids/solid.ts';

export interface Classified {
  category: Category;
  /** `contained` only: the body that is inside the other. */
  inside?: 'a' | 'b';
}

/** Whether a body is within the tolerance of the other; whether each is, if they are in the same place. */
export interface Containment {
  isSamePlace(): boolean;
  isAInB(): boolean;
  isBInA(): boolean;
}

/** Undefined: no clash. */
export function categoryOf(
  distance: number,
  { tolerance, clearance }: Limits,
  { isSamePlace: isSame, isAInB, isBInA }: Containment,
): Classified | undefined {
  if (distance > tolerance) return clearance !== null && distance < clearance ? { category: 'clearance' } : undefined;
  if (isSame()) return { category: 'duplicate' };
  const isAInside = isAInB();
  const isBInside = isBInA();
  if (isAInside && isBInside) return { category: 'duplicate' };
  if (distance >= -tolerance) return { category: 'touching' };
  if (isAInside || isBInside) return { category: 'contained', inside: isAInside ? 'a' : 'b' };
  return { category: 'overlap' };
}

/** A function that gives the category of a pair of convex bodies, or undefined if the pair is not a clash. */
export function createClassifier(
  scene: Scene,
): (a: number, b: number, distance: number, limits: Limits) => Classified | undefined {
  const first = createSolid(scene.shapeData[0]);
  const second = createSolid(scene.shapeData[0]);
  return (a, b, distance, limits) => {
    const { tolerance } = limits;
    if (distance <= tolerance) {
      readSolid(scene, a, first);
      readSolid(scene, b, second);
    }
    return categoryOf(distance, limits, {
      isSamePlace: () => isSamePlace(first, second, tolerance),
      isAInB: () => !protrudes(first, second, tolerance),
      isBInA: () => !protrudes(second, first, tolerance),
    });
  };
}
