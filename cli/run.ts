/** `narrowphase run`: runs one query over a scene, or over one shard of its pairs, and reports the hits. */

import { NarrowphaseError } from '../src/api/errors.ts';
import type { Answer, CommandQuery } from '../verification/engines/engine.ts';
import { pairMatcher } from './scene/allowed.ts';
import { scenePairs } from './scene/pairs.ts';
import { findBounds } from './depth-bounds.ts';
import { DEFAULT_TIMEOUT, finiteNumber, oneOf, parseCommand, timeoutMs } from './arguments.ts';
import { defaultMargin, QUERIES } from '../verification/engines/engine.ts';
import { announce, engineOf } from './announce.ts';
import { ENGINES, openEngine, type EngineChoice } from './open-engine.ts';
import { type ExitCode, sceneError, usageError } from './exit.ts';
import { checkOutputs } from './outputs.ts';
import { notice } from './write-output.ts';
import { askInChunks, collectChunks } from './chunked-query.ts';
import { startProgress } from './progress.ts';
import { writeReport, OUTPUT_OPTIONS, readOutputOptions } from './report/write-report.ts';
import type { OutputOptions } from './report/write-report.ts';
import { checkOverlap, namedCounts, shardOf } from './report/report-header.ts';
import type { ReportHeader, ReportEngine, Shard } from './report/report-header.ts';
import { countAllowedHits, reportOf } from './report/report.ts';
import type { Hits, Rules } from './report/contacts.ts';
import type { Report } from './report/report.ts';
import { sceneFacts } from './report/scene-facts.ts';
import type { RunTimings } from './report/table-parts.ts';
import { readScene, SCENE_OPTIONS } from './scene-file.ts';
import type { SceneFile, SceneOptions } from './scene-file.ts';
import type { Scene } from './scene/scene.ts';
import { readShardChoice, SHARD_OPTIONS, type ShardChoice } from './shard.ts';

interface RunOptions extends OutputOptions, SceneOptions {
  file: string;
  engine: EngineChoice;
  timeout: number;
  query: CommandQuery;
  margin?: number;
  tolerance?: number;
  shard?: ShardChoice;
}

/** Runs the command; `generator` names program and version in the report. */
export async function run(args: string[], generator: string): Promise<ExitCode> {
  const options = runOptions(args);
  const start = performance.now();
  const sceneFile = await readScene(options.file, options);
  const load = performance.now() - start;
  await checkOutputs(options.outputs, sceneFile.files);
  try {
    const { report, timings } = await ask(sceneFile, options, generator);
    return await writeReport(report, options, { load, ...timings });
  } catch (error) {
    throw error instanceof NarrowphaseError ? sceneError(options.file, error) : error;
  }
}

type QueryOutcome = { report: Report; timings: Omit<RunTimings, 'load'> };

async function ask(sceneFile: SceneFile, options: RunOptions, generator: string): Promise<QueryOutcome> {
  const { scene } = sceneFile;
  const margin = options.margin ?? scene.margin;
  const start = performance.now();
  const pairs = scenePairs(scene, margin ?? 0);
  const candidatePairs = pairs.length / 2;
  const paired = performance.now();
  const shard = options.shard ? shardOf(options.shard.index, options.shard.count, candidatePairs) : null;
  const open = await openEngine(options.engine, { timeout: options.timeout, notice });
  const { engine } = open;
  try {
    await engine.load(scene.shapes, scene.bodies);
    const started = performance.now();
    announce(open, shard?.pairs ?? candidatePairs, scene.bodies.shapes.length);
    const range = shard
      ? { first: shard.firstPair, end: shard.firstPair + shard.pairs }
      : { first: 0, end: candidatePairs };
    const progress = startProgress(options.query, range.end - range.first, 'pairs');
    const question = { query: options.query, pairs, margin, results: 'hits' } as const;
    const { answer, timings } = await collectChunks(askInChunks(engine, question, range), ({ end }) =>
      progress.update(end - range.first),
    ).finally(progress.end);
    const bounds = await findBounds({ scene, pairs, answer }, options.tolerance);
    if (bounds.size > 0) notice(boundsText(bounds.size));
    return {
      report: makeReport(sceneFile, options, { generator, engine: engineOf(open), pairs, shard, answer, bounds }),
      timings: { pairs: paired - start, start: started - paired, query: timings },
    };
  } finally {
    await engine.close();
  }
}

type ReportOptions = Pick<RunOptions, 'file' | 'query' | 'margin' | 'tolerance' | 'limit' | 'failOnOverlap'>;

interface Answered {
  generator: string;
  engine: ReportEngine;
  /** All candidate pairs. */
  pairs: Uint32Array;
  /** The part of the pairs that was queried; null means all pairs. */
  shard: Shard | null;
  answer: Answer;
  bounds?: Hits['bounds'];
}

/** Makes the report of an engine's answer to a scene's pairs. */
export function makeReport(
  { scene, sha256 }: Pick<SceneFile, 'scene' | 'sha256'>,
  options: ReportOptions,
  answered: Answered,
): Report {
  const { generator, engine, pairs, shard, answer, bounds } = answered;
  const { file, query, tolerance, limit, failOnOverlap } = options;
  const hits: Hits = { scene, pairs, answer, rules: rulesOf(scene, tolerance), bounds };
  const statusCounts = namedCounts(answer.statusCounts);
  const allowed = countAllowedHits(hits);
  const margin = options.margin ?? scene.margin ?? defaultMargin(query);
  const header: ReportHeader = {
    version: 1,
    generator,
    scene: sceneFacts({ file, sha256, scene }),
    query: { name: query, margin: margin === Infinity ? null : margin, ...(tolerance !== undefined && { tolerance }) },
    engines: [engine],
    candidatePairs: pairs.length / 2,
    shard,
    hits: answer.count,
    statusCounts,
    ...(allowed && { allowed }),
    check: failOnOverlap ? checkOverlap(statusCounts, allowed) : null,
  };
  return reportOf(header, hits, limit);
}

function boundsText(count: number): string {
  const [have, their] = count === 1 ? ['overlap has', 'its'] : ['overlaps have', 'their'];
  return (
    `${count} ${have} a depth within the tolerance that is only a lower bound for a compound or a mesh, so the tolerance ` +
    `does not allow ${count === 1 ? 'it' : 'them'}; narrowphase clash says more about ${their} depth`
  );
}

/** Undefined if no pair may overlap. */
function rulesOf({ allowed, bodyNames }: Scene, tolerance: number | undefined): Rules | undefined {
  if (allowed.length === 0 && tolerance === undefined) return undefined;
  return { isAllowedPair: pairMatcher(allowed, bodyNames), tolerance };
}

function runOptions(args: string[]): RunOptions {
  const { values, positionals } = parseCommand(args, {
    ...OUTPUT_OPTIONS,
    ...SCENE_OPTIONS,
    allow: { type: 'string', multiple: true, default: [] },
    engine: { type: 'string', default: 'auto' },
    query: { type: 'string', default: 'contacts' },
    margin: { type: 'string' },
    tolerance: { type: 'string' },
    ...SHARD_OPTIONS,
    timeout: { type: 'string', default: DEFAULT_TIMEOUT },
  });
  if (positionals.length !== 1) throw usageError(`run takes one scene file, ${positionals.length} given`);
  const query = oneOf('--query', values.query, QUERIES);
  if (values.tolerance !== undefined && query !== 'contacts') {
    throw usageError(`--tolerance is given with --query ${query}, expected --query contacts, which measures depths`);
  }
  return {
    ...readOutputOptions(values),
    file: positionals[0],
    hulls: values.hulls,
    allow: values.allow,
    engine: oneOf('--engine', values.engine, ENGINES),
    timeout: timeoutMs(values.timeout),
    query,
    margin: values.margin === undefined ? undefined : finiteNumber('--margin', values.margin),
    tolerance: values.tolerance === undefined ? undefined : finiteNumber('--tolerance', values.tolerance),
    shard: readShardChoice(values),
  };
}
