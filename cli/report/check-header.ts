/**
 * Checks the header of a report that was read from a file. Every error names the field, its value and the expectation.
 */

import { isDeepStrictEqual } from 'node:util';
import { invalidInput } from '../../src/api/errors.ts';
import type { CommandQuery } from '../../verification/engines/engine.ts';
import { checkObject, checkPresent, checkSize } from '../../src/util/json-fields.ts';
import { SCENE_LIMITS } from '../scene/scene.ts';
import { namesOf, type Names } from '../../src/util/known.ts';
import { QUERIES } from '../../verification/engines/engine.ts';
import { checkCount, checkEngines, checkScene, checkShard, checkText, checkWord } from './check-parts.ts';
import { checkOverlap, STATUS_NAMES, unansweredOf } from './report-header.ts';
import type { AllowedCounts, Check, ReportHeader, NamedCounts, Shard } from './report-header.ts';

/** The header of the report of one shard. */
export interface ShardHeader extends ReportHeader {
  shard: Shard;
}

const FIELDS = namesOf<ReportHeader>({
  version: true,
  generator: true,
  scene: true,
  query: true,
  engines: true,
  candidatePairs: true,
  shard: true,
  hits: true,
  statusCounts: true,
  allowed: true,
  check: true,
});
const QUERY_FIELDS = namesOf<ReportHeader['query']>({ name: true, margin: true, tolerance: true });
const ALLOWED_FIELDS = namesOf<AllowedCounts>({ byPair: true, byTolerance: true, unanswered: true });
const STATUSES: Names = new Set(STATUS_NAMES);

/** Returns the header with its fields in the order that `run` writes. */
export function checkShardHeader(value: unknown): ShardHeader {
  const root = checkObject(value, '', FIELDS, 'the report');
  checkPresent(root.version, 'version', '1');
  if (root.version !== 1) invalidInput('version', root.version, '1');
  const generator = checkText(root.generator, 'generator');
  const scene = checkScene(root.scene);
  const query = checkObject(root.query, 'query', QUERY_FIELDS);
  const name = checkWord<CommandQuery>(query.name, 'query.name', QUERIES);
  const margin = query.margin === null ? null : checkSize(query.margin, 'query.margin');
  const tolerance = query.tolerance === undefined ? undefined : checkSize(query.tolerance, 'query.tolerance');
  const engines = checkEngines(root.engines, 1);
  const candidatePairs = checkCount(root.candidatePairs, 'candidatePairs', SCENE_LIMITS.pairs);
  const shard = checkShard(root.shard, candidatePairs);
  const hits = checkCount(root.hits, 'hits', shard.pairs);
  const statusCounts = checkStatusCounts(root.statusCounts, shard.pairs);
  const allowed = checkAllowed(root.allowed, statusCounts);
  if (tolerance !== undefined) checkPresent(allowed, 'allowed', 'counts, as query.tolerance is there');
  const check = checkCheck(root.check, statusCounts, allowed);
  return {
    version: 1,
    generator,
    scene,
    query: { name, margin, ...(tolerance !== undefined && { tolerance }) },
    engines,
    candidatePairs,
    shard,
    hits,
    statusCounts,
    ...(allowed && { allowed }),
    check,
  };
}

function checkStatusCounts(value: unknown, pairs: number): NamedCounts {
  const given = checkObject(value, 'statusCounts', STATUSES);
  const counts = Object.fromEntries(
    STATUS_NAMES.map((name) => [name, checkCount(given[name], `statusCounts.${name}`, pairs)]),
  ) as NamedCounts;
  const sum = Object.values(counts).reduce((total, count) => total + count, 0);
  if (sum !== pairs) invalidInput('statusCounts', given, `counts that add up to ${pairs}, the pairs of the shard`);
  return counts;
}

function checkAllowed(value: unknown, counts: NamedCounts): AllowedCounts | undefined {
  if (value === undefined) return undefined;
  const given = checkObject(value, 'allowed', ALLOWED_FIELDS);
  const byPair = checkCount(given.byPair, 'allowed.byPair', counts.overlapping);
  const byTolerance = checkCount(given.byTolerance, 'allowed.byTolerance', counts.overlapping - byPair);
  return { byPair, byTolerance, unanswered: checkCount(given.unanswered, 'allowed.unanswered', unansweredOf(counts)) };
}

function checkCheck(value: unknown, counts: NamedCounts, allowed: AllowedCounts | undefined): Check | null {
  checkPresent(value, 'check', 'null or a check');
  if (value === null) return null;
  const expected = checkOverlap(counts, allowed);
  if (!isDeepStrictEqual(checkObject(value, 'check'), expected))
    invalidInput('check', value, `${JSON.stringify(expected)}, as statusCounts says`);
  return expected;
}
