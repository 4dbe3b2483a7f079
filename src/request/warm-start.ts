/** A caller's handle on the last simplices of searches, pair by pair. */
import type { WarmStartState } from './backend.ts';
import { NarrowphaseError, invalidInput } from '../api/errors.ts';
import type { WarmStart } from '../api/types.ts';

const states = new WeakMap<WarmStart, WarmStartState>();

export function createWarmStart(maxPairs: number): WarmStart {
  if (!(Number.isInteger(maxPairs) && maxPairs > 0 && maxPairs <= 2 ** 27))
    invalidInput('maxPairs', maxPairs, 'a whole number from 1 to 2^27');
  const state: WarmStartState = { maxPairs, isDisposed: false, simplices: new Map() };
  const dispose = (): void => {
    state.isDisposed = true;
    for (const buffer of state.simplices.values()) buffer.destroy();
    state.simplices.clear();
    state.ids = undefined;
    state.parts = undefined;
  };
  const handle: WarmStart = { maxPairs, dispose, [Symbol.dispose]: dispose };
  states.set(handle, state);
  return handle;
}

/** Throws `DISPOSED` if the warm start was disposed. */
export function ensureOpen({ isDisposed }: WarmStartState): void {
  if (isDisposed) throw new NarrowphaseError('DISPOSED', 'options.warmStart was disposed');
}

/** The state behind a handle, for a query of `pairCount` pairs. */
export function warmStartState(handle: WarmStart, pairCount: number): WarmStartState {
  const state = states.get(handle);
  if (!state) invalidInput('options.warmStart', handle, 'what createWarmStart of a tester gave');
  ensureOpen(state);
  if (pairCount > state.maxPairs)
    invalidInput('options.warmStart.maxPairs', state.maxPairs, `at least ${pairCount}, the number of pairs`);
  return state;
}

/**
 * The number of pairs to allocate memory for when a query has `pairCount`: more, so that a list that grows step by step
 * doesn't need new memory each time.
 */
export function roomFor({ maxPairs }: WarmStartState, pairCount: number): number {
  return Math.min(maxPairs, Math.ceil(1.5 * pairCount));
}
