/** The workers of a tester. They are started when they are first wanted, and kept until the tester is disposed of. */
import type { BodyPairs, QueryRequest } from '../../request/backend.ts';
import { NarrowphaseError } from '../../api/errors.ts';
import { throwIfAborted } from '../../request/abort.ts';
import type { ShapeBase } from '../../shapes/shape-table.ts';
import type { Part } from '../../request/screen.ts';
import { idsOf } from '../warm-ids.ts';
import { hasWorkers } from './platform.ts';
import { createSharedCopies } from './shared-copies.ts';
import { type CpuWorker, spawnWorker } from './spawn.ts';
import {
  FORGET,
  type FromWorker,
  type PairTask,
  type PairTaskAnswer,
  type PostedQuery,
  READY,
  type CutQuery,
  type TaskHead,
  type ScreenTask,
  type ScreenTaskAnswer,
  changeShapes,
  cutQuery,
  shapeChanges,
} from './task.ts';
import type { Range, Work } from './work.ts';

/** Milliseconds of a task: long against the time that messages take, short against that which an abort may. */
const TASK_MS = 4;

/** Bodies and indices of pairs that a worker screens at a time; they take about a millisecond. */
const MOST_SCREENED = 2 ** 18;

/** Tasks that a worker has at a time, so that it doesn't wait for messages. */
const TASKS_AHEAD = 2;

export interface Pool {
  /** Whether there is a worker that waits for tasks. */
  readonly isReady: boolean;
  /** Why there is no worker any more. */
  readonly failure: string | undefined;
  /** Starts the workers, unless that was done before. */
  start(): void;
  /**
   * Answers what is left of a query. Unless its numbers have been checked, workers screen them before. Where workers
   * fail, ranges come back to the work.
   */
  run(request: QueryRequest, work: Work, isChecked: boolean): Promise<RunEnd>;
  /** Ends the workers; a query that runs on them fails with `DISPOSED`. */
  dispose(): void;
}

/**
 * How a run on the workers ends:
 *
 * - `'answered'`: the numbers are checked, and all tasks were answered or no worker is left.
 * - `'unchecked'`: no pair was answered, as a number may be wrong or a worker failed while it screened.
 * - `'refused'`: a task can't be posted. The caller's thread has to do the rest.
 */
export type RunEnd = 'answered' | 'unchecked' | 'refused';

interface Member {
  worker: CpuWorker;
  isReady: boolean;
  /** What it was given and hasn't answered, tasks of ended queries among them, by id. */
  readonly tasks: Map<number, { run: Run; job: Range | Part }>;
  /** The shapes that it has. */
  readonly shapes: (ShapeBase | undefined)[];
  /** The query that it has. */
  query: PostedQuery | undefined;
}

/** A query on the workers. */
interface Run {
  request: QueryRequest;
  work: Work;
  cut: CutQuery;
  /** Parts to screen that no worker has got yet. */
  readonly unposted: Part[];
  /** How many parts have not been screened yet. */
  unscreenedCount: number;
  /** How the run will end if nothing changes. Unless it is `'answered'`, no more tasks are posted. */
  outcome: RunEnd;
  end(error?: unknown): void;
}

/** The parts of a query to screen, at least so many. */
function partsOf({ bodies, pairs }: BodyPairs, least: number): Part[] {
  const of = Math.max(least, Math.ceil((bodies.shapes.length + pairs.length) / MOST_SCREENED));
  return Array.from({ length: of }, (_, index) => ({ index, of }));
}

/** What a pool knows of its workers. */
interface Workers {
  readonly members: Set<Member>;
  /** Memory that queries share with the workers. */
  readonly copies: ReturnType<typeof createSharedCopies>;
  /** Why there is no worker any more. */
  failure: string | undefined;
  /** The query on the workers. */
  run: Run | undefined;
  lastTask: number;
}

/** `workerUrl` is where the workers' script is; undefined: beside the package's other files. */
export function createPool(threads: number, workerUrl?: URL): Pool {
  const failure = hasWorkers() ? undefined : 'there are none in this environment';
  const copies = createSharedCopies();
  const workers: Workers = { members: new Set(), copies, failure, run: undefined, lastTask: 0 };
  let isStarted = false;
  return {
    get isReady() {
      for (const { isReady } of workers.members) if (isReady) return true;
      return false;
    },
    get failure() {
      return workers.failure;
    },
    start() {
      if (isStarted) return;
      isStarted = true;
      for (let i = 0; i < threads && workers.failure === undefined; i++) addMember(workers, workerUrl);
    },
    run(request, work, isChecked) {
      return new Promise((resolve, reject) => beginRun(workers, request, work, isChecked, { resolve, reject }));
    },
    dispose() {
      copies.renew();
      const gone = [...workers.members];
      workers.members.clear();
      for (const { worker } of gone) worker.terminate();
      workers.run?.end(new NarrowphaseError('DISPOSED', 'the tester was disposed while a query ran'));
    },
  };
}

function addMember(workers: Workers, workerUrl: URL | undefined): void {
  const member: Member = { worker: undefined!, isReady: false, tasks: new Map(), shapes: [], query: undefined };
  try {
    member.worker = spawnWorker(workerUrl, {
      message: (data) => settle(workers, () => receive(workers, member, data as FromWorker)),
      failure: (reason) => settle(workers, () => drop(workers, member, reason)),
    });
    workers.members.add(member);
  } catch (error) {
    if (workers.members.size === 0) workers.failure = (error as Error).message;
  }
}

/** Posts the first tasks of a query, which settles the promise when it ends. */
function beginRun(
  workers: Workers,
  request: QueryRequest,
  work: Work,
  isChecked: boolean,
  { resolve, reject }: { resolve(end: RunEnd): void; reject(error: unknown): void },
): void {
  const { members, copies } = workers;
  const end = (error?: unknown): void => {
    workers.run = undefined;
    members.forEach(release);
    if (error !== undefined) reject(error);
    else resolve(run.unscreenedCount > 0 && run.outcome === 'answered' ? 'unchecked' : run.outcome);
  };
  const ready = [...members].filter(({ isReady }) => isReady);
  // Workers may still read the memory of a query that ended early.
  if (ready.some(({ tasks }) => tasks.size > 0)) copies.renew();
  let cut: CutQuery;
  try {
    cut = cutQuery(request, copies);
  } catch {
    // There is no memory for the copies.
    resolve('refused');
    return;
  } finally {
    copies.dropUnused();
  }
  const unposted = isChecked ? [] : partsOf(request.over, TASKS_AHEAD * ready.length);
  const unscreenedCount = unposted.length;
  const run: Run = { request, work, cut, unposted, unscreenedCount, outcome: 'answered', end };
  workers.run = run;
  settle(workers, () => {
    for (const member of members) {
      member.worker.keepAlive(true);
      feed(workers, member);
    }
  });
}

/** Has an event handled; what it throws ends the query. */
function settle(workers: Workers, handle: () => void): void {
  try {
    handle();
    if (workers.run && !isRunning(workers, workers.run)) workers.run.end();
  } catch (error) {
    workers.run?.end(error);
  }
}

/** Whether workers have tasks of a query, or will have, when they are done with those of a query that ended early. */
function isRunning({ members }: Workers, run: Run): boolean {
  for (const { isReady, tasks } of members) {
    if (isReady && run.outcome === 'answered' && run.work.rest > 0) return true;
    for (const task of tasks.values()) if (task.run === run) return true;
  }
  return false;
}

function receive(workers: Workers, member: Member, data: FromWorker): void {
  // What it was to answer has come back to the work.
  if (!workers.members.has(member)) return;
  if (data === READY) {
    member.isReady = true;
  } else {
    const { run, job } = member.tasks.get(data.id)!;
    member.tasks.delete(data.id);
    if (run === workers.run) {
      throwIfAborted(run.request.signal);
      if ('passes' in data) noteScreened(workers, run, data);
      else putAnswers(run, job as Range, data);
    }
  }
  feed(workers, member);
}

function noteScreened(workers: Workers, run: Run, { passes }: ScreenTaskAnswer): void {
  if (!passes) run.outcome = 'unchecked';
  if (--run.unscreenedCount === 0) for (const member of workers.members) feed(workers, member);
}

function putAnswers({ request, work }: Run, range: Range, { id: _id, ms, ids, ...answers }: PairTaskAnswer): void {
  if (ids) idsOf(request.over.warmStart!, range.first, range.count).set(ids);
  work.put(range, answers, ms);
}

function feed(workers: Workers, member: Member): void {
  const { run, members } = workers;
  if (!run || !member.isReady) return;
  while (member.tasks.size < TASKS_AHEAD && run.outcome === 'answered') {
    const job = run.unscreenedCount > 0 ? run.unposted.pop() : run.work.take(TASK_MS, members.size);
    if (!job) return;
    try {
      post(member, ++workers.lastTask, run, job);
    } catch {
      // There is no memory for a copy, or something can't be copied. The caller's thread needs none.
      run.outcome = 'refused';
      giveBack(run, job);
    }
  }
}

/** Posts a task, and notes what the worker has from then on. */
function post(member: Member, id: number, run: Run, job: Range | Part): void {
  const { cut } = run;
  const { shapes: table, dimension, warmStart, resident } = run.request.over;
  const { query, first, transfer } = 'count' in job ? cut(job.first, job.count) : cut(0, 0);
  const shapes = shapeChanges(member.shapes, table.shapes);
  const task: TaskHead = { id, dimension: dimension.dimension, shapes };
  if (query !== member.query) task.query = query;
  if ('count' in job) {
    const ids = warmStart && idsOf(warmStart, job.first, job.count).slice();
    const pairTask: PairTask = { ...task, first, count: job.count, ids };
    member.worker.post(pairTask, ids ? [...transfer, ids.buffer as ArrayBuffer] : transfer);
  } else {
    const hasCheckedBodies = resident !== undefined;
    const screenTask: ScreenTask = { ...task, part: job, idCount: table.idCount, hasCheckedBodies };
    member.worker.post(screenTask, []);
  }
  member.tasks.set(id, { run, job });
  member.query = query;
  if (shapes) changeShapes(member.shapes, shapes);
}

/** Returns a range to the work. A part that was not screened makes the run `'unchecked'`. */
function giveBack(run: Run, job: Range | Part): void {
  if ('count' in job) run.work.giveBack(job);
  else if (run.outcome === 'answered') run.outcome = 'unchecked';
}

function release(member: Member): void {
  if (member.query) member.worker.post(FORGET, []);
  member.query = undefined;
  member.worker.keepAlive(false);
}

/** A worker that failed is not replaced; what it had to do is done elsewhere. */
function drop(workers: Workers, member: Member, reason: string): void {
  if (!workers.members.delete(member)) return;
  member.worker.terminate();
  for (const task of member.tasks.values()) if (task.run === workers.run) giveBack(task.run, task.job);
  if (workers.members.size === 0) workers.failure = reason;
}
