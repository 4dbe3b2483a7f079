/** The pairs that a scene asks for, and how they came about. */

import { NarrowphaseError } from '../errors.ts';
import { worldBoxes } from './bounds.ts';
import { sweepAndPrune } from './broad-phase.ts';
import { SCENE_LIMITS } from './scene.ts';
import type { Scene } from './scene.ts';

/** Flat pairs of body indices, 2m. Throws `LIMIT_EXCEEDED` where there would be more than `SCENE_LIMITS.pairs`. */
export function scenePairs(scene: Scene, margin: number): Uint32Array {
  if (scene.pairs === 'all') return allPairs(scene.bodies.shapes.length);
  if (scene.pairs === 'broad-phase') {
    return sweepAndPrune(worldBoxes(scene.bodies, scene.shapeData, margin), SCENE_LIMITS.pairs);
  }
  return scene.pairs;
}

/** Every pair a < b of n bodies, sorted. */
function allPairs(n: number): Uint32Array {
  const count = (n * (n - 1)) / 2;
  if (count > SCENE_LIMITS.pairs) {
    throw new NarrowphaseError(
      'LIMIT_EXCEEDED',
      `pairs is "all", which makes ${count} pairs of ${n} bodies, expected at most ${SCENE_LIMITS.pairs}: "broad-phase" leaves out those that are far apart`,
    );
  }
  const pairs = new Uint32Array(2 * count);
  let p = 0;
  for (let a = 0; a < n; a++) {
    for (let b = a + 1; b < n; b++) {
      pairs[p++] = a;
      pairs[p++] = b;
    }
  }
  return pairs;
}
