/** The workers of a tester. They are started when they are first wanted, and kept until the tester is disposed of. */
import type { QueryRequest } from '../../request/backend.ts';
import { NarrowphaseError } from '../../api/errors.ts';
import { throwIfAborted } from '../../request/abort.ts';
import type { ShapeBase } from '../../shapes/shape-table.ts';
import type { RequestData } from '../answer-request.ts';
import { idsOf } from '../warm-ids.ts';
import { hasWorkers } from './platform.ts';
import { type CpuWorker, spawnWorker } from './spawn.ts';
import {
  FORGET,
  type FromWorker,
  READY,
  type RequestParts,
  type Task,
  changeShapes,
  requestParts,
  shapeChanges,
} from './task.ts';
import type { Range, Work } from './work.ts';

/** Milliseconds of a task: long against the time that messages take, short against that which an abort may. */
const TASK_MS = 4;

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
   * Answers what is left of a query. Where workers fail, ranges come back to the work. Gives whether the workers can
   * take more of it: where a task can't be posted, the caller's thread has to answer the rest.
   */
  run(request: QueryRequest, work: Work): Promise<boolean>;
  /** Ends the workers; a query that runs on them fails with `DISPOSED`. */
  dispose(): void;
}

interface Member {
  worker: CpuWorker;
  isReady: boolean;
  /** What it was given and hasn't answered, tasks of ended queries among them, by id. */
  readonly tasks: Map<number, { run: Run; range: Range }>;
  /** The shapes that it has. */
  readonly shapes: (ShapeBase | undefined)[];
  /** The request that it has. */
  request: RequestData | undefined;
}

/** A query on the workers. */
interface Run {
  request: QueryRequest;
  work: Work;
  part: RequestParts;
  /** Whether a task of it could not be posted: none is from then on. */
  isRefused: boolean;
  end(error?: unknown): void;
}

export function createPool(threads: number): Pool {
  const members = new Set<Member>();
  let isStarted = false;
  let failure = hasWorkers() ? undefined : 'there are none in this environment';
  let run: Run | undefined;
  let lastTask = 0;

  function start(): void {
    if (isStarted) return;
    isStarted = true;
    for (let i = 0; i < threads && failure === undefined; i++) addMember();
  }

  function addMember(): void {
    const member: Member = { worker: undefined!, isReady: false, tasks: new Map(), shapes: [], request: undefined };
    try {
      member.worker = spawnWorker({
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
      if (isReady && !asked.isRefused && asked.work.rest > 0) return true;
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
      const { id, ms, ids, ...answers } = data;
      const task = member.tasks.get(id)!;
      member.tasks.delete(id);
      if (task.run === run) {
        const { request, work } = run;
        throwIfAborted(request.signal);
        if (ids) idsOf(request.warmStart!, task.range.first, task.range.count).set(ids);
        work.put(task.range, answers, ms);
      }
    }
    feed(member);
  }

  function feed(member: Member): void {
    if (!run || !member.isReady) return;
    while (member.tasks.size < TASKS_AHEAD && !run.isRefused) {
      const range = run.work.take(TASK_MS, members.size);
      if (!range) return;
      try {
        post(member, run, range);
      } catch {
        // There is no memory for a copy, or something can't be copied. The caller's thread needs none.
        run.isRefused = true;
        run.work.giveBack(range);
      }
    }
  }

  /** Posts a range as a task, and notes what the worker has from then on. */
  function post(member: Member, asked: Run, range: Range): void {
    const { request, part } = asked;
    const { count } = range;
    const { request: data, first, transfer } = part(range.first, count);
    const ids = request.warmStart && idsOf(request.warmStart, range.first, count).slice();
    const shapes = shapeChanges(member.shapes, request.shapes.shapes);
    const { dimension } = request.dimension;
    const task: Task = { id: ++lastTask, dimension, first, count, ids, shapes };
    if (data !== member.request) task.request = data;
    member.worker.post(task, ids ? [...transfer, ids.buffer as ArrayBuffer] : transfer);
    member.tasks.set(task.id, { run: asked, range });
    member.request = data;
    if (shapes) changeShapes(member.shapes, shapes);
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
    for (const task of member.tasks.values()) if (task.run === run) run.work.giveBack(task.range);
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
    run(request, work) {
      return new Promise((resolve, reject) => {
        const end = (error?: unknown): void => {
          run = undefined;
          members.forEach(release);
          if (error === undefined) resolve(!asked.isRefused);
          else reject(error);
        };
        const asked: Run = { request, work, part: requestParts(request), isRefused: false, end };
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
      const gone = [...members];
      members.clear();
      for (const { worker } of gone) worker.terminate();
      run?.end(new NarrowphaseError('DISPOSED', 'the tester was disposed while a query ran'));
    },
  };
}
