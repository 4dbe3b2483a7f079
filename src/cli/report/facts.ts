/**
 * Everything in a report except its contacts. Nothing in it depends on the clock, so the same question to the same
 * engine gives the same bytes.
 */

import type { CommandQuery } from '../../../verification/engines/engine.ts';
import { SHAPE_TYPES } from '../../scene/scene-shapes.ts';
import type { Scene } from '../../scene/scene.ts';
import type { StatusCounts } from '../../api/types.ts';
import type { EngineFacts } from '../../../verification/engines/engine.ts';

/** Names of the statuses in reports, by `Status`. */
export const STATUS_NAMES = ['separated', 'overlapping', 'notConverged', 'invalidInput', 'capacityExceeded'] as const;
export type StatusName = (typeof STATUS_NAMES)[number];

/** How many pairs have each status. */
export type NamedCounts = Record<StatusName, number>;

/** Where a scene's candidate pairs come from. */
export const PAIR_RULES = ['listed', 'all', 'broad-phase'] as const;

export interface Facts {
  /** Version of the report's format. */
  version: 1;
  /** Program and version that wrote the report. */
  generator: string;
  scene: {
    /** Path as given on the command line. */
    file: string;
    /** SHA-256 of the file's bytes, in hexadecimal. */
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
    /** The value of `--tolerance`, if given: overlaps up to this depth are allowed. */
    tolerance?: number;
  };
  /** The engine that answered. For merged shards, the distinct engines in the order of the shards. */
  engines: ReportEngine[];
  /** Number in the whole scene. */
  candidatePairs: number;
  /** The part of the candidate pairs that was queried; null means all of them. */
  shard: Shard | null;
  hits: number;
  /** Counts over the pairs that were queried. */
  statusCounts: NamedCounts;
  /** Present if the scene has `allowed` or a tolerance was given. */
  allowed?: AllowedCounts;
  /** Result of `--fail-on-overlap`; null if it wasn't given. */
  check: Check | null;
}

export interface ReportEngine extends EngineFacts {
  /** Why the CPU was taken although WebGPU was preferred; otherwise null. */
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

/** Most shards of a scene. Up to this number the products below are exact. */
export const MAX_SHARDS = 1_000_000;

/** Shard `index` of `count` of `candidatePairs` pairs. */
export function shardOf(index: number, count: number, candidatePairs: number): Shard {
  const firstPair = Math.floor(((index - 1) * candidatePairs) / count);
  const end = Math.floor((index * candidatePairs) / count);
  return { index, count, firstPair, pairs: end - firstPair };
}

/** The number of entries of `shapes` with each type of the scene's shapes. */
export function countByType(scene: Scene, shapes: ArrayLike<number>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of scene.shapes) counts[type] = 0;
  for (let i = 0; i < shapes.length; i++) counts[scene.shapes[shapes[i]].type]++;
  return inOrderOfTypes(counts);
}

/** The types in a fixed order, regardless of their order in a scene or in another program's report. */
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

/** Counts an allowed contact. */
export function countAllowed(counts: AllowedCounts, allowance: Allowance, status: StatusName): void {
  if (status !== 'overlapping') counts.unanswered++;
  else if (allowance === 'pair') counts.byPair++;
  else counts.byTolerance++;
}

/** Number of pairs without an answer. */
export function unansweredOf(counts: NamedCounts): number {
  return counts.notConverged + counts.invalidInput + counts.capacityExceeded;
}
