/**
 * Another library whose answers ours are compared with: which shapes it takes, how exact it means to be, and its
 * answers.
 */

import type { ShapeDescription } from '../../../src/api/shapes.ts';
import type { Family } from '../../../verification/families/families.ts';

export const PEERS = ['rapier', 'jolt'] as const;
export type PeerName = (typeof PEERS)[number];
export type ShapeType = ShapeDescription['type'];

/** Shapes that a peer takes. */
export interface Scope {
  types: readonly ShapeType[];
  /** Types that it also has rounded. */
  rounded: readonly ShapeType[];
  /** Pairs of types, `a/b`, that it does not test against each other. */
  without: readonly string[];
  /** Whether a half-space's plane may pass its body's origin at a distance. */
  hasOffset: boolean;
}

/**
 * How far from the truth a peer's answers may be without anybody's fault: `absolute`, in metres, + `relative` · max(s,
 * |B - A|) + `ofDistance` · |distance|.
 */
export interface Slack {
  absolute: number;
  relative: number;
  ofDistance: number;
}

export function slackOf({ absolute, relative, ofDistance }: Slack, size: number, distance: number): number {
  return absolute + relative * size + ofDistance * Math.abs(distance);
}

/** Answers to the pairs of a family. */
export interface Answers {
  overlaps: Uint8Array;
  /** Signed; NaN where the peer gives none. */
  distance: Float64Array;
  /** Milliseconds of the calls. */
  milliseconds: number;
}

export interface Peer {
  name: PeerName;
  title: string;
  /** Package and version. */
  version: string;
  scope: Scope;
  /** For overlap: how much wider the band is than our own tolerance. */
  overlapSlack: Slack;
  /** For gaps and depths: if they differ by more, the oracle decides. */
  distanceSlack: Slack;
  /** What is compared, and what not; for the report. */
  notes: readonly string[];
  answer(family: Family): Answers;
}

/** Names of the pairs of types that a peer has, as `shapePairNames` orders them. */
export function pairNames({ types, without }: Scope): string[] {
  return types
    .flatMap((a, i) => types.slice(i).map((b) => `${a}/${b}`))
    .filter((name) => name !== 'halfspace/halfspace' && !without.includes(name));
}
