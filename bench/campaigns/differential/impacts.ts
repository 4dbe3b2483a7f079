/**
 * Narrowphase's times of impact, by the kernels and by the reference, beside a peer's. Where they differ by more than
 * both mean to be off by, the oracle of motion judges our answers, and tells where the bodies are at the peer's time:
 *
 * 1. Times agree where the bodies move by no more than our tolerance and the peer's slack between them: the distance
 *    changes no faster.
 * 2. Of the others, the peer is right where the bodies come as near as its slack by then, and did not overlap by as
 *    much before. Bodies that graze each other, or nearly, are that near for long, so that both may be right.
 */

import { toleranceOf } from '../../../src/shapes/tolerances.ts';
import { Status, type Tester } from '../../../src/api/types.ts';
import type { MovingFamily } from '../../../verification/families/moving-family.ts';
import {
  firstWithin,
  gapAt,
  judgeImpact,
  type MovingPair,
  type SaidImpact,
} from '../../../verification/oracle/motion.ts';
import { useShapes } from '../../../verification/families/test-pairs.ts';
import { askReference, impactAt, movingPairsOf } from '../../../verification/judges/moving-pairs.ts';
import type { Differences } from './compare.ts';
import type { MovingPeer } from './moving-peer.ts';
import { slackOf } from './peer.ts';

/**
 * What can be wrong with a peer's time: no hit of bodies that overlap and stand still to each other, no hit at once of
 * those that overlap as they begin to move, none of those that meet later, one after they overlap, one while those that
 * meet are still apart, and one of those that never meet.
 */
export type TimeFault = 'still' | 'start' | 'missed' | 'late' | 'early' | 'never';

/** A pair whose times differ, and by the oracle's word not by the fault of rounding. */
export interface ImpactDisagreement {
  /** In its family. */
  pair: number;
  /** max(s, |B - A|) as the motion begins. */
  size: number;
  kernels: SaidImpact;
  reference: SaidImpact;
  /** The peer's time. */
  there: number;
  /** The oracle's signed distance then; Infinity where the peer has no time. */
  distance: number;
  /** What the oracle finds wrong with our answers. */
  faults: Record<'kernels' | 'reference', string[]>;
  /** null: the peer is right. */
  fault: TimeFault | null;
}

export interface ImpactComparison {
  name: string;
  pairs: number;
  /** By the reference: while the bodies move, and as they begin to. */
  met: number;
  overlapping: number;
  /** Neither the kernels' nor the reference's time differs from the peer's. */
  agreeing: number;
  /** They differ, and none is wrong. */
  inBand: number;
  /** By the kernels. */
  notConverged: number;
  /** Where all have a time: how far bodies move between the kernels' and the peer's, as shares of the size, sorted. */
  differences: Differences;
  disagreements: ImpactDisagreement[];
  /** Milliseconds of the kernels' query, asked a second time when all is compiled, and of the peer's calls. */
  here: number;
  there: number;
}

/** The kernels' answers, pair by pair. */
export interface OurImpacts {
  at(pair: number): SaidImpact;
  milliseconds: number;
}

export async function compareImpacts(
  tester: Tester,
  peer: MovingPeer,
  family: MovingFamily,
): Promise<ImpactComparison> {
  return compareTimes(await impactsOf(tester, family), peer, family);
}

export async function impactsOf(
  tester: Tester,
  { shapes, bodies, pairs, duration }: MovingFamily,
): Promise<OurImpacts> {
  useShapes(tester, shapes);
  await tester.impacts(bodies, pairs, { duration });
  const start = performance.now();
  const found = await tester.impacts(bodies, pairs, { duration });
  return { at: (pair) => impactAt(found, pair), milliseconds: performance.now() - start };
}

export function compareTimes(ours: OurImpacts, peer: MovingPeer, family: MovingFamily): ImpactComparison {
  const theirs = peer.answer(family);
  const { duration } = family;
  const pairs = movingPairsOf(family);
  const disagreements: ImpactDisagreement[] = [];
  const differences: number[] = [];
  let [met, overlapping, agreeing, inBand, notConverged] = [0, 0, 0, 0, 0];
  for (const [index, pair] of pairs.entries()) {
    const kernels = ours.at(index);
    const reference = askReference(pair, { duration });
    const there = theirs.time[index];
    if (reference.unclampedTime < 0) overlapping++;
    else if (reference.status === Status.Overlapping) met++;
    if (kernels.status === Status.NotConverged) notConverged++;
    const speed = Math.hypot(...pair.velocity);
    const isSettled = [kernels, reference].every(
      ({ status }) => status === Status.Overlapping || status === Status.Separated,
    );
    if (
      isSettled &&
      agrees(pair, peer, kernels.time, there, 'kernels') &&
      agrees(pair, peer, reference.time, there, 'reference')
    )
      agreeing++;
    else {
      const found = judge(pair, peer, index, kernels, reference, there, duration);
      if (found) disagreements.push(found);
      else inBand++;
    }
    if ([kernels.time, reference.time, there].every(Number.isFinite))
      differences.push((Math.abs(kernels.time - there) * speed) / pair.size);
  }
  return {
    name: family.name,
    pairs: pairs.length,
    met,
    overlapping,
    agreeing,
    inBand,
    notConverged,
    differences: Float64Array.from(differences).sort(),
    disagreements,
    here: ours.milliseconds,
    there: theirs.milliseconds,
  };
}

function agrees(
  pair: MovingPair,
  { slack }: MovingPeer,
  here: number,
  there: number,
  precision: 'kernels' | 'reference',
): boolean {
  if (here === there) return true;
  const tolerance = toleranceOf(precision, pair.cpuA.kind, pair.cpuB.kind, false) * pair.size;
  return Math.abs(here - there) * Math.hypot(...pair.velocity) <= tolerance + slackOf(slack, pair.size, 0);
}

/** null where none is wrong. */
function judge(
  pair: MovingPair,
  peer: MovingPeer,
  index: number,
  kernels: SaidImpact,
  reference: SaidImpact,
  there: number,
  duration: number,
): ImpactDisagreement | null {
  const faultsOfReference = judgeImpact(pair, reference, { precision: 'reference', duration }).faults;
  // Where the reference stood the judge's search, the kernels are spared another.
  const known = faultsOfReference.length === 0 && reference.status === Status.Overlapping ? reference.time : undefined;
  const faults = {
    kernels: judgeImpact(pair, kernels, { precision: 'kernels', duration, known }).faults,
    reference: faultsOfReference,
  };
  const distance = there < Infinity ? gapAt(pair, there).distance : Infinity;
  const fault = faultOf(pair, there, distance, slackOf(peer.slack, pair.size, 0), duration);
  if (fault === null && faults.kernels.length + faults.reference.length === 0) return null;
  return { pair: index, size: pair.size, kernels, reference, there, distance, faults, fault };
}

/** null: the peer is right. `distance` is that of the bodies at its time. */
function faultOf(pair: MovingPair, there: number, distance: number, slack: number, duration: number): TimeFault | null {
  const isOverlapping = firstWithin(pair, -slack, 0, 0) !== undefined;
  if (isOverlapping && there === 0) return null;
  if (isOverlapping) return pair.velocity.every((x) => x === 0) ? 'still' : 'start';
  if (!(there < Infinity)) return firstWithin(pair, -slack, duration, 0) === undefined ? null : 'missed';
  if (firstWithin(pair, -slack, there, 0) !== undefined) return 'late';
  if (distance <= slack || firstWithin(pair, slack, there, 0) !== undefined) return null;
  return firstWithin(pair, slack, duration, 0) === undefined ? 'never' : 'early';
}
