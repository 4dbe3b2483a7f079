/** The workers of a tester. They are started when they are first wanted, and kept until the tester is disposed of. */
import type { QueryRequest } from '../../request/backend.ts';
import { NarrowphaseError } from '../../api/errors.ts';
import { throwIfAborted } from '../../request/abort.ts';
import type { ShapeBase } from '../../shapes/shape-table.ts';
import type { Part } from '../../request/screen.ts';
import type { RequestData } from '../answer-request.ts';
import { idsOf } from '../warm-ids.ts';
import { hasWorkers } from './platform.ts';
import { createSharedCopies } from './shared-copies.ts';
import { type CpuWorker, spawnWorker } from './spawn.ts';
import {
  FORGET,
  type FromWorker,
  type PairTask,
  type PairTaskAnswer,
  READY,
  type CutRequest,
  type RequestTask,
  type ScreenTask,
  type ScreenTaskAnswer,
  changeShapes,
  cutRequest,
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
  /** The request that it has. */
  request: RequestData | undefined;
}

/** A query on the workers. */
interface Run {
  request: QueryRequest;
  work: Work;
  cut: CutRequest;
  /** Parts to screen that no worker has got yet. */
  readonly unposted: Part[];
  /** How many parts have not been screened yet. */
  unscreenedCount: number;
  /** How the run will end if nothing changes. Unless it is `'answered'`, no more tasks are posted. */
  outcome: RunEnd;
  end(error?: unknown): void;
}

/** The parts of a request to screen, at least so many. */
function partsOf({ bodies, pairs }: QueryRequest, least: number): Part[] {
  const of = Math.max(least, Math.ceil((bodies.shapes.length + pairs.length) / MOST_SCREENED));
  return Array.from({ length: of }, (_, index) => ({ index, of }));
}

/** `workerUrl` is where the workers' script is; undefined: beside the package's other files. */
export function createPool(threads: number, workerUrl?: URL): Pool {
  const members = new Set<Member>();
  let isStarted = false;
  let failure = hasWorkers() ? undefined : 'there are none in this environment';
  let run: Run | undefined;
  let lastTask = 0;
  const copies = createSharedCopies();

  function start(): void {
    if (isStarted) return;
    isStarted = true;
    for (let i = 0; i < threads && failure === undefined; i++) addMember();
  }

  function addMember(): void {
    const member: Member = { worker: undefined!, isReady: false, tasks: new Map(), shapes: [], request: undefined };
    try {
      member.worker = spawnWorker(workerUrl, {
        message: (data) => settle(() => receive(member, data as FromWorker)),
        failure: (reason) => settle(() => drop(member, reason)),
      });
      members.add(member);
    } catch (error) {
      if (members.size === 0) failure = (error as Error).message;
    }
  }

  /** Has an event handled; what it throws ends the query. */
  function settle(handle: () => void): void {
    try {
      handle();
      if (run && !isRunning(run)) run.end();
    } catch (error) {
      run?.end(error);
    }
  }

  /** Whether workers have tasks of a query, or will have, when they are done with those of a query that ended early. */
  function isRunning(asked: Run): boolean {
    for (const { isReady, tasks } of members) {
      if (isReady && asked.outcome === 'answered' && asked.work.rest > 0) return true;
      for (const task of tasks.values()) if (task.run === asked) return true;
    }
    return false;
  }

  function receive(member: Member, data: FromWorker): void {
    // What it was to answer has come back to the work.
    if (!members.has(member)) return;
    if (data === READY) {
      member.isReady = true;
    } else {
      const { run: asked, job } = member.tasks.get(data.id)!;
      member.tasks.delete(data.id);
      if (asked === run) {
        throwIfAborted(run.request.signal);
        if ('passes' in data) noteScreened(run, data);
        else putAnswers(run, job as Range, data);
      }
    }
    feed(member);
  }

  function noteScreened(asked: Run, { passes }: ScreenTaskAnswer): void {
    if (!passes) asked.outcome = 'unchecked';
    if (--asked.unscreenedCount === 0) members.forEach(feed);
  }

  function putAnswers({ request, work }: Run, range: Range, { id: _id, ms, ids, ...answers }: PairTaskAnswer): void {
    if (ids) idsOf(request.warmStart!, range.first, range.count).set(ids);
    work.put(range, answers, ms);
  }

  function feed(member: Member): void {
    if (!run || !member.isReady) return;
    while (member.tasks.size < TASKS_AHEAD && run.outcome === 'answered') {
      const job = run.unscreenedCount > 0 ? run.unposted.pop() : run.work.take(TASK_MS, members.size);
      if (!job) return;
      try {
        post(member, run, job);
      } catch {
        // There is no memory for a copy, or something can't be copied. The caller's thread needs none.
        run.outcome = 'refused';
        giveBack(run, job);
      }
    }
  }

  /** Posts a task, and notes what the worker has from then on. */
  function post(member: Member, asked: Run, job: Range | Part): void {
    const { request, cut } = asked;
    const { request: data, first, transfer } = 'count' in job ? cut(job.first, job.count) : cut(0, 0);
    const shapes = shapeChanges(member.shapes, request.shapes.shapes);
    const id = ++lastTask;
    const task: RequestTask = { id, dimension: request.dimension.dimension, shapes };
    if (data !== member.request) task.request = data;
    if ('count' in job) {
      const ids = request.warmStart && idsOf(request.warmStart, job.first, job.count).slice();
      const pairTask: PairTask = { ...task, first, count: job.count, ids };
      member.worker.post(pairTask, ids ? [...transfer, ids.buffer as ArrayBuffer] : transfer);
    } else {
      const hasCheckedBodies = request.resident !== undefined;
      const screenTask: ScreenTask = { ...task, part: job, idCount: request.shapes.idCount, hasCheckedBodies };
      member.worker.post(screenTask, []);
    }
    member.tasks.set(id, { run: asked, job });
    member.request = data;
    if (shapes) changeShapes(member.shapes, shapes);
  }

  /** Returns a range to the work. A part that was not screened makes the run `'unchecked'`. */
  function giveBack(asked: Run, job: Range | Part): void {
    if ('count' in job) asked.work.giveBack(job);
    else if (asked.outcome === 'answered') asked.outcome = 'unchecked';
  }

  function release(member: Member): void {
    if (member.request) member.worker.post(FORGET, []);
    member.request = undefined;
    member.worker.keepAlive(false);
  }

  /** A worker that failed is not replaced; what it had to do is done elsewhere. */
  function drop(member: Member, reason: string): void {
    if (!members.delete(member)) return;
    member.worker.terminate();
    for (const task of member.tasks.values()) if (task.run === run) giveBack(run, task.job);
    if (members.size === 0) failure = reason;
  }

  return {
    get isReady() {
      for (const { isReady } of members) if (isReady) return true;
      return false;
    },
    get failure() {
      return failure;
    },
    start,
    run(request, work, isChecked) {
      return new Promise((resolve, reject) => {
        const end = (error?: unknown): void => {
          run = undefined;
          members.forEach(release);
          if (error !== undefined) reject(error);
          else resolve(asked.unscreenedCount > 0 && asked.outcome === 'answered' ? 'unchecked' : asked.outcome);
        };
        const ready = [...members].filter(({ isReady }) => isReady);
        // Workers may still read the memory of a query that ended early.
        if (ready.some(({ tasks }) => tasks.size > 0)) copies.renew();
        let cut: CutRequest;
        try {
          cut = cutRequest(request, copies);
        } catch {
          // There is no memory for the copies.
          resolve('refused');
          return;
        } finally {
          copies.dropUnused();
        }
        const unposted = isChecked ? [] : partsOf(request, TASKS_AHEAD * ready.length);
        const unscreenedCount = unposted.length;
        const asked: Run = { request, work, cut, unposted, unscreenedCount, outcome: 'answered', end };
        run = asked;
        settle(() => {
          for (const member of members) {
            member.worker.keepAlive(true);
            feed(member);
          }
        });
      });
    },
    dispose() {
      copies.renew();
      const gone = [...members];
      members.clear();
      for (const { worker } of gone) worker.terminate();
      run?.end(new NarrowphaseError('DISPOSED', 'the tester was disposed while a query ran'));
    },
  };
}
