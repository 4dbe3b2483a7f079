import type { AnswerPair } from '../cpu/asked-pairs.ts';
import type { Backend } from '../request/backend.ts';
import { door } from '../util/door.ts';

const loadBackend = door('CPU backend', () => import('../cpu/backend.ts'));

/** A CPU backend. `threads` and `workerUrl`: as in the options of testers. */
export async function openCpu(
  loadReference: () => Promise<AnswerPair>,
  threads?: number,
  workerUrl?: URL,
): Promise<Backend> {
  const [{ createCpuBackend }, answerPair] = await Promise.all([loadBackend(), loadReference()]);
  return createCpuBackend(answerPair, threads, workerUrl);
}

/** The CPU backend that answers pairs of parts: the tester's own if it is one, otherwise one that the first such query opens. */
export interface CpuForParts {
  load(): Promise<Backend>;
  /** Why it doesn't run as requested, as that of a backend. */
  readonly fallback: string | undefined;
  dispose(): void;
}

export function cpuForParts(backend: Backend, open: () => Promise<Backend>): CpuForParts {
  let opening: Promise<Backend> | undefined;
  let opened: Backend | undefined;
  return {
    async load() {
      if (backend.name === 'cpu') return backend;
      try {
        return (opened = await (opening ??= open()));
      } catch (error) {
        // The next call tries again.
        opening = undefined;
        throw error;
      }
    },
    get fallback() {
      return opened?.fallback;
    },
    dispose: () =>
      void opening?.then(
        (other) => other.dispose(),
        () => undefined,
      ),
  };
}
