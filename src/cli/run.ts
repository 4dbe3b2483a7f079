/** `narrowphase run`: one query over a scene, reported as a table or JSON. */

import { parseArgs } from 'node:util';
import { NarrowphaseError } from '../errors.ts';
import type { QueryName } from '../pack/results.ts';
import type { Tester } from '../types.ts';
import { compareWithReference } from './agreement.ts';
import { ask, defaultMargin, ENGINES, openEngine, QUERIES } from './engines.ts';
import type { Answer, EngineChoice } from './engines.ts';
import { addShapes } from '../scene/add-shapes.ts';
import { readScene } from './scene-file.ts';
import { CommandError, errorText, ExitCode, usageError } from './exit.ts';
import { alternatives } from '../scene/fields.ts';
import { checkOutput, print, printable, writeOutput } from './output.ts';
import { scenePairs } from '../scene/pairs.ts';
import { checkOverlap, countByType, namedStatusCounts, reportJson } from './report.ts';
import type { CallTimings, ReportHits, RunFacts } from './report.ts';
import type { Scene } from '../scene/scene.ts';
import { checkText, counted, reportTable } from './table.ts';

const FORMATS = ['table', 'json'] as const;

interface RunOptions {
  file: string;
  engine: EngineChoice;
  query: QueryName;
  format: (typeof FORMATS)[number];
  out?: string;
  failOnOverlap: boolean;
  margin?: number;
  /** Rows of contacts in the table. */
  limit: number;
}

/** Runs the command; `generator` names program and version in the report. */
export async function run(args: string[], generator: string): Promise<ExitCode> {
  const options = runOptions(args);
  const loadStart = performance.now();
  const { scene } = await readScene(options.file);
  const load = performance.now() - loadStart;
  if (options.out !== undefined) await checkOutput(options.out, options.file);
  try {
    const { facts, hits } = await query(scene, options, generator, load);
    if (options.out !== undefined) await writeOutput(options.out, reportJson(facts, hits));
    const width = Math.min(100, Math.max(80, process.stdout.columns ?? 100));
    await print(options.format === 'json' ? reportJson(facts, hits) : [reportTable(facts, hits, options.limit, width)]);
    if (facts.check === null || facts.check.passed) return ExitCode.Done;
    notice(`check failed: ${checkText(facts.check)}`);
    return ExitCode.CheckFailed;
  } catch (error) {
    if (!(error instanceof NarrowphaseError)) throw error;
    const bad = error.code === 'INVALID_INPUT' || error.code === 'LIMIT_EXCEEDED';
    throw new CommandError(bad ? ExitCode.BadInput : ExitCode.CannotRun, `${options.file}: ${error.message}`, { cause: error });
  }
}

async function query(
  scene: Scene,
  options: RunOptions,
  generator: string,
  load: number,
): Promise<{ facts: RunFacts; hits: ReportHits }> {
  const margin = options.margin ?? scene.margin;
  const pairsStart = performance.now();
  const pairs = scenePairs(scene, margin ?? 0);
  const engineStart = performance.now();
  const engine = await openEngine(options.engine);
  const { tester } = engine;
  try {
    const bodies = addShapes(tester, scene.shapes, scene.bodies);
    const started = performance.now();
    notice(`${counted(pairs.length / 2, 'candidate pair')} of ${counted(bodies.shapes.length, 'body')} on ${engine.name}`);
    if (engine.fallback !== undefined) notice(`no WebGPU, running on the CPU: ${engine.fallback}`);
    else if (engine.name !== 'cpu' && tester.adapter.isSoftware) notice(`the adapter is software: ${tester.adapter.description}`);
    const first = await timed(tester, () => ask(tester, options.query, bodies, pairs, margin));
    const second = await timed(tester, () => ask(tester, options.query, bodies, pairs, margin));
    const { answer } = second;
    const agreement =
      tester.backend === 'cpu' ? null : await compareWithReference(scene, pairs, options.query, margin, answer);
    const effectiveMargin = margin ?? defaultMargin(options.query);
    const facts: RunFacts = {
      version: 1,
      generator,
      scene: {
        file: options.file,
        name: scene.name,
        bodies: bodies.shapes.length,
        bodiesByType: countByType(scene, scene.bodies.shapes),
        shapesByType: countByType(scene, scene.shapes.map((_, i) => i)),
        pairs: typeof scene.pairs === 'string' ? scene.pairs : 'listed',
      },
      query: { name: options.query, margin: effectiveMargin === Infinity ? null : effectiveMargin },
      engine: { name: engine.name, backend: tester.backend, adapter: tester.adapter, fallback: engine.fallback ?? null },
      candidatePairs: pairs.length / 2,
      hits: answer.count,
      statusCounts: namedStatusCounts(answer.statusCounts),
      check: options.failOnOverlap ? checkOverlap(answer.statusCounts) : null,
      timings: {
        load: microseconds(load),
        pairs: microseconds(engineStart - pairsStart),
        engine: microseconds(started - engineStart),
        firstCall: first.timings,
        secondCall: second.timings,
      },
      agreement,
    };
    return { facts, hits: { scene, pairs, answer } };
  } finally {
    tester.dispose();
  }
}

function runOptions(args: string[]): RunOptions {
  const { values, positionals } = parse(args);
  if (positionals.length !== 1) throw usageError(`run takes one scene file, ${positionals.length} given`);
  return {
    file: positionals[0],
    engine: oneOf('--engine', values.engine, ENGINES),
    query: oneOf('--query', values.query, QUERIES),
    format: oneOf('--format', values.format, FORMATS),
    out: values.out,
    failOnOverlap: values['fail-on-overlap'],
    margin: values.margin === undefined ? undefined : number('--margin', values.margin, Number.isFinite, 'a finite number of at least 0'),
    limit: number('--limit', values.limit, Number.isSafeInteger, 'a whole number of at least 0'),
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        engine: { type: 'string', default: 'auto' },
        query: { type: 'string', default: 'contacts' },
        format: { type: 'string', default: 'table' },
        out: { type: 'string' },
        'fail-on-overlap': { type: 'boolean', default: false },
        margin: { type: 'string' },
        limit: { type: 'string', default: '10' },
      },
    });
  } catch (error) {
    // parseArgs adds advice after the first sentence.
    throw usageError(errorText(error).split(/\.(?:\s|$)/)[0]);
  }
}

function oneOf<Word extends string>(option: string, value: string, words: readonly Word[]): Word {
  if ((words as readonly string[]).includes(value)) return value as Word;
  throw usageError(`${option} is ${JSON.stringify(value)}, expected ${alternatives(words)}`);
}

function number(option: string, text: string, isValid: (value: number) => boolean, expected: string): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (isValid(Math.fround(value)) && isValid(value) && value >= 0) return value;
  throw usageError(`${option} is ${JSON.stringify(text)}, expected ${expected}`);
}

async function timed(tester: Tester, call: () => Promise<Answer>): Promise<{ answer: Answer; timings: CallTimings }> {
  const start = performance.now();
  const answer = await call();
  const total = performance.now() - start;
  const { compile, kernels, readBack } = tester.timings;
  const timings = {
    total: microseconds(total),
    compile: microseconds(compile),
    kernels: microseconds(kernels),
    readBack: microseconds(readBack),
  };
  return { answer, timings };
}

/** Milliseconds rounded to whole microseconds. */
function microseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

function notice(text: string): void {
  process.stderr.write(`narrowphase: ${printable(text)}\n`);
}
