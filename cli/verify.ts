/** `narrowphase verify`: compares an engine's answers for every pair of a scene with the double-precision reference. */

import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { NarrowphaseError } from '../src/api/errors.ts';
import type { CommandQuery } from '../verification/engines/engine.ts';
import { scenePairs } from './scene/pairs.ts';
import { isCurved } from '../src/shapes/kinds.ts';
import { CURVED_TOLERANCE } from '../src/shapes/tolerances.ts';
import { DEFAULT_TIMEOUT, finiteNumber, oneOf, parseCommand, timeoutMs, wholeNumber } from './arguments.ts';
import { defaultMargin, QUERIES } from '../verification/engines/engine.ts';
import { ENGINES, openEngine } from './open-engine.ts';
import type { EngineChoice } from './open-engine.ts';
import { ExitCode, sceneError, usageError } from './exit.ts';
import { checkOutput, notice, print, writeOutput } from './write-output.ts';
import type { Output } from './write-output.ts';
import { startProgress } from './progress.ts';
import { readScene, SCENE_OPTIONS } from './scene-file.ts';
import type { SceneFile, SceneOptions } from './scene-file.ts';
import { terminalWidth } from './terminal-text.ts';
import { compare } from './verify/compare.ts';
import { termsOf } from '../verification/judges/contact.ts';
import { replayScene } from './verify/replay.ts';
import { verifyJson, verifyReport } from './verify/report.ts';
import type { VerifyReport } from './verify/report.ts';
import { verifyTable } from './verify/table.ts';

const FORMATS = ['table', 'json'] as const;

interface VerifyOptions extends SceneOptions {
  file: string;
  engine: EngineChoice;
  query: CommandQuery;
  margin?: number;
  /** Number of pairs to list. */
  worst: number;
  format: (typeof FORMATS)[number];
  out?: string;
  replay?: string;
  /** Milliseconds. */
  timeout: number;
}

/** Runs the command; `generator` names program and version in the report. */
export async function verify(args: string[], generator: string): Promise<ExitCode> {
  const options = verifyOptions(args);
  const loadStart = performance.now();
  const sceneFile = await readScene(options.file, options);
  const load = performance.now() - loadStart;
  const out: Output | undefined = options.out === undefined ? undefined : { option: '--out', file: options.out };
  const replay: Output | undefined =
    options.replay === undefined ? undefined : { option: '--replay', file: options.replay };
  await checkOutputs(sceneFile.files, out, replay);
  try {
    const { report, worstScene } = await run(sceneFile, options, generator, load);
    if (out) await writeOutput(out, verifyJson(report));
    if (replay) await writeOutput(replay, [worstScene()]);
    await print(
      options.format === 'json'
        ? verifyJson(report)
        : verifyTable(report, terminalWidth(), replayText(options, report)),
    );
    if (report.passed) return ExitCode.Done;
    const { faulty, unanswered, miscounts } = report;
    const miscounted = miscounts.calls > 0 ? `, calls with wrong status counts: ${miscounts.calls}` : '';
    notice(`verify failed: pairs with faults: ${faulty}, left without an answer: ${unanswered.engine}${miscounted}`);
    return ExitCode.CheckFailed;
  } catch (error) {
    throw error instanceof NarrowphaseError ? sceneError(options.file, error) : error;
  }
}

/** Makes the report, and a function that makes the scene of its worst pairs. */
async function run(
  { file, sha256, scene }: SceneFile,
  options: VerifyOptions,
  generator: string,
  load: number,
): Promise<{ report: VerifyReport; worstScene: () => string }> {
  const given = options.margin ?? scene.margin;
  const pairsStart = performance.now();
  const pairs = scenePairs(scene, given ?? 0);
  const engineStart = performance.now();
  const { engine, fallback } = await openEngine(options.engine, { timeout: options.timeout, notice });
  try {
    if (fallback !== null) notice(`no WebGPU, verifying the CPU: ${fallback}`);
    await engine.load(scene.shapes, scene.bodies);
    const started = performance.now();
    const margin = given ?? defaultMargin(options.query);
    const terms = termsOf(engine.facts.backend, options.query, margin);
    const progress = startProgress(`verifying ${engine.facts.name}`, pairs.length / 2, 'pairs');
    const comparison = await compare(engine, scene, pairs, terms, options.worst, progress.update).finally(progress.end);
    const report = verifyReport(
      {
        version: 1,
        command: 'verify',
        generator,
        scene: {
          file,
          sha256,
          name: scene.name,
          bodies: scene.bodies.shapes.length,
          shapes: scene.shapes.length,
          pairs: typeof scene.pairs === 'string' ? scene.pairs : 'listed',
        },
        query: { name: options.query, margin: margin === Infinity ? null : margin },
        engine: { ...engine.facts, fallback },
        tolerance: terms.tolerance,
        curvedTolerance: scene.shapeData.some(({ kind }) => isCurved(kind)) ? CURVED_TOLERANCE[terms.precision] : null,
        rounding: terms.rounding,
      },
      comparison,
      { load, pairs: engineStart - pairsStart, start: started - engineStart },
      scene,
      pairs,
      terms,
    );
    return {
      report,
      worstScene: () =>
        replayScene(
          scene,
          pairs,
          report.worst.map(({ pair }) => pair),
          margin,
        ),
    };
  } finally {
    await engine.close();
  }
}

function verifyOptions(args: string[]): VerifyOptions {
  const { values, positionals } = parseCommand(args, {
    ...SCENE_OPTIONS,
    engine: { type: 'string', default: 'auto' },
    query: { type: 'string', default: 'contacts' },
    margin: { type: 'string' },
    worst: { type: 'string', default: '10' },
    format: { type: 'string', default: 'table' },
    out: { type: 'string' },
    replay: { type: 'string' },
    timeout: { type: 'string', default: DEFAULT_TIMEOUT },
  });
  if (positionals.length !== 1) throw usageError(`verify takes one scene file, ${positionals.length} given`);
  return {
    file: positionals[0],
    hulls: values.hulls,
    engine: oneOf('--engine', values.engine, ENGINES),
    query: oneOf('--query', values.query, QUERIES),
    margin: values.margin === undefined ? undefined : finiteNumber('--margin', values.margin),
    worst: wholeNumber('--worst', values.worst),
    format: oneOf('--format', values.format, FORMATS),
    out: values.out,
    replay: values.replay,
    timeout: timeoutMs(values.timeout),
  };
}

async function checkOutputs(
  inputs: readonly string[],
  out: Output | undefined,
  replay: Output | undefined,
): Promise<void> {
  for (const output of [out, replay]) if (output) await checkOutput(output, inputs);
  if (out && replay && (await targetOf(out.file)) === (await targetOf(replay.file))) {
    throw usageError(`--out and --replay are both ${replay.file}, expected two files`);
  }
}

/** The file that a path refers to. It need not exist. */
function targetOf(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

/** The command that runs the pairs again. A scene file holds the margin, but neither query nor engine. */
function replayText({ replay, query }: VerifyOptions, { engine, worst }: VerifyReport): string | undefined {
  if (replay === undefined) return undefined;
  return `the worst pairs (${worst.length}) again: narrowphase verify ${replay} --engine ${engine.name} --query ${query}`;
}
