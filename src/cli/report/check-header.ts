/**
 * Checks the header of a report that was read from a file. Every error names the field, its value and the expectation.
 */

import { isDeepStrictEqual } from 'node:util';
import { invalidInput } from '../../api/errors.ts';
import type { CommandQuery } from '../../../verification/engines/engine.ts';
import { checkList, checkName, checkObject, checkPresent, checkSize } from '../../scene/fields.ts';
import { SHAPE_TYPES } from '../../scene/scene-shapes.ts';
import { SCENE_LIMITS } from '../../scene/scene.ts';
import { alternatives, namesOf, type Names } from '../../util/known.ts';
import type { EngineName } from '../../../verification/engines/engine.ts';
import { QUERIES } from '../../../verification/engines/engine.ts';
import { ENGINES } from '../open-engine.ts';
import {
  checkOverlap,
  inOrderOfTypes,
  MAX_SHARDS,
  PAIR_RULES,
  shardOf,
  STATUS_NAMES,
  unansweredOf,
} from './report-header.ts';
import type { AllowedCounts, Check, ReportHeader, NamedCounts, ReportEngine, Shard } from './report-header.ts';

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
const SCENE_FIELDS = namesOf<ReportHeader['scene']>({
  file: true,
  sha256: true,
  name: true,
  bodies: true,
  bodiesByType: true,
  shapesByType: true,
  pairs: true,
});
const QUERY_FIELDS = namesOf<ReportHeader['query']>({ name: true, margin: true, tolerance: true });
const ENGINE_FIELDS = namesOf<ReportEngine>({
  name: true,
  backend: true,
  runtime: true,
  adapter: true,
  fallback: true,
});
const ADAPTER_FIELDS = namesOf<ReportEngine['adapter']>({
  vendor: true,
  architecture: true,
  description: true,
  isSoftware: true,
});
const SHARD_FIELDS = namesOf<Shard>({ index: true, count: true, firstPair: true, pairs: true });
const ALLOWED_FIELDS = namesOf<AllowedCounts>({ byPair: true, byTolerance: true, unanswered: true });
const TYPES: Names = new Set(SHAPE_TYPES);
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
  const engines = checkList(root.engines, 'engines', 'a list of one engine', 1).map((engine, i) =>
    checkEngine(engine, `engines[${i}]`),
  );
  if (engines.length === 0) invalidInput('engines', root.engines, 'a list of one engine');
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

function checkScene(value: unknown): ReportHeader['scene'] {
  const scene = checkObject(value, 'scene', SCENE_FIELDS);
  const file = checkText(scene.file, 'scene.file');
  const sha256 = checkText(scene.sha256, 'scene.sha256');
  if (!/^[0-9a-f]{64}$/.test(sha256)) invalidInput('scene.sha256', sha256, '64 hexadecimal digits');
  const name = checkName(scene.name, 'scene.name');
  const bodies = checkCount(scene.bodies, 'scene.bodies', SCENE_LIMITS.bodies);
  const bodiesByType = checkByType(scene.bodiesByType, 'scene.bodiesByType', bodies);
  const shapesByType = checkByType(scene.shapesByType, 'scene.shapesByType', SCENE_LIMITS.shapes);
  return {
    file,
    sha256,
    name,
    bodies,
    bodiesByType,
    shapesByType,
    pairs: checkWord(scene.pairs, 'scene.pairs', PAIR_RULES),
  };
}

function checkByType(value: unknown, path: string, most: number): Record<string, number> {
  const counts = checkObject(value, path, TYPES);
  for (const [type, count] of Object.entries(counts)) checkCount(count, `${path}.${type}`, most);
  return inOrderOfTypes(counts as Record<string, number>);
}

function checkEngine(value: unknown, path: string): ReportEngine {
  const engine = checkObject(value, path, ENGINE_FIELDS);
  const names = ENGINES.filter((name): name is EngineName => name !== 'auto');
  const adapter = checkObject(engine.adapter, `${path}.adapter`, ADAPTER_FIELDS);
  const { isSoftware } = adapter;
  if (typeof isSoftware !== 'boolean') invalidInput(`${path}.adapter.isSoftware`, isSoftware, 'true or false');
  return {
    name: checkWord(engine.name, `${path}.name`, names),
    backend: checkWord(engine.backend, `${path}.backend`, ['webgpu', 'cpu']),
    runtime: checkText(engine.runtime, `${path}.runtime`),
    adapter: {
      vendor: checkText(adapter.vendor, `${path}.adapter.vendor`),
      architecture: checkText(adapter.architecture, `${path}.adapter.architecture`),
      description: checkText(adapter.description, `${path}.adapter.description`),
      isSoftware,
    },
    fallback: engine.fallback === null ? null : checkText(engine.fallback, `${path}.fallback`),
  };
}

function checkShard(value: unknown, candidatePairs: number): Shard {
  if (value === null) invalidInput('shard', value, "a shard: this is the report of all the scene's pairs");
  const shard = checkObject(value, 'shard', SHARD_FIELDS);
  const count = checkCount(shard.count, 'shard.count', MAX_SHARDS, 1);
  const index = checkCount(shard.index, 'shard.index', count, 1);
  const expected = shardOf(index, count, candidatePairs);
  for (const field of ['firstPair', 'pairs'] as const) {
    if (shard[field] !== expected[field])
      invalidInput(
        `shard.${field}`,
        shard[field],
        `${expected[field]} in shard ${index} of ${count} of ${candidatePairs} pairs`,
      );
  }
  return expected;
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

/** An integer from `least` to `most`. */
function checkCount(value: unknown, path: string, most: number, least = 0): number {
  checkPresent(value, path, `an integer from ${least} to ${most}`);
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) {
    invalidInput(path, value, `an integer from ${least} to ${most}`);
  }
  return value as number;
}

function checkText(value: unknown, path: string): string {
  checkPresent(value, path, 'a string');
  if (typeof value !== 'string') invalidInput(path, value, 'a string');
  return value;
}

function checkWord<Word extends string>(value: unknown, path: string, words: readonly Word[]): Word {
  checkPresent(value, path, alternatives(words));
  if (!(words as readonly unknown[]).includes(value)) invalidInput(path, value, alternatives(words));
  return value as Word;
}
