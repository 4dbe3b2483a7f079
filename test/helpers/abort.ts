/** Targets of queries that are aborted: what stands in them when the signal fires stands there for good. */

import type { Backend } from '../../src/request/backend.ts';
import type { Numbers } from './memory.ts';

type Target = Record<string, Numbers>;

/** The arrays of a result, filled with a number that no answer has. */
export function markedTarget(result: object): Target {
  const arrays = Object.entries(result).filter(([, value]) => ArrayBuffer.isView(value)) as [string, Numbers][];
  return Object.fromEntries(arrays.map(([name, array]) => [name, array.slice().fill(77)]));
}

export const isMarked = (target: Target): boolean =>
  Object.values(target).every((array) => array.every((value) => value === 77));

/** Calls `use` after so many microtasks. */
export async function afterMicrotasks(count: number, use: () => void): Promise<void> {
  for (let i = 0; i < count; i++) await undefined;
  use();
}

/** The backend; `onEnd` is called when it has handed on the last chunk of a query, before anything else happens. */
export function watchEnds(backend: Backend, onEnd: () => void): Backend {
  const { run } = backend;
  backend.run = async (request, sink) => {
    await run.call(backend, request, sink);
    onEnd();
  };
  return backend;
}

/** What a query's promise came to, and whether its target changed once the signal had fired. */
export async function runAborted(
  target: Target,
  query: (target: never, signal: AbortSignal) => Promise<unknown>,
  controller: AbortController,
  finish: () => Promise<unknown>,
): Promise<{ code: string | undefined; isUntouched: boolean }> {
  const before: Target = {};
  controller.signal.addEventListener('abort', () =>
    Object.entries(target).forEach(([name, array]) => (before[name] = array.slice())),
  );
  const code = await query(target as never, controller.signal).then(
    () => undefined,
    (error: { code?: string }) => error.code ?? String(error),
  );
  await finish();
  return {
    code,
    isUntouched: Object.entries(before).every(([name, values]) =>
      values.every((value, i) => Object.is(value, target[name][i])),
    ),
  };
}
