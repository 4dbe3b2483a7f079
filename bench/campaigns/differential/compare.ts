/**
 * Narrowphase's answers to a family beside a peer's. Where they differ by more than both mean to be off by, the
 * brute-force oracle tells the true distance, and with it who is wrong.
 *
 * 1. Overlap is compared where the distance is farther from 0 than the band: our tolerance and the peer's slack
 *    together.
 * 2. Signed distances, gaps and depths apart, are compared where both give one.
 */

import { toleranceOf } from '../../../src/shapes/tolerances.ts';
import { Status, type Tester } from '../../../src/api/types.ts';
import { poseOf, type Family } from '../../../verification/families/families.ts';
import {
  oracleShape,
  pairSize,
  signedDistance,
  type OraclePose,
  type OracleShape,
} from '../../../verification/oracle/index.ts';
import { useShapes } from '../../../verification/families/test-pairs.ts';
import { slackOf, type Answers, type Peer } from './peer.ts';

export type Subject = 'overlap' | 'gap' | 'depth';

/** A pair that is answered differently, and by the oracle's word not by the fault of rounding. */
export interface Disagreement {
  subject: Subject;
  /** In its family. */
  pair: number;
  /** max(s, |B - A|). */
  size: number;
  /** The oracle's signed distance. */
  truth: number;
  /** Signed distance and overlap as answered; the peer's distance is null where it gives none. */
  here: { distance: number; overlaps: boolean };
  there: { distance: number | null; overlaps: boolean };
  isWrongHere: boolean;
  isWrongThere: boolean;
}

/** Differences of distances as shares of the size, sorted. */
export type Differences = Float64Array;

export interface Comparison {
  name: string;
  pairs: number;
  /** By our answer. */
  overlapping: number;
  inBand: number;
  notConverged: number;
  /** Overlapping pairs that the peer gives no distance for. */
  withoutDepth: number;
  gaps: Differences;
  depths: Differences;
  disagreements: Disagreement[];
  /** Milliseconds of both queries, asked a second time when all is compiled, and of the peer's calls. */
  here: number;
  there: number;
}

/** Our answers, pair by pair. */
export interface Ours {
  hit: Uint8Array;
  distance: Float32Array;
  status: Uint8Array;
  milliseconds: number;
}

export async function compare(tester: Tester, peer: Peer, family: Family): Promise<Comparison> {
  return compareAnswers(await answersOf(tester, family), peer, family);
}

export function compareAnswers(ours: Ours, peer: Peer, family: Family): Comparison {
  const theirs = peer.answer(family);
  const shapes = family.shapes.map(oracleShape);
  const count = family.pairs.length / 2;
  const disagreements: Disagreement[] = [];
  const gaps: number[] = [];
  const depths: number[] = [];
  let [overlapping, inBand, notConverged, withoutDepth] = [0, 0, 0, 0];
  for (let pair = 0; pair < count; pair++) {
    if (ours.status[pair] === Status.NotConverged) {
      notConverged++;
      continue;
    }
    const posedPair = poseOfPair(family, shapes, pair);
    const { size } = posedPair;
    const distance = ours.distance[pair];
    const there = theirs.distance[pair];
    if (distance <= 0) overlapping++;
    const found = judge(peer, posedPair, ours, theirs, pair);
    if (found === 'band') inBand++;
    else if (found !== null) disagreements.push(found);
    if (!Number.isNaN(there)) (distance > 0 ? gaps : depths).push(Math.abs(distance - there) / size);
    else if (distance <= 0) withoutDepth++;
  }
  return {
    name: family.name,
    pairs: count,
    overlapping,
    inBand,
    notConverged,
    withoutDepth,
    gaps: sorted(gaps),
    depths: sorted(depths),
    disagreements,
    here: ours.milliseconds,
    there: theirs.milliseconds,
  };
}

function sorted(values: readonly number[]): Differences {
  return Float64Array.from(values).sort();
}

export async function answersOf(tester: Tester, { shapes, bodies, pairs }: Family): Promise<Ours> {
  useShapes(tester, shapes);
  const ask = async () => {
    const { hit } = await tester.intersects(bodies, pairs);
    const { distance, status } = await tester.contacts(bodies, pairs, { margin: Infinity });
    return { hit, distance, status };
  };
  await ask();
  const start = performance.now();
  const answers = await ask();
  return { ...answers, milliseconds: performance.now() - start };
}

interface PosedPair {
  a: OracleShape;
  poseA: OraclePose;
  b: OracleShape;
  poseB: OraclePose;
  size: number;
}

function poseOfPair(family: Family, shapes: readonly OracleShape[], pair: number): PosedPair {
  const [bodyA, bodyB] = [family.pairs[2 * pair], family.pairs[2 * pair + 1]];
  const [a, b] = [shapes[family.bodies.shapes[bodyA]], shapes[family.bodies.shapes[bodyB]]];
  const [poseA, poseB] = [poseOf(family, bodyA), poseOf(family, bodyB)];
  const between = Math.hypot(...[0, 1, 2].map((k) => poseB.position[k] - poseA.position[k]));
  return { a, poseA, b, poseB, size: Math.max(pairSize(a, poseA, b, poseB), between) };
}

/** What one pair comes to: null where both agree outside the band, `'band'` where its overlap is too close to tell. */
function judge(
  peer: Peer,
  { a, poseA, b, poseB, size }: PosedPair,
  ours: Ours,
  theirs: Answers,
  pair: number,
): Disagreement | 'band' | null {
  const [distance, there] = [ours.distance[pair], theirs.distance[pair]];
  const [overlaps, overlapsThere] = [ours.hit[pair] === 1, theirs.overlaps[pair] === 1];
  const t = (d: number): number => toleranceOf('kernels', a.core, b.core, d <= 0) * size;
  const bandAt = (d: number): number => t(d) + slackOf(peer.overlapSlack, size, d);
  const isNear = (d: number): boolean => Math.abs(d) <= bandAt(d);

  const isMissing = Number.isNaN(there);
  const mayDiffer = t(distance) + slackOf(peer.distanceSlack, size, distance);
  const isFarOff =
    !Number.isFinite(distance) ||
    (isMissing ? distance <= 0 && !isNear(distance) : !(Math.abs(distance - there) <= mayDiffer));
  const differ = overlaps !== overlapsThere || distance <= 0 !== overlaps;
  if (!differ && !isFarOff) return isNear(distance) ? 'band' : null;
  // Two numbers near 0 and near each other need no third.
  if (!isFarOff && isNear(distance)) return 'band';

  const truth = signedDistance(a, poseA, b, poseB).distance;
  const isOverlap = truth <= 0;
  const isOutside = !isNear(truth);
  const isOff = !(Math.abs(distance - truth) <= t(truth));
  const isSignWrong = Math.abs(truth) > t(truth) && (overlaps !== isOverlap || distance <= 0 !== isOverlap);
  const isWrongThere = isOutside && overlapsThere !== isOverlap;
  const isOffThere = isMissing
    ? isOverlap && isOutside
    : Math.abs(there - truth) > slackOf(peer.distanceSlack, size, truth);
  const common = {
    pair,
    size,
    truth,
    here: { distance, overlaps },
    there: { distance: isMissing ? null : there, overlaps: overlapsThere },
    isWrongHere: isOff || isSignWrong,
  };
  if (isSignWrong || isWrongThere) return { subject: 'overlap', ...common, isWrongThere };
  if (isOff || isOffThere) return { subject: isOverlap ? 'depth' : 'gap', ...common, isWrongThere: isOffThere };
  return isNear(distance) ? 'band' : null;
}
