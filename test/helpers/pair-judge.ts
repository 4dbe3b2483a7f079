/** Judges pairs that a broad phase found by the boxes of the oracle. */
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { isCurved } from '../../src/shapes/kinds.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';
import { CURVED_TOLERANCE, TOLERANCE } from '../../src/shapes/tolerances.ts';
import type { OracleBody } from './box-oracle.ts';

/** Lengths by which boxes may be larger than needed, as a share of their size. */
const EXTRA = 1e-5;

/** How far two bodies are apart, less the margin: the greatest gap along an axis, or over a plane. */
function gapOf(a: OracleBody, b: OracleBody): number {
  if (a.plane && b.plane) return Infinity;
  if (b.plane) return gapOf(b, a);
  if (a.plane) {
    const { normal, offset, position } = a.plane;
    return normal.reduce((sum, n, k) => sum + n * ((n > 0 ? b.low : b.high)[k] - position[k]), -offset);
  }
  let gap = -Infinity;
  for (let k = 0; k < 3; k++) gap = Math.max(gap, a.low[k] - b.high[k], b.low[k] - a.high[k]);
  return gap;
}

/** What the boxes of two bodies say of their pair: it has to be found, it may be found, or it must not be. */
export interface PairVerdict {
  verdict: 'needed' | 'allowed' | 'excluded';
  gap: number;
}

export type PairJudge = (a: number, b: number) => PairVerdict;

/** Pairs that meet are needed; those that are within the tolerance and the rounding of boxes besides are allowed. */
export function makePairJudge(
  shapes: readonly ShapeDescription[],
  bodies: readonly OracleBody[],
  margin = 0,
  mayPair: (a: number, b: number) => boolean = () => true,
): PairJudge {
  const tolerance = shapes.some((shape) => isCurved(makeShapeData(shape).kind))
    ? CURVED_TOLERANCE.kernels.apart
    : TOLERANCE.kernels;
  return (a, b) => {
    const gap = gapOf(bodies[a], bodies[b]);
    if (!mayPair(a, b)) return { verdict: 'excluded', gap };
    if (gap <= margin) return { verdict: 'needed', gap };
    const plane = bodies[a].plane ?? bodies[b].plane;
    const other = bodies[a].plane ? bodies[b] : bodies[a];
    const far = plane ? Math.hypot(...plane.position.map((x, k) => (other.low[k] + other.high[k]) / 2 - x)) : 0;
    const size = bodies[a].reach + bodies[b].reach + margin + far;
    // Half of the margin is added to the box on all sides, so it counts for more along a slanted normal.
    const slant = plane ? plane.normal.reduce((sum, n) => sum + Math.abs(n), 1) / 2 : 1;
    const isNear = gap <= slant * margin + (2 * tolerance + EXTRA) * size;
    return { verdict: isNear ? 'allowed' : 'excluded', gap };
  };
}

/** What is wrong with all pairs that were found, in words; at most a few. */
export function pairFaults(
  shapes: readonly ShapeDescription[],
  bodies: readonly OracleBody[],
  pairs: Uint32Array,
  margin: number,
  mayPair?: (a: number, b: number) => boolean,
): string[] {
  const judge = makePairJudge(shapes, bodies, margin, mayPair);
  const faults: string[] = [];
  let at = 0;
  for (let a = 0; a < bodies.length && faults.length < 5; a++) {
    for (let b = a + 1; b < bodies.length; b++) {
      const isFound = pairs[at] === a && pairs[at + 1] === b;
      if (isFound) at += 2;
      const { verdict, gap } = judge(a, b);
      if (verdict === 'needed' && !isFound) faults.push(`${a}, ${b} is missing: gap ${gap}`);
      if (verdict === 'excluded' && isFound) faults.push(`${a}, ${b} is there: gap ${gap}`);
    }
  }
  if (faults.length === 0 && at !== pairs.length) faults.push(`${pairs.length - at} numbers out of order`);
  return faults;
}

/**
 * What is wrong with the pairs found, beside a list that has every pair that meets: pairs of one list alone have to be
 * such that they are allowed, and the pairs found have to ascend.
 */
export function differenceFaults(judge: PairJudge, found: Uint32Array, expected: Uint32Array): string[] {
  const faults: string[] = [];
  const [keys, others] = [keysOf(found), keysOf(expected)];
  const known = new Set(others);
  for (const [i, key] of keys.entries()) {
    if (i > 0 && key <= keys[i - 1]) faults.push(`${nameOf(key)} is out of order`);
    if (known.delete(key)) continue;
    const { verdict, gap } = judgeKey(judge, key);
    if (verdict === 'excluded') faults.push(`${nameOf(key)} is there: gap ${gap}`);
  }
  for (const key of known) {
    const { verdict, gap } = judgeKey(judge, key);
    if (verdict === 'needed') faults.push(`${nameOf(key)} is missing: gap ${gap}`);
  }
  return faults.slice(0, 5);
}

/** Of a batch: what it says of its pairs. */
export interface KeptPairs {
  pairs: Uint32Array;
  candidates: number;
  pairOverflow: number;
  maxPairs: number;
}

/**
 * What is wrong with the pairs that a batch kept and counted, by brute force over `count` bodies: the pairs of the bodies
 * with the lowest indices have to be kept, up to the first body without room for all its pairs.
 */
export function keptFaults(judge: PairJudge, count: number, kept: KeptPairs): string[] {
  const { pairs, candidates, pairOverflow, maxPairs } = kept;
  const faults: string[] = [];
  const keys = keysOf(pairs);
  const found = new Set(keys);
  const lastOwner = pairs.length > 0 ? pairs[pairs.length - 2] : -1;
  const totals = { needed: 0, possible: 0 };
  /** The pairs that the first body without room can have. */
  let possibleOfNext = 0;
  let isNextFound = false;
  for (let a = 0; a < count; a++) {
    let needed = 0;
    let possible = 0;
    for (let b = a + 1; b < count; b++) {
      const { verdict, gap } = judge(a, b);
      const isFound = found.has(keyOf(a, b));
      if (verdict === 'excluded' && isFound) faults.push(`${a}, ${b} is there: gap ${gap}`);
      if (verdict === 'needed' && !isFound && (a <= lastOwner || pairOverflow === 0))
        faults.push(`${a}, ${b} is missing: gap ${gap}`);
      if (verdict === 'needed') needed++;
      if (verdict !== 'excluded') possible++;
    }
    totals.needed += needed;
    totals.possible += possible;
    if (a <= lastOwner || isNextFound) continue;
    possibleOfNext += possible;
    isNextFound = needed > 0;
  }
  if (keys.some((key, i) => i > 0 && key <= keys[i - 1])) faults.push('pairs are out of order');
  if (candidates < totals.needed || candidates > totals.possible)
    faults.push(`${candidates} candidates, expected ${totals.needed} to ${totals.possible}`);
  if (keys.length + pairOverflow !== candidates)
    faults.push(`${keys.length} kept and ${pairOverflow} left out of ${candidates}`);
  if (keys.length > maxPairs) faults.push(`${keys.length} pairs, expected at most ${maxPairs}`);
  if (pairOverflow > 0 && keys.length + possibleOfNext <= maxPairs)
    faults.push(`${keys.length} pairs, although there was room for those of the next body`);
  return faults;
}

/** Bodies are numbered below this. */
const MOST_BODIES = 2 ** 24;

function keyOf(a: number, b: number): number {
  return a * MOST_BODIES + b;
}

function keysOf(pairs: Uint32Array): number[] {
  return Array.from({ length: pairs.length / 2 }, (_, i) => keyOf(pairs[2 * i], pairs[2 * i + 1]));
}

function bodiesOf(key: number): [number, number] {
  return [Math.floor(key / MOST_BODIES), key % MOST_BODIES];
}

function nameOf(key: number): string {
  return bodiesOf(key).join(', ');
}

function judgeKey(judge: PairJudge, key: number): PairVerdict {
  return judge(...bodiesOf(key));
}
