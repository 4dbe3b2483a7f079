/** The pairs of bodies that a scene selects. */

import { NarrowphaseError } from '../../src/api/errors.ts';
import { CORE_HALFSPACE } from '../../src/generated/constants.ts';
import { worldBoxes, worldHalfspaces } from '../../src/broad-phase/bounds.ts';
import { findPairs } from '../../src/broad-phase/search-pairs.ts';
import { SCENE_LIMITS } from './scene.ts';
import type { Scene } from './scene.ts';

/**
 * Flat pairs of body indices, 2m numbers. Two half-spaces form a pair only if the scene lists them. Throws
 * `LIMIT_EXCEEDED` beyond `SCENE_LIMITS.pairs`.
 */
export function scenePairs(scene: Scene, margin: number): Uint32Array {
  const { bodies, shapeData } = scene;
  if (scene.pairs === 'all')
    return allPairs(Array.from(bodies.shapes, (shape) => shapeData[shape].kind === CORE_HALFSPACE));
  if (scene.pairs === 'broad-phase') {
    return findPairs(
      worldBoxes(bodies, shapeData, margin),
      worldHalfspaces(bodies, shapeData, margin),
      {},
      SCENE_LIMITS.pairs,
    );
  }
  return scene.pairs;
}

/** All pairs a < b except those of two half-spaces, sorted. */
function allPairs(isHalfspace: readonly boolean[]): Uint32Array {
  const n = isHalfspace.length;
  const halfspaces = isHalfspace.filter(Boolean).length;
  const count = (n * (n - 1)) / 2 - (halfspaces * (halfspaces - 1)) / 2;
  if (count > SCENE_LIMITS.pairs) {
    throw new NarrowphaseError(
      'LIMIT_EXCEEDED',
      `pairs is "all", which makes ${count} pairs of ${n} bodies, expected at most ${SCENE_LIMITS.pairs}: ` +
        '"broad-phase" leaves out those that are far apart',
    );
  }
  const pairs = new Uint32Array(2 * count);
  let p = 0;
  for (let a = 0; a < n; a++) {
    for (let b = a + 1; b < n; b++) {
      if (isHalfspace[a] && isHalfspace[b]) continue;
      pairs[p++] = a;
      pairs[p++] = b;
    }
  }
  return pairs;
}
