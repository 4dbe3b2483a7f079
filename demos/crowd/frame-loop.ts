/** Takes as many steps per frame as real time needs, then draws and reports. Everything that changes the crowd takes turns. */

import { RULES } from './rules.ts';

/** Steps between two readings of the counters. */
const REPORT_STEPS = 12;
/** A slow machine falls behind real time rather than take more steps per frame. */
const MOST_STEPS_PER_FRAME = 2;

export interface FrameActions {
  isRunning(): boolean;
  /** Steps since the start or the latest reset. */
  steps(): number;
  step(): Promise<void>;
  /** Resolves when the device has finished the steps that it was given. */
  finishSteps(): Promise<void>;
  /** Gets the milliseconds per step of this frame, until the device had finished them. */
  measured(milliseconds: number): void;
  draw(): Promise<void>;
  report(): Promise<void>;
  failed(error: unknown): void;
}

export interface FrameLoop {
  /** Runs an action when those before it have ended: nothing changes the crowd while a step runs. */
  inTurn<T>(action: () => Promise<T> | T): Promise<T>;
  /** The same for an action whose result nobody needs. */
  queue(action: () => Promise<unknown>): void;
  /** Asks for frames until one fails. */
  start(): void;
}

export function createFrameLoop(actions: FrameActions): FrameLoop {
  let busy: Promise<unknown> = Promise.resolve();
  let reportedAt = 0;
  let last = performance.now();
  let owed = 0;

  function inTurn<T>(action: () => Promise<T> | T): Promise<T> {
    const result = busy.then(action);
    busy = result.catch((error) => actions.failed(error));
    return result;
  }

  function queue(action: () => Promise<unknown>): void {
    inTurn(action).catch(() => {}); // `inTurn` has reported the error.
  }

  async function frame(now: number): Promise<void> {
    owed = Math.min(owed + (now - last) / 1000 / RULES.STEP, MOST_STEPS_PER_FRAME);
    last = now;
    const from = performance.now();
    let taken = 0;
    if (actions.isRunning()) for (; owed >= 1; owed--, taken++) await actions.step();
    await actions.finishSteps();
    if (taken > 0) actions.measured((performance.now() - from) / taken);
    await actions.draw();
    const steps = actions.steps();
    if (steps >= reportedAt + REPORT_STEPS || steps < reportedAt) {
      reportedAt = steps;
      await actions.report();
    }
  }

  function loop(now: number): void {
    inTurn(() => frame(now)).then(
      () => requestAnimationFrame(loop),
      () => {}, // `inTurn` has reported the error; there is no further frame.
    );
  }

  return { inTurn, queue, start: () => requestAnimationFrame(loop) };
}
