/** The queries of a tester, which run one after the other in the order of their calls. */
import { invalidInput } from '../api/errors.ts';
import { isAbort, orAborted, throwIfAborted, validateSignal } from '../request/abort.ts';
import { QUERY_OPTIONS } from '../request/options.ts';
import { watchArrays, type EnsureIntact, type NamedArrays } from '../request/watched-arrays.ts';
import { expectKnown } from '../util/known.ts';

/**
 * Checks the options of a query and calls `check`, which validates the arguments, at once. Calls the function that
 * `check` returns when all earlier queries have ended, and what `check` passes to `onEnd` when this one has, or was
 * refused. Rejects with `ABORTED` as soon as the signal fires. If an array that `check` passes to `watch` loses elements, the
 * query rejects with `INVALID_INPUT`, no matter which error that leads to.
 */
export type InTurn = <Answer>(
  name: keyof typeof QUERY_OPTIONS,
  options: { signal?: AbortSignal },
  check: (onEnd: OnEnd, watch: Watch) => () => Promise<Answer>,
) => Promise<Answer>;

export type OnEnd = (end: () => void) => void;

export type Watch = (named: NamedArrays) => EnsureIntact;

/** `ensureOpen` throws `DISPOSED` once the tester is disposed. */
export function createQueryQueue(ensureOpen: () => void): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return async (name, options, check) => {
    ensureOpen();
    if (typeof options !== 'object' || options === null) invalidInput('options', options, 'an object');
    expectKnown(options, 'options', QUERY_OPTIONS[name], `for ${name}`);
    const { signal } = options;
    validateSignal(signal);
    const ends: (() => void)[] = [];
    const end = (): void => ends.forEach((each) => each());
    let ensureIntact: EnsureIntact | undefined;
    let run: ReturnType<typeof check>;
    try {
      run = check(
        (each) => ends.push(each),
        (named) => (ensureIntact = watchArrays(named)),
      );
    } catch (error) {
      end();
      throw error;
    }
    const before = last;
    const answer = (async () => {
      await before;
      ensureOpen();
      throwIfAborted(signal);
      ensureIntact?.();
      try {
        return await run();
      } catch (error) {
        if (!isAbort(error)) ensureIntact?.();
        throw error;
      }
    })();
    last = answer.then(end, end);
    return orAborted(answer, signal);
  };
}
