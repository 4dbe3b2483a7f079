/** Checks of the parts that the headers of all reports have: scene, engines and shard. */

import { invalidInput } from '../../src/api/errors.ts';
import { checkList, checkName, checkObject, checkPresent } from '../../src/util/json-fields.ts';
import { SHAPE_TYPES } from '../scene/scene-shapes.ts';
import { SCENE_LIMITS } from '../scene/scene.ts';
import { alternatives, namesOf, type Names } from '../../src/util/known.ts';
import { ENGINE_NAMES } from '../../verification/engines/engine.ts';
import { inOrderOfTypes, MAX_SHARDS, PAIR_RULES, shardOf } from './report-header.ts';
import type { ReportEngine, ReportHeader, Shard } from './report-header.ts';

const SCENE_FIELDS = namesOf<ReportHeader['scene']>({
  file: true,
  sha256: true,
  name: true,
  bodies: true,
  bodiesByType: true,
  shapesByType: true,
  pairs: true,
});
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
const TYPES: Names = new Set(SHAPE_TYPES);

export function checkScene(value: unknown): ReportHeader['scene'] {
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

/** The engines of a report: at least one, at most `most`. */
export function checkEngines(value: unknown, most: number): ReportEngine[] {
  const expected = most === 1 ? 'a list of one engine' : 'a list of engines';
  const engines = checkList(value, 'engines', expected, most).map((each, i) => checkEngine(each, `engines[${i}]`));
  if (engines.length === 0) invalidInput('engines', value, expected);
  return engines;
}

function checkEngine(value: unknown, path: string): ReportEngine {
  const engine = checkObject(value, path, ENGINE_FIELDS);
  const adapter = checkObject(engine.adapter, `${path}.adapter`, ADAPTER_FIELDS);
  const { isSoftware } = adapter;
  if (typeof isSoftware !== 'boolean') invalidInput(`${path}.adapter.isSoftware`, isSoftware, 'true or false');
  return {
    name: checkWord(engine.name, `${path}.name`, ENGINE_NAMES),
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

export function checkShard(value: unknown, candidatePairs: number): Shard {
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

/** An integer from `least` to `most`. */
export function checkCount(value: unknown, path: string, most: number, least = 0): number {
  checkPresent(value, path, `an integer from ${least} to ${most}`);
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most) {
    invalidInput(path, value, `an integer from ${least} to ${most}`);
  }
  return value as number;
}

export function checkText(value: unknown, path: string): string {
  checkPresent(value, path, 'a string');
  if (typeof value !== 'string') invalidInput(path, value, 'a string');
  return value;
}

export function checkWord<Word extends string>(value: unknown, path: string, words: readonly Word[]): Word {
  checkPresent(value, path, alternatives(words));
  if (!(words as readonly unknown[]).includes(value)) invalidInput(path, value, alternatives(words));
  return value as Word;
}
