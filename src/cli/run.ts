/** `narrowphase run`: one query over a scene, or over one shard of its pairs, and a report of the hits. */

import { NarrowphaseError } from '../errors.ts';
import type { CommandQuery } from './engines/engine.ts';
import { scenePairs } from '../scene/pairs.ts';
import { DEFAULT_TIMEOUT, finiteNumber, oneOf, parseCommand, timeoutMs } from './arguments.ts';
import { defaultMargin, QUERIES } from './engines/engine.ts';
import { ENGINES, openEngine } from './engines/open.ts';
import type { EngineChoice, Opened } from './engines/open.ts';
import { CommandError, ExitCode, usageError } from './exit.ts';
import { checkOutput, notice } from './output.ts';
import { askPieces, collect } from './pieces.ts';
import { startProgress } from './progress.ts';
import { deliver, DELIVERY_OPTIONS, readDelivery } from './report/deliver.ts';
import type { Delivery } from './report/deliver.ts';
import { checkOverlap, countByType, MAX_SHARDS, namedCounts, shardOf } from './report/facts.ts';
import type { Facts, ReportEngine } from './report/facts.ts';
import { reportOf } from './report/report.ts';
import type { Report } from './report/report.ts';
import type { RunTimings } from './report/table.ts';
import { readScene } from './scene-file.ts';
import type { SceneFile } from './scene-file.ts';
import { adapterText, counted } from './text.ts';

interface RunOptions extends Delivery {
  file: string;
  engine: EngineChoice;
  timeout: number;
  query: CommandQuery;
  margin?: number;
  shard?: { index: number; count: number };
}

/** Runs the command; `generator` names program and version in the report. */
export async function run(args: string[], generator: string): Promise<ExitCode> {
  const options = runOptions(args);
  const start = performance.now();
  const sceneFile = await readScene(options.file);
  const load = performance.now() - start;
  if (options.out !== undefined) await checkOutput({ option: '--out', file: options.out }, [options.file]);
  try {
    const { report, timings } = await ask(sceneFile, options, generator);
    return await deliver(report, options, { load, ...timings });
  } catch (error) {
    if (!(error instanceof NarrowphaseError)) throw error;
    const bad = error.code === 'INVALID_INPUT' || error.code === 'LIMIT_EXCEEDED';
    throw new CommandError(bad ? ExitCode.BadInput : ExitCode.CannotRun, `${options.file}: ${error.message}`, { cause: error });
  }
}

type Asked = { report: Report; timings: Omit<RunTimings, 'load'> };

async function ask({ scene, sha256 }: SceneFile, options: RunOptions, generator: string): Promise<Asked> {
  const margin = options.margin ?? scene.margin;
  const start = performance.now();
  const pairs = scenePairs(scene, margin ?? 0);
  const candidatePairs = pairs.length / 2;
  const paired = performance.now();
  const shard = options.shard ? shardOf(options.shard.index, options.shard.count, candidatePairs) : null;
  const opened = await openEngine(options.engine, { timeout: options.timeout, notice });
  const { engine } = opened;
  try {
    await engine.load(scene.shapes, scene.bodies);
    const started = performance.now();
    announce(opened, shard?.pairs ?? candidatePairs, scene.bodies.shapes.length);
    const range = shard ? { first: shard.firstPair, end: shard.firstPair + shard.pairs } : { first: 0, end: candidatePairs };
    const progress = startProgress(options.query, range.end - range.first, 'pairs');
    const question = { query: options.query, pairs, margin, results: 'hits' } as const;
    const { answer, timings } = await collect(askPieces(engine, question, range), ({ end }) => progress.update(end - range.first)).finally(
      progress.end,
    );
    const statusCounts = namedCounts(answer.statusCounts);
    const asked = margin ?? defaultMargin(options.query);
    const facts: Facts = {
      version: 1,
      generator,
      scene: {
        file: options.file,
        sha256,
        name: scene.name,
        bodies: scene.bodies.shapes.length,
        bodiesByType: countByType(scene, scene.bodies.shapes),
        shapesByType: countByType(scene, scene.shapes.map((_, i) => i)),
        pairs: typeof scene.pairs === 'string' ? scene.pairs : 'listed',
      },
      query: { name: options.query, margin: asked === Infinity ? null : asked },
      engines: [engineOf(opened)],
      candidatePairs,
      shard,
      hits: answer.count,
      statusCounts,
      check: options.failOnOverlap ? checkOverlap(statusCounts) : null,
    };
    return {
      report: reportOf(facts, { scene, pairs, answer }, options.limit),
      timings: { pairs: paired - start, start: started - paired, query: timings },
    };
  } finally {
    await engine.close();
  }
}

function engineOf({ engine, fallback }: Opened): ReportEngine {
  const { name, backend, runtime, adapter } = engine.facts;
  const { vendor, architecture, description, isSoftware } = adapter;
  return { name, backend, runtime, adapter: { vendor, architecture, description, isSoftware }, fallback };
}

/** What people should know before they wait. */
function announce({ engine, fallback }: Opened, pairs: number, bodies: number): void {
  notice(`${counted(pairs, 'candidate pair')} of ${counted(bodies, 'body')} on ${engine.facts.name}`);
  if (fallback !== null) notice(`no WebGPU, running on the CPU: ${fallback}`);
  else if (engine.facts.backend === 'webgpu' && engine.facts.adapter.isSoftware) notice(`no graphics card is used: ${adapterText(engine.facts)}`);
}

function runOptions(args: string[]): RunOptions {
  const { values, positionals } = parseCommand(args, {
    ...DELIVERY_OPTIONS,
    engine: { type: 'string', default: 'auto' },
    query: { type: 'string', default: 'contacts' },
    margin: { type: 'string' },
    shard: { type: 'string' },
    timeout: { type: 'string', default: DEFAULT_TIMEOUT },
  });
  if (positionals.length !== 1) throw usageError(`run takes one scene file, ${positionals.length} given`);
  return {
    ...readDelivery(values),
    file: positionals[0],
    engine: oneOf('--engine', values.engine, ENGINES),
    timeout: timeoutMs(values.timeout),
    query: oneOf('--query', values.query, QUERIES),
    margin: values.margin === undefined ? undefined : finiteNumber('--margin', values.margin),
    shard: values.shard === undefined ? undefined : readShard(values.shard),
  };
}

/** `I/N`. */
function readShard(text: string): { index: number; count: number } {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (index >= 1 && index <= count && count <= MAX_SHARDS) return { index, count };
  throw usageError(`--shard is ${JSON.stringify(text)}, expected I/N, two whole numbers with 1 <= I <= N <= ${MAX_SHARDS}`);
}
