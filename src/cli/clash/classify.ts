/**
 * The category of a pair of bodies, from its signed distance and the bodies' geometry. It is decided in double precision
 * whichever engine gave the distance.
 */

import type { Scene } from '../../scene/scene.ts';
import type { Category, Source } from './categories.ts';
import { protrudes, slackOf } from './protrusion.ts';
import type { Limits } from './rules.ts';
import { createSolid, readSolid, reachOf, type Solid } from './solid.ts';

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

/** Whether bodies of one shape differ in pose by no more than the limit. Quick for copies of curved shapes. */
function isSamePlace(a: Solid, b: Solid, limit: number): boolean {
  if (a.shape !== b.shape || a.scale !== b.scale) return false;
  let turn = 0;
  for (let i = 0; i < 9; i++) turn += (a.rotation[i] - b.rotation[i]) ** 2;
  const moved = Math.hypot(a.position.x - b.position.x, a.position.y - b.position.y, a.position.z - b.position.z);
  return moved + Math.sqrt(turn) * reachOf(a) <= limit + slackOf(a, b);
}
