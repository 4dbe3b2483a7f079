/**
 * One case: every subject is started and asked for answers, which are held against the reference; then all of them,
 * alive side by side, run in turns. Round r begins with subject r, only one works at a time, and ratios are formed
 * within a round, so that whatever slows the machine down for a while hits all alike.
 */

import {
  BANDS,
  compareAnswers,
  timeErrors,
  verdictOf,
  type Agreement,
  type Verdict,
} from '../../../verification/judges/compare-answers.ts';
import type { Case } from '../cases.ts';
import type { PeerCall } from '../peers/catalogue.ts';
import {
  engineId,
  type EngineSpec,
  type LoadedWorkload,
  type SubjectInfo,
  type Sample,
  type Subject,
} from '../protocol.ts';
import type { Truth } from '../../../verification/judges/compare-answers.ts';
import { startChild, type Child } from './child-process.ts';
import { judgeTimes } from './judge.ts';

export type Contender = { kind: 'engine'; engine: EngineSpec } | { kind: 'peer'; call: PeerCall };

export interface SubjectResult {
  /** An engine's name, that of one whose pairs are thin shapes in space, or a peer's call as `peer:call`. */
  id: string;
  kind: Contender['kind'];
  opened: SubjectInfo | null;
  loaded: LoadedWorkload | null;
  /** Pairs of each timed run: the first of the case's, as many as its time allowed. */
  pairs: number;
  samples: Sample[];
  agreement: Agreement | null;
  verdict: Verdict | null;
  /** Mean, where told. */
  iterations: number | null;
  /** What went wrong; samples taken before it are kept. */
  failure: string | null;
}

export interface CasePlan {
  case: Case;
  file: string;
  /** Pairs in the file. */
  pairs: number;
  contenders: Contender[];
  /** These run all pairs, the others as many as `budgetMs` allows. */
  full: readonly Contender[];
  budgetMs: number;
  rounds: number;
  /** Pairs whose truth is known, ascending, and their truth. */
  indices: Uint32Array;
  truth: Truth;
}

interface Running {
  child: Child<Subject>;
  result: SubjectResult;
}

const OPEN_MS = 90_000;
const LOAD_MS = 180_000;
const RUN_MS = 120_000;

/** A first run is as small as the slowest peer needs it, and later ones grow by this much at most. */
const FIRST_PAIRS = 32;
const GROWTH = 8;

export async function runCase(plan: CasePlan): Promise<SubjectResult[]> {
  const running: Running[] = [];
  const results: SubjectResult[] = [];
  try {
    for (const contender of plan.contenders) {
      const started = await start(contender, plan);
      results.push(started.result);
      if (started.result.failure === null) running.push(started);
    }
    for (let round = 0; round < plan.rounds; round++) {
      for (let turn = 0; turn < running.length; turn++) await takeTurn(running[(round + turn) % running.length]);
    }
  } finally {
    await Promise.all(running.map(({ child }) => child.end()));
  }
  return results;
}

export function contenderId(contender: Contender): string {
  return contender.kind === 'engine' ? engineId(contender.engine) : contender.call.id;
}

async function start(contender: Contender, plan: CasePlan): Promise<Running> {
  const { kind } = contender;
  const child = startChild<Subject>(kind === 'engine' ? contender : { kind, call: contender.call.id });
  const result: SubjectResult = {
    id: contenderId(contender),
    kind,
    opened: null,
    loaded: null,
    pairs: 0,
    samples: [],
    agreement: null,
    verdict: null,
    iterations: null,
    failure: null,
  };
  try {
    result.opened = await child.call('open', OPEN_MS);
    result.loaded = await child.call('load', LOAD_MS, plan.file, plan.case.query, plan.case.arrays);
    const pairs = Math.min(plan.pairs, contender.kind === 'peer' ? (contender.call.mostPairs ?? Infinity) : Infinity);
    result.pairs = await warmUp(child, pairs, plan.full.includes(contender) ? Infinity : plan.budgetMs);
    const known = plan.indices.filter((pair) => pair < result.pairs);
    const answers = await child.call('answers', RUN_MS, known);
    if (answers.time)
      answers.distance = timeErrors(answers.time, await judgeTimes(plan.file, known, answers.time), plan.truth);
    result.agreement = compareAnswers(plan.case.query, answers, plan.truth, BANDS[kind]);
    result.verdict = verdictOf(result.agreement);
    result.iterations = answers.iterations ?? null;
  } catch (error) {
    result.failure = firstLine(error);
    await child.end();
  }
  return { child, result };
}

/**
 * Runs ever more pairs, at most `pairs`, until the time of a run tells how many fit into `longest` milliseconds; ends
 * with a run of these. What seems to take too long is run again before it is believed: code that has just been loaded
 * gets faster with every call at first.
 */
async function warmUp(child: Child<Subject>, pairs: number, longest: number): Promise<number> {
  let count = Math.min(FIRST_PAIRS, pairs);
  let ms = await steadyTime(child, count, longest / 2);
  while (count < pairs && ms < longest / 2) {
    const fitting = (count * longest) / Math.max(ms, 0.01);
    count = Math.min(pairs, count * GROWTH, Math.max(count + 1, Math.floor(fitting)));
    ms = await steadyTime(child, count, longest / 2);
  }
  if (ms <= 1.5 * longest) return count;
  const fitting = Math.max(Math.min(FIRST_PAIRS, pairs), Math.floor((count * longest) / ms));
  await runOnce(child, fitting);
  return fitting;
}

/** The time of a run; beyond `limit` that of the run after which the next was no longer shorter by a tenth. */
async function steadyTime(child: Child<Subject>, count: number, limit: number): Promise<number> {
  let ms = await runOnce(child, count);
  for (let last = Infinity; ms > limit && ms < 0.9 * last;) {
    last = ms;
    ms = Math.min(last, await runOnce(child, count));
  }
  return ms;
}

async function runOnce(child: Child<Subject>, count: number): Promise<number> {
  await child.call('reserve', LOAD_MS, count);
  return (await child.call('run', RUN_MS, count)).ms;
}

async function takeTurn({ child, result }: Running): Promise<void> {
  if (result.failure !== null) return;
  try {
    result.samples.push(await child.call('run', RUN_MS, result.pairs));
  } catch (error) {
    result.failure = firstLine(error);
  }
}

/** Compilers of shaders tell long stories. */
function firstLine(error: unknown): string {
  return (error as Error).message.split('\n')[0];
}
