/** The pairs of bodies that a clash check asks about: near each other, or listed by the scene, and under a rule. */

import { invalidInput } from '../../src/api/errors.ts';
import { CORE_HALFSPACE } from '../../src/generated/constants.ts';
import { scenePairs } from '../scene/pairs.ts';
import type { Scene } from '../scene/scene.ts';
import { IGNORED } from './match-rules.ts';

export interface Candidates {
  /** Flat pairs of body indices a < b, each once, sorted. */
  pairs: Uint32Array;
  /** The index of each pair's rule. */
  rules: Uint16Array;
  /** Pairs that no rule matches, and pairs that rules or lists ignore. They are not among `pairs`. */
  leftOut: LeftOut;
}

export interface LeftOut {
  unmatched: number;
  ignored: number;
}

/** `margin` is the greatest gap that any rule looks for. `ruleOf` is that of `createRuleMatcher`. */
export function findCandidates(scene: Scene, margin: number, ruleOf: (a: number, b: number) => number): Candidates {
  const found = typeof scene.pairs === 'string' ? nearPairs(scene, margin) : listedPairs(scene, scene.pairs);
  const rules = new Uint16Array(found.length / 2);
  const leftOut = { unmatched: 0, ignored: 0 };
  let count = 0;
  for (let pair = 0; pair < rules.length; pair++) {
    const a = found[2 * pair];
    const b = found[2 * pair + 1];
    const rule = ruleOf(a, b);
    if (rule < 0) {
      leftOut[rule === IGNORED ? 'ignored' : 'unmatched']++;
      continue;
    }
    found[2 * count] = a;
    found[2 * count + 1] = b;
    rules[count++] = rule;
  }
  return { pairs: found.subarray(0, 2 * count), rules: rules.subarray(0, count), leftOut };
}

/** All other pairs are farther apart than the margin. Two half-spaces do not form a pair. */
function nearPairs(scene: Scene, margin: number): Uint32Array {
  return scenePairs({ ...scene, pairs: 'broad-phase' }, margin);
}

function listedPairs({ bodies, shapeData, bodyNames }: Scene, pairs: Uint32Array): Uint32Array {
  const n = bodies.shapes.length;
  const isHalfspace = (body: number): boolean => shapeData[bodies.shapes[body]].kind === CORE_HALFSPACE;
  const keys = new Float64Array(pairs.length / 2);
  for (let pair = 0; pair < keys.length; pair++) {
    const a = Math.min(pairs[2 * pair], pairs[2 * pair + 1]);
    const b = Math.max(pairs[2 * pair], pairs[2 * pair + 1]);
    if (isHalfspace(a) && isHalfspace(b)) {
      const label = [a, b].map((body) => bodyNames.get(body) ?? body);
      invalidInput(`pairs[${pair}]`, label, 'at least one bounded body: two half-spaces have no distance');
    }
    keys[pair] = a * n + b;
  }
  keys.sort();
  const sorted = new Uint32Array(pairs.length);
  let count = 0;
  keys.forEach((key, i) => {
    if (key === keys[i - 1]) return;
    sorted[2 * count] = Math.floor(key / n);
    sorted[2 * count++ + 1] = key % n;
  });
  return sorted.subarray(0, 2 * count);
}
