/** The worker that measures. One that was ended, or whose device was lost, is replaced when it is needed again. */

import type { BackendChoice } from '../common/choose-backend.ts';
import type { AdapterFacts, WorkerEvent, WorkerTask } from './messages.ts';

/** Where the worker measures: on an adapter, or on the CPU for this reason. */
export interface Opened {
  adapter: AdapterFacts | null;
  reason: string;
}

export interface Measurer {
  /** Opens the worker's device, if none is open. It stays pending if the worker is ended meanwhile. */
  open(): Promise<Opened>;
  run(task: Omit<Extract<WorkerTask, { kind: 'run' }>, 'kind'>): void;
  /** Ends the worker at once, and with it the run. */
  end(): void;
}

/** `onError`: the worker could not be loaded, or has an error of its own. */
export function createMeasurer(
  choice: BackendChoice,
  onEvent: (event: WorkerEvent) => void,
  onError: (reason: string) => void,
): Measurer {
  let worker: Worker | undefined;
  let opening: Promise<Opened> | undefined;

  function end(): void {
    worker?.terminate();
    worker = undefined;
    opening = undefined;
  }

  function start(): Promise<Opened> {
    const own = new Worker(new URL('./measure-worker.ts', import.meta.url), { type: 'module', name: 'bench' });
    worker = own;
    own.addEventListener('error', (event) => {
      event.preventDefault();
      if (worker !== own) return;
      end();
      onError(event.message || 'The worker could not be started');
    });
    return new Promise((resolve) => {
      own.addEventListener('message', ({ data }: MessageEvent<WorkerEvent>) => {
        // What an ended worker had sent before may still arrive.
        if (worker !== own) return;
        if (data.kind === 'opened') resolve(data);
        if (data.kind === 'lost') end();
        onEvent(data);
      });
      own.postMessage({ kind: 'open', choice } satisfies WorkerTask, []);
    });
  }

  return {
    open: () => (opening ??= start()),
    run: (task) => worker?.postMessage({ kind: 'run', ...task } satisfies WorkerTask, []),
    end,
  };
}
