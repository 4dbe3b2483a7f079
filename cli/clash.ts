/** `narrowphase clash`: finds the clashes of a scene, or of one shard of its pairs, and puts each into a category. */

import { NarrowphaseError } from '../src/api/errors.ts';
import type { Scene } from './scene/scene.ts';
import { createTester } from '../src/node.ts';
import { DEFAULT_TIMEOUT, finiteNumber, oneOf, parseCommand, timeoutMs } from './arguments.ts';
import { readBaseline } from './clash/baseline.ts';
import { CATEGORIES, type Category } from './clash/categories.ts';
import { findClashes } from './clash/find-clashes.ts';
import { makeReport } from './clash/make-report.ts';
import { DEFAULT_TOLERANCE, planCheck } from './clash/plan-check.ts';
import { withHulls } from './clash/solids/convex-meshes.ts';
import { openMeshesText } from './clash/solids/open-meshes.ts';
import { NO_RULES, parseRules, rulesOfPairs, type Limits, type Rules } from './clash/rules.ts';
import {
  CLASH_OUTPUT_OPTIONS,
  readClashOutputOptions,
  writeClashes,
  type ClashOutputOptions,
} from './clash/write-clashes.ts';
import { announce, engineOf } from './announce.ts';
import { ExitCode, sceneError, usageError } from './exit.ts';
import { ENGINES, openEngine, type EngineChoice } from './open-engine.ts';
import { checkOutputs } from './outputs.ts';
import { startProgress } from './progress.ts';
import { naming } from './report/read.ts';
import type { RunTimings } from './report/table-parts.ts';
import { readScene, SCENE_OPTIONS, type SceneFile, type SceneOptions } from './scene-file.ts';
import { readText } from './read-text.ts';
import { readShardChoice, SHARD_OPTIONS, type ShardChoice } from './shard.ts';
import { notice } from './write-output.ts';

interface ClashOptions extends ClashOutputOptions, SceneOptions {
  file: string;
  engine: EngineChoice;
  timeout: number;
  limits: Limits;
  /** `A:B` each. */
  pairs: string[];
  /** A file of rules. */
  rules?: string;
  baseline?: string;
  /** Undefined: the default. */
  failOn?: Category[];
  shard?: ShardChoice;
}

/** Runs the command; `generator` names program and version in the report. */
export async function clash(args: string[], generator: string): Promise<ExitCode> {
  const options = clashOptions(args);
  const start = performance.now();
  const sceneFile = await readScene(options.file, options);
  const rules = await readRules(options, sceneFile.scene);
  const load = performance.now() - start;
  const { file, rules: ruleFile, baseline } = options;
  const inputs = [...sceneFile.files, ...[ruleFile, baseline].filter((each) => each !== undefined)];
  await checkOutputs(options.outputs, inputs, 'an input');
  try {
    const { report, timings } = await check(sceneFile, rules, options, generator);
    return await writeClashes(report, options, { load, ...timings });
  } catch (error) {
    throw error instanceof NarrowphaseError ? sceneError(file, error) : error;
  }
}

async function readRules({ rules, pairs, limits }: ClashOptions, { bodyNames }: Scene): Promise<Rules> {
  if (pairs.length > 0) {
    try {
      return rulesOfPairs(pairs, limits, bodyNames);
    } catch (error) {
      throw error instanceof NarrowphaseError ? usageError(error.message) : error;
    }
  }
  if (rules === undefined) return NO_RULES;
  return naming(rules, async () => parseRules(await readText(rules), limits, bodyNames));
}

const openReference = () => createTester({ backend: 'cpu' });

async function check(sceneFile: SceneFile, rules: Rules, options: ClashOptions, generator: string) {
  const solids = withHulls(sceneFile.scene);
  const { scene } = solids;
  const openMeshes = openMeshesText(solids);
  if (openMeshes !== undefined) notice(`${sceneFile.file}: ${openMeshes}`);
  const baseline = options.baseline === undefined ? undefined : await readBaseline(options.baseline);
  const start = performance.now();
  const { range, ...plan } = planCheck(scene, { ...options, rules, defaults: options.limits });
  const paired = performance.now();
  const open = await openEngine(options.engine, { timeout: options.timeout, notice });
  const { engine } = open;
  try {
    await engine.load(scene.shapes, scene.bodies);
    const started = performance.now();
    announce(open, range.end - range.first, scene.bodies.shapes.length);
    const progress = startProgress('clashes', range.end - range.first, 'pairs');
    const { candidates, limits } = plan;
    const result = await findClashes(
      { solids, engine, openReference, candidates, limits, range },
      progress.update,
    ).finally(progress.end);
    const report = makeReport(
      { sceneFile, solids, generator, engine: engineOf(open), baseline, result, ...plan },
      options.rows,
    );
    const timings: Omit<RunTimings, 'load'> = {
      pairs: paired - start,
      start: started - paired,
      query: result.timings,
    };
    return { report, timings };
  } finally {
    await engine.close();
  }
}

function clashOptions(args: string[]): ClashOptions {
  const { values, positionals } = parseCommand(args, {
    ...CLASH_OUTPUT_OPTIONS,
    ...SCENE_OPTIONS,
    allow: { type: 'string', multiple: true, default: [] },
    engine: { type: 'string', default: 'auto' },
    tolerance: { type: 'string', default: String(DEFAULT_TOLERANCE) },
    clearance: { type: 'string' },
    pairs: { type: 'string', multiple: true, default: [] },
    rules: { type: 'string' },
    baseline: { type: 'string' },
    'fail-on': { type: 'string' },
    ...SHARD_OPTIONS,
    timeout: { type: 'string', default: DEFAULT_TIMEOUT },
  });
  if (positionals.length !== 1) throw usageError(`clash takes one scene file, ${positionals.length} given`);
  const { pairs, rules, baseline, clearance } = values;
  if (pairs.length > 0 && rules !== undefined) throw usageError('--pairs and --rules are both given, expected one');
  return {
    ...readClashOutputOptions(values),
    file: positionals[0],
    hulls: values.hulls,
    allow: values.allow,
    engine: oneOf('--engine', values.engine, ENGINES),
    timeout: timeoutMs(values.timeout),
    limits: {
      tolerance: finiteNumber('--tolerance', values.tolerance),
      clearance: clearance === undefined ? null : finiteNumber('--clearance', clearance),
    },
    pairs,
    rules,
    baseline,
    failOn: values['fail-on'] === undefined ? undefined : readCategories(values['fail-on']),
    shard: readShardChoice(values),
  };
}

/** Parses `overlap,contained`, or `none`. */
function readCategories(text: string): Category[] {
  if (text === 'none') return [];
  const given = text.split(',') as Category[];
  if (given.every((category) => CATEGORIES.includes(category))) return given;
  throw usageError(
    `--fail-on is ${JSON.stringify(text)}, expected ${CATEGORIES.join(', ')}, several with commas, or none`,
  );
}
