/**
 * Times of impact, judged: seeded bodies of every two types of shape in straight motion and with turns, on every
 * engine.
 *
 *     npm run motion -- [--pairs 200000] [--turning 50000] [--engines reference,cpu,dawn,chrome]
 *       [--types A,B] [--seed 1] [--out FILE]
 *
 * `bench/campaigns/motion/build.ts` bundles it first. Prints Markdown tables. Exits with 1 if any answer is wrong or could not be
 * judged, with 2 for a bad command line.
 */

import { writeFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openByName, poseOf, type OpenEngine } from './engines.ts';
import { createVerdict, judge, type Answers, type Verdict } from '../../../verification/judges/motion/judge.ts';
import { createMoving, takePair } from '../../../verification/judges/motion/moving.ts';
import { commandLine, optionsOrExit } from '../../options.ts';
import { createLog } from '../../progress.ts';
import { HELP, parseOptions, type Options } from './options.ts';
import { makeChunk, type Kind, type Chunk, type TypePair } from './pairs.ts';
import { markdown, type EngineRows, type Example } from './report.ts';
import { count, createStatistics, type Statistics } from './statistics.ts';

/** Pairs per query. */
const CHUNK_PAIRS = 20_000;

/** Pairs judged per turn of the event loop, so that messages of engines are handled. */
const TURN_PAIRS = 500;

/** The pairs of one query to all engines. */
interface Task {
  types: TypePair;
  kind: Kind;
  index: number;
  count: number;
}

const options = optionsOrExit('motion', HELP, parseOptions);
const start = performance.now();
const tell = createLog(start);
const engines: OpenEngine[] = [];
for (const name of options.engines) {
  engines.push(await openByName(name));
  tell(`${name}: ${engines.at(-1)!.description}`);
}
const found: EngineRows[] = engines.map(({ name, description }) => ({ name, description, rows: [] }));
const examples: Example[] = [];
const verdict = createVerdict();

// The next chunk is sent before the last one is judged, so that engines in other processes work meanwhile.
let asked: Promise<Answered> | undefined;
for (const task of [...tasksOf(options), undefined]) {
  const answered = await asked;
  asked = task && ask(task);
  if (answered) await judgeAll(answered);
}
for (const engine of engines) await engine.close();

const command = commandLine('npm run motion');
const report = markdown({ command, engines: found, examples, seconds: (performance.now() - start) / 1000 });
if (options.out === undefined) console.log(report);
else writeFileSync(options.out, report);
const wrong = found
  .flatMap(({ rows }) => rows)
  .reduce((sum, { statistics: { faulty, unknown } }) => sum + faulty + unknown, 0);
tell(`${wrong} wrong answers`);
process.exit(wrong > 0 ? 1 : 0);

interface Answered {
  task: Task;
  chunk: Chunk;
  answers: Answers[];
}

async function ask(task: Task): Promise<Answered> {
  const chunk = makeChunk(task.types, task.kind, task.index, task.count, options.seed);
  return { task, chunk, answers: await Promise.all(engines.map((engine) => engine.ask(chunk))) };
}

async function judgeAll({ task, chunk, answers }: Answered): Promise<void> {
  const moving = createMoving(chunk.data[0]);
  for (const [i, engine] of engines.entries()) {
    const statistics = statisticsOf(found[i], task);
    for (let slot = 0; slot < task.count; slot++) {
      takePair(chunk.data, chunk.bodies, chunk.pairs[2 * slot], chunk.pairs[2 * slot + 1], chunk.duration, moving);
      judge(moving, answers[i], slot, engine.terms, verdict);
      if (verdict.faults.some((fault) => statistics.faults[fault] === 0))
        examples.push(exampleOf(engine, task, chunk, answers[i], slot, verdict));
      count(verdict, statistics);
      if (slot % TURN_PAIRS === 0) await nextTurn();
    }
  }
  const counts = found.map(({ name, rows }) => `${name} ${rows.at(-1)!.statistics.faulty} wrong`);
  tell(`${task.types.join('/')} ${task.kind}, ${task.index * CHUNK_PAIRS + task.count} pairs: ${counts.join(', ')}`);
}

/** The statistics of the row that the task adds to: the last row or a new one. */
function statisticsOf({ rows }: EngineRows, { types, kind }: Task): Statistics {
  const last = rows.at(-1);
  if (last && last.types === types && last.kind === kind) return last.statistics;
  const statistics = createStatistics();
  rows.push({ types, kind, statistics });
  return statistics;
}

function exampleOf(
  { name }: OpenEngine,
  { types, kind, index }: Task,
  { descriptions, bodies, pairs, duration }: Chunk,
  given: Answers,
  slot: number,
  judged: Verdict,
): Example {
  const [a, b] = [pairs[2 * slot], pairs[2 * slot + 1]];
  const vector = (array: ArrayLike<number>): number[] => [0, 1, 2].map((k) => array[3 * slot + k]);
  const pair = {
    a: { shape: descriptions[bodies.shapes[a]], ...poseOf(bodies, a) },
    b: { shape: descriptions[bodies.shapes[b]], ...poseOf(bodies, b) },
    duration,
    answer: {
      status: given.status[slot],
      time: given.time[slot],
      unclampedTime: given.unclampedTime[slot],
      normal: vector(given.normal),
      point: vector(given.point),
    },
  };
  const errors =
    `distance ${judged.distanceError.toExponential(1)}, normal ${judged.supportError.toExponential(1)}, ` +
    `point ${judged.pointError.toExponential(1)}`;
  return {
    engine: name,
    types,
    kind,
    index: index * CHUNK_PAIRS + slot,
    faults: [...judged.faults],
    errors,
    pair: JSON.stringify(pair, plain),
  };
}

/** JSON has neither typed arrays nor infinite numbers nor NaN. */
function plain(_: string, value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return Array.from(value as Float32Array);
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

function* tasksOf({ types, pairs, turning }: Options): Generator<Task> {
  for (const both of types) {
    for (const [kind, total] of [
      ['straight', pairs],
      ['turning', turning],
    ] as const) {
      for (let first = 0; first < total; first += CHUNK_PAIRS) {
        yield { types: both, kind, index: first / CHUNK_PAIRS, count: Math.min(CHUNK_PAIRS, total - first) };
      }
    }
  }
}
