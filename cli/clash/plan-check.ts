/** Decides which pairs of a scene a clash check asks about, before an engine is opened. */

import type { Scene } from '../scene/scene.ts';
import type { Range } from '../chunked-query.ts';
import { shardOf, type Shard } from '../report/report-header.ts';
import { findCandidates, type Candidates } from './candidates.ts';
import { FAILING, type Category } from './categories.ts';
import { marginOf } from './find-clashes.ts';
import { createRuleMatcher } from './match-rules.ts';
import type { Limits, Rules } from './rules.ts';

/** In the scene's unit. A tenth of a millimetre where that is the metre. */
export const DEFAULT_TOLERANCE = 1e-4;

export interface CheckRequest {
  rules: Rules;
  /** Limits for pairs that no rule names. */
  defaults: Limits;
  /** undefined: `FAILING`, and `clearance` if a clearance is given. */
  failOn?: readonly Category[];
  /** One part of the pairs; undefined: all of them. */
  shard?: { index: number; count: number };
}

export interface CheckPlan {
  rules: Rules;
  defaults: Limits;
  /** Limits of each rule. */
  limits: readonly Limits[];
  failOn: readonly Category[];
  candidates: Candidates;
  shard: Shard | null;
  /** The candidate pairs of the shard. */
  range: Range;
}

export function planCheck(scene: Scene, { rules, defaults, failOn, shard: choice }: CheckRequest): CheckPlan {
  const limits: readonly Limits[] = rules.rules ?? [defaults];
  const candidates = findCandidates(scene, marginOf(limits), createRuleMatcher(rules, scene.bodyNames));
  const candidatePairs = candidates.pairs.length / 2;
  const shard = choice ? shardOf(choice.index, choice.count, candidatePairs) : null;
  const hasClearance = limits.some(({ clearance }) => clearance !== null);
  return {
    rules,
    defaults,
    limits,
    failOn: failOn ?? [...FAILING, ...(hasClearance ? (['clearance'] as const) : [])],
    candidates,
    shard,
    range: { first: shard?.firstPair ?? 0, end: shard ? shard.firstPair + shard.pairs : candidatePairs },
  };
}
