/** Abort signals of callers. */
import { NarrowphaseError, hasCode, invalidInput } from '../api/errors.ts';

function aborted(signal: AbortSignal): NarrowphaseError {
  return new NarrowphaseError('ABORTED', 'the query was aborted', { cause: signal.reason });
}

/** Throws `INVALID_INPUT` unless it is a signal or missing. */
export function validateSignal(signal: unknown): void {
  if (signal !== undefined && !(signal instanceof AbortSignal))
    invalidInput('options.signal', signal, 'an AbortSignal');
}

/** Throws `ABORTED` if the caller's signal has fired. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw aborted(signal);
}

export function isAbort(error: unknown): boolean {
  return hasCode(error, 'ABORTED');
}

/**
 * `answer`, or `ABORTED` as soon as the signal fires. Leaves no listener behind: one signal may serve many queries.
 */
export function orAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return answer;
  if (signal.aborted) return Promise.reject(aborted(signal));
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(aborted(signal));
    signal.addEventListener('abort', abort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
