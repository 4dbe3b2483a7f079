/** Compares answers: bit for bit with another run, or with the CPU backend within twice the tolerance. */

import { Status } from '../../src/api/types.ts';
import type { Columns } from './judge-pairs.ts';
import type { Scene } from './scene.ts';
import type { Way } from './ways.ts';

/**
 * Where the answer differs in a bit from the one that has a slot per pair, or from one in the same form. Arrays that the
 * answer lacks are not compared.
 */
export function bitDifferences(found: Columns, expected: Columns, isWhole: boolean): string[] {
  const faults: string[] = [];
  if (`${found.statusCounts}` !== `${expected.statusCounts}`)
    faults.push(`statusCounts are ${found.statusCounts as never}, at first ${expected.statusCounts as never}`);
  if (!isWhole && found.count !== expected.count) faults.push(`count is ${found.count}, at first ${expected.count}`);
  const slots = isWhole && found.pair ? Array.from({ length: found.count }, (_, slot) => found.pair[slot]) : undefined;
  for (const [name, column] of Object.entries(found)) {
    if (!ArrayBuffer.isView(column) || name === 'first') continue;
    const other = expected[name] as unknown as Float64Array;
    if (!ArrayBuffer.isView(other)) {
      faults.push(`${name} is there`);
      continue;
    }
    const width = Math.max(1, Math.round(other.length / Math.max(1, expected.count)));
    for (let slot = 0; slot < found.count; slot++) {
      // Without the field `pair` a list of hits can't be compared.
      const at = slots ? slots[slot] : slot;
      const [mine, theirs] = [column as Float64Array, other].map((array, k) =>
        Array.from(array.subarray(width * (k === 0 ? slot : at), width * (k === 0 ? slot : at) + width)),
      );
      if (mine.some((x, k) => !Object.is(x, theirs[k]))) {
        faults.push(`${name} of pair ${at} is ${mine.join(' ')}, on clean memory ${theirs.join(' ')}`);
        break;
      }
    }
  }
  return faults;
}

const CURVED = ['cylinder', 'cone', 'ellipsoid'];

/** By which distances of a way's pairs may be off: its shapes extend at most 3 from their origins, scaled. */
export function toleranceOf({ types }: Pick<Way, 'types'>): number {
  return 9 * (types.some((type) => CURVED.includes(type)) ? 1e-4 : 5e-6);
}

/** Where an answer contradicts the CPU backend's `contacts` at any margin. */
export function contradictions(answer: Columns, truth: Columns, way: Way, scene: Scene, margin: number): string[] {
  const faults: string[] = [];
  const { positions, shapes } = scene.bodies;
  const axes = positions.length / shapes.length;
  for (let pair = 0; pair < answer.count && faults.length < 3; pair++) {
    const [a, b] = [scene.pairs[2 * pair], scene.pairs[2 * pair + 1]];
    if (answer.status[pair] === Status.NotConverged || truth.status[pair] === Status.NotConverged) continue;
    const apart = Math.hypot(
      ...Array.from({ length: axes }, (_, k) => positions[axes * b + k] - positions[axes * a + k]),
    );
    const t = toleranceOf(way) * Math.max(1, apart / 9);
    const d = truth.distance[pair];
    const isOverlapping = answer.status[pair] === Status.Overlapping;
    if (answer.status[pair] > 1 || (isOverlapping ? d > t : d < -t))
      faults.push(`pair ${pair} has status ${answer.status[pair]} at distance ${d}`);
    if (way.query === 'intersects') {
      if (Math.abs(d - margin) > t && (answer.hit[pair] === 1) !== d <= margin)
        faults.push(`hit of pair ${pair} is ${answer.hit[pair]} at distance ${d}`);
      continue;
    }
    const found = (way.query === 'manifolds' ? answer.contactDistance : answer.distance)[pair];
    const isBound = found > margin - t ? !isOverlapping : isOverlapping && way.algorithm === 'mpr';
    const expected = isOverlapping && way.query === 'distances' ? 0 : d;
    if (isBound ? !(found <= expected + t) : !(Math.abs(found - expected) <= t))
      faults.push(`distance of pair ${pair} is ${found}, expected ${expected}`);
  }
  return faults;
}
