/** Runs checks in a worker, one at a time. A new check ends the one before. */

import type { CheckEvent, CheckTask } from './check-messages.ts';

export interface CheckRunner {
  run(task: CheckTask, onEvent: (event: CheckEvent) => void): void;
  stop(): void;
}

export function createCheckRunner(): CheckRunner {
  let worker: Worker | undefined;
  const stop = (): void => {
    worker?.terminate();
    worker = undefined;
  };
  return {
    run(task, onEvent) {
      stop();
      const own = new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module', name: 'clash check' });
      worker = own;
      let stage: 'reading' | 'checking' = 'reading';
      own.addEventListener('message', ({ data }: MessageEvent<CheckEvent>) => {
        if (data.kind === 'scene') stage = 'checking';
        onEvent(data);
        if (worker === own && isLast(data, task)) stop();
      });
      own.addEventListener('error', (event) => {
        event.preventDefault();
        onEvent({ kind: 'failed', stage, reason: event.message || 'the worker could not be started' });
        stop();
      });
      own.postMessage(task, []);
    },
    stop,
  };
}

function isLast({ kind }: CheckEvent, { readOnly }: CheckTask): boolean {
  return kind === 'done' || kind === 'failed' || (kind === 'scene' && readOnly);
}
