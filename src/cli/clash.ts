/** `narrowphase clash`: finds the clashes of a scene, or of one shard of its pairs, and puts each into a category. */

import { NarrowphaseError } from '../api/errors.ts';
import type { Scene } from '../scene/scene.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { DEFAULT_TIMEOUT, finiteNumber, oneOf, parseCommand, timeoutMs } from './arguments.ts';
import { readBaseline } from './clash/baseline.ts';
import { findCandidates } from './clash/candidates.ts';
import { CATEGORIES, FAILING, type Category } from './clash/categories.ts';
import { findClashes, marginOf } from './clash/find-clashes.ts';
import { makeReport } from './clash/make-report.ts';
import { createRuleMatcher } from './clash/match-rules.ts';
import { createLabels } from './clash/labels.ts';
import { withHulls, type SolidScene } from './clash/solids/convex-meshes.ts';
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
import { shardOf } from './report/report-header.ts';
import type { RunTimings } from './report/table-parts.ts';
import { readScene, SCENE_OPTIONS, type SceneFile, type SceneOptions } from './scene-file.ts';
import { readText } from './read-text.ts';
import { readShardChoice, SHARD_OPTIONS, type ShardChoice } from './shard.ts';
import { counted } from './terminal-text.ts';
import { notice } from './write-output.ts';

/** In the scene's unit. A tenth of a millimetre where that is the metre. */
const DEFAULT_TOLERANCE = 1e-4;

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

async function check(sceneFile: SceneFile, rules: Rules, options: ClashOptions, generator: string) {
  const solids = withHulls(sceneFile.scene);
  const { scene } = solids;
  noticeOpenMeshes(sceneFile.file, solids);
  const defaults = options.limits;
  const limits: readonly Limits[] = rules.rules ?? [defaults];
  const baseline = options.baseline === undefined ? undefined : await readBaseline(options.baseline);
  const start = performance.now();
  const candidates = findCandidates(scene, marginOf(limits), createRuleMatcher(rules, scene.bodyNames));
  const candidatePairs = candidates.pairs.length / 2;
  const shard = options.shard ? shardOf(options.shard.index, options.shard.count, candidatePairs) : null;
  const range = { first: shard?.firstPair ?? 0, end: shard ? shard.firstPair + shard.pairs : candidatePairs };
  const paired = performance.now();
  const open = await openEngine(options.engine, { timeout: options.timeout, notice });
  const { engine } = open;
  try {
    await engine.load(scene.shapes, scene.bodies);
    const started = performance.now();
    announce(open, range.end - range.first, scene.bodies.shapes.length);
    const progress = startProgress('clashes', range.end - range.first, 'pairs');
    const result = await findClashes({ solids, engine, candidates, limits, range }, progress.update).finally(
      progress.end,
    );
    const hasClearance = limits.some(({ clearance }) => clearance !== null);
    const failOn = options.failOn ?? [...FAILING, ...(hasClearance ? (['clearance'] as const) : [])];
    const report = makeReport(
      {
        sceneFile,
        solids,
        generator,
        engine: engineOf(open),
        rules,
        defaults,
        limits,
        failOn,
        baseline,
        candidates,
        shard,
        result,
      },
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

/** Says which bodies are meshes without an inside, since much less can be told about them. */
function noticeOpenMeshes(file: string, { scene, topologies }: SolidScene): void {
  const labelOf = createLabels(scene);
  const isOpen = ({ parts }: ShapeData): boolean => parts?.type === 'mesh' && !topologies.get(parts)!.isClosed;
  const areOpen = scene.shapeData.map(isOpen);
  const bodies = [...scene.bodies.shapes.keys()].filter((body) => areOpen[scene.bodies.shapes[body]]);
  if (bodies.length === 0) return;
  const names = bodies.slice(0, 3).map((body) => labelOf(body).label);
  const list = `${names.join(', ')}${bodies.length > names.length ? ', ...' : ''}`;
  const [are, them] = bodies.length === 1 ? ['is an open mesh', 'it'] : ['are open meshes', 'them'];
  notice(`${file}: ${counted(bodies.length, 'body')} ${are}, so nothing is inside ${them}: ${list}`);
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
