/**
 * The header of a report: everything except its contacts. It contains no times, so that the same query on the same
 * engine gives the same bytes.
 */

import type { CommandQuery } from '../../verification/engines/engine.ts';
import { SHAPE_TYPES } from '../scene/scene-shapes.ts';
import type { StatusCounts } from '../../src/api/types.ts';
import type { EngineFacts } from '../../verification/engines/engine.ts';

/** Names of the statuses in reports, by `Status`. */
export const STATUS_NAMES = ['separated', 'overlapping', 'notConverged', 'invalidInput', 'capacityExceeded'] as const;
export type StatusName = (typeof STATUS_NAMES)[number];

/** How many pairs have each status. */
export type NamedCounts = Record<StatusName, number>;

/** Where a scene's candidate pairs come from. */
export const PAIR_RULES = ['listed', 'all', 'broad-phase'] as const;

export interface ReportHeader {
  /** Version of the report format. */
  version: 1;
  /** Program and version that wrote the report. */
  generator: string;
  scene: {
    /** Path as given on the command line. */
    file: string;
    /** Hash of the file's bytes, in hexadecimal. */
    sha256: string;
    name: string;
    bodies: number;
    /** Number of bodies by type of shape. */
    bodiesByType: Record<string, number>;
    /** Number of shapes by type. */
    shapesByType: Record<string, number>;
    pairs: (typeof PAIR_RULES)[number];
  };
  query: {
    name: CommandQuery;
    /** null stands for infinity: every pair counts as a hit. */
    margin: number | null;
    /** `--tolerance` if given: overlaps of at most this depth are allowed. */
    tolerance?: number;
  };
  /** The engine; after a merge, the distinct engines of all shards in the order of the shards. */
  engines: ReportEngine[];
  /** Number of candidate pairs in the whole scene. */
  candidatePairs: number;
  /** The part of the candidate pairs that was queried; null: all of them. */
  shard: Shard | null;
  hits: number;
  /** Counts over the queried pairs. */
  statusCounts: NamedCounts;
  /** Present if the scene has `allowed` or a tolerance was given. */
  allowed?: AllowedCounts;
  /** Result of `--fail-on-overlap`; null without that option. */
  check: Check | null;
}

export interface ReportEngine extends EngineFacts {
  /** Why `auto` fell back to the CPU; null otherwise. */
  fallback: string | null;
}

/** The `index`-th of `count` equal parts of the candidate pairs, counted from 1. */
export interface Shard {
  index: number;
  count: number;
  firstPair: number;
  pairs: number;
}

/** Why an overlap does not fail the check: the scene allows the pair, or the tolerance allows the depth. */
export const ALLOWANCES = ['pair', 'tolerance'] as const;
export type Allowance = (typeof ALLOWANCES)[number];

/** Contacts that do not fail the check. */
export interface AllowedCounts {
  /** Overlapping pairs that the scene allows. */
  byPair: number;
  /** Other overlapping pairs, within the tolerance. */
  byTolerance: number;
  /** Contacts without an answer whose pairs the scene allows. */
  unanswered: number;
}

/** The check passes if every pair is known to be separated or is allowed. */
export interface Check {
  passed: boolean;
  overlapping: number;
  unanswered: number;
}

/** Greatest number of shards: up to it, the products in `shardOf` are exact. */
export const MAX_SHARDS = 1_000_000;

/** Shard `index` of `count` of `candidatePairs` pairs. */
export function shardOf(index: number, count: number, candidatePairs: number): Shard {
  const firstPair = Math.floor(((index - 1) * candidatePairs) / count);
  const end = Math.floor((index * candidatePairs) / count);
  return { index, count, firstPair, pairs: end - firstPair };
}

/** Sorts counts into the fixed order of types that reports use. */
export function inOrderOfTypes(counts: Record<string, number>): Record<string, number> {
  const types = SHAPE_TYPES.filter((type) => Object.hasOwn(counts, type));
  return Object.fromEntries(types.map((type) => [type, counts[type]]));
}

export function namedCounts(counts: StatusCounts | number[]): NamedCounts {
  return Object.fromEntries(STATUS_NAMES.map((name, status) => [name, counts[status]])) as NamedCounts;
}

/** Pairs without an answer do not count as free of overlap. */
export function checkOverlap(counts: NamedCounts, allowed: AllowedCounts = NONE_ALLOWED): Check {
  const overlapping = counts.overlapping - allowed.byPair - allowed.byTolerance;
  const unanswered = unansweredOf(counts) - allowed.unanswered;
  return { passed: overlapping + unanswered === 0, overlapping, unanswered };
}

export const NONE_ALLOWED: Readonly<AllowedCounts> = { byPair: 0, byTolerance: 0, unanswered: 0 };

/** Adds an allowed contact to the counts. */
export function countAllowed(counts: AllowedCounts, allowance: Allowance, status: StatusName): void {
  if (status !== 'overlapping') counts.unanswered++;
  else if (allowance === 'pair') counts.byPair++;
  else counts.byTolerance++;
}

/** Number of pairs without an answer. */
export function unansweredOf(counts: NamedCounts): number {
  return counts.notConverged + counts.invalidInput + counts.capacityExceeded;
}
